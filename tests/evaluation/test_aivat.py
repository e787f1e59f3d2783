"""Estimates without luck, by going through all that can happen: the mean is exact, and luck is really gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from math import perm
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat import (
    AIVAT,
    CHIPS,
    IMAGINARY,
    MIVAT,
    MIVAT_IMAGINARY,
    Estimator,
    PlayedHand,
    View,
    estimate,
)
from acpcbot.evaluation.deal_sums import deal_ways
from acpcbot.evaluation.exact_values import ExactValues
from acpcbot.matches.public_strategy import ActionTable, PublicStrategy
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_number
from acpcbot.poker.payoffs import payoffs
from acpcbot.snapshots.finding import find_folder
from acpcbot.snapshots.loading import load_snapshot
from acpcbot.snapshots.public_play import SnapshotStrategy
from acpcbot.snapshots.whole_policy import played_policy
from tests.support.games import KUHN, LEDUC, definition_of
from tests.support.small_games import KUHN_3P, shipped_small_game

LEDUC_NOLIMIT = "leduc.nolimit.2p"
Cards = tuple[int, ...]
HoleCards = tuple[Cards, ...]
ALL = (CHIPS, IMAGINARY, MIVAT, MIVAT_IMAGINARY, AIVAT)


class Played(NamedTuple):
    """A hand, how likely it is, and the chips won by seat."""

    probability: float
    hand: PlayedHand
    chips: tuple[float, ...]


class RandomStrategy:
    """Any probabilities for every hand and action; no-limit raises are of the whole stack."""

    def __init__(self, definition: GameDefinition, seed: int) -> None:
        self._definition, self._seed = definition, seed

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        actions = _few_actions(betting)
        random = Random(f"{self._seed} {betting.text} {tuple(board)}")
        weights = np.array([[random.random() for _ in actions] for _ in all_hands(self._definition)])
        weights[weights < 0.2] = 0.0
        weights[:, -1] += weights.sum(axis=1) == 0
        return ActionTable(actions, weights / weights.sum(axis=1, keepdims=True))


def _few_actions(betting: BettingState) -> tuple[Action, ...]:
    """The legal ones; of no-limit raises the whole stack alone."""
    return tuple(
        [action for action in betting.legal_actions() if action.raise_to in (0, min(betting.game.definition.stacks))]
    )


class CallOrRaise:
    """Calls and raises alike, whatever it has."""

    def __init__(self, definition: GameDefinition) -> None:
        self._num_hands = len(all_hands(definition))

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        actions = tuple([action for action in (CALLING, LIMIT_RAISING) if betting.can_act(action)])
        return ActionTable(actions, np.full((self._num_hands, len(actions)), 1 / len(actions)))


class WildGuesses:
    """Numbers that have nothing to do with the game, for each hand its own or for all the same."""

    def __init__(self, definition: GameDefinition, *, knows_hands: bool) -> None:
        self._definition = definition
        self._num_values = len(all_hands(definition)) if knows_hands else 1

    def start(self, view: View) -> tuple[float, NDArray[np.float64]]:
        return float(np.mean([self._first(view.hero, dealt) for dealt in deals(self._definition)])), self._draw(view)

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> NDArray[np.float64]:
        return np.stack([self._draw(view, betting.text, tuple(board), action) for action in actions], axis=1)

    def after_deals(
        self, view: View, betting: BettingState, board: Sequence[int]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        dead = (*board, *[card for cards in view.hole_cards for card in cards])
        ways = deal_ways(self._definition, dead, self._definition.board_size(betting.street) - len(board))
        return ways, np.stack([self._draw(view, betting.text, tuple(board), way) for way in ways.tolist()])

    def _draw(self, view: View, *what: object) -> NDArray[np.float64]:
        seed = Random(f"{view} {what}").getrandbits(64)
        return np.random.default_rng(seed).normal(size=self._num_values)

    def _first(self, hero: int, hole_cards: HoleCards) -> float:
        view = View(hero, tuple([() if seat == hero else cards for seat, cards in enumerate(hole_cards)]))
        own = hand_number(self._definition, hole_cards[hero]) if self._num_values > 1 else 0
        return float(self._draw(view)[own])


def deals(definition: GameDefinition) -> Iterator[HoleCards]:
    """Everybody's hole card, in all ways."""
    for cards in permutations(definition.deck, definition.num_players):
        yield tuple([(card,) for card in cards])


def all_played(
    definition: GameDefinition, players: Sequence[PublicStrategy], *, suits_matter: bool = True
) -> list[Played]:
    """Every hand that can come of *players*, by seat; one for all that differ in suits alone if these do not matter."""
    num_players, num_cards = definition.num_players, definition.cards_per_hand
    tables = [cache(player.table) for player in players]

    def ends(betting: BettingState, hole_cards: HoleCards, board: Cards, reach: float) -> Iterator[Played]:
        seen = board[: definition.board_size(betting.street)]
        if betting.is_over:
            yield Played(reach, PlayedHand(betting, hole_cards, seen), payoffs(betting, hole_cards, seen))
            return
        table = tables[betting.actor](betting, seen)
        row = table.probabilities[hand_number(definition, hole_cards[betting.actor])]
        for action, share in zip(table.actions, row.tolist(), strict=True):
            if share:
                yield from ends(betting.apply(action), hole_cards, board, reach * share)

    start = BettingRules(definition).start
    found: list[Played] = []
    alike: dict[Cards, list[Cards]] = {}
    for cards in permutations(definition.deck, num_cards):
        alike.setdefault(cards if suits_matter else tuple([card >> 2 for card in cards]), []).append(cards)
    for cards, *others in alike.values():
        hole_cards, probability = (
            tuple([(card,) for card in cards[:num_players]]),
            1 / perm(len(definition.deck), num_cards),
        )
        found += ends(start, hole_cards, cards[num_players:], probability * (1 + len(others)))
    return found


