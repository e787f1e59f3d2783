"""Leaf values beyond a depth limit, where one seat chooses among continuation strategies.

A street is solved alone. Behind each action that ends it the *chooser* takes, with each of its
hands, one of several continuation strategies, while the other seat plays on by a given one. With
a single continuation the opponent cannot adapt beyond the depth limit. ``LeafValues`` is what the
solver asks, ``ChosenContinuations`` the chooser's regret matching, and ``Continuations`` the table
of values behind it, in one of three forms:

* ``PairValues``, small games: a value for every pair of hands.
* ``BucketedValues``, games of many hands: a low-rank form. A pair of hands that share no card is
  worth to the other seat, in chips, by part and continuation

      by_equity * equity [hand of the other, hand of the chooser]
      + by_nut_strength * (nut_strength [hand of the other] - nut_strength [hand of the chooser])
      + residual [bucket of the other, bucket of the chooser]

  so that both seats' values come from the same numbers and add up to zero. Hands that share a card
  are left out exactly: weights are summed by bucket and card, and a hand meets all of a bucket,
  less what holds its one card, less what holds its other.
* ``ClassValues``, before the first board card: a value for every pair of classes of hands that only
  suits tell apart, the mean over its pairs of hands that share no card. Both ranges are alike
  within a class.

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32, Ints
from acpcbot.jit import kernel


class LeafValues(Protocol):
    """Values of the parts of the game that follow a street."""

    def values(self, seat: int, above: Floats32, *, learns: bool) -> Floats32:
        """Return the counterfactual values [part, hand] of *seat* for the reaches *above*.

        *above* is [part, seat, hand].
        """
        ...


class Continuations(Protocol):
    """Values of the two seats beyond a street, in chips, for each continuation of the chooser."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of parts, of continuations, and of the chooser's hands."""
        ...

    def won_by_other(self, reaches: Floats32) -> Floats32:
        """Return the other seat's values [part, hand].

        *reaches* [part, continuation, hand] are the chooser's.
        """
        ...

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """Return the chooser's values [part, continuation, hand].

        *reach* [part, hand] is the other seat's.
        """
        ...


class PairValues:
    """Continuations of small games, by pairs of hands.

    *pair_values* [part, continuation, hand of the other, hand of the chooser] are the other seat's
    values, in chips, summed over the boards with their probabilities; 0 where two hands share a
    card.
    """

    def __init__(self, pair_values: NDArray[np.floating[Any]]) -> None:
        self._won = pair_values.astype(np.float32)
        num_parts, num_choices, _, num_hands = pair_values.shape
        self.shape = num_parts, num_choices, num_hands

    def won_by_other(self, reaches: Floats32) -> Floats32:
        """Return the other seat's values, see ``Continuations``."""
        found: Floats32 = np.einsum("pkoc,pkc->po", self._won, reaches)
        return found

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """Return the chooser's values, see ``Continuations``."""
        found: Floats32 = -np.einsum("pkoc,po->pkc", self._won, reach)
        return found


class ChosenContinuations:
    """Leaf values in which the *chooser* takes continuations by regret matching.

    Others respond to its average choice.
    """

    def __init__(self, continuations: Continuations, chooser: int) -> None:
        self.continuations = continuations
        self._chooser = chooser
        self._regrets = np.zeros(continuations.shape, np.float32)
        self._chosen = np.zeros_like(self._regrets)

    def values(self, seat: int, above: Floats32, *, learns: bool) -> Floats32:
        """Return the values of *seat*, and learn from the chooser's own, weighted as in CFR+.

        Without *learns* the chooser takes the best continuation with each hand.
        """
        if seat != self._chooser:
            choices = _normalised(self._regrets if learns else self._chosen)
            return self.continuations.won_by_other(choices * above[:, None, self._chooser])
        chooser_values = self.continuations.won_by_chooser(above[:, 1 - seat])
        if not learns:
            best: Floats32 = chooser_values.max(axis=1)
            return best
        choices = _normalised(self._regrets)
        values: Floats32 = np.sum(choices * chooser_values, axis=1)
        self._chosen += choices * above[:, None, seat]
        np.maximum(self._regrets + chooser_values - values[:, None], 0, out=self._regrets)
        return values


