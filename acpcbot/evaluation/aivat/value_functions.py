"""Value functions for AIVAT: by name, and exact ones for small games.

``make_value_function`` chooses among three kinds: by hand strength (``strength_values.py``), by
self-play of a stored hold'em strategy (``self_play_values.py``), and exact values of a small game
under a policy of all seats, which are worked out here for every history of the policy's tree.

Exact values work on *lanes*, the deals that can occur (``learning/vector_cfr.py``). Up to a street
only the buckets dealt so far are known: lanes that share them form a group, and the value of a
history is the mean over its group, weighted by the lanes' probabilities.

In a no-limit game the tree holds the bets of a menu. Other betting gets the value of the most
similar betting of the tree (``nearest_view``), scaled to the pot. A hand that is really over has
its payoff. So values are functions of the history, whatever is bet, and those of two players still
sum to zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import ExactAbstraction, all_deals, merge_deals
from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import blueprint_name, find_strategy
from acpcbot.arrays import Floats
from acpcbot.cards.orderings import orderings
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.deal_sums import possible_deals
from acpcbot.evaluation.aivat.estimator import ValueFunction, View
from acpcbot.evaluation.aivat.estimator_kinds import ESTIMATORS
from acpcbot.evaluation.aivat.self_play_values import self_play_values
from acpcbot.evaluation.aivat.strength_values import StrengthValues, can_value, scale_to_pot
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands
from acpcbot.poker.payoffs import fill_values
from acpcbot.strategies.by_name import find_played
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.translation import nearest_view
from acpcbot.strategies.whole_policy import played_policy
from acpcbot.trees.betting_tree import BettingPlaces, MenuGame
from acpcbot.trees.decision_nodes import decision_nodes
from acpcbot.trees.infosets import Places, SubtreeSizes
from acpcbot.trees.public_tree import AbstractGame, make_game
from acpcbot.worker_threads import Progress

NUM_KEPT = 1 << 14
"""Bettings whose values are cached."""
STRENGTH = "strength"
"""Name of the formula by hand strength, where a strategy could be named."""


def make_value_function(
    deal_sources: DealSources,
    chosen: str | None,
    played: Iterable[str],
    on_progress: Progress | None = None,
) -> ValueFunction | None:
    """Return the value function for AIVAT in the game of *deal_sources*.

    *chosen* names a strategy, or STRENGTH for the formula by hand strength. Without it the first of
    *played* with a stored strategy is taken, or the blueprint of the first that searches. None if
    there is none and the game is not hold'em. Values are those of self-play, exact in small games.
    Raises UsageError, UnknownStrategy or BadSnapshot if the chosen one has no values.
    """
    definition = deal_sources.definition
    name = chosen or next(filter(None, map(blueprint_name, played)), None)
    if can_value(definition):
        if name is None or name == STRENGTH:
            return StrengthValues(definition, on_progress)
        return _holdem_values(deal_sources, name, on_progress)
    return None if name is None else _exact_values(definition, name)


def _holdem_values(
    deal_sources: DealSources, name: str, on_progress: Progress | None
) -> ValueFunction:
    strategy = find_strategy(name, deal_sources)
    if not isinstance(strategy, SnapshotStrategy):
        raise UsageError(f"{name} has no values of hands", "name a trained strategy's folder")
    # Of a strategy for other stacks: values of its own game, in shares of the pot.
    if strategy.definition != deal_sources.definition:
        deal_sources = DealSources(strategy.definition)
    return self_play_values(strategy, deal_sources, on_progress)


def _exact_values(definition: GameDefinition, name: str) -> ValueFunction:
    snapshot, settings = find_played(name, definition)
    if not isinstance(snapshot.abstraction, ExactAbstraction):
        raise UsageError(
            f"{name} has no values of hands", "they are for hold'em and for small games"
        )
    game = make_game(definition, snapshot.menu, snapshot.abstraction.num_buckets)
    return ExactValues(snapshot.abstraction, game, played_policy(snapshot, game, settings))


def possible_estimators(
    player: str, known: Mapping[str, object], values: ValueFunction | None
) -> list[str]:
    """Return the names of the estimators that apply to *player* and add to simpler ones."""
    wanted = []
    for name, estimator in ESTIMATORS.items():
        has_values = values is not None or not (
            estimator.corrects_deals or estimator.corrects_actions
        )
        has_strategies = (
            not estimator.averages_hands
            or player in known
            or (estimator.corrects_actions and bool(known))
        )
        if has_values and has_strategies:
            wanted.append(name)
    return wanted


class ExactValues:
    """A ``ValueFunction``: values of histories if all seats play *policy* [slot] of *game*."""

    def __init__(
        self, abstraction: ExactAbstraction, game: AbstractGame | MenuGame, policy: Floats
    ) -> None:
        self._definition = game.definition
        self._places = _places(game)
        self._bucket = cache(abstraction.bucket)
        rows, weights = merge_deals(all_deals(self._definition, abstraction))
        self._orderings = rows[:, -1]
        self._streets = [
            _Groups(rows, weights, street, self._definition.num_players)
            for street in range(len(game.num_buckets))
        ]
        self._lanes = _lane_values(game, rows, policy) * self._definition.big_blind
        self._rules = BettingRules(self._definition)
        self._group_values = lru_cache(maxsize=NUM_KEPT)(self._find_group_values)
        self._start = self._streets[0].weights @ self._streets[0].means(self._lanes[0])

    def start(self, view: View) -> tuple[float, Floats]:
        """Return the mean over all deals, and the value given the others' cards, [hand]."""
        values = self._streets[0].means(self._lanes[0])
        return float(self._start[view.hero]), values[self._groups(view, 0, ()), view.hero]

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """Return the value after each of *actions* of the actor of *betting*, [hand, action]."""
        groups = self._groups(view, betting.street, tuple(board))
        values = [
            self._group_values(betting.apply(action).text, betting.street) for action in actions
        ]
        return np.stack([value[groups, view.hero] for value in values], axis=1)

    def after_deals(
        self, view: View, betting: BettingState, board: Sequence[int]
    ) -> tuple[NDArray[np.uint8], Floats]:
        """Return all deals of a new street, and the value after each, [deal, hand]."""
        dead = (*board, *[card for cards in view.hole_cards for card in cards])
        deals = possible_deals(
            self._definition, dead, self._definition.board_size(betting.street) - len(board)
        )
        groups = np.array(
            [self._groups(view, betting.street, (*board, *dealt)) for dealt in deals.tolist()]
        )
        return deals, self._group_values(betting.text, betting.street)[groups, view.hero]

    def _find_group_values(self, betting: str, street: int) -> Floats:
        """Return the value after *betting* with the cards up to *street*, chips [group, seat]."""
        return self._streets[street].means(self._lane_values(self._rules.parse(betting)))

    def _lane_values(self, betting: BettingState) -> Floats:
        """Return the value after *betting* with all cards known, chips [lane, seat]."""
        if betting.is_over:
            return self._paid(betting)
        if self._definition.is_limit:
            return self._in_tree(betting)
        seen = nearest_view(self._places.place_after, betting, nearest=self._places.nearest)
        values = self._paid(seen) if seen.is_over else self._in_tree(seen)
        return scale_to_pot(values, seen, betting)

    def _in_tree(self, betting: BettingState) -> Floats:
        """Return the value after *betting* of the tree, chips [lane, seat]."""
        return np.asarray(self._lanes[self._places.place_after(betting).node])

    def _paid(self, betting: BettingState) -> Floats:
        """Return the payoffs of a finished hand, chips [lane, seat]."""
        paid = []
        for strengths in orderings(self._definition.num_players).tolist():
            values = [0.0] * self._definition.num_players
            fill_values(betting.game.vector, betting.vector, strengths, values)
            paid.append(values)
        return np.array(paid)[self._orderings]

    def _groups(self, view: View, street: int, board: tuple[int, ...]) -> NDArray[np.int64]:
        """Return the group of each hand of the hero, [hand]; 0 for hands it cannot hold."""
        dead = {*board, *[card for cards in view.hole_cards for card in cards]}
        others = [self._bucket(street, cards, board) if cards else 0 for cards in view.hole_cards]
        groups = []
        for hand in map(tuple, all_hands(self._definition).tolist()):
            if dead.isdisjoint(hand):
                others[view.hero] = self._bucket(street, hand, board)
            groups.append(
                self._streets[street].number.get(tuple(others), 0) if dead.isdisjoint(hand) else 0
            )
        return np.array(groups)


