"""Examples of self-play in a sliding window: the newest ones, as a network is fitted to them.

An example is a public state with beliefs; its targets are values, a policy, or both. Values are in
the form of the network's outputs: over the state's unit and over the probability that chance and
the other seat lead to the row. Rows that cannot be reached have no target.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import AnyArray, Floats, Ints
from acpcbot.networks.fitting import Examples, empty_examples
from acpcbot.networks.shape import NetworkShape
from acpcbot.training.query_reservoir import Query
from acpcbot.tree_search.public_encodings import (
    EncodedTree,
    TreeEncoder,
    fill_query,
    write_masses,
)
from acpcbot.tree_search.public_tree import PublicTree

LEAST_MASS = 1e-9


class ExampleWindow:
    """The newest *capacity* examples for a network of *shape*."""

    def __init__(self, shape: NetworkShape, capacity: int) -> None:
        self.shape = shape
        self._examples = empty_examples(shape, capacity)
        self.num_added = 0

    @property
    def num_kept(self) -> int:
        """The examples in the window."""
        return min(self.num_added, len(self._examples.inputs))

    def new_example(self) -> Examples:
        """Return a new example in the place of the oldest, without targets; inputs are not set."""
        place = self.num_added % len(self._examples.inputs)
        self.num_added += 1
        example = self._examples.part(place)
        for array in example[1:]:
            array[...] = 0
        return example

    def newest(self, count: int) -> Examples:
        """Return copies of the last *count* examples; raises ValueError for more than are kept."""
        if count > self.num_kept:
            raise ValueError(f"expected at most {self.num_kept:,} examples, found {count:,}")
        places = np.arange(self.num_added - count, self.num_added)
        return self._examples.part(places % len(self._examples.inputs))

    def extend(self, examples: Examples) -> None:
        """Add *examples* [example], in their order, in the places of the oldest."""
        for place in range(len(examples.inputs)):
            for array, own in zip(self.new_example(), examples.part(place), strict=True):
                array[...] = own

    def batches(self, num_steps: int, batch_size: int, seed: tuple[int, ...]) -> Examples:
        """Return examples [step, query] of the window, drawn with replacement."""
        generator = np.random.default_rng(seed)
        drawn = generator.integers(self.num_kept, size=(num_steps, batch_size))
        return self._examples.part(drawn)

    def arrays(self) -> dict[str, AnyArray]:
        """Return the window by name, to be saved."""
        kept = self._examples.part(slice(0, self.num_kept))
        named = {f"replay.{name}": array for name, array in kept._asdict().items()}
        return {**named, "replay.num_added": np.array([self.num_added])}

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Go on from *arrays* of a buffer of the same capacity."""
        self.num_added = int(arrays["replay.num_added"][0])
        for name, array in self._examples._asdict().items():
            array[: self.num_kept] = arrays[f"replay.{name}"]


class ReplayBuffer(ExampleWindow):
    """The newest *capacity* examples for a network of *shape*, of the public states of *tree*."""

    def __init__(
        self, shape: NetworkShape, capacity: int, tree: PublicTree, encoder: TreeEncoder
    ) -> None:
        super().__init__(shape, capacity)
        self.tree, self._encoder = tree, encoder

    def add(self, query: Query, values: Floats | None, policy: Floats | None) -> None:
        """Add *query* with the targets *values* [row of the node] and *policy* [slot of the node].

        Values are counterfactual, under the beliefs of the query.
        """
        example, tree = self.new_example(), self.tree
        encoded = self._encoder.encoded(tree)
        record = tree.arrays.nodes[query.node]
        rows = slice(int(record["first_row"]), int(record["end_row"]))
        reach, masses = np.zeros((2, len(tree.arrays.rows)))
        reach[rows] = query.beliefs
        fill_query(tree.arrays, encoded, query.node, reach, self.shape.num_values, example.inputs)
        places = encoded.places[rows]
        if values is not None:
            write_masses(tree.arrays, query.node, reach, masses)
            units = masses[rows] * encoded.scales[query.node]
            is_reached = units > LEAST_MASS
            reached = places[is_reached]
            shares = _shares(query.beliefs[is_reached], reached)
            np.add.at(example.values, reached, shares * (values[is_reached] / units[is_reached]))
            example.value_weights[reached] = 1
        if policy is not None:
            self._add_policy(example, query, policy, encoded, places)

    def _add_policy(
        self,
        example: Examples,
        query: Query,
        policy: Floats,
        encoded: EncodedTree,
        places: Ints,
    ) -> None:
        node, shares = query.node, _shares(query.beliefs, places)
        record = self.tree.arrays.nodes[node]
        first_row, first_slot = int(record["first_row"]), int(record["first_slot"])
        before = self.shape.num_rows[0] if record["actor"] == 1 else 0
        own = self.tree.rows_of(node, int(record["actor"]))
        for row in range(own.start, own.stop):
            begin, count = self.tree.arrays.rows[row][["first_slot", "count"]].tolist()
            columns = encoded.columns[begin : begin + count]
            line = int(places[row - first_row]) - before
            start = begin - first_slot
            share = shares[row - first_row]
            example.policies[line, columns] += share * policy[start : start + count]
            example.legal[line, columns] = True
            example.policy_weights[line] = 1


def _shares(beliefs: Floats, places: Ints) -> Floats:
    """Return the share of each row in what the rows of its place stand for, by belief.

    1 where a place has one row; equal shares where no belief tells.
    """
    totals, counts = np.bincount(places, beliefs), np.bincount(places)
    has_belief = totals[places] > 0
    return np.where(
        has_belief, beliefs / np.where(has_belief, totals[places], 1.0), 1 / counts[places]
    )