def _normalised(sums: Floats32) -> Floats32:
    """Return *sums* normalised over continuations, uniform where all are 0.

    They are [part, continuation, hand].
    """
    total = sums.sum(axis=1, keepdims=True)
    shares: Floats32 = np.divide(
        sums, total, out=np.full_like(sums, 1 / sums.shape[1]), where=total > 0
    )
    return shares


@dataclass(frozen=True, slots=True, eq=False)
class HandFeatures:
    """Features of each hand by itself.

    ``equities``       float32 [hand, hand], 0 where two hands share a card
    ``nut_strengths``  float32 [hand]: how strong the best is that the hand can become, less the
                       mean of its bucket
    ``buckets``        int64 [hand]
    ``cards``          int64 [hand, 2]: any numbers; no two hands have the same two
    """

    equities: Floats32
    nut_strengths: Floats32
    buckets: Ints
    cards: Ints


class BucketedValues:
    """``Continuations`` in the low-rank form, see the module.

    ``by_equity``, ``by_nut_strength``  float32 [part, continuation]
    ``residual``                        float32 [part, continuation, bucket of the other, bucket of
                                        the chooser]
    """

    def __init__(
        self,
        hands: HandFeatures,
        by_equity: Floats32,
        by_nut_strength: Floats32,
        residual: Floats32,
    ) -> None:
        self.hands, self.by_equity, self.by_nut_strength, self.residual = (
            hands,
            by_equity,
            by_nut_strength,
            residual,
        )
        self.shape = residual.shape[0], residual.shape[1], len(hands.buckets)
        # The columns with the sums of a hand's two cards, [hand, 2]; all hands' sum is in column 0.
        places = np.unique(hands.cards, return_inverse=True)[1]
        self._columns = 1 + places.reshape(hands.cards.shape).astype(np.int64)
        # Behind an all-in there is nothing but equity.
        self._with_betting = np.flatnonzero(
            residual.any(axis=(1, 2, 3)) | by_nut_strength.any(axis=1)
        )
        num_parts, num_choices, num_buckets, _ = residual[self._with_betting].shape
        own = residual[self._with_betting]
        self._for_other = own.transpose(0, 2, 1, 3).reshape(
            num_parts, num_buckets, num_choices * num_buckets
        )
        self._for_chooser = own.transpose(0, 1, 3, 2).reshape(
            num_parts, num_choices * num_buckets, num_buckets
        )
        # The residual of a hand against itself, [part with betting, continuation, hand].
        self._with_itself: Floats32 = np.ascontiguousarray(
            np.einsum("pkgg->pkg", own)[:, :, hands.buckets]
        )

    def won_by_other(self, reaches: Floats32) -> Floats32:
        """Return the other seat's values, see ``Continuations``."""
        values: Floats32 = _weighted_sum(self.by_equity, reaches) @ self.hands.equities.T
        if len(self._with_betting):
            values[self._with_betting] += self._residual_by_other(reaches[self._with_betting])
        return values

    def _residual_by_other(self, reaches: Floats32) -> Floats32:
        """Return the terms beside equity, of the parts with betting."""
        nut_strengths, weighted = (
            self.hands.nut_strengths,
            _weighted_sum(self.by_nut_strength[self._with_betting], reaches),
        )
        values: Floats32 = (
            nut_strengths * self._compatible(weighted)
            - self._compatible(weighted * nut_strengths)
            + np.sum(self._with_itself * reaches, 1)
        )
        sums = self._sums(reaches.reshape(-1, reaches.shape[2]))
        by_bucket = self._for_other @ sums.reshape(len(reaches), -1, sums.shape[2])
        _add_by_hand(by_bucket, self.hands.buckets, self._columns, values)
        return values

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """Return the chooser's values, see ``Continuations``."""
        values: Floats32 = self.by_equity[:, :, None] * -(reach @ self.hands.equities)[:, None]
        if len(self._with_betting):
            values[self._with_betting] -= self._residual_by_chooser(reach[self._with_betting])
        return values

    def _residual_by_chooser(self, reach: Floats32) -> Floats32:
        """Return the terms beside equity, of the parts with betting, as the chooser's losses."""
        nut_strengths = self.hands.nut_strengths
        weighted = self._compatible(reach * nut_strengths) - nut_strengths * self._compatible(reach)
        values: Floats32 = (
            self.by_nut_strength[self._with_betting][:, :, None] * weighted[:, None]
            + self._with_itself * reach[:, None]
        )
        by_bucket = self._for_chooser @ self._sums(reach)
        rows = values.reshape(-1, values.shape[2])
        _add_by_hand(
            by_bucket.reshape(len(rows), -1, by_bucket.shape[2]),
            self.hands.buckets,
            self._columns,
            rows,
        )
        return rows.reshape(values.shape)

    def capped_at_blueprint(self, reach: Floats32) -> BucketedValues:
        """Return the values in which no continuation beats the first, by buckets of the chooser.

        What wins more against the strategy that is played now, where the other seat's reach is
        *reach* [part, hand], is not worth more once that seat adapts.
        """
        chooser_values = _by_bucket(self.won_by_chooser(reach), self.hands.buckets)
        weights = _by_bucket(self._compatible(reach), self.hands.buckets)[:, None]
        excess = np.maximum(chooser_values - chooser_values[:, :1], 0)
        excess_per_weight = np.divide(excess, weights, out=np.zeros_like(excess), where=weights > 0)
        return BucketedValues(
            self.hands,
            self.by_equity,
            self.by_nut_strength,
            self.residual + excess_per_weight[:, :, None],
        )

    def pair_values(self) -> Floats32:
        """Return the values of all pairs of hands.

        They are [part, continuation, hand of the other, hand of the chooser].
        """
        hands = self.hands
        shared = (hands.cards[:, None, :, None] == hands.cards[None, :, None, :]).any(axis=(2, 3))
        values: Floats32 = self.residual[:, :, hands.buckets[:, None], hands.buckets]
        values = values + self.by_nut_strength[:, :, None, None] * (
            hands.nut_strengths[:, None] - hands.nut_strengths
        )
        values += self.by_equity[:, :, None, None] * hands.equities
        return np.where(shared, np.float32(0), values)

    def _sums(self, weights: Floats32) -> Floats32:
        """Return the sums of *weights* [vector, hand] by bucket and card.

        They are [vector, bucket, column].
        """
        sums = np.zeros(
            (len(weights), self.residual.shape[2], int(self._columns.max()) + 1), np.float32
        )
        _add_up(weights, self.hands.buckets, self._columns, sums)
        return sums

    def _compatible(self, weights: Floats32) -> Floats32:
        """Return the sums of *weights* over the hands that share no card with each.

        *weights* and sums are [vector, hand].
        """
        values = weights.copy()
        no_buckets = np.zeros_like(self.hands.buckets)
        sums = np.zeros((len(weights), 1, int(self._columns.max()) + 1), np.float32)
        _add_up(weights, no_buckets, self._columns, sums)
        _add_by_hand(sums, no_buckets, self._columns, values)
        return values


