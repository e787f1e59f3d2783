"""Faults for a match at the dealer. Each strikes, sees that it did, brings the match back, and
says what was seen.

The first line of a docstring is the fault's name in the report.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from dealer_tests.soak.dealing import HOST, NAMES, DealLeg, House, refusal_of
from dealer_tests.soak.findings import SoakFailure
from dealer_tests.soak.processes import is_stopped, wait_until
from dealer_tests.soak.stage import full_disk

GREETING = b"VERSION:2.0.0\r\n"
RUBBISH = b"\x00\xff{}MATCHSTATE:::::\r\nGET / HTTP/1.1\r\n\r\n"
HALF_LINE = b"MATCHSTATE:0:"
LOST_BOT = ("ERROR: could not get action from seat", "ERROR: could not send state to seat")
ROOM = 4_000
FORWARD_S, BACK_S = 5 * 3600, -26 * 3600
WEB_PATIENCE_S = 20.0
MORE_HANDS = 0.05
CUT_TO = 1_000


def kill_dealer(leg: DealLeg) -> str:
    """dealer killed (SIGKILL), resumed"""
    return _end_dealer(leg, signal.SIGKILL)


def terminate_dealer(leg: DealLeg) -> str:
    """dealer terminated (SIGTERM), resumed"""
    return _end_dealer(leg, signal.SIGTERM)


def _end_dealer(leg: DealLeg, number: signal.Signals) -> str:
    leg.dealer.send(number)
    status = leg.dealer.wait()
    if status != -number:
        raise SoakFailure(f"the dealer ended with {status} instead of {-number}")
    leg.resume()
    return f"status {status}, {leg.hands} hands kept"


def kill_bot(leg: DealLeg) -> str:
    """bot killed (SIGKILL), started again"""
    bot = leg.bots[leg.hands % 2]
    bot.send(signal.SIGKILL)
    if bot.wait() != -signal.SIGKILL:
        raise SoakFailure(f"{bot.name} ended with {bot.wait()}")
    words = _last_words(leg, LOST_BOT)
    leg.resume()
    return f"{bot.name} gone; the dealer: {words}"


def stall_bot(leg: DealLeg) -> str:
    """bot stopped beyond the response limit (SIGSTOP, SIGCONT)"""
    bot = leg.house.program if leg.house else leg.bots[leg.hands % 2]
    bot.send(signal.SIGSTOP)
    stopped_s = time.monotonic()
    wait_until(lambda: is_stopped(bot.pid), "the bot stands still")
    words = _last_words(leg, LOST_BOT[:1])
    took_s = time.monotonic() - stopped_s
    bot.send(signal.SIGCONT)
    if took_s < leg.stage.response_ms / 1000:
        raise SoakFailure(f"the dealer lost patience after {took_s:.2f} s")
    leg.resume()
    return f"after {took_s:.1f} s {words}"


def _last_words(leg: DealLeg, expected: tuple[str, ...]) -> str:
    """Wait until the dealer ends by itself as it must without a player; its first word about it."""
    status = leg.dealer.wait()
    told = [line for line in leg.dealer.err.splitlines() if line.startswith(expected)]
    if status != 1 or not told:
        raise SoakFailure(f"the dealer ended with status {status}: {leg.dealer.err[-300:]}")
    return told[0]


def meet_bad_peers(leg: DealLeg) -> str:
    """peers that say nothing, rubbish, half a line, at the door and in play"""
    leg.dealer.send(signal.SIGTERM)
    leg.verify_ended()
    for bot in leg.bots:
        bot.wait()
    before = (leg.log.read_bytes(), leg.tlog.read_bytes())
    words = [_meet(leg, *manner) for manner in _manners()]
    if not _begins_with(leg, before):
        raise SoakFailure("the files of the match were harmed")
    leg.resume()
    return f"{len(words)} kinds: {'; '.join(sorted({word[:52] for word in words}))}"


def _manners() -> list[tuple[bytes, bytes]]:
    """Return the bytes that the first and the second peer send when they have connected."""
    return [
        (b"", b""),
        (RUBBISH, b""),
        (HALF_LINE, b""),
        (GREETING, RUBBISH),
        (GREETING + RUBBISH, GREETING + HALF_LINE),
        (GREETING + 400 * RUBBISH, GREETING + 400 * RUBBISH),
    ]


def _meet(leg: DealLeg, *sends: bytes) -> str:
    """Let peers take the seats of a fresh dealer, which must end with words of its own; these."""
    leg.start_dealer()
    with ExitStack() as stack:
        for port, data in zip(leg.ports, sends, strict=True):
            peer = stack.enter_context(_connect(port))
            peer.sendall(data)
        status = leg.dealer.wait()
    told = [line for line in leg.dealer.err.splitlines() if line.startswith("ERROR: ")]
    if status != 1 or len(told) != 1:
        raise SoakFailure(
            f"the dealer met {sends[0][:30]!r}, {sends[1][:30]!r} with {status}: {leg.dealer.err[-300:]}"
        )
    return told[0].removeprefix("ERROR: ")


def _connect(port: int) -> socket.socket:
    found: list[socket.socket] = []

    def is_open() -> bool:
        with suppress(OSError):
            found.append(socket.create_connection((HOST, port), timeout=WEB_PATIENCE_S))
        return bool(found)

    wait_until(is_open, f"port {port} is open")
    return found[0]


def _begins_with(leg: DealLeg, before: tuple[bytes, bytes]) -> bool:
    pairs = zip((leg.log, leg.tlog), before, strict=True)
    return all(path.read_bytes().startswith(data[: data.rfind(b"\n") + 1]) for path, data in pairs)


def limit_file_size(leg: DealLeg) -> str:
    """no room for the files (RLIMIT_FSIZE), then room again"""
    before = (leg.log.read_bytes(), leg.tlog.read_bytes())
    size = max(len(data) for data in before) + ROOM
    resource.prlimit(leg.dealer.pid, resource.RLIMIT_FSIZE, (size, size))
    return _see_refusal(leg, before, "File too large")


def fill_disk(leg: DealLeg) -> str:
    """disk full (ENOSPC), then room again"""
    before = (leg.log.read_bytes(), leg.tlog.read_bytes())
    with full_disk(leg.folder):
        return _see_refusal(leg, before, "No space left on device")


def _see_refusal(leg: DealLeg, before: tuple[bytes, bytes], reason: str) -> str:
    words = refusal_of(leg.dealer)
    if reason not in words:
        raise SoakFailure(f"the dealer ended for another reason: {words}")
    if not _begins_with(leg, before):
        raise SoakFailure("what was on disk is torn")
    (leg.folder / "ballast").unlink(missing_ok=True)
    leg.resume()
    return words


def jump_forward(leg: DealLeg) -> str:
    """wall clock leaps five hours ahead"""
    return _jump(leg, FORWARD_S)


def jump_back(leg: DealLeg) -> str:
    """wall clock leaps back by more than a day"""
    return _jump(leg, BACK_S)


def _jump(leg: DealLeg, shift_s: int) -> str:
    folder = set_clock(leg, shift_s)
    programs = [leg.dealer, *leg.bots]
    for program in programs:
        program.send(signal.SIGUSR2)
    wait_until(
        lambda: all(_told(folder, program.pid) == shift_s for program in programs),
        "all clocks leapt",
    )
    leg.play_to(leg.look() + max(1, int(MORE_HANDS * leg.total)))
    return f"{len(programs)} processes took the time to be {shift_s / 3600:+.0f} h, and played on"


def set_clock(leg: DealLeg, shift_s: int) -> Path:
    """Let the clock of the leg's processes be wrong by so much from their start, or from the
    next SIGUSR2, on.
    """
    folder = leg.folder / "clock"
    folder.mkdir(exist_ok=True)
    (folder / "shift.part").write_text(str(shift_s))
    (folder / "shift.part").rename(folder / "shift")
    return folder


def _told(folder: Path, process: int) -> int | None:
    path = folder / f"told.{process}"
    text = path.read_text() if path.exists() else ""
    return round(float(text)) if text else None


def drain_house(leg: DealLeg) -> str:
    """serve drained (SIGTERM), started again"""
    house = _house(leg)
    house.program.send(signal.SIGTERM)
    status = house.program.wait()
    draining, left = house.events("draining"), house.events("left")
    deserted = _deserted(house) if draining else []
    if (
        status != 0
        or not draining
        or len(deserted) == len(NAMES)
        or len(left) + len(deserted) != draining[0]["hands_to_finish"]
    ):
        raise SoakFailure(f"serve ended with {status}, {draining}, {left}, {deserted}")
    words = _last_words(leg, LOST_BOT)
    house.open()
    leg.resume()
    ahead = f", {len(deserted)} in the next hand lost its opponent" if deserted else ""
    return f"status 0, {len(left)} bots finished their hand{ahead}; the dealer: {words}"


def _deserted(house: House) -> list[dict[str, object]]:
    """The failures after the drain of bots that were a hand ahead of their opponent.

    A drain may come when one bot of a table has read the next hand and the other has not: the
    first waits then for an opponent that leaves after the hand before, or at once.
    """
    since = str(house.events("draining")[0]["timestamp"])
    return [
        event
        for event in house.events("match failed")
        if event["bot"] in NAMES
        and str(event["timestamp"]) >= since
        and str(event["reason"]).endswith("in the middle of a hand")
    ]


def leave(house: House) -> str:
    """serve told to leave between two matches (SIGTERM)"""
    house.program.send(signal.SIGTERM)
    status = house.program.wait()
    if status != 0:
        raise SoakFailure(f"serve ended with {status}: {house.program.err[-300:]}")
    return f"status {status}"


def meet_bad_browsers(leg: DealLeg) -> str:
    """peers that say nothing, rubbish, half a line to serve's metrics"""
    url = f"http://{HOST}:{_house(leg).metrics_port}/live"
    with ExitStack() as stack:
        peers = [stack.enter_context(_connect(_house(leg).metrics_port)) for _ in range(3)]
        for peer, data in zip(peers, (b"", RUBBISH, b"GET /met"), strict=True):
            peer.sendall(data)
        with urllib.request.urlopen(url, timeout=WEB_PATIENCE_S) as answer:
            status = answer.status
        leg.play_to(leg.look() + 1)
        with _between_dealers(leg):
            replies = [_read_to_end(peer) for peer in peers]
    if status != 200:
        raise SoakFailure(f"{url} answered {status}")
    return f"all {len(replies)} turned away, /live answered {status} meanwhile"


