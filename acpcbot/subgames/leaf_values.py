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

from acpcbot.arrays import AnyArray, Floats32, Ints
from acpcbot.jit import kernel

# Columns of the places of a hand. Unsigned, so that numba tests no index for negative ones.
BUCKET, FIRST, SECOND = np.uint64(0), np.uint64(1), np.uint64(2)


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
            reaches = np.empty_like(self._regrets)
            _split_reach(self._regrets if learns else self._chosen, above, self._chooser, reaches)
            return self.continuations.won_by_other(reaches)
        chooser_values = self.continuations.won_by_chooser(above[:, 1 - seat])
        if not learns:
            best: Floats32 = chooser_values.max(axis=1)
            return best
        values = np.empty((len(above), above.shape[2]), np.float32)
        _match_regrets(chooser_values, above, seat, self._regrets, self._chosen, values)
        return values


@kernel
def _split_reach(sums: Floats32, above: Floats32, seat: int, reaches: Floats32) -> None:
    """Fill *reaches* with the reach of *seat*, split among continuations in proportion to *sums*.

    Both are [part, continuation, hand], *above* is [part, seat, hand]. The split is uniform where
    all sums are 0.
    """
    num_parts, num_choices, num_hands = sums.shape
    uniform, totals = np.float32(1) / np.float32(num_choices), np.empty(num_hands, np.float32)
    for part in range(num_parts):
        _fill_totals(sums[part], totals)
        reach = above[part, seat]
        for choice in range(num_choices):
            own, split = sums[part, choice], reaches[part, choice]
            for hand in range(num_hands):
                share = own[hand] / totals[hand] if totals[hand] > 0 else uniform
                split[hand] = share * reach[hand]


@kernel
def _match_regrets(
    chooser_values: Floats32,
    above: Floats32,
    seat: int,
    regrets: Floats32,
    chosen: Floats32,
    values: Floats32,
) -> None:
    """Fill *values* [part, hand] with those of regret matching, and add to *regrets* and *chosen*.

    These two and *chooser_values* are [part, continuation, hand], *above* is [part, seat, hand].
    """
    # One pass over a part's rows for the shares and what they are worth, one for the regrets, which
    # need the whole sum. A part's rows stay in the cache between the two; whole arrays, as
    # temporaries of numpy, did not.
    num_parts, num_choices, num_hands = regrets.shape
    uniform, totals = np.float32(1) / np.float32(num_choices), np.empty(num_hands, np.float32)
    for part in range(num_parts):
        _fill_totals(regrets[part], totals)
        reach, mean = above[part, seat], values[part]
        for hand in range(num_hands):
            mean[hand] = 0
        for choice in range(num_choices):
            regret, value, share_sum = (
                regrets[part, choice],
                chooser_values[part, choice],
                chosen[part, choice],
            )
            for hand in range(num_hands):
                share = regret[hand] / totals[hand] if totals[hand] > 0 else uniform
                mean[hand] += share * value[hand]
                share_sum[hand] += share * reach[hand]
        for choice in range(num_choices):
            regret, value = regrets[part, choice], chooser_values[part, choice]
            for hand in range(num_hands):
                regret[hand] = max(regret[hand] + value[hand] - mean[hand], np.float32(0))


@kernel
def _fill_totals(sums: Floats32, totals: Floats32) -> None:
    """Fill *totals* [hand] with the sums of *sums* [continuation, hand] over continuations."""
    for hand in range(len(totals)):
        totals[hand] = 0
    for choice in range(len(sums)):
        for hand in range(len(totals)):
            totals[hand] += sums[choice, hand]


