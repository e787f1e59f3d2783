"""Our client at bad dealers: a dealer's fault ends one match with a typed error, and nothing is
left of it. Every test runs twice: in an event loop, and in a thread that sleeps in its reads.
"""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpcbot.agents.registry import make_agent
from acpcbot.errors import AcpcbotError, LineTooLong, MatchAborted, ProtocolError
from acpcbot.net.blocking_client import play_blocking
from acpcbot.net.client import Client
from acpcbot.net.client_match import ClientReport
from dealer_tests.adversity import HOST, QUIET, ScriptedDealer, free_ports, says, tidily
from tests.support.games import KUHN, definition_of

STATE = b"MATCHSTATE:0:0::Qs|\r\n"
LONG_STATE = b"MATCHSTATE:0:" + b"0" * 4000 + b"::Qs|\r\n"
FINISHED = b"MATCHSTATE:0:0:cc:Qs|Ks\r\n"
NEXT_STATE = b"MATCHSTATE:1:1:c:|Ks\r\n"
MEBI = 1 << 20


def in_the_loop(port: int, timeout_s: float) -> Coroutine[Any, Any, ClientReport]:
    """Play at *port* in the running event loop."""
    definition = definition_of(KUHN)
    client = Client(make_agent("call", definition, 0), definition, journal=QUIET)
    return client.play(HOST, port, connect_timeout_s=timeout_s)


def blocking(port: int, timeout_s: float) -> Coroutine[Any, Any, ClientReport]:
    """Play at *port* in a thread that does nothing else."""
    definition = definition_of(KUHN)
    agent = make_agent("call", definition, 0)
    limits = {"journal": QUIET, "connect_timeout_s": timeout_s}
    return asyncio.to_thread(play_blocking, agent, definition, HOST, port, **limits)


class Way:
    """A way of playing in the tests."""

    play: Callable[[int, float], Coroutine[Any, Any, ClientReport]] = staticmethod(in_the_loop)


@pytest.fixture(autouse=True, scope="module", params=[in_the_loop, blocking])
def way(request: pytest.FixtureRequest) -> None:
    """Play in each of the two ways."""
    Way.play = staticmethod(request.param)


async def play_at(dealer: ScriptedDealer) -> ClientReport | Exception:
    """The caller's match at *dealer*, or the error that ended it."""
    try:
        return await Way.play(dealer.port, 20.0)
    except AcpcbotError as error:
        return error


def outcome_at(*parts: bytes, stays: bool = False) -> ClientReport | Exception:
    """Return the outcome of a match at a dealer that sends *parts*."""

    async def main() -> ClientReport | Exception:
        async with ScriptedDealer(says(*parts, stays=stays)) as dealer:
            return await play_at(dealer)

    return tidily(main())


# Dealers that talk nonsense.


@pytest.mark.parametrize("stays", [False, True], ids=["closes", "stays"])
@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\0garbage\r\n",
        b"HTTP/1.1 400 Bad Request\r\n",
        b"\r\n",
        b"MATCHSTATE:2:0::Qs|\r\n",
        b"MATCHSTATE:0:0::Qs|Qs\r\n",
        b"MATCHSTATE:0:0::|Ks\r\n",
        b"MATCHSTATE:0:0::2c|\r\n",
        b"MATCHSTATE:0:0:ff:Qs|\r\n",
        b"MATCHSTATE:0:0:r300:Qs|\r\n",
        b"MATCHSTATE:0:0::5d5c|/8dAs8s\r\n",
        b"VERSION:2.0.0\r\n",
    ],
)
def test_a_line_that_no_dealer_sends_is_a_protocol_error(line: bytes, stays: bool) -> None:
    assert isinstance(outcome_at(STATE, FINISHED, line, stays=stays), ProtocolError)


def test_a_line_without_an_end_is_refused_long_before_it_fills_the_memory() -> None:
    assert isinstance(outcome_at(b"M" * MEBI, stays=True), LineTooLong)


def test_numbers_of_any_length_are_read_or_refused() -> None:
    assert isinstance(
        outcome_at(STATE, FINISHED, b"MATCHSTATE:0:" + b"9" * 5000 + b"::Qs|\r\n"), AcpcbotError
    )


