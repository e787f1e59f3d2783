"""The player that searches: legal against any bets on all streets, in time, written down as it
played.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.agents.registry import make_agent, verify_name
from acpcbot.agents.search import SearchAgent
from acpcbot.agents.table_agent import recording
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.matches.in_process import play_in_process
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings, TimeLimits
from acpcbot.poker.definition import GameDefinition
from acpcbot.strategies.strategy_file import read_strategies, strategy_path
from tests.agents.playing import decision
from tests.search.searching import leduc_search, search_folder
from tests.search.wild import Wild
from tests.support.games import LEDUC_NOLIMIT, NOLIMIT_2P, definition_of


def match_of(folder: Path, game: str, num_hands: int) -> MatchSettings:
    definition = definition_of(game)
    limits = TimeLimits.from_milliseconds(0, 0, 0, num_hands)
    return MatchSettings(
        str(folder / "match"), game, definition, num_hands, 3, ("own", "wild"), limits
    )


def playing(match: MatchSettings, agent: SearchAgent) -> int:
    files = MatchFiles(match.name, keeps_log=True, keeps_transactions=False, appends=False)
    fallbacks = play_in_process(match, (agent, Wild(2)), files)
    files.close()
    return fallbacks


@pytest.mark.parametrize(
    ("game", "num_hands"),
    [(LEDUC_NOLIMIT, 120), (NOLIMIT_2P, 30), pytest.param(NOLIMIT_2P, 200, marks=pytest.mark.slow)],
)
def test_whole_matches_against_any_bets_are_played_without_a_fallback(
    game: str, num_hands: int, tmp_path: Path
) -> None:
    """A fallback stands for an illegal answer, an exception, or a decision that was not
    searched.
    """
    agent = make_agent(str(search_folder(tmp_path, game)), definition_of(game), 1)
    assert isinstance(agent, SearchAgent)
    assert playing(match_of(tmp_path, game, num_hands), agent) == 0
    assert agent.search.counts.num_searched > num_hands / 8


@pytest.mark.slow
def test_the_shipped_searcher_of_holdem_is_asked_on_rivers_and_answers(tmp_path: Path) -> None:
    """Its own blueprint, k-means buckets and all, and bets beside its menu."""
    agent = make_agent(f"strategies/{NOLIMIT_2P}/search?profile=fast", definition_of(NOLIMIT_2P), 1)
    assert isinstance(agent, SearchAgent)
    assert playing(match_of(tmp_path, NOLIMIT_2P, 100), agent) == 0
    assert agent.search.counts.num_searched > 10


def test_recorded_play_equals_the_strategys_answers(tmp_path: Path) -> None:
    """Catches a side file of other tables than those played, and tables that depend on earlier
    hands.
    """
    folder, game = search_folder(tmp_path, LEDUC_NOLIMIT), LEDUC_NOLIMIT
    definition, match = definition_of(game), match_of(tmp_path, game, 40)
    agent, path = make_agent(str(folder), definition, 1), strategy_path(str(tmp_path / "match"), 0)
    assert isinstance(agent, SearchAgent)
    with recording(agent, path):
        playing(match, agent)
    recorded, known = (
        read_strategies(path, definition),
        find_strategy(str(folder), DealSources(definition)),
    )
    hands = [
        entry
        for entry in read_match_log(f"{match.name}.log", definition)
        if isinstance(entry, HandRecord)
    ]
    num_decisions = 0
    for hand in hands:
        seat = hand.names.index("own")
        for before, action in hand.betting.decisions():
            if before.actor == seat:
                board = hand.board[: definition.board_size(before.street)]
                found = recorded.hand_strategy(hand.hand_id).table(before, board)
                assert action in found.actions
                assert np.array_equal(found.probabilities, known.table(before, board).probabilities)
                num_decisions += 1
    assert num_decisions > 40


class Failing:
    """Something that goes wrong."""

    def __call__(self, *_arguments: object) -> None:
        raise RuntimeError("mine")


def test_the_blueprint_answers_after_any_fault_and_it_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    search = leduc_search()
    agent = SearchAgent(search.definition, 1, search)
    monkeypatch.setattr(search, "_solve", Failing())
    state = decision(LEDUC_NOLIMIT, "r270c/c", "Ks", "Kh")
    state.betting.verify_action(agent.act(state, time.monotonic() + 10))
    assert agent.num_fallbacks == 1
    told = json.loads(capsys.readouterr().err)
    assert told["event"] == "search fallback"
    assert (told["betting"], told["board"], told["reason"]) == (
        "r270c/c",
        "Kh",
        "RuntimeError: mine",
    )


@pytest.mark.parametrize("left_s", [-1.0, 0.0, 0.05, 0.3])
def test_a_deadline_is_kept_however_much_there_is_to_do(left_s: float) -> None:
    """Endless iterations; what counts is when the answer is there, with room for a busy machine."""
    search = leduc_search(iterations=10**9, min_iterations=1)
    search.warm_up()
    betting = decision(LEDUC_NOLIMIT, "r270c/cr555", "Ks", "Kh").betting
    started_s = time.monotonic()
    search.table_by(betting, parse_cards("Kh"), started_s + left_s)
    assert time.monotonic() < started_s + max(left_s, 0.0) + 2.0


def test_names_lead_to_profiles_and_settings(tmp_path: Path) -> None:
    name = str(search_folder(tmp_path, LEDUC_NOLIMIT))
    definition: GameDefinition = definition_of(LEDUC_NOLIMIT)
    agent = make_agent(f"{name}?profile=few&gadget=maxmargin&threads=2", definition, 1)
    assert isinstance(agent, SearchAgent)
    assert agent.search.settings.threads == 2
    assert agent.search.settings.streets[1] == replace(
        agent.search.settings.streets[1], gadget="maxmargin"
    )
    for options, message in [
        ("profile=none", "unknown profile"),
        ("speed=1", "unknown search setting"),
        ("threads=x", "threads"),
    ]:
        with pytest.raises(UsageError, match=message):
            verify_name(f"{name}?{options}", definition)
    with pytest.raises(UsageError, match="plays"):
        verify_name(name, definition_of(NOLIMIT_2P))
