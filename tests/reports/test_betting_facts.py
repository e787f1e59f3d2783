"""Counts in finished hands, against slow plain Python over the betting engine."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from acpcbot.reports import betting_facts
from acpcbot.reports.betting_facts import replay_betting
from acpcbot.reports.betting_replay import BettingFacts, Count, Mark
from tests.protocol.log_making import played_out
from tests.reports.plain_facts import decisions, plain_counts, plain_marks
from tests.support.games import ALL_GAMES, LEDUC, NOLIMIT_3P, rules_of

NUM_HANDS = 60


@pytest.fixture(autouse=True, params=["plain", "compiled"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count in plain Python, as for few hands, and compiled."""
    if request.param == "compiled":
        monkeypatch.setattr(betting_facts, "PLAIN_HANDS", 0)


def facts_of(game_name: str, betting: list[str]) -> BettingFacts:
    ends = np.cumsum([len(text) for text in betting])
    return replay_betting("".join(betting).encode(), ends, rules_of(game_name).definition).facts


def random_betting(game_name: str) -> list[str]:
    random = Random(game_name)
    return [played_out(random, rules_of(game_name)).text for _ in range(NUM_HANDS)]


@pytest.mark.parametrize("game_name", ALL_GAMES)
def test_counts_are_those_of_plain_python(game_name: str) -> None:
    """Catches a bet taken for a raise, a blind for a bet, a free call for a call, a hand that
    leaks into the next.
    """
    betting = random_betting(game_name)
    counts = facts_of(game_name, betting).counts
    for hand, text in enumerate(betting):
        found: Counter[tuple[int, int, str]] = Counter()
        for seat, street, kind in np.argwhere(counts[hand]).tolist():
            found[seat, street, Count(kind).name] = int(counts[hand, seat, street, kind])
        assert found == +plain_counts(rules_of(game_name), text), text


@pytest.mark.parametrize("game_name", ALL_GAMES)
def test_marks_are_those_of_plain_python(game_name: str) -> None:
    """Catches a 3-bet or a c-bet counted by the wrong player, or where the rules let nobody
    raise.
    """
    betting = random_betting(game_name)
    marks = facts_of(game_name, betting).marks
    for hand, text in enumerate(betting):
        found = {(seat, Mark(mark).name) for seat, mark in np.argwhere(marks[hand]).tolist()}
        assert found == plain_marks(rules_of(game_name), text), text


@pytest.mark.parametrize("game_name", ALL_GAMES)
def test_chips_and_streets_are_those_of_the_betting_engine(game_name: str) -> None:
    """Catches a seat that reaches a street after it folded."""
    game, betting = rules_of(game_name), random_betting(game_name)
    facts = facts_of(game_name, betting)
    for hand, text in enumerate(betting):
        end = game.parse(text)
        folds = {one.seat: one.street for one in decisions(game, text) if one.action.text == "f"}
        assert tuple(facts.spent[hand]) == end.spent
        assert facts.reached[hand].tolist() == [
            folds.get(seat, end.street) for seat in range(len(end.spent))
        ]


def test_behind_antes_the_first_raise_is_a_bet() -> None:
    """Catches games without blinds read as if somebody had bet."""
    counts = facts_of(LEDUC, ["rrc/cc"]).counts[0, :, 0]
    assert counts[:, Count.BETS].tolist() == [1, 0]
    assert counts[:, Count.RAISES].tolist() == [0, 1]


def test_a_raise_behind_callers_of_a_raise_is_a_three_bet() -> None:
    """Catches a squeeze that is taken for something else.

    Who only called is not asked again as the opener.
    """
    marks = facts_of(NOLIMIT_3P, ["r300cr1200ff"]).marks[0]
    assert np.flatnonzero(marks[:, Mark.THREE_BET]).tolist() == [1]
    assert np.flatnonzero(marks[:, Mark.FACED_THREE_BET]).tolist() == [2]
    assert np.flatnonzero(marks[:, Mark.COULD_THREE_BET]).tolist() == [0, 1]
