"""Every hand that can come of known players of a small game, with players and guesses that
nobody would think of.
"""

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

from acpcbot.abstraction.card_abstraction import ExactAbstraction
from acpcbot.evaluation.aivat.deal_sums import possible_deals
from acpcbot.evaluation.aivat.estimator import PlayedHand, View
from acpcbot.evaluation.aivat.value_functions import ExactValues
from acpcbot.poker.actions import CALLING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_number
from acpcbot.poker.payoffs import payoffs
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import find_folder
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from acpcbot.strategies.whole_policy import played_policy
from acpcbot.trees.infosets import SubtreeSizes
from acpcbot.trees.public_tree import make_game
from tests.support.games import definition_of
from tests.support.small_games import SmallGame

Cards = tuple[int, ...]
HoleCards = tuple[Cards, ...]


class Played(NamedTuple):
    """A hand, how likely it is, and the chips won by seat."""

    probability: float
    hand: PlayedHand
    chips: tuple[float, ...]


class RandomStrategy:
    """Any probabilities for every hand and action.

    Of no-limit raises there is one, the stack or of an *odd_size*.
    """

    def __init__(self, definition: GameDefinition, seed: int, odd_size: int = 0) -> None:
        self._definition, self._seed, self._odd_size = definition, seed, odd_size

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        actions = _odd_actions(betting, self._odd_size) if self._odd_size else few_actions(betting)
        random = Random(f"{self._seed} {betting.text} {tuple(board)}")
        weights = np.array(
            [[random.random() for _ in actions] for _ in all_hands(self._definition)]
        )
        weights[weights < 0.2] = 0.0
        weights[:, -1] += weights.sum(axis=1) == 0
        return ActionTable(actions, weights / weights.sum(axis=1, keepdims=True))


def few_actions(betting: BettingState) -> tuple[Action, ...]:
    """The legal ones; of no-limit raises the whole stack alone."""
    return tuple(
        [
            action
            for action in betting.legal_actions()
            if action.raise_to in (0, min(betting.game.definition.stacks))
        ]
    )


def _odd_actions(betting: BettingState, odd_size: int) -> tuple[Action, ...]:
    """The legal ones; of no-limit raises that of *odd_size* chips above the smallest."""
    legal = betting.raise_range
    others = [action for action in betting.legal_actions() if action.raise_to == 0]
    return (*others, *([] if legal is None else [raising(min(legal[0] + odd_size, legal[1]))]))


class CallOrRaise:
    """Calls and raises alike, whatever it has."""

    def __init__(self, definition: GameDefinition) -> None:
        self._num_hands = len(all_hands(definition))

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        actions = tuple([action for action in (CALLING, LIMIT_RAISING) if betting.can_act(action)])
        return ActionTable(actions, np.full((self._num_hands, len(actions)), 1 / len(actions)))


class SlotStrategy:
    """The *policy* [slot] of a small game."""

    def __init__(self, small: SmallGame, policy: NDArray[np.float64]) -> None:
        self._small, self._policy, self._sizes = small, policy, SubtreeSizes(small.definition)

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        place = self._sizes.place([action.kind for _, action in betting.decisions()])
        hands = all_hands(self._small.definition).tolist()
        rows = np.zeros((len(hands), len(place.kinds)))
        for number, hand in enumerate(hands):
            if not set(hand) & set(board):
                bucket = self._small.abstraction.bucket(place.street, hand, board)
                rows[number] = self._policy[self._small.slots(place.node, bucket)]
        return ActionTable(tuple(map(Action, place.kinds)), rows)


class WildGuesses:
    """Numbers that have nothing to do with the game, for each hand its own or for all the same."""

    def __init__(self, definition: GameDefinition, *, knows_hands: bool) -> None:
        self._definition = definition
        self._num_values = len(all_hands(definition)) if knows_hands else 1

    def start(self, view: View) -> tuple[float, NDArray[np.float64]]:
        return float(
            np.mean([self._first(view.hero, dealt) for dealt in deals(self._definition)])
        ), self._draw(view)

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> NDArray[np.float64]:
        return np.stack(
            [self._draw(view, betting.text, tuple(board), action) for action in actions], axis=1
        )

    def after_deals(
        self, view: View, betting: BettingState, board: Sequence[int]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        dead = (*board, *[card for cards in view.hole_cards for card in cards])
        ways = possible_deals(
            self._definition, dead, self._definition.board_size(betting.street) - len(board)
        )
        return ways, np.stack(
            [self._draw(view, betting.text, tuple(board), way) for way in ways.tolist()]
        )

    def _draw(self, view: View, *what: object) -> NDArray[np.float64]:
        seed = Random(f"{view} {what}").getrandbits(64)
        return np.random.default_rng(seed).normal(size=self._num_values)

    def _first(self, hero: int, hole_cards: HoleCards) -> float:
        view = View(
            hero, tuple([() if seat == hero else cards for seat, cards in enumerate(hole_cards)])
        )
        own = hand_number(self._definition, hole_cards[hero]) if self._num_values > 1 else 0
        return float(self._draw(view)[own])


def deals(definition: GameDefinition) -> Iterator[HoleCards]:
    """Everybody's hole card, in all ways."""
    for cards in permutations(definition.deck, definition.num_players):
        yield tuple([(card,) for card in cards])


def all_played(
    definition: GameDefinition, players: Sequence[PublicStrategy], *, suits_matter: bool = True
) -> list[Played]:
    """Every hand that can come of *players*, by seat.

    One for all that differ in suits alone if these do not matter.
    """
    num_players, num_cards = definition.num_players, definition.cards_per_hand
    tables = [cache(player.table) for player in players]

    def ends(
        betting: BettingState, hole_cards: HoleCards, board: Cards, reach: float
    ) -> Iterator[Played]:
        seen = board[: definition.board_size(betting.street)]
        if betting.is_over:
            yield Played(
                reach, PlayedHand(betting, hole_cards, seen), payoffs(betting, hole_cards, seen)
            )
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
        alike.setdefault(
            cards if suits_matter else tuple([card >> 2 for card in cards]), []
        ).append(cards)
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
    """The shipped strategy, and what all histories are worth when everybody plays it."""
    learner = "dcfr" if definition_of(name).is_limit else "external_sampling"
    folder = find_folder(f"strategies/{name}/{learner}")
    assert folder is not None
    snapshot = load_snapshot(folder)
    assert isinstance(snapshot.abstraction, ExactAbstraction)
    game = make_game(snapshot.definition, snapshot.menu, snapshot.abstraction.num_buckets)
    values = ExactValues(snapshot.abstraction, game, played_policy(snapshot, game))
    return snapshot.definition, SnapshotStrategy(snapshot), values


def memo(strategy: PublicStrategy) -> PublicStrategy:
    """*strategy*, asked once for each state."""

    class Remembering:
        table = staticmethod(cache(lambda betting, board: strategy.table(betting, board)))

    return Remembering()
