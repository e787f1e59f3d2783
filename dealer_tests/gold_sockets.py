"""Playing a recording again over real sockets: our dealer listens, a scripted client sits in
every seat.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from pathlib import Path

from acpcbot.cli.dealer_command import DealerOptions, parse_dealer_arguments
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings
from acpcbot.net.dealer import deal_match
from acpcbot.net.listening import DealerPlace, open_ports
from acpcbot.net.socket_table import deal_in_loop
from acpcbot.poker.definition import load_definition
from dealer_tests.gold import Arrival, Recording, Replay

RESET_PAUSE_S = 0.1  # a reset must not overtake what the others send at the same moment


async def replay_over_sockets(
    recording: Recording, folder: Path, *, is_in_loop: bool = False
) -> Replay:
    """Replay *recording* at our dealer, in a thread of its own or in the loop.

    Its files lie in *folder*.
    """
    options = parse_dealer_arguments(recording.case["argv"][1:])
    settings = options.settings(load_definition(recording.game_path))
    result = Replay([b"" for _ in recording.seats()])
    files = _files(recording, options, settings, folder)
    before = _lines(folder / "match.log"), _lines(folder / "match.tlog")
    for line in settings.header:
        files.log(line)
        result.talk(f"{line}\n")
    place = DealerPlace(start_timeout_ms=options.start_timeout)
    ports = open_ports(place, settings.definition.num_players)
    clients = [
        asyncio.create_task(_play_seat(recording, seat, ports[seat].number))
        for seat in recording.seats()
    ]
    if is_in_loop:
        table = await deal_in_loop(settings, place, ports, files, result.talk)
    else:
        table = await asyncio.to_thread(deal_match, settings, place, ports, files, result.talk)
    result.sent = list(await asyncio.gather(*clients))
    files.close()
    result.phase = table.phase
    result.logged = _lines(folder / "match.log")[len(before[0]) :]
    result.transactions = _lines(folder / "match.tlog")[len(before[1]) :]
    return result


def _files(
    recording: Recording, options: DealerOptions, settings: MatchSettings, folder: Path
) -> MatchFiles:
    for kind in ("log", "tlog"):
        before = recording.folder / f"before.dealer.{kind}"
        if before.exists():
            (folder / f"match.{kind}").write_bytes(before.read_bytes())
    return MatchFiles(
        str(folder / "match"),
        keeps_log=options.keeps_log,
        keeps_transactions=settings.keeps_transactions,
        appends=options.appends,
    )


def _lines(path: Path) -> list[str]:
    return path.read_bytes().decode("latin-1").splitlines() if path.exists() else []


async def _play_seat(recording: Recording, seat: int, port: int) -> bytes:
    """Do what *seat* did, at its times where they matter; what the dealer sent to it."""
    arrivals = [arrival for arrival in recording.arrivals() if arrival.seat == seat]
    if not any(arrival.word == "CONNECT" for arrival in arrivals):
        return b""
    started = asyncio.get_running_loop().time()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    received = asyncio.create_task(_read_all(reader))
    acting = asyncio.create_task(_act(recording, arrivals, started, writer))
    data = await received
    acting.cancel()
    writer.close()
    resets = any(arrival.word == "RST" for arrival in arrivals)
    whole = recording.sent_to(seat)
    return (
        whole if resets and whole.startswith(data) else data
    )  # a client's own reset drops what it has not read


async def _act(
    recording: Recording, arrivals: list[Arrival], started: float, writer: asyncio.StreamWriter
) -> None:
    waits = bool(recording.case["timing_dependent"] or recording.case["os_error_end"])
    for arrival in arrivals:
        if waits:
            pause = RESET_PAUSE_S if arrival.word == "RST" else 0.0
            await asyncio.sleep(
                started + arrival.time_us / 1e6 + pause - asyncio.get_running_loop().time()
            )
        if arrival.data is not None:
            writer.write(arrival.data)
        elif arrival.word == "RST":
            _reset(writer)
        elif arrival.word == "EOF" and recording.case["exit_code"] != 0:
            writer.write_eof()
            return  # a reset after that came from bytes left unread, and could overtake what is checked


def _reset(writer: asyncio.StreamWriter) -> None:
    connection: socket.socket = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _read_all(reader: asyncio.StreamReader) -> bytes:
    parts = []
    try:
        while part := await reader.read(65_536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)
