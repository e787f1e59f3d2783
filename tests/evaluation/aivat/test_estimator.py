"""Estimates without luck, by going through all that can happen: the mean is exact, and luck is
really gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimator import PlayedHand, estimate
from acpcbot.evaluation.aivat.estimator_kinds import (
    AIVAT,
    CHIPS,
    IMAGINARY,
    MIVAT,
    MIVAT_IMAGINARY,
    Estimator,
)
from acpcbot.evaluation.aivat.value_functions import ExactValues
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from tests.evaluation.every_hand import (
    CallOrRaise,
    RandomStrategy,
    SlotStrategy,
    WildGuesses,
    all_played,
    memo,
    shipped,
    summary,
)
from tests.evaluation.sequence_form import equilibrium
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT, definition_of
from tests.support.small_games import KUHN_3P, shipped_small_game

ALL = (CHIPS, IMAGINARY, MIVAT, MIVAT_IMAGINARY, AIVAT)


DEFINITIONS = {name: definition_of(name) for name in (KUHN, KUHN_3P, LEDUC_NOLIMIT)}
# Two streets and a board, with a raise on the first alone.
DEFINITIONS["short Leduc"] = replace(definition_of(LEDUC), max_raises=(1, 0))


def is_slow(name: str, estimator: Estimator) -> bool:
    """The largest game, and all that is not AIVAT, which has all of the terms, but in the
    smallest.
    """
    return name == LEDUC_NOLIMIT or (name != KUHN and estimator != AIVAT)


@pytest.mark.parametrize("knows_hands", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize(
    ("name", "estimator"),
    [
        pytest.param(name, estimator, marks=pytest.mark.slow if is_slow(name, estimator) else ())
        for name in DEFINITIONS
        for estimator in ALL
    ],
)
def test_no_guess_however_wild_moves_the_mean(
    name: str, knows_hands: bool, estimator: Estimator
) -> None:
    """A forgotten or doubled term, a wrong weight or a card dealt twice would."""
    definition = DEFINITIONS[name]
    players = [memo(RandomStrategy(definition, seed)) for seed in range(definition.num_players)]
    hands = all_played(definition, players)
    guesses = WildGuesses(definition, knows_hands=knows_hands)
    for hero in range(definition.num_players):
        for known in ({hero}, set(range(definition.num_players))):
            strategies = {seat: players[seat] for seat in known}
            values = [estimate(hand.hand, hero, strategies, guesses, estimator) for hand in hands]
            truth = summary(hands, [hand.chips[hero] for hand in hands])[0]
            assert summary(hands, values)[0] == pytest.approx(truth, abs=1e-9)


@pytest.mark.parametrize(
    "name", [KUHN, LEDUC, KUHN_3P, pytest.param(LEDUC_NOLIMIT, marks=pytest.mark.slow)]
)
def test_no_luck_is_left_with_every_strategy_known(name: str) -> None:
    definition, strategy, values = shipped(name)
    players = [memo(strategy)] * definition.num_players
    hands = all_played(definition, players, suits_matter=False)
    for hero in range(definition.num_players):
        found = [estimate(hand.hand, hero, dict(enumerate(players)), values) for hand in hands]
        truth = summary(hands, [hand.chips[hero] for hand in hands])[0]
        assert found == pytest.approx([truth] * len(hands), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("estimator", [MIVAT, MIVAT_IMAGINARY, AIVAT])
def test_bets_that_the_strategy_does_not_know_do_not_move_the_mean(estimator: Estimator) -> None:
    """The shipped strategy and its own values against bets beside its menu, which both of them
    translate.
    """
    definition, strategy, values = shipped(LEDUC_NOLIMIT)
    odd = memo(RandomStrategy(definition, 4, odd_size=170))
    for hero in range(2):
        players = [memo(strategy) if seat == hero else odd for seat in range(2)]
        hands = all_played(definition, players)
        assert any("r370" in hand.hand.betting.text for hand in hands)
        truth = summary(hands, [hand.chips[hero] for hand in hands])
        for known in ({hero}, {0, 1}):
            strategies = {seat: players[seat] for seat in known}
            found = summary(
                hands, [estimate(hand.hand, hero, strategies, values, estimator) for hand in hands]
            )
            assert found[0] == pytest.approx(truth[0], abs=1e-9)
            if estimator == AIVAT:
                assert found[1] < 0.6 * truth[1]


@pytest.mark.parametrize("method", ["highs-ds", "highs-ipm"])
def test_in_self_play_every_equilibrium_has_the_same_luck_and_aivat_takes_all_of_it(
    method: str,
) -> None:
    strategy, values, won = linear_programme(method)
    assert won == pytest.approx(-0.0856064240780, abs=1e-12)
    for estimator, figure in ((CHIPS, 3.49732), (MIVAT, 1.48084), (AIVAT, 0.0)):
        mean, deviation = both_seats(strategy, values, strategy, estimator)
        assert mean == pytest.approx(0, abs=1e-9)
        assert deviation == pytest.approx(figure, abs=1e-9 if estimator == AIVAT else 6e-6), (
            estimator
        )


def test_the_luck_left_in_leduc_equals_an_independent_programs() -> None:
    """Its equilibrium is the vertex that scipy's interior point method ends in.

    Another one wins another mean.
    """
    strategy, values, _ = linear_programme("highs-ipm")
    calling = CallOrRaise(definition_of(LEDUC))
    figures = {
        CHIPS: (3.49732, 5.80462),
        MIVAT: (1.48084, 3.41823),
        MIVAT_IMAGINARY: (1.10525, 3.18472),
        AIVAT: (0.0, 1.51391),
    }
    for estimator, (in_self_play, against_calling) in figures.items():
        assert both_seats(strategy, values, strategy, estimator)[1] == pytest.approx(
            in_self_play, abs=6e-6
        )
        mean, deviation = both_seats(strategy, values, calling, estimator)
        assert mean == pytest.approx(0.736134, abs=6e-7)
        assert deviation == pytest.approx(against_calling, abs=6e-6), estimator


@cache
def linear_programme(method: str) -> tuple[PublicStrategy, ExactValues, float]:
    """An equilibrium of Leduc, what all histories are worth when everybody plays it, and what
    the first player wins.
    """
    small = shipped_small_game(LEDUC)
    policy, won = equilibrium(small, method)
    return (
        memo(SlotStrategy(small, policy)),
        ExactValues(small.abstraction, small.game, policy),
        won,
    )


def both_seats(
    strategy: PublicStrategy, values: ExactValues, rival: PublicStrategy, estimator: Estimator
) -> tuple[float, float]:
    """The mean and the standard deviation over both seats of a known player.

    The seat is luck as well.
    """
    definition = definition_of(LEDUC)
    squares, means = [], []
    for hero in range(2):
        players = [strategy if seat == hero else rival for seat in range(2)]
        hands = all_played(definition, players, suits_matter=False)
        seat_term = 0.0 if estimator == CHIPS else values.start(hands[0].hand.view(1 - hero))[0]
        found = [
            estimate(hand.hand, hero, {hero: strategy}, values, estimator) + seat_term
            for hand in hands
        ]
        mean, deviation = summary(hands, found)
        squares.append(deviation**2 + mean**2)
        means.append(mean)
    return float(np.mean(means)), float(np.sqrt(np.mean(squares) - np.mean(means) ** 2))


def test_a_strategy_that_would_not_have_done_it_is_refused() -> None:
    definition = definition_of(KUHN)
    betting = BettingRules(definition).parse("cc")
    hand = PlayedHand(betting, ((50,), (46,)), ())
    guesses = WildGuesses(definition, knows_hands=False)

    class Raising:
        def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
            return ActionTable(
                (CALLING, LIMIT_RAISING), np.tile([0.0, 1.0], (len(definition.deck), 1))
            )

    class Folding:
        def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
            return ActionTable((FOLDING,), np.ones((len(definition.deck), 1)))

    with pytest.raises(UsageError, match="gives c probability 0"):
        estimate(hand, 0, {0: Raising()}, guesses)
    with pytest.raises(UsageError, match="has no action c"):
        estimate(hand, 0, {0: Folding()}, guesses)
