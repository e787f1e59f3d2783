"""A limit game as its solvers see it: the public tree and the number of buckets on each street."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.jit import kernel
from acpcbot.trees.infosets import InfosetLayout, infoset_layout
from acpcbot.trees.node_record import INFO, SLOT, info_kinds, num_actions
from acpcbot.trees.public_tree import PublicTree


@dataclass(frozen=True, slots=True)
class AbstractGame:
    """*tree* with *num_buckets* by street; ``layout`` says where information sets are stored."""

    tree: PublicTree
    num_buckets: tuple[int, ...]
    layout: InfosetLayout = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "layout", infoset_layout(self.tree.size, self.num_buckets))

    def normalised(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Probabilities [slot] in proportion to *weights* [slot]; uniform where an information set has none."""
        result = np.empty(self.layout.num_slots)
        for street in range(len(self.num_buckets)):
            records = self.tree.nodes[self.tree.streets == street]
            _normalise(records, self.layout.street_rows(weights, street), self.layout.street_rows(result, street))
        return result


@kernel
def _normalise(records: NDArray[np.int32], weights: NDArray[Any], result: NDArray[Any]) -> None:
    for bucket in range(len(weights)):
        for node in range(len(records)):
            first = records[node, SLOT]
            count = num_actions(info_kinds(records[node, INFO]))
            total = 0.0
            for slot in range(first, first + count):
                total += weights[bucket, slot]
            for slot in range(first, first + count):
                result[bucket, slot] = weights[bucket, slot] / total if total > 0 else 1 / count
