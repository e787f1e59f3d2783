"""Continuations in games of many hands: what is won by equity with every pair of hands, and the rest by groups of them.

A pair of hands that share no card is worth

    chips [part] * equity [hand of the other, hand of the chooser] + rest [part, continuation, group, group]

to the other seat, so that both seats' values come from the same numbers and add up to zero.
Hands that share a card are left out exactly: weights are added up by group and card, and what a
hand meets of a group is all of it, less what holds its one card, less what holds its other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.jit import kernel

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


class GroupedValues:
    """The values of pairs of hands, see the module: ``Continuations``.

    ``chips``     float32 [part]: what equity is worth
    ``equities``  float32 [hand, hand], 0 where two hands share a card
    ``groups``    int64 [hand]
    ``cards``     int64 [hand, 2]: the cards of each hand, any numbers; no two hands have the same two
    ``rest``      float32 [part, continuation, group of the other, group of the chooser]
    """

    def __init__(self, chips: Floats, equities: Floats, groups: Integers, cards: Integers, rest: Floats) -> None:
        self.chips, self.equities, self.groups, self.cards, self.rest = chips, equities, groups, cards, rest
        self.shape = rest.shape[0], rest.shape[1], len(groups)
        # Where the sums of a hand's two cards stand, [hand, 2]; those of all hands stand in column 0.
        self._columns = 1 + np.unique(cards, return_inverse=True)[1].reshape(cards.shape).astype(np.int64)
        num_parts, num_choices, num_groups, _ = rest.shape
        self._for_other = rest.transpose(0, 2, 1, 3).reshape(num_parts, num_groups, num_choices * num_groups)
        self._for_chooser = rest.transpose(0, 1, 3, 2).reshape(num_parts, num_choices * num_groups, num_groups)
        # What a hand would win of itself, [part, continuation, hand].
        self._itself = np.ascontiguousarray(np.einsum("pkgg->pkg", rest)[:, :, groups])

    def won_by_other(self, reaches: Floats) -> Floats:
        """The other seat's values [part, hand] against the chooser's *reaches* [part, continuation, hand]."""
        sums = self._sums(reaches.reshape(-1, reaches.shape[2]))
        by_group = self._for_other @ sums.reshape(len(reaches), -1, sums.shape[2])
        values: Floats = self.chips[:, None] * (reaches.sum(axis=1) @ self.equities.T)
        values += np.sum(self._itself * reaches, axis=1)
        _add_by_hand(by_group, self.groups, self._columns, values)
        return values

    def won_by_chooser(self, reach: Floats) -> Floats:
        """The chooser's values [part, continuation, hand] against the other's *reach* [part, hand]."""
        by_group = self._for_chooser @ self._sums(reach)
        values: Floats = (self.chips[:, None] * (reach @ self.equities))[:, None] + self._itself * reach[:, None]
        rows = values.reshape(-1, values.shape[2])
        _add_by_hand(by_group.reshape(len(rows), -1, by_group.shape[2]), self.groups, self._columns, rows)
        return -rows.reshape(values.shape)

    def pair_values(self) -> Floats:
        """The values of all pairs of hands, [part, continuation, hand of the other, hand of the chooser]."""
        shared = (self.cards[:, None, :, None] == self.cards[None, :, None, :]).any(axis=(2, 3))
        by_pair = self.rest[:, :, self.groups[:, None], self.groups]
        values: Floats = self.chips[:, None, None, None] * self.equities + np.where(shared, np.float32(0), by_pair)
        return values

    def _sums(self, weights: Floats) -> Floats:
        """The *weights* [vector, hand] added up, [vector, group, column]."""
        sums = np.zeros((len(weights), self.rest.shape[2], int(self._columns.max()) + 1), np.float32)
        _add_up(weights, self.groups, self._columns, sums)
        return sums


@kernel
def _add_up(weights: Floats, groups: Integers, columns: Integers, sums: Floats) -> None:
    for vector in range(len(weights)):
        for hand in range(len(groups)):
            weight, group = weights[vector, hand], groups[hand]
            sums[vector, group, 0] += weight
            sums[vector, group, columns[hand, 0]] += weight
            sums[vector, group, columns[hand, 1]] += weight


@kernel
def _add_by_hand(by_group: Floats, groups: Integers, columns: Integers, values: Floats) -> None:
    """Add to *values* [vector, hand] what each hand meets of all groups, from *by_group* [vector, group, column].

    What a hand meets of itself, in its own group, was taken off twice; one of the two is for the caller to give back.
    """
    for vector in range(len(values)):
        for hand in range(len(groups)):
            row = by_group[vector, groups[hand]]
            values[vector, hand] += row[0] - row[columns[hand, 0]] - row[columns[hand, 1]]