def summary(hands: Sequence[Played], values: Sequence[float]) -> tuple[float, float]:
    """The mean and the standard deviation of *values*."""
    shares, numbers = np.array([hand.probability for hand in hands]), np.array(values)
    assert shares.sum() == pytest.approx(1, abs=1e-12)
    mean = float(shares @ numbers)
    return mean, float(np.sqrt(shares @ (numbers - mean) ** 2))


def shipped(name: str) -> tuple[GameDefinition, SnapshotStrategy, ExactValues]:
    """The shipped equilibrium, and what all histories are worth when everybody plays it."""
    folder = find_folder(f"strategies/{name}/dcfr")
    assert folder is not None
    snapshot = load_snapshot(folder)
    small = shipped_small_game(name)
    values = ExactValues(small.abstraction, small.game, played_policy(snapshot, small.game))
    return snapshot.definition, SnapshotStrategy(snapshot), values


def memo(strategy: PublicStrategy) -> PublicStrategy:
    """*strategy*, asked once for each state."""

    class Remembering:
        table = staticmethod(cache(lambda betting, board: strategy.table(betting, board)))

    return Remembering()


@pytest.mark.parametrize("estimator", ALL)
@pytest.mark.parametrize("knows_hands", [False, True])
@pytest.mark.parametrize("name", [KUHN, KUHN_3P, LEDUC_NOLIMIT])
def test_no_guess_however_wild_moves_the_mean(name: str, knows_hands: bool, estimator: Estimator) -> None:
    """A forgotten or doubled term, a wrong weight or a card dealt twice would."""
    definition = definition_of(name)
    players = [memo(RandomStrategy(definition, seed)) for seed in range(definition.num_players)]
    hands = all_played(definition, players)
    guesses = WildGuesses(definition, knows_hands=knows_hands)
    for hero in range(definition.num_players):
        for known in ({hero}, set(range(definition.num_players))):
            strategies = {seat: players[seat] for seat in known}
            values = [estimate(hand.hand, hero, strategies, guesses, estimator) for hand in hands]
            truth = summary(hands, [hand.chips[hero] for hand in hands])[0]
            assert summary(hands, values)[0] == pytest.approx(truth, abs=1e-9)


@pytest.mark.parametrize("name", [KUHN, LEDUC, KUHN_3P])
def test_when_all_is_known_no_luck_is_left(name: str) -> None:
    definition, strategy, values = shipped(name)
    players = [memo(strategy)] * definition.num_players
    hands = all_played(definition, players, suits_matter=False)
    for hero in range(definition.num_players):
        found = [estimate(hand.hand, hero, dict(enumerate(players)), values) for hand in hands]
        truth = summary(hands, [hand.chips[hero] for hand in hands])[0]
        assert found == pytest.approx([truth] * len(hands), abs=1e-9)


def test_what_each_estimator_leaves_of_luck_in_leduc_is_what_an_independent_program_found() -> None:
    """Self-play of another equilibrium by another program: 3.49732, 1.48084, 1.10525 and 0; against calls and
    raises at random 5.80462, 3.41823, 3.18472 and 1.51391, where it wins 0.736 and ours 0.701.
    """
    definition, strategy, values = shipped(LEDUC)
    expected = {
        "self": {CHIPS: 3.49732, MIVAT: 1.48084, MIVAT_IMAGINARY: 1.10525, AIVAT: 0.0},
        "random": {CHIPS: 5.80462, MIVAT: 3.41823, MIVAT_IMAGINARY: 3.18472, AIVAT: 1.51391},
    }
    for opponent, figures in expected.items():
        for estimator, figure in figures.items():
            found = both_seats(definition, memo(strategy), values, opponent, estimator)
            assert found == pytest.approx(figure, rel=0.06, abs=1e-6), (opponent, estimator)


def both_seats(
    definition: GameDefinition, strategy: PublicStrategy, values: ExactValues, opponent: str, estimator: Estimator
) -> float:
    """The standard deviation over both seats of a known player; the seat is luck as well."""
    rival = strategy if opponent == "self" else CallOrRaise(definition)
    squares, means = [], []
    for hero in range(2):
        players = [strategy if seat == hero else rival for seat in range(2)]
        hands = all_played(definition, players, suits_matter=False)
        seat_term = 0.0 if estimator == CHIPS else values.start(hands[0].hand.view(1 - hero))[0]
        found = [estimate(hand.hand, hero, {hero: strategy}, values, estimator) + seat_term for hand in hands]
        mean, deviation = summary(hands, found)
        squares.append(deviation**2 + mean**2)
        means.append(mean)
    return float(np.sqrt(np.mean(squares) - np.mean(means) ** 2))


def test_a_strategy_that_would_not_have_done_it_is_refused() -> None:
    definition = definition_of(KUHN)
    betting = BettingRules(definition).parse("cc")
    hand = PlayedHand(betting, ((50,), (46,)), ())
    guesses = WildGuesses(definition, knows_hands=False)

    class Raising:
        def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
            return ActionTable((CALLING, LIMIT_RAISING), np.tile([0.0, 1.0], (len(definition.deck), 1)))

    class Folding:
        def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
            return ActionTable((FOLDING,), np.ones((len(definition.deck), 1)))

    with pytest.raises(UsageError, match="would not c"):
        estimate(hand, 0, {0: Raising()}, guesses)
    with pytest.raises(UsageError, match="does not know c"):
        estimate(hand, 0, {0: Folding()}, guesses)
