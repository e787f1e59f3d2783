"""What is won beyond a depth limit, where one seat chooses among continuations.

A street is solved alone; behind each action that ends it the *chooser* takes, with each of
his hands, one of some continuations, strategies by which he would play on, while the
other seat plays on by one that is given. Who assumes a single continuation takes him for
a fool who never adapts.

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games.

Continuations in games of many hands: what is won by what hands are by themselves, and the rest by
groups of them.

A pair of hands that share no card is worth to the other seat, in chips, by part and continuation

    by_equity * equity [hand of the other, hand of the chooser]
    + by_peak * (peak [hand of the other] - peak [hand of the chooser])
    + rest [group of the other, group of the chooser]

so that both seats' values come from the same numbers and add up to zero. Hands that share a card
are left out exactly: weights are added up by group and card, and what a hand meets of a group is
all of it, less what holds its one card, less what holds its other.

Continuations before the first board card: what is won by classes of hands that only suits tell
apart.

Both ranges are alike within a class, and so a pair of classes has one value: the mean over its
pairs of hands that share no card. What a hand meets of a class is as many hands as that leaves it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32, Ints
from acpcbot.jit import kernel


class LeafValues(Protocol):
    """The values of the parts of the game that follow a street."""

    def values(self, seat: int, above: Floats32, *, learns: bool) -> Floats32:
        """The *seat*'s counterfactual values [part, hand], where both come as in *above* [part,
        seat, hand].
        """
        ...


class Continuations(Protocol):
    """What the two seats win beyond a street, in chips, by the continuation that the chooser
    takes.
    """

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of parts, of continuations, and of the chooser's hands."""
        ...

    def won_by_other(self, reaches: Floats32) -> Floats32:
        """The other seat's values [part, hand] against the chooser's *reaches* [part,
        continuation, hand].
        """
        ...

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """The chooser's values [part, continuation, hand] against the other's *reach* [part,
        hand].
        """
        ...


class PairValues:
    """Continuations of small games: what is won with every pair of hands.

    *pair_values* [part, continuation, hand of the other, hand of the chooser] are what the
    other seat wins, in chips, summed over the boards with their chances; 0 where two hands
    share a card.
    """

    def __init__(self, pair_values: NDArray[np.floating[Any]]) -> None:
        self._won = pair_values.astype(np.float32)
        num_parts, num_choices, _, num_hands = pair_values.shape
        self.shape = num_parts, num_choices, num_hands

    def won_by_other(self, reaches: Floats32) -> Floats32:
        """The other seat's values, see ``Continuations``."""
        found: Floats32 = np.einsum("pkoc,pkc->po", self._won, reaches)
        return found

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """The chooser's values, see ``Continuations``."""
        found: Floats32 = -np.einsum("pkoc,po->pkc", self._won, reach)
        return found


class ChosenContinuations:
    """The *chooser* takes continuations by regret matching.

    The average choice is what others respond to.
    """

    def __init__(self, continuations: Continuations, chooser: int) -> None:
        self.continuations = continuations
        self._chooser = chooser
        self._regrets = np.zeros(continuations.shape, np.float32)
        self._chosen = np.zeros_like(self._regrets)

    def values(self, seat: int, above: Floats32, *, learns: bool) -> Floats32:
        """The chooser learns from his own values, weighted as in CFR+.

        A response takes the best choice.
        """
        if seat != self._chooser:
            choices = _shares(self._regrets if learns else self._chosen)
            return self.continuations.won_by_other(choices * above[:, None, self._chooser])
        gains = self.continuations.won_by_chooser(above[:, 1 - seat])
        if not learns:
            best: Floats32 = gains.max(axis=1)
            return best
        choices = _shares(self._regrets)
        values: Floats32 = np.sum(choices * gains, axis=1)
        self._chosen += choices * above[:, None, seat]
        np.maximum(self._regrets + gains - values[:, None], 0, out=self._regrets)
        return values

    @property
    def num_continuations(self) -> int:
        """How many there are to choose from."""
        return self._regrets.shape[1]


def levelled(
    pair_values: NDArray[np.float64], reach: NDArray[np.float64], beside: NDArray[np.float64]
) -> Any:
    """*pair_values* in which no continuation wins more than the first one does, with any hand
    of the chooser.

    What wins more against the strategy that is played now, where the other seat comes with *reach*
    [part, hand], is not worth more when he adapts. *beside* [hand of the other, hand of the
    chooser] is 1 where two can be held together, else 0.
    """
    won = -np.einsum("pkoc,po->pkc", pair_values, reach)
    excess = np.maximum(won - won[:, :1], 0.0)
    weights = (reach @ beside)[:, None]
    taken = np.divide(excess, weights, out=np.zeros_like(excess), where=weights > 0)
    return pair_values + taken[:, :, None] * beside


