"""Queries that searches ask of a network: samples of them, and a buffer of those to be solved.

A search asks its network some thousand times. ``RecordingValues`` keeps a uniform sample of these
queries, drawn while the search runs (reservoir sampling), so that nothing else is stored.
``QueryBuffer`` holds queries until a solver draws them; ``WaitingRecords`` is what it has in common
with that of positions.

A query is a public state and the reaches of its rows, scaled to a distribution for each seat: the
values of a network depend on no more than that.

Source: Schmid et al. (2023), Student of Games, "Training Process" and algorithm 2 (queries to
solve); Vitter (1985), Random sampling with a reservoir (algorithm R).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from acpcbot.arrays import AnyArray, Floats, Ints
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, below, seed_state
from acpcbot.rng import Stream
from acpcbot.tree_search.leaf_evaluators import LeafEvaluator, LeafValues
from acpcbot.tree_search.public_tree import PublicArrays, PublicTree

NUM_SEEN = 0


class Query(NamedTuple):
    """The public state *node*, and *beliefs* [row of the node], which add up to 1 by seat."""

    node: int
    beliefs: Floats


class QuerySample(NamedTuple):
    """A sample of the queries of one search.

    ``nodes``    int64 [query]
    ``reaches``  float64 [query, row of the node]
    ``counts``   int64 [NUM_SEEN], the queries of the search so far
    ``numbers``  the state of the random numbers that sample
    """

    nodes: Ints
    reaches: Floats
    counts: Ints
    numbers: RandomState


class RecordingEvaluator(NamedTuple):
    """The evaluator *inner*, whose queries are sampled."""

    inner: LeafEvaluator
    sample: QuerySample

    def leaf_values(
        self, tree: PublicArrays, leaves: Ints, num_leaves: int, reach: Floats, values: Floats
    ) -> None:
        self.inner.leaf_values(tree, leaves, num_leaves, reach, values)
        for place in range(num_leaves):
            record_query(self.sample, tree, leaves[place], reach)

    def write_priors(self, tree: PublicArrays, node: int, reach: Floats, priors: Floats) -> None:
        self.inner.write_priors(tree, node, reach, priors)


class RecordingValues:
    """The leaf values *inner*, and a sample of at most *capacity* queries of each search.

    *most_rows* is the largest number of rows of a public state.
    """

    def __init__(self, inner: LeafValues, capacity: int, most_rows: int) -> None:
        self.inner = inner
        self._sample = QuerySample(
            np.zeros(capacity, np.int64),
            np.zeros((capacity, most_rows)),
            np.zeros(1, np.int64),
            seed_state(0),
        )

    def on(self, tree: PublicTree) -> LeafEvaluator:
        """Return the evaluator for *tree* as it is now."""
        return RecordingEvaluator(self.inner.on(tree), self._sample)

    def begin(self, seed: int) -> None:
        """Forget what was sampled, before a search."""
        self._sample.counts[:] = 0
        self._sample.numbers[:] = seed_state(seed)

    def nodes(self, count: int) -> list[int]:
        """Return the states of *count* queries of the search, or of as many as there are.

        All queries are equally likely.
        """
        taken = min(count, len(self._sample.nodes), int(self._sample.counts[NUM_SEEN]))
        return [int(node) for node in self._sample.nodes[:taken]]

    def queries(self, tree: PublicTree, count: int) -> list[Query]:
        """Return the queries of ``nodes`` with their beliefs."""
        return [
            Query(node, scaled_beliefs(tree, node, reach))
            for node, reach in zip(self.nodes(count), self._sample.reaches, strict=False)
        ]


def scaled_beliefs(tree: PublicTree, node: int, reach: Floats) -> Floats:
    """Return *reach* [row of *node*] scaled to 1 by seat, uniform where a seat has none."""
    record = tree.arrays.nodes[node]
    middle = int(record["middle_row"] - record["first_row"])
    result = reach[: int(record["end_row"] - record["first_row"])].copy()
    for own in (result[:middle], result[middle:]):
        total = own.sum()
        own[:] = own / total if total > 0 else 1 / len(own)
    return result


def drawn_count(mean: float, stream: Stream) -> int:
    """Return a whole number next to *mean*, drawn so that its mean is *mean*."""
    return int(mean) + (stream.unit() < mean - int(mean))


def drawn_place(stream: Stream, weights: Floats) -> int:
    """Return a place of *weights*, drawn in proportion to them."""
    sums = np.cumsum(weights)
    return int(np.searchsorted(sums, stream.unit() * sums[-1], side="right").clip(0, len(sums) - 1))


class WaitingRecords:
    """Records of *kind* that wait, drawn in random order.

    When *capacity* is reached a new record takes the place of one drawn at random, so that
    main-line and recursive queries stay in the ratio in which they are added.
    """

    def __init__(self, capacity: int, kind: np.dtype[Any]) -> None:
        self._records: AnyArray = np.zeros(capacity, kind)
        self.num_waiting = 0

    def put(self, record: tuple[Any, ...], stream: Stream) -> None:
        """Add *record*."""
        place = self.num_waiting
        if place == len(self._records):
            place = stream.below(place)
        else:
            self.num_waiting += 1
        self._records[place] = record

    def take(self, stream: Stream) -> AnyArray:
        """Return a record drawn at random, and remove it. There must be one."""
        place, self.num_waiting = stream.below(self.num_waiting), self.num_waiting - 1
        found: AnyArray = self._records[place].copy()
        self._records[place] = self._records[self.num_waiting]
        return found

    def arrays(self) -> dict[str, AnyArray]:
        """Return what is waiting, by name, to be saved."""
        return {
            f"queries.{name}": self._records[name][: self.num_waiting].copy()
            for name in self._records.dtype.names or ()
        }

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Go on from *arrays* of a buffer of the same capacity."""
        for name in self._records.dtype.names or ():
            saved = arrays[f"queries.{name}"]
            self.num_waiting = len(saved)
            self._records[name][: self.num_waiting] = saved


class QueryBuffer(WaitingRecords):
    """Queries of public states of at most *most_rows* rows that wait for their solution."""

    def __init__(self, capacity: int, most_rows: int) -> None:
        fields = [("nodes", np.int64), ("beliefs", np.float64, most_rows), ("sizes", np.int64)]
        super().__init__(capacity, np.dtype(fields))
        self._most_rows = most_rows

    def add(self, query: Query, stream: Stream) -> None:
        """Add *query*."""
        beliefs = np.zeros(self._most_rows)
        beliefs[: len(query.beliefs)] = query.beliefs
        self.put((query.node, beliefs, len(query.beliefs)), stream)

    def draw(self, stream: Stream) -> Query:
        """Return a query drawn at random, and remove it. There must be one."""
        found = self.take(stream)
        return Query(int(found["nodes"]), found["beliefs"][: int(found["sizes"])].copy())


@kernel
def record_query(sample: QuerySample, tree: PublicArrays, node: int, reach: Floats) -> None:
    """Add the query of *node* under *reach* [row] to the sample, by reservoir sampling."""
    # Query number n is kept with probability capacity / n, in the place of a random one.
    capacity, seen = len(sample.nodes), sample.counts[NUM_SEEN]
    sample.counts[NUM_SEEN] = seen + 1
    place = seen
    if seen >= capacity:
        place = np.int64(below(sample.numbers, seen + 1))
        if place >= capacity:
            return
    sample.nodes[place] = node
    first = tree.nodes[node]["first_row"]
    for row in range(first, tree.nodes[node]["end_row"]):
        sample.reaches[place, row - first] = reach[row]
