"""Matches of the searcher at a real dealer, and what is made of what it wrote down."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from acpcbot.__main__ import main
from acpcbot.agents.search import SearchAgent
from acpcbot.matches.settings import TimeLimits
from acpcbot.net.client import Client
from acpcbot.net.client_match import ClientReport
from acpcbot.net.reply_clock import ReplyLimits
from acpcbot.search.folder import find_search, make_search
from acpcbot.search.settings import SearchSettings
from acpcbot.search.strategy import SearchStrategy
from dealer_tests.adversity import HOST, QUIET, LiveDealer, settings_with, tidily
from tests.search.searching import search_folder
from tests.support.games import NOLIMIT_2P, definition_of

NUM_HANDS, THINKING_MS, MARGIN_MS = 30, 100, 2900
"""The margin is the dealer's, for busy machines; the searcher's own limit leaves none.

After a slow moment a searcher refuses decisions until it has forgotten it: hence so many hands.
"""


def endless(search: SearchStrategy) -> SearchStrategy:
    """*search* with nothing but the clock to stop it."""
    streets = {
        street: replace(own, iterations=10**9, min_iterations=1)
        for street, own in search.settings.streets.items()
    }
    return SearchStrategy(search.blueprint, SearchSettings(streets))


def test_nothing_is_late_where_a_decision_has_a_tenth_of_a_second(tmp_path: Path) -> None:
    """The dealer ends a match in which anybody is later than the margin.

    Catches endless steps, and first ones that compile.
    """
    found = find_search(str(search_folder(tmp_path, NOLIMIT_2P)))
    agent = SearchAgent(definition_of(NOLIMIT_2P), 1, endless(make_search(found, found.load())))
    limits = TimeLimits.from_milliseconds(THINKING_MS + MARGIN_MS, 60_000, 60_000, NUM_HANDS)
    own = ReplyLimits(response_s=THINKING_MS / 1000, hand_s=60, per_hand_s=60, margin_s=0.0)

    async def play() -> ClientReport:
        async with LiveDealer(
            replace(settings_with(NOLIMIT_2P, NUM_HANDS), limits=limits), tmp_path
        ) as dealer:
            client = Client(agent, agent.definition, limits=own, journal=QUIET)
            other = asyncio.create_task(dealer.honest(1))
            report = await client.play(HOST, dealer.ports[0])
            await dealer.end()
            await other
            return report

    report = tidily(play())
    assert report.num_hands == NUM_HANDS
    assert agent.search.counts.num_searched > 0


@pytest.mark.slow
def test_aivat_knows_a_searcher_by_what_it_wrote_down(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing else tells what it plays: catches a side file that is not written, or not read."""
    folder = tmp_path / "m"
    words = [
        str(search_folder(tmp_path, NOLIMIT_2P)),
        "call",
        "--game",
        NOLIMIT_2P,
        "--hands",
        "15",
    ]
    assert main(["match", *words, "--in-process", "--jobs", "1", "-o", str(folder)]) == 0
    capfd.readouterr()
    assert main(["evaluate", "match", str(folder), "--player", "search"]) == 0
    told = capfd.readouterr().out.splitlines()
    assert any(line.strip().startswith("AIVAT") for line in told)
