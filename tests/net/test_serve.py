"""Many bots at many dealers: a fault at one table stays there, and a bot comes back for the
next match.
"""

from __future__ import annotations

import asyncio
import gc
import io
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from acpcbot.agents.registry import make_agent
from acpcbot.matches.agent import Agent
from acpcbot.matches.table import Phase
from acpcbot.net import journal as log_rate
from acpcbot.net.journal import Journal, open_journal
from acpcbot.net.listening import DealerPlace
from acpcbot.net.serve import BotConfig, BotSupervisor, Seat
from acpcbot.poker.betting import BettingRules
from dealer_tests.adversity import (
    HOST,
    LiveDealer,
    ScriptedDealer,
    free_ports,
    says,
    settings_with,
    tidily,
)
from tests.support.games import KUHN, definition_of
from tests.support.journals import journal_events


def seat_at(
    port: int, name: str, *, rejoin: bool = True, make: Callable[[], Agent] | None = None
) -> Seat:
    definition = definition_of(KUHN)
    bot = BotConfig("call", KUHN, HOST, port, name=name, rejoin=rejoin)
    return bot, definition, make or partial(make_agent, "call", definition, 0)


class Events(io.StringIO):
    """Events that a journal was told."""

    @property
    def journal(self) -> Journal:
        return open_journal(self, as_json=True)

    @property
    def all(self) -> list[dict[str, Any]]:
        return journal_events(self)

    def of(self, bot: str) -> list[str]:
        return [event["event"] for event in self.all if event.get("bot") == bot]


async def stop(serving: asyncio.Task[None]) -> None:
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


def test_garbage_at_one_dealer_leaves_the_other_bots_match_alone(tmp_path: Path) -> None:
    events = Events()

    async def main() -> Phase:
        bad = ScriptedDealer(*[says(b"\xff\0garbage\r\n")] * 20)
        async with bad, LiveDealer(settings_with(KUHN, 60), tmp_path) as dealer:
            seats = [seat_at(bad.port, "unlucky"), seat_at(dealer.ports[0], "lucky", rejoin=False)]
            serving = asyncio.create_task(BotSupervisor(seats, events.journal).serve())
            while not bad.num_clients:
                await asyncio.sleep(0.01)
            other = asyncio.create_task(dealer.honest(1))
            phase = (await dealer.end()).phase
            await other
            while bad.num_clients < 2 or not events.of("lucky"):
                await asyncio.sleep(0.01)
            await stop(serving)
            return phase

    assert tidily(main()) is Phase.FINISHED
    assert events.of("lucky") == ["match over"]
    assert set(events.of("unlucky")) == {"match failed"}
    assert {event["kind"] for event in events.all if event["event"] == "match failed"} == {
        "ProtocolError"
    }


def test_a_dealer_that_talks_without_end_does_not_fill_the_log() -> None:
    """Catches a line in the log for each line of a peer, as long as it likes to make it."""
    events = Events()
    talk = says(*[b"# nothing\n" * 100] * 60)

    async def main() -> None:
        async with ScriptedDealer(talk) as dealer:
            serving = asyncio.create_task(
                BotSupervisor([seat_at(dealer.port, "ann")], events.journal).serve()
            )
            while "match failed" not in events.of("ann"):
                await asyncio.sleep(0.01)
            await stop(serving)

    tidily(main())
    assert 1 <= events.of("ann").count("comment") <= log_rate.MAX_LINES


def test_a_bot_joins_again_when_its_match_ends(tmp_path: Path) -> None:
    """Two dealers, one after the other, at the same port."""
    events, ports = Events(), tuple(free_ports(2))

    async def deal(folder: Path) -> Phase:
        folder.mkdir()
        async with LiveDealer(settings_with(KUHN, 5), folder, DealerPlace(ports=ports)) as dealer:
            other = asyncio.create_task(dealer.honest(1))
            phase = (await dealer.end()).phase
            await other
            return phase

    async def main() -> list[Phase]:
        serving = asyncio.create_task(
            BotSupervisor([seat_at(ports[0], "ann")], events.journal).serve()
        )
        phases = [await deal(tmp_path / "first"), await deal(tmp_path / "second")]
        while len(events.of("ann")) < 2:
            await asyncio.sleep(0.01)
        await stop(serving)
        return phases

    assert tidily(main()) == [Phase.FINISHED, Phase.FINISHED]
    assert events.of("ann") == ["match over", "match over"]
    assert [event["hands"] for event in events.all] == [5, 5]


def test_bots_that_do_not_rejoin_play_once_and_then_all_is_over(tmp_path: Path) -> None:
    events = Events()

    async def main() -> None:
        async with LiveDealer(settings_with(KUHN, 5), tmp_path) as dealer:
            seats = [seat_at(port, f"bot{port}", rejoin=False) for port in dealer.ports]
            await BotSupervisor(seats, events.journal).serve()
            assert (await dealer.end()).phase is Phase.FINISHED

    tidily(main())
    assert [event["event"] for event in events.all] == ["match over", "match over"]


def test_an_agent_that_cannot_be_made_stops_nobody_else(tmp_path: Path) -> None:
    events = Events()

    def cannot() -> Agent:
        raise ValueError("no such table of strategies")

    async def main() -> None:
        async with LiveDealer(settings_with(KUHN, 5), tmp_path) as dealer:
            good = [seat_at(port, f"bot{port}", rejoin=False) for port in dealer.ports]
            await BotSupervisor(
                [seat_at(1, "broken", rejoin=False, make=cannot), *good], events.journal
            ).serve()
            assert (await dealer.end()).phase is Phase.FINISHED

    tidily(main())
    assert Counter(event["event"] for event in events.all) == {"match failed": 1, "match over": 2}


def test_each_match_is_played_by_a_new_agent(tmp_path: Path) -> None:
    """An agent that keeps something of a match must not carry it into the next."""
    made: list[Agent] = []
    definition = definition_of(KUHN)

    def make() -> Agent:
        made.append(make_agent("call", definition, 0))
        return made[-1]

    async def main() -> None:
        match = says(b"MATCHSTATE:0:0::Qs|\r\n", b"MATCHSTATE:0:0:cc:Qs|Ks\r\n")
        async with ScriptedDealer(match, match) as dealer:
            serving = asyncio.create_task(
                BotSupervisor([seat_at(dealer.port, "ann", make=make)], Events().journal).serve()
            )
            while len(made) < 2:
                await asyncio.sleep(0.01)
            await stop(serving)

    tidily(main())
    assert made[0] is not made[1]


def test_matches_that_are_over_leave_no_memory_behind(tmp_path: Path) -> None:
    """Would catch rules of their own for each match: full of betting states, and freed long
    after.
    """

    num_matches = 4

    def num_rules() -> int:
        # By type: isinstance asks weak proxies for their class, and dead ones may be left over from
        # earlier tests.
        return sum(issubclass(type(found), BettingRules) for found in gc.get_objects())

    async def main() -> int:
        ports = free_ports(2)
        seats = [seat_at(port, name) for port, name in zip(ports, ("ann", "bob"), strict=True)]
        serving = asyncio.create_task(BotSupervisor(seats, Events().journal).serve())
        gc.collect()
        gc.disable()
        before = num_rules()
        for number in range(num_matches):
            (tmp_path / str(number)).mkdir()
            place = DealerPlace(ports=tuple(ports))
            async with LiveDealer(settings_with(KUHN, 3), tmp_path / str(number), place) as dealer:
                await dealer.end()
        after = num_rules()
        await stop(serving)
        return after - before

    try:
        assert tidily(main()) == num_matches  # the dealers' own
    finally:
        gc.enable()
