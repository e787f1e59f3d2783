"""Groups of hands of about equal worth on a board, for values that are too many for all pairs.

Hands are ordered by their mean equity and cut into layers of equal weight, and each layer by how
its hands do against strong ones: a draw and a made hand of one mean equity differ in that. Hands
that a change of suits exchanges have equal equities, and so are in one group.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import AnyFloats

Groups = NDArray[np.int64]

GROUPS_PER_LAYER = 4
# Equities of hands that suits exchange differ by rounding alone.
DECIMALS = 5


@dataclass(frozen=True, slots=True, eq=False)
class HandGroups:
    """The group of each hand, *groups* [hand], and the hands group by group.

    Those of group g are members[starts[g]:starts[g + 1]].
    """

    groups: Groups
    members: Groups
    starts: Groups

    @classmethod
    def of(cls, labels: NDArray[Any]) -> HandGroups:
        """Return groups of the hands with equal *labels* [hand]."""
        groups = np.unique(labels, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
        starts = np.append(0, np.cumsum(np.bincount(groups)))
        return cls(groups, np.argsort(groups, kind="stable"), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1


def group_hands(equities: AnyFloats, weights: AnyFloats, num_groups: int) -> HandGroups:
    """Return at most about *num_groups* groups of hands.

    The hands have these *equities* [hand, hand] and *weights* [hand]. If there are groups enough
    every hand has its own.
    """
    if num_groups >= len(equities):
        return HandGroups.of(np.arange(len(equities)))
    mean = equities.mean(axis=1, dtype=np.float64)
    against_strong = equities @ np.maximum(mean, 0)
    per_layer = min(GROUPS_PER_LAYER, isqrt(num_groups))
    layers = _cut(mean, weights, num_groups // per_layer)
    parts = np.zeros(len(mean), np.int64)
    for layer in np.unique(layers):
        own = layers == layer
        parts[own] = _cut(against_strong[own] - mean[own], weights[own], per_layer)
    return HandGroups.of(layers * per_layer + parts)


def _cut(values: AnyFloats, weights: AnyFloats, count: int) -> Groups:
    """Return the layer of each of *values*, of *count* layers of about equal weight.

    Equal values are in the same layer.
    """
    distinct, places = np.unique(np.round(values, DECIMALS), return_inverse=True)
    own = np.bincount(places, weights, len(distinct))
    middles = np.cumsum(own) - own / 2
    total = own.sum()
    layers: Groups = np.minimum(
        middles * (count / total) if total > 0 else 0 * middles, count - 1
    ).astype(np.int64)
    return layers[places]
