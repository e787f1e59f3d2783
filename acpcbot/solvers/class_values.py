"""Continuations before the first board card: what is won by classes of hands that only suits tell apart.

Both ranges are alike within a class, and so a pair of classes has one value: the mean over its pairs of
hands that share no card. What a hand meets of a class is as many hands as that leaves it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32


class ClassValues:
    """The values of pairs of classes: ``Continuations``.

    *won* [part, continuation, class of the other, class of the chooser] is what the other seat wins, in chips;
    *classes* [hand] are those of the hands, and *num_pairs* [class, class] says how many pairs of hands that
    share no card two classes have.
    """

    def __init__(self, won: NDArray[np.floating[Any]], classes: NDArray[np.int64], num_pairs: NDArray[Any]) -> None:
        self._won, self._classes, self._num_pairs = won, classes, num_pairs
        self.shape = won.shape[0], won.shape[1], len(classes)
        self._sizes = np.bincount(classes).astype(np.float32)
        # The share of a class that each hand is.
        self._shares = (classes[:, None] == np.arange(len(self._sizes))).astype(np.float32) / self._sizes
        weighted = (won * num_pairs).astype(np.float32)
        self._for_chooser: Floats32 = weighted
        num_parts, num_choices, num_classes, _ = won.shape
        # [part, class of the other, continuation and class of the chooser]
        self._for_other = np.ascontiguousarray(weighted.transpose(0, 2, 1, 3)).reshape(
            num_parts, num_classes, num_choices * num_classes
        )

    def won_by_other(self, reaches: Floats32) -> Floats32:
        """The other seat's values [part, hand] against the chooser's *reaches* [part, continuation, hand]."""
        means = (reaches @ self._shares).reshape(len(reaches), -1, 1)
        return self._by_hand((self._for_other @ means)[:, :, 0])

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """The chooser's values [part, continuation, hand] against the other's *reach* [part, hand]."""
        means = (reach @ self._shares)[:, None, None]
        return self._by_hand(-(means @ self._for_chooser)[:, :, 0])

    def _by_hand(self, of_classes: Floats32) -> Floats32:
        """What all hands of a class win together, [..., class], as what each one does, [..., hand]."""
        values: Floats32 = (of_classes / self._sizes)[..., self._classes]
        return values


def levelled_classes(won: NDArray[Any], num_pairs: NDArray[Any], reach: NDArray[Any]) -> NDArray[Any]:
    """*won* [continuation, class of the other, class of the chooser] as in ``leaf_values.levelled``.

    That is where the other comes with *reach* [class], the same with all hands of a class: no continuation wins
    more with a class than the first one does.
    """
    weights = reach[:, None] * num_pairs
    gains = -(won * weights).sum(axis=1)
    excess, met = np.maximum(gains - gains[:1], 0), weights.sum(axis=0)
    taken = np.divide(excess, met, out=np.zeros_like(excess), where=met > 0)
    return won + taken[:, None]  # type: ignore[no-any-return]