def test_half_a_line_and_then_the_end_is_an_error() -> None:
    assert isinstance(outcome_at(STATE, FINISHED, NEXT_STATE[:9]), AcpcbotError)


@settings(max_examples=25)
@given(
    parts=st.lists(
        st.one_of(st.binary(max_size=100), st.sampled_from([STATE, FINISHED, NEXT_STATE])),
        max_size=5,
    )
)
def test_any_bytes_of_a_dealer_end_in_a_report_or_a_typed_error(
    parts: list[bytes],
) -> None:
    assert isinstance(outcome_at(*parts), ClientReport | AcpcbotError)


def test_a_flood_of_comments_is_read_and_forgotten() -> None:
    outcome = outcome_at(*[b"# thinking\r\n" * 1000] * 20, STATE, FINISHED)
    assert isinstance(outcome, ClientReport)
    assert outcome.num_hands == 1


def test_a_dealer_that_sends_states_and_never_reads_cannot_fill_the_memory() -> None:
    """Each state asks for a reply.

    Replies that are not taken must stop the reading of more states.
    """

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        reader._transport.pause_reading()  # type: ignore[attr-defined]
        try:
            for _ in range(500):
                writer.write(LONG_STATE * 100)
                await asyncio.wait_for(writer.drain(), 2.0)
        finally:
            writer.transport.abort()

    async def main() -> int:
        async with ScriptedDealer(flood) as dealer:
            tracemalloc.start()
            try:
                playing = asyncio.create_task(play_at(dealer))
                await asyncio.wait([playing], timeout=10.0)
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            return peak

    assert tidily(main()) < 24 * MEBI


# Dealers that leave.


@pytest.mark.parametrize(
    ("parts", "where"),
    [
        ((), "before the first hand was over"),
        ((b"# welcome\r\n",), "before the first hand was over"),
        ((STATE,), "before the first hand was over"),
        ((STATE, FINISHED, NEXT_STATE), "in the middle of a hand"),
    ],
)
def test_a_dealer_that_closes_too_early_aborts_the_match(
    parts: tuple[bytes, ...], where: str
) -> None:
    outcome = outcome_at(*parts)
    assert isinstance(outcome, MatchAborted)
    assert str(outcome) == f"the dealer closed the connection {where}"


def test_a_dealer_that_closes_after_a_hand_has_ended_the_match() -> None:
    assert outcome_at(STATE, FINISHED) == ClientReport(num_hands=1, num_actions=1, num_fallbacks=0)


def test_a_dealer_that_closes_at_once_aborts_the_match() -> None:
    async def main() -> ClientReport | Exception:
        async with ScriptedDealer() as dealer:
            return await play_at(dealer)

    assert isinstance(tidily(main()), MatchAborted)


@pytest.mark.parametrize(
    ("parts", "is_over"),
    [((), False), ((STATE, FINISHED, NEXT_STATE), False), ((STATE, FINISHED), True)],
)
def test_a_reset_counts_like_a_close(parts: tuple[bytes, ...], is_over: bool) -> None:
    async def resets(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await says(*parts)(reader, writer)
        await asyncio.sleep(0.2)
        writer.transport.abort()

    async def main() -> ClientReport | Exception:
        async with ScriptedDealer(resets) as dealer:
            return await play_at(dealer)

    assert isinstance(tidily(main()), ClientReport if is_over else MatchAborted)


# Dealers that are late.


def test_a_dealer_that_appears_late_is_found() -> None:
    async def main() -> ClientReport | Exception:
        late = ScriptedDealer(says(STATE, FINISHED), port=free_ports(1)[0])
        playing = asyncio.create_task(play_at(late))
        await asyncio.sleep(0.4)
        async with late:
            return await playing

    assert isinstance(tidily(main()), ClientReport)


def test_a_dealer_that_never_appears_is_one_line() -> None:
    async def main() -> MatchAborted:
        with pytest.raises(MatchAborted) as refusal:
            await Way.play(free_ports(1)[0], 0.3)
        return refusal.value

    message = str(tidily(main()))
    assert message.startswith(f"no dealer at {HOST} port ")
    assert "within 0.3 s" in message
    assert "\n" not in message