def _weighted_sum(weights: Floats32, reaches: Floats32) -> Floats32:
    """Return the sums over continuations of *reaches* times *weights*, [part, hand].

    *reaches* are [part, continuation, hand], *weights* [part, continuation].
    """
    mixed: Floats32 = (weights[:, None] @ reaches)[:, 0]
    return mixed


def _by_bucket(values: Floats32, buckets: Ints) -> Floats32:
    """Return the sums of *values* [..., hand] by buckets, [..., bucket]."""
    order = np.argsort(buckets, kind="stable")
    starts = np.searchsorted(buckets[order], np.arange(buckets.max() + 1))
    sums: Floats32 = np.add.reduceat(values[..., order], starts, axis=-1)
    return sums


@kernel
def _add_up(weights: Floats32, buckets: Ints, columns: Ints, sums: Floats32) -> None:
    """Add *weights* [vector, hand] to *sums* [vector, bucket, column]."""
    # Inclusion and exclusion by cards, as in terminal_values.py, but for each bucket: column 0 is
    # the sum over all its hands, the other columns are those over the hands with one card. Three
    # additions a hand instead of a product over all pairs; the columns of one bucket lie together.
    for vector in range(len(weights)):
        for hand in range(len(buckets)):
            weight, bucket = weights[vector, hand], buckets[hand]
            sums[vector, bucket, 0] += weight
            sums[vector, bucket, columns[hand, 0]] += weight
            sums[vector, bucket, columns[hand, 1]] += weight


