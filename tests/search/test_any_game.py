"""Hold'em of any blinds and stacks, against any bets: searched on all its streets, legal,
without a fallback.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acpcbot.agents.search import SearchAgent
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.matches.in_process import play_in_process
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings, TimeLimits
from acpcbot.poker.definition import GameDefinition
from acpcbot.search.blueprint import BlueprintPlay
from acpcbot.search.leaves import RolloutLeaves
from acpcbot.search.settings import SearchSettings
from acpcbot.search.strategy import SearchStrategy
from tests.search.searching import LATE, STREET_SETTINGS
from tests.search.wild import Wild
from tests.strategies.menu_snapshots import saved_holdem_snapshot
from tests.support.games import NOLIMIT_2P, definition_of

NUM_HANDS, FEW_HANDS = 25, 2
# Few and many big blinds, a chip more than some, a blind and no more, very unlike stacks.
ODD = [
    ((100, 50), (2000, 2000)),
    ((100, 50), (40000, 40000)),
    ((2, 1), (41, 41)),
    ((100, 50), (101, 150)),
    ((100, 50), (100, 20000)),
    ((100, 50), (20000, 50)),
    ((7, 3), (1399, 2801)),
    ((10, 10), (777, 777)),
]
SHORTLY = [ODD[2], ODD[5]]


def holdem(blinds: tuple[int, int], stacks: tuple[int, int]) -> GameDefinition:
    return replace(definition_of(NOLIMIT_2P), blinds=blinds, stacks=stacks)


def playing(
    folder: Path, definition: GameDefinition, seed: int, num_hands: int = NUM_HANDS
) -> tuple[SearchAgent, list[HandRecord], int]:
    """A match of a searcher against any bets: itself, its hands, and how many answers were not
    its own.
    """
    blueprint = BlueprintPlay(saved_holdem_snapshot(folder / "blueprint", definition, seed))
    search = SearchStrategy(
        blueprint,
        SearchSettings({1: STREET_SETTINGS, **LATE}),
        leaves=RolloutLeaves(blueprint, 1, 1),
    )
    limits = TimeLimits.from_milliseconds(0, 0, 0, num_hands)
    match = MatchSettings(
        str(folder / "match"), "any", definition, num_hands, seed, ("own", "wild"), limits
    )
    agent, files = (
        SearchAgent(definition, seed, search),
        MatchFiles(match.name, keeps_log=True, keeps_transactions=False, appends=False),
    )
    replaced = play_in_process(match, (agent, Wild(seed)), files)
    files.close()
    hands = [
        entry
        for entry in read_match_log(f"{match.name}.log", definition)
        if isinstance(entry, HandRecord)
    ]
    return agent, hands, replaced


@pytest.mark.parametrize(("blinds", "stacks"), SHORTLY)
def test_a_few_hands_of_odd_blinds_and_stacks_are_played(
    blinds: tuple[int, int], stacks: tuple[int, int], tmp_path: Path
) -> None:
    agent, hands, replaced = playing(tmp_path, holdem(blinds, stacks), 1, FEW_HANDS)
    assert (len(hands), replaced, agent.num_fallbacks) == (FEW_HANDS, 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("blinds", "stacks"), ODD)
def test_odd_blinds_and_stacks_are_played_as_any(
    blinds: tuple[int, int], stacks: tuple[int, int], tmp_path: Path
) -> None:
    agent, hands, replaced = playing(tmp_path, holdem(blinds, stacks), 1)
    assert (len(hands), replaced, agent.num_fallbacks) == (NUM_HANDS, 0, 0)


@pytest.mark.slow
@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    small=st.integers(1, 60),
    more=st.integers(0, 60),
    first=st.floats(20, 400),
    second=st.floats(20, 400),
    seed=st.integers(0, 1000),
)
def test_search_plays_stacks_from_20_to_400_big_blinds(
    small: int,
    more: int,
    first: float,
    second: float,
    seed: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    big = small + more
    definition = holdem((big, small), (int(first * big), int(second * big)))
    agent, hands, replaced = playing(tmp_path_factory.mktemp("match"), definition, seed)
    assert (len(hands), replaced, agent.num_fallbacks) == (NUM_HANDS, 0, 0)
    assert agent.search.counts.num_searched > 0