@contextmanager
def _between_dealers(leg: DealLeg) -> Iterator[None]:
    """Time for what takes longer than a few hands: the match is cut, and resumed behind it."""
    leg.dealer.send(signal.SIGKILL)
    leg.verify_ended()
    yield
    leg.resume()


def _read_to_end(peer: socket.socket) -> bytes:
    parts = []
    with suppress(ConnectionResetError):
        while part := peer.recv(4096):
            parts.append(part)
    return b"".join(parts)


def meet_bad_dealers(leg: DealLeg) -> str:
    """a dealer that says nothing, rubbish, half a line to a bot of serve"""
    house = _house(leg)
    before = len(house.events("match failed", "eve"))
    with _between_dealers(leg), socket.create_server((HOST, house.guest_port)) as listener:
        listener.settimeout(WEB_PATIENCE_S)
        for data in (b"", RUBBISH, HALF_LINE):
            with listener.accept()[0] as bot:
                bot.sendall(data)
    wait_until(
        lambda: len(house.events("match failed", "eve")) >= before + 3,
        "the bot tells of three failures",
    )
    return "3 matches of that bot failed, the others played on"


def damage_snapshot(leg: DealLeg) -> str:
    """snapshot damaged while it is played (a byte flipped, a file cut)"""
    house = _house(leg)
    folder = Path(leg.terms.strategies[0])
    flipped, cut = (sorted(folder.glob(f"*.{street}.npy")) for street in (2, 3))
    whole = {path: path.read_bytes() for path in (*flipped, *cut)}
    for path in flipped:
        _flip_byte(path)
    for path in cut:
        os.truncate(path, CUT_TO)
    before = len(house.events("match failed", "ann"))
    leg.play_to(leg.look() + max(1, int(MORE_HANDS * leg.total)))
    with _between_dealers(leg):
        wait_until(lambda: _num_refused(house, before) > 0, "serve refuses the damaged strategy")
        words = [_refused_and_mended(leg, folder, whole, paths) for paths in (flipped, cut)]
    reasons = "; ".join(word.rpartition(": ")[2] for word in words)
    return f"{reasons}; serve played on, refused it for the next match, and took it again once it was whole"


def _refused_and_mended(
    leg: DealLeg, folder: Path, whole: dict[Path, bytes], paths: list[Path]
) -> str:
    """Return the refusal of ``acpcbot play`` for damage in *paths*, which is mended behind it."""
    words = ("play", folder, HOST, leg.ports[0], "--game", leg.terms.game)
    refusal = refusal_of(leg.stage.yard.start("play", leg.folder, *words))
    for path in paths:
        path.write_bytes(whole[path])
    return refusal


def _num_refused(house: House, before: int) -> int:
    """Return how often the bot could not come back because of the strategy."""
    return sum(
        event["kind"] == "BadSnapshot" for event in house.events("match failed", "ann")[before:]
    )


def _flip_byte(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        byte = file.read(1)[0]
        file.seek(-1, 1)
        file.write(bytes([byte ^ 0x10]))


def _house(leg: DealLeg) -> House:
    if leg.house is None:
        raise SoakFailure("this fault is for a house of bots")
    return leg.house