@dataclass(frozen=True, slots=True, eq=False)
class HandFeatures:
    """Features of each hand by itself.

    ``equities``       float32 [hand, hand], 0 where two hands share a card; one hand's against
                       another is the negative of the other's
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
        # Sums of weights by bucket and card are one flat vector: each bucket has a place for the sum
        # of all its hands, and behind it one for each card. Of each hand, [hand, 3], the places of
        # its bucket, of its first card and of its second. Kernels read one index where bucket and
        # column would be two and a product.
        found = np.unique(hands.cards, return_inverse=True)[1].reshape(hands.cards.shape)
        self._num_columns = 2 + int(found.max())
        self._columns = np.column_stack([np.zeros(len(found), np.int64), 1 + found])
        self._places = (self._columns + self._num_columns * hands.buckets[:, None]).astype(
            np.uint32
        )
        # Behind an all-in there is nothing but equity.
        self._with_betting = np.flatnonzero(
            residual.any(axis=(1, 2, 3)) | by_nut_strength.any(axis=1)
        )
        own = residual[self._with_betting]
        num_parts, num_choices, num_buckets, _ = own.shape
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
        # The negative equities are the transposed ones, with which a product took half as long
        # again: 1.27 ms instead of 0.81 for 19 parts and 1,176 hands.
        values = _weighted_sum(-self.by_equity, reaches) @ self.hands.equities
        parts, nut_strengths = self._with_betting, self.hands.nut_strengths
        if len(parts):
            reaches = np.ascontiguousarray(reaches)
            by_place = self._for_other @ self._sums(reaches)
            margins = np.zeros((len(parts), len(nut_strengths)), np.float32)
            weighted = _weighted_sum(self.by_nut_strength, reaches)
            _fill_margins(parts, weighted, nut_strengths, self._columns, margins)
            _add_of_other(
                parts,
                by_place.reshape(len(parts), -1),
                self._places,
                margins,
                self._with_itself,
                reaches,
                values,
            )
        return values

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """Return the chooser's values, see ``Continuations``."""
        values: Floats32 = -self.by_equity[:, :, None] * (reach @ self.hands.equities)[:, None]
        parts, nut_strengths = self._with_betting, self.hands.nut_strengths
        if len(parts):
            reach = np.ascontiguousarray(reach)
            by_place = self._for_chooser @ self._sums(reach[:, None])
            margins = np.zeros((len(parts), len(nut_strengths)), np.float32)
            _fill_margins(parts, reach, nut_strengths, self._columns, margins)
            _subtract_of_chooser(
                parts,
                by_place.reshape(len(parts), self.shape[1], -1),
                self._places,
                margins,
                self.by_nut_strength,
                self._with_itself,
                reach,
                values,
            )
        return values

    def capped_at_blueprint(self, reach: Floats32) -> BucketedValues:
        """Return the values in which no continuation beats the first, by buckets of the chooser.

        What wins more against the strategy that is played now, where the other seat's reach is
        *reach* [part, hand], is not worth more once that seat adapts.
        """
        chooser_values = _by_bucket(self.won_by_chooser(reach), self.hands.buckets)
        weights = _by_bucket(_compatible(reach, self._columns), self.hands.buckets)[:, None]
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
        """Return the sums of *weights* [part, row, hand] by bucket and card, of parts with betting.

        They are [part with betting, row and bucket, column].
        """
        num_rows, num_buckets = weights.shape[1], self.residual.shape[2]
        sums = np.zeros(
            (len(self._with_betting), num_rows, num_buckets * self._num_columns), np.float32
        )
        _add_up(self._with_betting, weights, self._places, sums)
        return sums.reshape(len(sums), num_rows * num_buckets, self._num_columns)


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


def _compatible(weights: Floats32, columns: AnyArray) -> Floats32:
    """Return the sums of *weights* [vector, hand] over the hands that share no card with each.

    They are [vector, hand]; *columns* [hand, 3] are the numbers of a column for all hands, and of
    those of both cards.
    """
    sums = np.zeros((len(weights), 1, int(columns.max()) + 1), np.float32)
    _add_up(np.arange(len(weights)), np.ascontiguousarray(weights)[:, None], columns, sums)
    everyone, first, second = (sums[:, 0, columns[:, place]] for place in range(3))
    values: Floats32 = everyone - first - second + weights
    return values


@kernel
def _add_up(parts: Ints, weights: Floats32, places: AnyArray, sums: Floats32) -> None:
    """Add the *weights* [part, row, hand] of *parts* [number] to *sums* [number, row, place].

    *places* [hand, 3] are those to which a hand belongs.
    """
    # Inclusion and exclusion by cards, as in terminal_values.py, but for each bucket: its first
    # place is the sum over all its hands, the others are those over the hands with one card. Three
    # additions a hand instead of a product over all pairs; the places of one bucket lie together.
    for number in range(len(parts)):
        for row in range(weights.shape[1]):
            own, sums_of_row = weights[parts[number], row], sums[number, row]
            for hand in range(np.uint64(len(places))):
                weight = own[hand]
                sums_of_row[np.uint64(places[hand, BUCKET])] += weight
                sums_of_row[np.uint64(places[hand, FIRST])] += weight
                sums_of_row[np.uint64(places[hand, SECOND])] += weight