@kernel
def _add_by_hand(by_bucket: Floats32, buckets: Ints, columns: Ints, values: Floats32) -> None:
    """Add to *values* [vector, hand] the part of *by_bucket* that shares no card with each hand.

    *by_bucket* is [vector, bucket, column]. A hand meets itself in its own bucket, which is
    subtracted twice: once for each of its cards. The caller has to give one of the two back.
    """
    # All of a bucket, less the hands with my first card, less those with my second. Hands are
    # inner: *values* and *buckets* are read in order, and the sums of one vector stay in the cache.
    for vector in range(len(values)):
        for hand in range(len(buckets)):
            row = by_bucket[vector, buckets[hand]]
            values[vector, hand] += row[0] - row[columns[hand, 0]] - row[columns[hand, 1]]


class ClassValues:
    """``Continuations`` by pairs of classes.

    *won* [part, continuation, class of the other, class of the chooser] is what the other seat
    wins, in chips; *classes* [hand] are those of the hands, *num_pairs* [class, class] the number
    of pairs of hands of two classes that share no card.
    """

    def __init__(
        self, won: NDArray[np.floating[Any]], classes: NDArray[np.int64], num_pairs: NDArray[Any]
    ) -> None:
        self._won, self._classes = won, classes
        self.shape = won.shape[0], won.shape[1], len(classes)
        self._sizes = np.bincount(classes).astype(np.float32)
        # The share of each hand in its class, [hand, class].
        self._class_shares = (classes[:, None] == np.arange(len(self._sizes))).astype(
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
        """Return the other seat's values, see ``Continuations``."""
        means = (reaches @ self._class_shares).reshape(len(reaches), -1, 1)
        return self._by_hand((self._for_other @ means)[:, :, 0])

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """Return the chooser's values, see ``Continuations``."""
        means = (reach @ self._class_shares)[:, None, None]
        return self._by_hand(-(means @ self._for_chooser)[:, :, 0])

    def _by_hand(self, of_classes: Floats32) -> Floats32:
        """Return the values of hands, [..., hand], from those of whole classes, [..., class]."""
        values: Floats32 = (of_classes / self._sizes)[..., self._classes]
        return values


def cap_classes_at_blueprint(
    won: NDArray[Any], num_pairs: NDArray[Any], reach: NDArray[Any]
) -> NDArray[Any]:
    """Return *won* in which no continuation beats the first, with any class of the chooser.

    *won* is [continuation, class of the other, class of the chooser], and the other seat's reach is
    *reach* [class], the same for all hands of a class. What wins more against the strategy that is
    played now is not worth more once that seat adapts.
    """
    weights = reach[:, None] * num_pairs
    chooser_values = -(won * weights).sum(axis=1)
    excess, met = np.maximum(chooser_values - chooser_values[:1], 0), weights.sum(axis=0)
    excess_per_weight = np.divide(excess, met, out=np.zeros_like(excess), where=met > 0)
    return won + excess_per_weight[:, None]  # type: ignore[no-any-return]