def _shares(sums: Floats32) -> Floats32:
    """In proportion to *sums* [part, continuation, hand]; all alike where there are none."""
    total = sums.sum(axis=1, keepdims=True)
    shares: Floats32 = np.divide(
        sums, total, out=np.full_like(sums, 1 / sums.shape[1]), where=total > 0
    )
    return shares


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

    def __init__(
        self, hands: HandFacts, by_equity: Floats32, by_peak: Floats32, rest: Floats32
    ) -> None:
        self.hands, self.by_equity, self.by_peak, self.rest = hands, by_equity, by_peak, rest
        self.shape = rest.shape[0], rest.shape[1], len(hands.groups)
        # Where the sums of a hand's two cards stand, [hand, 2]; those of all hands stand in column
        # 0.
        places = np.unique(hands.cards, return_inverse=True)[1]
        self._columns = 1 + places.reshape(hands.cards.shape).astype(np.int64)
        # Behind an all-in there is nothing but equity.
        self._open = np.flatnonzero(rest.any(axis=(1, 2, 3)) | by_peak.any(axis=1))
        num_parts, num_choices, num_groups, _ = rest[self._open].shape
        own = rest[self._open]
        self._for_other = own.transpose(0, 2, 1, 3).reshape(
            num_parts, num_groups, num_choices * num_groups
        )
        self._for_chooser = own.transpose(0, 1, 3, 2).reshape(
            num_parts, num_choices * num_groups, num_groups
        )
        # What a hand would win of itself, [open part, continuation, hand].
        self._itself: Floats32 = np.ascontiguousarray(
            np.einsum("pkgg->pkg", own)[:, :, hands.groups]
        )

    def won_by_other(self, reaches: Floats32) -> Floats32:
        """The other seat's values [part, hand] against the chooser's *reaches* [part,
        continuation, hand].
        """
        values: Floats32 = _mixed(self.by_equity, reaches) @ self.hands.equities.T
        if len(self._open):
            values[self._open] += self._rest_by_other(reaches[self._open])
        return values

    def _rest_by_other(self, reaches: Floats32) -> Floats32:
        """What comes beside equity, of the open parts."""
        peaks, tilted = self.hands.peaks, _mixed(self.by_peak[self._open], reaches)
        values: Floats32 = (
            peaks * self._beside(tilted)
            - self._beside(tilted * peaks)
            + np.sum(self._itself * reaches, 1)
        )
        sums = self._sums(reaches.reshape(-1, reaches.shape[2]))
        by_group = self._for_other @ sums.reshape(len(reaches), -1, sums.shape[2])
        _add_by_hand(by_group, self.hands.groups, self._columns, values)
        return values

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """The chooser's values [part, continuation, hand] against the other's *reach* [part,
        hand].
        """
        values: Floats32 = self.by_equity[:, :, None] * -(reach @ self.hands.equities)[:, None]
        if len(self._open):
            values[self._open] -= self._rest_by_chooser(reach[self._open])
        return values

    def _rest_by_chooser(self, reach: Floats32) -> Floats32:
        """What comes beside equity, of the open parts, lost by the chooser."""
        peaks = self.hands.peaks
        tilted = self._beside(reach * peaks) - peaks * self._beside(reach)
        values: Floats32 = (
            self.by_peak[self._open][:, :, None] * tilted[:, None] + self._itself * reach[:, None]
        )
        by_group = self._for_chooser @ self._sums(reach)
        rows = values.reshape(-1, values.shape[2])
        _add_by_hand(
            by_group.reshape(len(rows), -1, by_group.shape[2]),
            self.hands.groups,
            self._columns,
            rows,
        )
        return rows.reshape(values.shape)

    def levelled(self, reach: Floats32) -> GroupedValues:
        """The same, but that no continuation wins more than the first one with a group of the
        chooser's hands.

        That is where the other seat comes with *reach* [part, hand]; as in
        ``leaf_values.levelled``.
        """
        gains = _by_group(self.won_by_chooser(reach), self.hands.groups)
        weights = _by_group(self._beside(reach), self.hands.groups)[:, None]
        excess = np.maximum(gains - gains[:, :1], 0)
        taken = np.divide(excess, weights, out=np.zeros_like(excess), where=weights > 0)
        return GroupedValues(
            self.hands, self.by_equity, self.by_peak, self.rest + taken[:, :, None]
        )

    def pair_values(self) -> Floats32:
        """The values of all pairs of hands, [part, continuation, hand of the other, hand of the
        chooser].
        """
        facts = self.hands
        shared = (facts.cards[:, None, :, None] == facts.cards[None, :, None, :]).any(axis=(2, 3))
        values: Floats32 = self.rest[:, :, facts.groups[:, None], facts.groups]
        values = values + self.by_peak[:, :, None, None] * (facts.peaks[:, None] - facts.peaks)
        values += self.by_equity[:, :, None, None] * facts.equities
        return np.where(shared, np.float32(0), values)

    def _sums(self, weights: Floats32) -> Floats32:
        """The *weights* [vector, hand] added up, [vector, group, column]."""
        sums = np.zeros(
            (len(weights), self.rest.shape[2], int(self._columns.max()) + 1), np.float32
        )
        _add_up(weights, self.hands.groups, self._columns, sums)
        return sums

    def _beside(self, weights: Floats32) -> Floats32:
        """The *weights* [vector, hand] of all hands that share no card with each, [vector,
        hand].
        """
        values = weights.copy()
        no_groups = np.zeros_like(self.hands.groups)
        sums = np.zeros((len(weights), 1, int(self._columns.max()) + 1), np.float32)
        _add_up(weights, no_groups, self._columns, sums)
        _add_by_hand(sums, no_groups, self._columns, values)
        return values