@kernel
def _fill_margins(
    parts: Ints, weights: Floats32, nut_strengths: Floats32, columns: AnyArray, margins: Floats32
) -> None:
    """Fill *margins* [number, hand] with how much stronger a hand's nut strength is than others'.

    It is the sum over the hands that share no card with it of the difference in nut strength, times
    *weights* [part, hand] of the *parts* [number]; *columns* are those of ``_compatible``.
    """
    # Two sums go through the hands together, of weights and of weights times nut strengths. A hand
    # itself is subtracted twice from both, which cancels: its nut strength is equal to its own.
    sums = np.empty((columns.max() + 1, 2), np.float32)
    for number in range(len(parts)):
        own, margin = weights[parts[number]], margins[number]
        sums[:] = 0
        total, strong = np.float32(0), np.float32(0)
        for hand in range(np.uint64(len(columns))):
            weight = own[hand]
            stronger = weight * nut_strengths[hand]
            first, second = np.uint64(columns[hand, FIRST]), np.uint64(columns[hand, SECOND])
            total += weight
            strong += stronger
            sums[first, BUCKET] += weight
            sums[first, FIRST] += stronger
            sums[second, BUCKET] += weight
            sums[second, FIRST] += stronger
        for hand in range(np.uint64(len(columns))):
            first, second = np.uint64(columns[hand, FIRST]), np.uint64(columns[hand, SECOND])
            met = total - sums[first, BUCKET] - sums[second, BUCKET]
            against = strong - sums[first, FIRST] - sums[second, FIRST]
            margin[hand] = nut_strengths[hand] * met - against


@kernel
def _add_of_other(
    parts: Ints,
    by_place: Floats32,
    places: AnyArray,
    margins: Floats32,
    with_itself: Floats32,
    reaches: Floats32,
    values: Floats32,
) -> None:
    """Add the terms beside equity to the other seat's *values* [part, hand].

    *by_place* [number, place] are sums of the residual for the *parts* [number], *margins* [number,
    hand] those of nut strengths. *reaches* are [part, continuation, hand].
    """
    # All of a bucket, less the hands with my first card, less those with my second. A hand meets
    # itself in its own bucket, which is subtracted twice, once for each of its cards, and so given
    # back once. Hands are inner: *values* and *places* are read in order, and the sums of one part
    # stay in the cache.
    for number in range(len(parts)):
        part = parts[number]
        row, margin, value = by_place[number], margins[number], values[part]
        for hand in range(np.uint64(len(places))):
            value[hand] += margin[hand] + (
                row[np.uint64(places[hand, BUCKET])]
                - row[np.uint64(places[hand, FIRST])]
                - row[np.uint64(places[hand, SECOND])]
            )
        for choice in range(reaches.shape[1]):
            reach, itself = reaches[part, choice], with_itself[number, choice]
            for hand in range(len(value)):
                value[hand] += itself[hand] * reach[hand]


@kernel
def _subtract_of_chooser(
    parts: Ints,
    by_place: Floats32,
    places: AnyArray,
    margins: Floats32,
    by_nut_strength: Floats32,
    with_itself: Floats32,
    reach: Floats32,
    values: Floats32,
) -> None:
    """Subtract what the chooser loses beside equity from its *values* [part, continuation, hand].

    *by_place* is [number, continuation, place], *by_nut_strength* [part, continuation], *reach*
    [part, hand]; the rest is as in ``_add_of_other``.
    """
    for number in range(len(parts)):
        part = parts[number]
        margin, met = margins[number], reach[part]
        for choice in range(values.shape[1]):
            row, value, itself = (
                by_place[number, choice],
                values[part, choice],
                with_itself[number, choice],
            )
            slope = by_nut_strength[part, choice]
            for hand in range(np.uint64(len(places))):
                residual = (
                    row[np.uint64(places[hand, BUCKET])]
                    - row[np.uint64(places[hand, FIRST])]
                    - row[np.uint64(places[hand, SECOND])]
                )
                value[hand] += slope * margin[hand] - itself[hand] * met[hand] - residual


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
