"""Continuations in games of many hands: what is won by what hands are by themselves, and the rest by groups of them.

A pair of hands that share no card is worth to the other seat, in chips, by part and continuation

    by_equity * equity [hand of the other, hand of the chooser]
    + by_peak * (peak [hand of the other] - peak [hand of the chooser])
    + rest [group of the other, group of the chooser]

so that both seats' values come from the same numbers and add up to zero. Hands that share a card
are left out exactly: weights are added up by group and card, and what a hand meets of a group is
all of it, less what holds its one card, less what holds its other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats32, Ints
from acpcbot.jit import kernel


@dataclass(frozen=True, slots=True, eq=False)
class HandFacts:
    """What hands are by themselves.

    ``equities``  float32 [hand, hand], 0 where two hands share a card
    ``peaks``     float32 [hand]: how good the very best is that a hand can become, beside others of its group
    ``groups``    int64 [hand]
    ``cards``     int64 [hand, 2]: the cards of each hand, any numbers; no two hands have the same two
    """

    equities: Floats32
    peaks: Floats32
    groups: Ints
    cards: Ints


class GroupedValues:
    """The values of pairs of hands, see the module: ``Continuations``.

    ``by_equity``, ``by_peak``  float32 [part, continuation]
    ``rest``                    float32 [part, continuation, group of the other, group of the chooser]
    """

    def __init__(self, hands: HandFacts, by_equity: Floats32, by_peak: Floats32, rest: Floats32) -> None:
        self.hands, self.by_equity, self.by_peak, self.rest = hands, by_equity, by_peak, rest
        self.shape = rest.shape[0], rest.shape[1], len(hands.groups)
        # Where the sums of a hand's two cards stand, [hand, 2]; those of all hands stand in column 0.
        places = np.unique(hands.cards, return_inverse=True)[1]
        self._columns = 1 + places.reshape(hands.cards.shape).astype(np.int64)
        # Behind an all-in there is nothing but equity.
        self._open = np.flatnonzero(rest.any(axis=(1, 2, 3)) | by_peak.any(axis=1))
        num_parts, num_choices, num_groups, _ = rest[self._open].shape
        own = rest[self._open]
        self._for_other = own.transpose(0, 2, 1, 3).reshape(num_parts, num_groups, num_choices * num_groups)
        self._for_chooser = own.transpose(0, 1, 3, 2).reshape(num_parts, num_choices * num_groups, num_groups)
        # What a hand would win of itself, [open part, continuation, hand].
        self._itself: Floats32 = np.ascontiguousarray(np.einsum("pkgg->pkg", own)[:, :, hands.groups])

    def won_by_other(self, reaches: Floats32) -> Floats32:
        """The other seat's values [part, hand] against the chooser's *reaches* [part, continuation, hand]."""
        values: Floats32 = _mixed(self.by_equity, reaches) @ self.hands.equities.T
        if len(self._open):
            values[self._open] += self._rest_by_other(reaches[self._open])
        return values

    def _rest_by_other(self, reaches: Floats32) -> Floats32:
        """What comes beside equity, of the open parts."""
        peaks, tilted = self.hands.peaks, _mixed(self.by_peak[self._open], reaches)
        values: Floats32 = (
            peaks * self._beside(tilted) - self._beside(tilted * peaks) + np.sum(self._itself * reaches, 1)
        )
        sums = self._sums(reaches.reshape(-1, reaches.shape[2]))
        by_group = self._for_other @ sums.reshape(len(reaches), -1, sums.shape[2])
        _add_by_hand(by_group, self.hands.groups, self._columns, values)
        return values

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """The chooser's values [part, continuation, hand] against the other's *reach* [part, hand]."""
        values: Floats32 = self.by_equity[:, :, None] * -(reach @ self.hands.equities)[:, None]
        if len(self._open):
            values[self._open] -= self._rest_by_chooser(reach[self._open])
        return values

    def _rest_by_chooser(self, reach: Floats32) -> Floats32:
        """What comes beside equity, of the open parts, lost by the chooser."""
        peaks = self.hands.peaks
        tilted = self._beside(reach * peaks) - peaks * self._beside(reach)
        values: Floats32 = self.by_peak[self._open][:, :, None] * tilted[:, None] + self._itself * reach[:, None]
        by_group = self._for_chooser @ self._sums(reach)
        rows = values.reshape(-1, values.shape[2])
        _add_by_hand(by_group.reshape(len(rows), -1, by_group.shape[2]), self.hands.groups, self._columns, rows)
        return rows.reshape(values.shape)

    def levelled(self, reach: Floats32) -> GroupedValues:
        """The same, but that no continuation wins more than the first one with a group of the chooser's hands.

        That is where the other seat comes with *reach* [part, hand]; as in ``leaf_values.levelled``.
        """
        gains = _by_group(self.won_by_chooser(reach), self.hands.groups)
        weights = _by_group(self._beside(reach), self.hands.groups)[:, None]
        excess = np.maximum(gains - gains[:, :1], 0)
        taken = np.divide(excess, weights, out=np.zeros_like(excess), where=weights > 0)
        return GroupedValues(self.hands, self.by_equity, self.by_peak, self.rest + taken[:, :, None])

    def pair_values(self) -> Floats32:
        """The values of all pairs of hands, [part, continuation, hand of the other, hand of the chooser]."""
        facts = self.hands
        shared = (facts.cards[:, None, :, None] == facts.cards[None, :, None, :]).any(axis=(2, 3))
        values: Floats32 = self.rest[:, :, facts.groups[:, None], facts.groups]
        values = values + self.by_peak[:, :, None, None] * (facts.peaks[:, None] - facts.peaks)
        values += self.by_equity[:, :, None, None] * facts.equities
        return np.where(shared, np.float32(0), values)

    def _sums(self, weights: Floats32) -> Floats32:
        """The *weights* [vector, hand] added up, [vector, group, column]."""
        sums = np.zeros((len(weights), self.rest.shape[2], int(self._columns.max()) + 1), np.float32)
        _add_up(weights, self.hands.groups, self._columns, sums)
        return sums

    def _beside(self, weights: Floats32) -> Floats32:
        """The *weights* [vector, hand] of all hands that share no card with each, [vector, hand]."""
        values = weights.copy()
        no_groups = np.zeros_like(self.hands.groups)
        sums = np.zeros((len(weights), 1, int(self._columns.max()) + 1), np.float32)
        _add_up(weights, no_groups, self._columns, sums)
        _add_by_hand(sums, no_groups, self._columns, values)
        return values


def _mixed(weights: Floats32, reaches: Floats32) -> Floats32:
    """The sums of *reaches* [part, continuation, hand] times *weights* [part, continuation], [part, hand]."""
    mixed: Floats32 = (weights[:, None] @ reaches)[:, 0]
    return mixed


def _by_group(values: Floats32, groups: Ints) -> Floats32:
    """The sums of *values* [..., hand] by groups, [..., group]."""
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(groups.max() + 1))
    sums: Floats32 = np.add.reduceat(values[..., order], starts, axis=-1)
    return sums


@kernel
def _add_up(weights: Floats32, groups: Ints, columns: Ints, sums: Floats32) -> None:
    for vector in range(len(weights)):
        for hand in range(len(groups)):
            weight, group = weights[vector, hand], groups[hand]
            sums[vector, group, 0] += weight
            sums[vector, group, columns[hand, 0]] += weight
            sums[vector, group, columns[hand, 1]] += weight


@kernel
def _add_by_hand(by_group: Floats32, groups: Ints, columns: Ints, values: Floats32) -> None:
    """Add to *values* [vector, hand] what each hand meets of all groups, from *by_group* [vector, group, column].

    What a hand meets of itself, in its own group, is taken off twice; one of the two is for the caller to give back.
    """
    for vector in range(len(values)):
        for hand in range(len(groups)):
            row = by_group[vector, groups[hand]]
            values[vector, hand] += row[0] - row[columns[hand, 0]] - row[columns[hand, 1]]