def _mixed(weights: Floats32, reaches: Floats32) -> Floats32:
    """The sums of *reaches* [part, continuation, hand] times *weights* [part, continuation],
    [part, hand].
    """
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
    """Add to *values* [vector, hand] what each hand meets of all groups, from *by_group*
    [vector, group, column].

    What a hand meets of itself, in its own group, is taken off twice; one of the two is for the
    caller to give back.
    """
    for vector in range(len(values)):
        for hand in range(len(groups)):
            row = by_group[vector, groups[hand]]
            values[vector, hand] += row[0] - row[columns[hand, 0]] - row[columns[hand, 1]]


class ClassValues:
    """The values of pairs of classes: ``Continuations``.

    *won* [part, continuation, class of the other, class of the chooser] is what the other seat wins, in chips;
    *classes* [hand] are those of the hands, and *num_pairs* [class, class] says how many pairs of hands that
    share no card two classes have.
    """

    def __init__(
        self, won: NDArray[np.floating[Any]], classes: NDArray[np.int64], num_pairs: NDArray[Any]
    ) -> None:
        self._won, self._classes, self._num_pairs = won, classes, num_pairs
        self.shape = won.shape[0], won.shape[1], len(classes)
        self._sizes = np.bincount(classes).astype(np.float32)
        # The share of a class that each hand is.
        self._shares = (classes[:, None] == np.arange(len(self._sizes))).astype(
            np.float32
        ) / self._sizes
        weighted = (won * num_pairs).astype(np.float32)
        self._for_chooser: Floats32 = weighted
        num_parts, num_choices, num_classes, _ = won.shape
        # [part, class of the other, continuation and class of the chooser]
        self._for_other = np.ascontiguousarray(weighted.transpose(0, 2, 1, 3)).reshape(
            num_parts, num_classes, num_choices * num_classes
        )

    def won_by_other(self, reaches: Floats32) -> Floats32:
        """The other seat's values [part, hand] against the chooser's *reaches* [part,
        continuation, hand].
        """
        means = (reaches @ self._shares).reshape(len(reaches), -1, 1)
        return self._by_hand((self._for_other @ means)[:, :, 0])

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """The chooser's values [part, continuation, hand] against the other's *reach* [part,
        hand].
        """
        means = (reach @ self._shares)[:, None, None]
        return self._by_hand(-(means @ self._for_chooser)[:, :, 0])

    def _by_hand(self, of_classes: Floats32) -> Floats32:
        """What all hands of a class win together, [..., class], as what each one does, [...,
        hand].
        """
        values: Floats32 = (of_classes / self._sizes)[..., self._classes]
        return values


def levelled_classes(
    won: NDArray[Any], num_pairs: NDArray[Any], reach: NDArray[Any]
) -> NDArray[Any]:
    """*won* [continuation, class of the other, class of the chooser] as in
    ``leaf_values.levelled``.

    That is where the other comes with *reach* [class], the same with all hands of a class: no
    continuation wins more with a class than the first one does.
    """
    weights = reach[:, None] * num_pairs
    gains = -(won * weights).sum(axis=1)
    excess, met = np.maximum(gains - gains[:1], 0), weights.sum(axis=0)
    taken = np.divide(excess, met, out=np.zeros_like(excess), where=met > 0)
    return won + taken[:, None]  # type: ignore[no-any-return]
