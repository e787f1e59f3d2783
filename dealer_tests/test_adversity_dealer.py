"""Our dealer among bad company: garbage, silence, floods and slow readers.

Each test would catch a dealer that hangs, grows, crashes, or leaves something open.
"""

from __future__ import annotations

import asyncio
import itertools
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from acpcbot.errors import AcpcbotError
from acpcbot.matches.table import Phase
from acpcbot.net.client_match import ClientReport
from acpcbot.net.dealer import MatchDealer
from acpcbot.net.listening import DealerPlace
from dealer_tests.adversity import GREETING, LiveDealer, settings_with, state_lines, tidily
from tests.support.games import KUHN, LIMIT_2P

MEBI = 1 << 20
MANY_BYTES = 64 * MEBI
COMMENT = b"# " + b"thinking" * 12 + b"\n"
NO_ACTION = "ERROR: could not get action from seat {}\n"


@pytest.fixture(autouse=True, params=[False, True], ids=["in a loop", "alone"])
def _at_both_dealers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveDealer, "is_alone", request.param)


@contextmanager
def little_memory(limit: int) -> Iterator[None]:
    """Python's memory must not grow by more than *limit* bytes within."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        yield
        assert tracemalloc.get_traced_memory()[1] - before < limit
    finally:
        tracemalloc.stop()


# Garbage.

pieces = st.lists(
    st.one_of(
        st.binary(max_size=200),
        st.sampled_from(
            [b"\n", b"MATCHSTATE:", b"MATCHSTATE:1:0:::c\n", b"#\n", b"\0", b"x" * 5000, b":c\r\n"]
        ),
    ),
    max_size=5,
)


@settings(
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(garbage=st.lists(pieces, min_size=2, max_size=2), greets=st.booleans())
@example(garbage=[[b"MATCHSTATE:1:0::|:c\n"], [b"\xff"]], greets=True)
def test_garbage_from_every_seat_ends_the_match_in_good_order(
    garbage: list[list[bytes]], greets: bool, tmp_path: Path
) -> None:
    async def main() -> Phase:
        async with LiveDealer(settings_with(KUHN, 3), tmp_path) as dealer:
            for seat in range(2):
                peer = await dealer.peer(seat)
                await peer.send(GREETING * greets + b"".join(garbage[seat]))
                peer.shut()
            return (await dealer.end()).phase

    assert tidily(main()) is Phase.ABORTED


def test_garbage_from_one_seat_costs_the_other_one_no_hand(tmp_path: Path) -> None:
    async def main() -> tuple[Phase, ClientReport | AcpcbotError, str, int]:
        async with LiveDealer(settings_with(KUHN, 20), tmp_path) as dealer:
            peer = await dealer.peer(0)
            playing = asyncio.create_task(dealer.honest(1))
            await peer.send(GREETING)
            for _ in range(20):
                await peer.send(b"\xff\0garbage\r\nMATCHSTATE:0:99::Ks|:c\n")
                await peer.act("c")
            table = await dealer.end()
            return table.phase, await playing, dealer.talk, len(dealer.hands)

    phase, report, talk, num_hands = tidily(main())
    assert phase is Phase.FINISHED
    assert isinstance(report, ClientReport)
    assert (report.num_hands, num_hands) == (20, 20)
    assert "WARNING: bad state format in response\n" in talk


# Silence.


def test_a_seat_that_stops_without_a_word_ends_the_match_at_the_limit(tmp_path: Path) -> None:
    async def main() -> str:
        async with LiveDealer(settings_with(LIMIT_2P, 5, response_ms=200), tmp_path) as dealer:
            for seat in range(2):
                await (await dealer.peer(seat)).send(GREETING)
            assert (await dealer.end()).phase is Phase.ABORTED
            return dealer.talk

    assert tidily(main()).startswith(NO_ACTION.format(2))


def test_hands_finished_before_a_seat_stops_are_in_the_log(tmp_path: Path) -> None:
    async def main() -> list[str]:
        async with LiveDealer(settings_with(KUHN, 50, response_ms=1500), tmp_path) as dealer:
            for seat in range(2):
                await (await dealer.peer(seat)).send(GREETING)
            for hand_id in range(3):
                for seat in (hand_id % 2, (hand_id + 1) % 2):
                    await dealer.peers[seat].act("c")
            assert (await dealer.end()).phase is Phase.ABORTED
            return dealer.hands

    assert [line.split(":")[1:3] for line in tidily(main())] == [
        ["0", "cc"],
        ["1", "cc"],
        ["2", "cc"],
    ]


def test_a_version_that_never_comes_ends_the_match(tmp_path: Path) -> None:
    async def main() -> str:
        async with LiveDealer(
            settings_with(KUHN, 5), tmp_path, DealerPlace(version_timeout_ms=150)
        ) as dealer:
            await dealer.peer(0)
            await (await dealer.peer(1)).send(GREETING)
            assert (await dealer.end()).phase is Phase.ABORTED
            return dealer.talk

    assert tidily(main()) == "ERROR: timed out waiting for the version string of seat 1\n"


def test_the_versions_limit_does_not_cut_a_hand_short(tmp_path: Path) -> None:
    async def main() -> tuple[Phase, int]:
        async with LiveDealer(
            settings_with(KUHN, 2), tmp_path, DealerPlace(version_timeout_ms=2000)
        ) as dealer:
            for seat in range(2):
                await (await dealer.peer(seat)).send(GREETING)
            await asyncio.sleep(2.5)
            for seat in (0, 1, 1, 0):
                await dealer.peers[seat].act("c")
            return (await dealer.end()).phase, len(dealer.hands)

    assert tidily(main()) == (Phase.FINISHED, 2)


# Floods.


def test_a_flood_of_comments_from_the_acting_seat_is_read_and_forgotten(tmp_path: Path) -> None:
    async def main() -> Phase:
        async with LiveDealer(settings_with(KUHN, 3), tmp_path) as dealer:
            peer = await dealer.peer(0)
            playing = asyncio.create_task(dealer.honest(1))
            await peer.send(GREETING)
            await peer.state()
            with little_memory(4 * MEBI):
                assert await peer.flood(COMMENT * 100, 8 * MEBI, 30.0) >= 8 * MEBI
            peer.close()
            table = await dealer.end()
            await playing
            return table.phase

    assert tidily(main()) is Phase.ABORTED


def test_comments_cannot_hold_the_match_beyond_the_limit_of_a_reply(tmp_path: Path) -> None:
    """Each restarts the wait for a line, but a reply after them would come too late all the
    same.
    """

    async def main() -> str:
        async with LiveDealer(settings_with(KUHN, 3, response_ms=600), tmp_path) as dealer:
            peer = await dealer.peer(0)
            await (await dealer.peer(1)).send(GREETING)
            await peer.send(GREETING)
            while not dealer.dealing.done():
                await peer.send(COMMENT)
                await asyncio.sleep(0.05)
            assert (await dealer.end()).phase is Phase.ABORTED
            return dealer.talk

    assert tidily(main()).startswith(("ERROR: seat 1 ran out of time\n", NO_ACTION.format(1)))


def test_comments_before_a_reply_do_not_harm_it(tmp_path: Path) -> None:
    async def main() -> tuple[Phase, str]:
        async with LiveDealer(settings_with(KUHN, 2), tmp_path) as dealer:
            peer = await dealer.peer(0)
            playing = asyncio.create_task(dealer.honest(1))
            await peer.send(GREETING)
            for _ in range(2):
                await peer.send(COMMENT * 2000)
                await peer.act("c")
            table = await dealer.end()
            await playing
            return table.phase, dealer.talk.partition("SCORE")[0]

    assert tidily(main()) == (Phase.FINISHED, "")


@pytest.mark.parametrize("piece", [COMMENT * 100, b"x" * 9999], ids=["comments", "no line ends"])
def test_a_seat_that_floods_out_of_turn_is_not_read_any_further(
    piece: bytes, tmp_path: Path
) -> None:
    """Fixed seats, and the other seat folds each hand at once: the flooding one is never heard."""

    async def main() -> tuple[Phase, int]:
        async with LiveDealer(settings_with(LIMIT_2P, 200, is_fixed=True), tmp_path) as dealer:
            flooder = await dealer.peer(0)
            folder = await dealer.peer(1)
            await flooder.send(GREETING)
            with little_memory(4 * MEBI):
                taken = await flooder.flood(piece, MANY_BYTES, 0.5)
                await folder.send(GREETING)
                flooding = asyncio.create_task(flooder.flood(piece, MANY_BYTES, 0.5))
                await folder.act("f", times=200)
                table = await dealer.end()
            return table.phase, taken + await flooding

    phase, taken = tidily(main())
    assert phase is Phase.FINISHED
    assert taken < MANY_BYTES
    assert len(state_lines(tmp_path / "match.log")) == 200


def test_bytes_without_a_line_end_from_the_acting_seat_end_by_the_limit(tmp_path: Path) -> None:
    async def main() -> str:
        async with LiveDealer(settings_with(KUHN, 3, response_ms=500), tmp_path) as dealer:
            peer = await dealer.peer(0)
            await (await dealer.peer(1)).send(GREETING)
            await peer.send(GREETING)
            with little_memory(8 * MEBI):
                await peer.flood(b"x" * 9999, 2 * MEBI, 1.0)
                assert (await dealer.end()).phase is Phase.ABORTED
            return dealer.talk

    talk = tidily(main())
    assert talk.startswith("WARNING: bad state format in response\n")
    assert talk.replace("WARNING: bad state format in response\n", "").startswith("ERROR: ")


@pytest.mark.slow
def test_a_seat_that_does_not_read_ends_the_match_when_it_can_be_sent_nothing_more(
    tmp_path: Path,
) -> None:
    """Fixed seats, and the other seat folds each hand at once: the deaf one is only ever sent
    states.
    """

    async def main() -> str:
        settings = settings_with(LIMIT_2P, 1_000_000, response_ms=1500, is_fixed=True)
        async with LiveDealer(settings, tmp_path, buffer_size=4096) as dealer:
            deaf = await dealer.peer(0, buffer_size=4096)
            await deaf.send(GREETING)
            with little_memory(8 * MEBI):
                report = await dealer.honest(1, "fold")
                table = await dealer.end()
            assert isinstance(report, AcpcbotError)
            assert table.phase is Phase.ABORTED
            assert table.hand_id == len(dealer.hands)
            return dealer.talk

    assert tidily(main()) == "ERROR: could not send state to seat 1\n"


def test_unsent_bytes_go_to_a_seat_before_its_answer_is_awaited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches a dealer that sleeps until the seat to act answers a line of which it has only a
    part.
    """
    send, num_sent = MatchDealer.send, itertools.count()

    def send_in_parts(dealer: MatchDealer, seat: int, data: bytes) -> None:
        is_cut = next(num_sent) % 7 == 6
        send(dealer, seat, data[:4] if is_cut else data)
        if is_cut:
            dealer._backlogs[seat] = data[4:]
            dealer.table.hold()

    monkeypatch.setattr(MatchDealer, "send", send_in_parts)

    async def main() -> Phase:
        async with LiveDealer(settings_with(LIMIT_2P, 20, response_ms=2000), tmp_path) as dealer:
            clients = [asyncio.create_task(dealer.honest(seat)) for seat in range(2)]
            table = await dealer.end()
            await asyncio.gather(*clients)
            return table.phase

    assert tidily(main()) is Phase.FINISHED


def test_a_seat_that_reads_late_is_waited_for(tmp_path: Path) -> None:
    async def main() -> tuple[Phase, int]:
        settings = settings_with(LIMIT_2P, 4000, is_fixed=True)
        async with LiveDealer(settings, tmp_path, buffer_size=4096) as dealer:
            late = await dealer.peer(0, buffer_size=4096)
            await late.send(GREETING)
            playing = asyncio.create_task(dealer.honest(1, "fold"))
            await asyncio.sleep(1.0)
            received = await late.read_to_end()
            table = await dealer.end()
            await playing
            return table.phase, received.count(b"\r\n")

    assert tidily(main()) == (Phase.FINISHED, 8000)
