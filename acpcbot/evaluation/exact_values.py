"""Values of a small game under a known policy of all seats, exact for every history.

A deal that can occur is a lane (``solvers/deal_lanes.py``). Seen from a street only its
buckets up to there are known: the lanes that share them are a group, and the value of a
history is the mean over its group, weighted by the lanes' probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.small_games import ExactAbstraction, all_deals, merge_deals
from acpcbot.evaluation.aivat import View
from acpcbot.evaluation.deal_sums import deal_ways
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands
from acpcbot.solvers.abstract_game import AbstractGame
from acpcbot.trees.node_record import CHILD, INFO, SLOT, info_kinds, info_seat, info_street, num_actions
from acpcbot.trees.subtree_sizes import NodePlace, SubtreeSizes

Floats = NDArray[np.float64]


class ExactValues:
    """A ``ValueFunction``: what histories are worth when all seats play *policy* [slot]."""

    def __init__(self, abstraction: ExactAbstraction, game: AbstractGame, policy: Floats) -> None:
        self._definition = game.tree.definition
        self._sizes = SubtreeSizes(self._definition)
        self._bucket = cache(abstraction.bucket)
        rows, weights = merge_deals(all_deals(self._definition, abstraction))
        self._streets = [
            _Groups(rows, weights, street, self._definition.num_players) for street in range(len(game.num_buckets))
        ]
        self._after: list[Floats] = [np.empty(0)] * len(game.tree.nodes)
        self._at = list(self._after)
        for node, play, values in _lane_values(game, rows, policy):
            groups = self._streets[game.tree.streets[node]]
            self._after[node] = groups.means(values) * self._definition.big_blind
            self._at[node] = groups.means((play[:, :, None] * values).sum(axis=0)) * self._definition.big_blind
        self._start = self._streets[0].weights @ self._at[0]

    def start(self, view: View) -> tuple[float, Floats]:
        """Before the cards: the mean over all deals, and the value with those dealt to the others, [hand]."""
        return float(self._start[view.hero]), self._at[0][self._groups(view, 0, ()), view.hero]

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """After each of *actions* of the actor of *betting*, [hand, action]."""
        place = self._place(betting)
        columns = [place.kinds.index(action.kind) for action in actions]
        groups = self._groups(view, place.street, tuple(board))
        return self._after[place.node][columns][:, groups, view.hero].T

    def after_deals(self, view: View, betting: BettingState, board: Sequence[int]) -> tuple[NDArray[np.uint8], Floats]:
        """All ways to deal the cards of a new street, [way, card], and the value after each, [way, hand]."""
        place = self._place(betting)
        dead = (*board, *[card for cards in view.hole_cards for card in cards])
        ways = deal_ways(self._definition, dead, self._definition.board_size(place.street) - len(board))
        groups = np.array([self._groups(view, place.street, (*board, *way)) for way in ways.tolist()])
        return ways, self._at[place.node][groups, view.hero]

    def _place(self, betting: BettingState) -> NodePlace:
        return self._sizes.place([action.kind for _, action in betting.decisions()])

    def _groups(self, view: View, street: int, board: tuple[int, ...]) -> NDArray[np.int64]:
        """The group of every hand of the hero, [hand]; 0 for hands that he cannot hold."""
        dead = {*board, *[card for cards in view.hole_cards for card in cards]}
        others = [self._bucket(street, cards, board) if cards else 0 for cards in view.hole_cards]
        groups = []
        for hand in map(tuple, all_hands(self._definition).tolist()):
            if dead.isdisjoint(hand):
                others[view.hero] = self._bucket(street, hand, board)
            groups.append(self._streets[street].number.get(tuple(others), 0) if dead.isdisjoint(hand) else 0)
        return np.array(groups)


class _Groups:
    """The groups of lanes that are alike up to *street*."""

    def __init__(self, rows: NDArray[np.uint16], weights: Floats, street: int, num_seats: int) -> None:
        buckets = rows[:, street * num_seats : (street + 1) * num_seats]
        found, of_lane = np.unique(buckets, axis=0, return_inverse=True)
        self.number = {tuple(row): group for group, row in enumerate(found.tolist())}
        self.weights = np.bincount(of_lane, weights)
        self._shares = np.zeros((len(found), len(rows)))
        self._shares[of_lane, np.arange(len(rows))] = weights / self.weights[of_lane]

    def means(self, values: Floats) -> Floats:
        """*values* [..., lane, seat] as means [..., group, seat]."""
        return np.asarray(self._shares @ values)


def _lane_values(game: AbstractGame, rows: NDArray[np.uint16], policy: Floats) -> Iterator[tuple[int, Floats, Floats]]:
    """Every node, the last one first, its play [action, lane] and action values [action, lane, seat], big blinds."""
    num_seats, layout = game.tree.num_seats, game.layout
    values = np.empty((len(game.tree.nodes), len(rows), num_seats))
    for node in range(len(values) - 1, -1, -1):
        record = game.tree.nodes[node]
        info = record[INFO]
        street, count = info_street(info), num_actions(info_kinds(info))
        buckets = rows[:, street * num_seats + info_seat(info)].astype(np.int64)
        first = layout.row_starts[street] + buckets * layout.row_widths[street] + record[SLOT]
        play = policy[first + np.arange(count)[:, None]]
        children = record[CHILD : CHILD + count].tolist()
        ends = [values[child] if child >= 0 else game.tree.payoffs[~child][rows[:, -1]] for child in children]
        after = np.stack(ends)
        values[node] = (play[:, :, None] * after).sum(axis=0)
        yield node, play, after
