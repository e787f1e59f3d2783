"""The split of a result into luck and play: lines add up, each is luck indeed, and some are
known beforehand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest

from acpcbot.evaluation.aivat.estimator import PlayedHand, estimate
from acpcbot.evaluation.aivat.hand_review import (
    ACTION,
    DEAL,
    LAST_CARDS,
    OWN_HAND,
    LuckBreakdown,
    luck_breakdown,
)
from acpcbot.evaluation.aivat.showdowns import showdown_values
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.hands import hand_number
from tests.evaluation.every_hand import RandomStrategy, WildGuesses, all_played, memo, shipped
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT, definition_of
from tests.support.small_games import KUHN_3P


@pytest.mark.parametrize("knows_hands", [False, True])
@pytest.mark.parametrize("name", [KUHN, KUHN_3P, LEDUC_NOLIMIT])
def test_chips_are_the_value_and_all_luck_together_whatever_is_guessed(
    name: str, knows_hands: bool
) -> None:
    """A term that is left out, taken twice or of the wrong sign would not add up."""
    definition = definition_of(name)
    players = [memo(RandomStrategy(definition, seed)) for seed in range(definition.num_players)]
    guesses = WildGuesses(definition, knows_hands=knows_hands)
    for played in all_played(definition, players)[:: 20 if name == LEDUC_NOLIMIT else 7]:
        for known in ({0}, {1}, {0, 1}):
            strategies = {seat: players[seat] for seat in known}
            found = luck_breakdown(played.hand, 0, strategies, guesses)
            assert found.chips == pytest.approx(played.chips[0], abs=1e-9)
            assert found.value_chips == pytest.approx(
                estimate(played.hand, 0, strategies, guesses), abs=1e-9
            )
            assert found.value_chips + sum(luck.chips for luck in found.terms) == pytest.approx(
                found.chips, abs=1e-9
            )
            assert {luck.actor for luck in found.terms if luck.event == ACTION} <= known


@pytest.mark.parametrize("name", [KUHN, KUHN_3P, LEDUC_NOLIMIT])
def test_every_kind_of_luck_is_nothing_on_average(name: str) -> None:
    """Luck that is booked on the wrong event would show up here as profit on one line and loss
    on another.
    """
    definition = definition_of(name)
    players = [memo(RandomStrategy(definition, seed)) for seed in range(definition.num_players)]
    guesses = WildGuesses(definition, knows_hands=True)
    means: dict[tuple[object, ...], float] = defaultdict(float)
    for played in all_played(definition, players):
        for luck in luck_breakdown(played.hand, 1, dict(enumerate(players)), guesses).terms:
            event = "end" if luck.event in (LAST_CARDS, OWN_HAND) else luck.event
            means[event, luck.street if event == DEAL else 0, luck.actor] += (
                played.probability * luck.chips
            )
    assert list(means.values()) == pytest.approx([0] * len(means), abs=1e-9)
    assert len(means) >= 3


def test_in_an_equilibrium_all_that_is_won_beyond_its_value_is_luck() -> None:
    definition, strategy, values = shipped(LEDUC)
    hand = PlayedHand(BettingRules(definition).parse("rc/rc"), ((50,), (46,)), (47,))
    found = luck_breakdown(hand, 0, {0: strategy, 1: strategy}, values)
    assert found.chips == -7  # the king on the board pairs the other's
    assert found.value_chips == pytest.approx(-0.0856064, abs=1e-5)
    board = next(luck for luck in found.terms if luck.event == DEAL and luck.street == 1)
    assert board.chips < -2  # ahead before it, behind after it


def test_cards_after_an_all_in_are_luck_of_their_own() -> None:
    definition = definition_of(LEDUC_NOLIMIT)
    (ace, king), board = ((50,), (46,)), (47,)
    everything = min(definition.stacks)
    hand = PlayedHand(BettingRules(definition).parse(f"r{everything}c/"), (ace, king), board)
    found = luck_breakdown(hand, 0, {}, WildGuesses(definition, knows_hands=True))
    others = [card for card in definition.deck if card not in (*ace, *king)]
    ends = [showdown_values(hand.betting, (ace, king), 0, (card,)) for card in others]
    mean = np.mean([values[hand_number(definition, ace)] for values in ends])
    assert found.chips == -everything
    assert chips_of(found, LAST_CARDS) == pytest.approx([-everything - mean])
    assert chips_of(found, OWN_HAND) == [0]  # how other hands would have been played is unknown


def chips_of(found: LuckBreakdown, event: str) -> Sequence[float]:
    return [luck.chips for luck in found.terms if luck.event == event]