class _Groups:
    """Groups of lanes with equal buckets up to *street*."""

    def __init__(
        self, rows: NDArray[np.uint16], weights: Floats, street: int, num_seats: int
    ) -> None:
        buckets = rows[:, street * num_seats : (street + 1) * num_seats]
        found, of_lane = np.unique(buckets, axis=0, return_inverse=True)
        self.number = {tuple(row): group for group, row in enumerate(found.tolist())}
        self.weights = np.bincount(of_lane, weights)
        self._shares = np.zeros((len(found), len(rows)))
        self._shares[of_lane, np.arange(len(rows))] = weights / self.weights[of_lane]

    def means(self, values: Floats) -> Floats:
        """Return *values* [lane, seat] as means over groups, [group, seat]."""
        return np.asarray(self._shares @ values)


def _places(game: AbstractGame | MenuGame) -> Places:
    return (
        SubtreeSizes(game.definition)
        if isinstance(game, AbstractGame)
        else BettingPlaces(game.tree)
    )


def _lane_values(game: AbstractGame | MenuGame, rows: NDArray[np.uint16], policy: Floats) -> Floats:
    """Return the value of every node, big blinds [node, lane, seat], from the leaves up."""
    nodes, layout, num_seats = decision_nodes(game.tree), game.layout, game.definition.num_players
    values = np.empty((len(nodes), len(rows), num_seats))
    for node in range(len(nodes) - 1, -1, -1):
        street = int(nodes.streets[node])
        buckets = rows[:, street * num_seats + int(nodes.seats[node])].astype(np.int64)
        slots = layout.row_starts[street] + buckets * layout.row_widths[street] + nodes.slots[node]
        values[node] = 0.0
        for action, child in enumerate(nodes.children_of(node)):
            after = values[child] if child >= 0 else nodes.payoffs[~child][rows[:, -1]]
            values[node] += policy[slots + action][:, None] * after
    return values
