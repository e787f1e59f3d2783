"""Metrics and readiness of a bot supervisor: numbers that agree with the matches played."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

import pytest

from acpcbot.matches.agent import Agent
from acpcbot.net.monitoring import LIVE_PATH, METRICS_PATH, READY_PATH, pages_of
from acpcbot.net.serve import BotSupervisor
from acpcbot.poker.actions import Action
from acpcbot.protocol.messages import MatchState
from dealer_tests.adversity import LiveDealer, ScriptedDealer, settings_with, tidily
from tests.net.test_serve import Events, seat_at
from tests.support.games import KUHN
from tests.support.scrapes import samples_of

Samples = dict[tuple[str, str, str], float]


def scrape(supervisor: BotSupervisor) -> Samples:
    """All samples of *supervisor* by name, bot and bound."""
    return samples_of(pages_of(supervisor)[METRICS_PATH]().text)


class Broken:
    is_instant = True

    def act(self, state: MatchState, deadline_s: float) -> Action:
        raise ValueError("no idea")


def play(
    folder: Path, num_hands: int, *makes: Callable[[], Agent] | None
) -> tuple[BotSupervisor, Events]:
    """A match between two bots of one supervisor, made by *makes*."""
    events = Events()

    async def main() -> BotSupervisor:
        async with LiveDealer(settings_with(KUHN, num_hands), folder) as dealer:
            named = zip(dealer.ports, ("ann", "ben"), makes, strict=True)
            supervisor = BotSupervisor(
                [seat_at(port, name, rejoin=False, make=make) for port, name, make in named],
                events.journal,
            )
            await supervisor.serve()
            await dealer.end()
            return supervisor

    return tidily(main()), events


def test_the_numbers_are_those_of_the_matches_that_were_logged(tmp_path: Path) -> None:
    supervisor, events = play(tmp_path, 40, None, Broken)
    samples = scrape(supervisor)
    for event in events.all:
        if event["event"] == "match over":
            for name, key in (
                ("hands", "hands"),
                ("decisions", "actions"),
                ("fallbacks", "fallbacks"),
            ):
                assert samples[f"acpcbot_{name}_total", event["bot"], ""] == event[key]
    assert samples["acpcbot_hands_total", "ann", ""] == 40
    assert samples["acpcbot_fallbacks_total", "ann", ""] == 0
    assert (
        samples["acpcbot_fallbacks_total", "ben", ""]
        == samples["acpcbot_decisions_total", "ben", ""]
        > 0
    )
    assert samples["acpcbot_finished_matches_total", "ann", ""] == 1


def test_the_histogram_of_decision_times_is_a_histogram(tmp_path: Path) -> None:
    """Catches classes that are not summed up, which every scraper would take without a word."""
    samples = scrape(play(tmp_path, 40, None, None)[0])
    buckets = {
        bound: value for (name, bot, bound), value in samples.items() if bot == "ann" and bound
    }
    bounds = sorted(buckets, key=float)
    assert float(bounds[-1]) == math.inf
    assert [buckets[bound] for bound in bounds] == sorted(buckets.values())
    assert buckets["+Inf"] == samples["acpcbot_decision_seconds_count", "ann", ""]
    assert buckets["+Inf"] == samples["acpcbot_decisions_total", "ann", ""] > 0
    assert samples["acpcbot_decision_seconds_sum", "ann", ""] > 0


def test_bots_of_one_name_are_counted_together(tmp_path: Path) -> None:
    """Two series of one name would make the whole page unreadable."""

    async def main() -> BotSupervisor:
        async with LiveDealer(settings_with(KUHN, 5), tmp_path) as dealer:
            supervisor = BotSupervisor(
                [seat_at(port, "twin", rejoin=False) for port in dealer.ports], Events().journal
            )
            await supervisor.serve()
            await dealer.end()
            return supervisor

    samples = scrape(tidily(main()))
    assert samples["acpcbot_hands_total", "twin", ""] == 10
    assert samples["acpcbot_ready", "twin", ""] == 2


def test_a_bot_that_comes_back_is_counted_as_such_while_it_plays() -> None:
    async def main() -> Samples:
        async def stays(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            await reader.read()

        async def hangs_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()

        async with ScriptedDealer(hangs_up, hangs_up, stays) as dealer:
            supervisor = BotSupervisor([seat_at(dealer.port, "ann")], Events().journal)
            serving = asyncio.create_task(supervisor.serve())
            while dealer.num_clients < 3 or not supervisor.bots[0].is_seated:
                await asyncio.sleep(0.01)
            samples = scrape(supervisor)
            supervisor.drain()
            await serving
            assert scrape(supervisor)["acpcbot_seated", "ann", ""] == 0
            return samples

    samples = tidily(main())
    assert samples["acpcbot_reconnects_total", "ann", ""] == 2
    assert samples["acpcbot_failed_matches_total", "ann", ""] == 2
    assert samples["acpcbot_seated", "ann", ""] == 1


def test_readiness_needs_every_bot_and_ends_with_draining() -> None:
    async def main() -> None:
        made: list[int] = []

        def make() -> Agent:
            made.append(1)
            if len(made) < 3:
                raise ValueError("not yet")
            return Broken()

        supervisor = BotSupervisor(
            [seat_at(1, "late", make=make), seat_at(1, "soon")], Events().journal
        )
        pages = pages_of(supervisor)
        assert pages[READY_PATH]().text == "not ready: late, soon\n"
        serving = asyncio.create_task(supervisor.serve())
        while not supervisor.bots[1].is_ready:
            await asyncio.sleep(0.01)
        assert pages[READY_PATH]().text == "not ready: late\n"
        while not supervisor.bots[0].is_ready:
            await asyncio.sleep(0.01)
        assert (pages[READY_PATH]().status, pages[READY_PATH]().text) == (HTTPStatus.OK, "ready\n")
        supervisor.drain()
        reply = pages[READY_PATH]()
        assert (reply.status, reply.text) == (HTTPStatus.SERVICE_UNAVAILABLE, "draining\n")
        assert pages[LIVE_PATH]().status is HTTPStatus.OK
        await serving

    tidily(main())


@pytest.mark.parametrize("name", ['say "hi"', "back\\slash", "new\nline", "ümlaut"])
def test_any_name_of_a_bot_comes_through(name: str) -> None:
    assert (
        scrape(BotSupervisor([seat_at(1, name)], Events().journal))["acpcbot_hands_total", name, ""]
        == 0
    )
