"""Growing-tree CFR, the search of Student of Games: SoG(s, c).

A search solves a public tree that grows while it is solved. Each iteration has two phases. In the
regret phase CFR goes through the tree, with values of an evaluator at its leaves: simultaneous
updates, regret matching+, weighted averages, ceil(1 / c) of them. In the expansion phase ceil(c)
simulations from the beliefs at the target each add all children of the first state that they meet
on the edge. A simulation selects actions by PUCT half of the time, and else by the average policy.
There are s simulations in all, and s / ceil(c) iterations.

In games that hide nothing a simulation may add one child alone, that of the action which it selects
(the paper's k = 1), and a state is evaluated once, when it is added: its values are in proportion
to the other seat's reach. Actions whose child is not in the tree are not played; PUCT alone selects
where there are any.

The search begins at a root, which may lie before the target: the branch between the two is in the
tree from the start, all beside it are leaves, and only what lies behind the target grows. With a
gadget the opponent's range at the root is its own choice, see ``resolving.py``.

The value of a state is its mean over the updates in which it was in the tree, with the weights of
the average policies. All values are counterfactual, in the units of payoffs.

Averages are linear, as in the paper, unless the settings give updates another weight: early ones are
of a tree that has hardly grown (docs/methods/tree_search.md#weights-of-averages).

Source: Schmid et al. (2023), Student of Games, sections "Search via Growing-Tree CFR" and "Modified
Continual Re-solving".
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isfinite

import numpy as np

from acpcbot.arrays import Flags, Floats
from acpcbot.errors import UsageError
from acpcbot.games.game import OVER
from acpcbot.random_kernels import RandomState, seed_state
from acpcbot.tree_search.growing_cfr_arrays import (
    ENTERS,
    LEAVES,
    NUM_STATES,
    PENDING,
    QUERIES,
    UPDATES,
    Beliefs,
    Plan,
    search_arrays,
)
from acpcbot.tree_search.growing_cfr_kernels import begin, grow_and_update, update
from acpcbot.tree_search.growing_cfr_results import (
    write_average_policy,
    write_average_reach,
    write_means,
)
from acpcbot.tree_search.leaf_evaluators import LeafEvaluator, LeafValues, NoValues
from acpcbot.tree_search.public_tree import NONE, PublicTree

MOST_POWER = 10
"""Of averaging: far beyond what helps, and a million updates to this power are still finite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowingCFRSettings:
    """The s and c of SoG(s, c), the constant of PUCT, and the gadget's alpha.

    *simulations* is s, the number of expansions; *simulations_per_update* is c, which may be
    below 1. *alpha* is the gadget's share of the opponent's range, beside that of the last search.
    In averages update t weighs t to the power of *averaging_power*, 1 in the paper.
    With *adds_one_child* a simulation adds one child and states are evaluated once, for games that
    hide nothing.
    """

    simulations: int = 100
    simulations_per_update: float = 1.0
    exploration: float = 1.5
    alpha: float = 0.5
    averaging_power: float = 1.0
    adds_one_child: bool = False

    def __post_init__(self) -> None:
        per_update = self.simulations_per_update
        for name, value, is_good, expected in (
            ("simulations", self.simulations, self.simulations >= 1, "a number of at least 1"),
            (
                "simulations_per_update",
                per_update,
                per_update > 0 and isfinite(per_update),
                "a number above 0, such as 1, 10 or 0.1",
            ),
            (
                "exploration",
                self.exploration,
                self.exploration >= 0 and isfinite(self.exploration),
                "a number of at least 0",
            ),
            ("alpha", self.alpha, 0 <= self.alpha <= 1, "a number from 0 to 1"),
            (
                "averaging_power",
                self.averaging_power,
                0 <= self.averaging_power <= MOST_POWER,
                f"a number from 0 to {MOST_POWER}, such as 1 or 3",
            ),
        ):
            if not is_good:
                raise UsageError(f"{name} = {value} is out of range", f"use {expected}")

    def __str__(self) -> str:
        return f"SoG({self.simulations},{self.simulations_per_update:g})"

    @property
    def simulations_each(self) -> int:
        """The simulations of one iteration."""
        return ceil(self.simulations_per_update)

    @property
    def num_iterations(self) -> int:
        """The iterations of a search."""
        return max(1, round(self.simulations / self.simulations_each))

    @property
    def updates_each(self) -> int:
        """The updates of regrets in one iteration."""
        return max(1, ceil(1 / self.simulations_per_update))

    @property
    def num_updates(self) -> int:
        """The updates of regrets in a search."""
        return self.num_iterations * self.updates_each


@dataclass(frozen=True, slots=True)
class Gadget:
    """The re-solving gadget: *opponent* enters or takes its *alternatives*, row by row.

    *alternatives* [row of the root] are counterfactual values; those of the opponent's rows count.
    """

    opponent: int
    alternatives: Floats


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A finished search, as the next one needs it: arrays over the public tree as it was then.

    ``is_known``     bool [node], the states in the search's tree that an update has met
    ``values``       float64 [row], means, where the state is known
    ``reach``        float64 [row], of the average policy, from the ranges that the search began with
    ``policy``       float64 [slot], the average policy, uniform where there is none
    ``num_updates``, ``num_states``, ``num_queries``   of regrets, in the tree, to the evaluator
    """

    root: int
    target: int
    is_known: Flags
    values: Floats
    reach: Floats
    policy: Floats
    num_updates: int
    num_states: int
    num_queries: int

    def knows(self, node: int) -> bool:
        """Return whether the search has values of *node*."""
        return node < len(self.is_known) and bool(self.is_known[node])


class GrowingCFR:
    """SoG(s, c) in a public tree, which other searches may share.

    One search after the other in the same memory; equal seeds and ranges give equal searches.
    """

    def __init__(
        self,
        tree: PublicTree,
        settings: GrowingCFRSettings | None = None,
        leaf_values: LeafValues | None = None,
    ) -> None:
        self.tree, self.settings = tree, settings or GrowingCFRSettings()
        self.leaf_values: LeafValues = leaf_values or NoValues()
        self.arrays = search_arrays(
            *_room_in(tree), (tree.game.max_moves() + 1) * self.settings.simulations_each
        )
        self._uniform: Floats = np.zeros(0)

    def search(
        self,
        root: int,
        target: int,
        ranges: Floats,
        seed: int,
        gadget: Gadget | None = None,
    ) -> SearchResult:
        """Return a search from *root* that grows behind *target*.

        *ranges* [row of the root] are the reaches of both seats; with a *gadget*, the opponent's
        are those of the last search, which are mixed in. Raises UsageError for ranges that the
        root cannot be reached with, and for a target that does not lie behind the root.
        """
        self.explore(root, target, ranges, seed, gadget)
        return self._result(root, target, ranges)

    def explore(
        self, root: int, target: int, ranges: Floats, seed: int, gadget: Gadget | None = None
    ) -> None:
        """Search as ``search`` does, and leave what is found in ``arrays``."""
        branch = self._branch(root, target)
        beliefs = self._beliefs(root, ranges, gadget)
        for node in branch:
            self._grow(node)
        evaluator = self._evaluator()
        begin(
            self.tree.arrays,
            evaluator,
            self.arrays,
            beliefs,
            np.array(branch, np.int64),
            int(self.settings.adds_one_child),
        )
        self._run(target, beliefs, seed_state(seed))

    def solve_whole(self, root: int, ranges: Floats, num_updates: int) -> SearchResult:
        """Return the search of CFR alone, in the whole tree behind *root* from the first update."""
        self.tree.grow_all()
        self._fit()
        beliefs = self._beliefs(root, ranges, None)
        evaluator = self.leaf_values.on(self.tree)
        path = [node for node in range(root, self.tree.num_nodes) if self._is_behind(root, node)]
        begin(self.tree.arrays, evaluator, self.arrays, beliefs, np.array(path, np.int64), 0)
        power = float(self.settings.averaging_power)
        for _ in range(num_updates):
            update(self.tree.arrays, evaluator, self.arrays, beliefs, power)
        return self._result(root, root, ranges)

    def _is_behind(self, root: int, node: int) -> bool:
        is_over = self.tree.arrays.nodes["actor"][node] == OVER
        return not is_over and root in self.tree.path_to(node)

    def _branch(self, root: int, target: int) -> list[int]:
        path = self.tree.path_to(target)
        if root not in path:
            raise UsageError(
                f"public state {target} does not lie behind {root}", "search from a state before it"
            )
        if self.tree.arrays.nodes["actor"][target] == OVER:
            raise UsageError(
                f"the game is over in public state {target}", "search where a seat or chance moves"
            )
        return path[path.index(root) :]

    def _beliefs(self, root: int, ranges: Floats, gadget: Gadget | None) -> Beliefs:
        record = self.tree.arrays.nodes[root]
        num_rows = int(record["end_row"] - record["first_row"])
        alternatives = np.zeros(num_rows) if gadget is None else gadget.alternatives
        for name, values in (("ranges", ranges), ("alternatives", alternatives)):
            if values.shape != (num_rows,) or not np.isfinite(values).all():
                raise UsageError(
                    f"{name} of public state {root}: {values.shape} values",
                    f"expected {num_rows} finite numbers, one for each of its information sets",
                )
        self._verify_reachable(root, ranges, NONE if gadget is None else gadget.opponent)
        return Beliefs(
            np.array(ranges, np.float64),
            NONE if gadget is None else gadget.opponent,
            np.array(alternatives, np.float64),
            np.zeros((num_rows, LEAVES - ENTERS + 1)),
            np.full(num_rows, 0.5),
            float(self.settings.alpha),
        )

    def _verify_reachable(self, root: int, ranges: Floats, opponent: int) -> None:
        """Raise UsageError where no history of *root* has a positive probability."""
        record = self.tree.arrays.nodes[root]
        first = int(record["first_row"])
        histories = self.tree.arrays.histories[record["first_history"] : record["end_history"]]
        shares = [ranges[histories["row0"] - first], ranges[histories["row1"] - first]]
        if opponent != NONE:
            # The gadget lets the opponent enter with any row.
            shares[opponent] = np.ones(len(histories))
        if (ranges < 0).any() or not (histories["chance"] * shares[0] * shares[1]).sum() > 0:
            raise UsageError(
                f"public state {root} cannot be reached with these ranges",
                "give each seat a positive reach with some hand that fits the other's",
            )

    def _run(self, target: int, beliefs: Beliefs, random_state: RandomState) -> None:
        settings = self.settings
        plan = Plan(
            target,
            settings.num_iterations,
            settings.updates_each,
            settings.simulations_each,
            float(settings.averaging_power),
            float(settings.exploration),
            1.0 / float(self.tree.greatest_payoff),
        )
        while True:
            evaluator = self._evaluator()
            grow_and_update(
                self.tree.arrays,
                evaluator,
                self.arrays,
                beliefs,
                plan,
                random_state,
                self.tree.grower(),
            )
            pending = int(self.arrays.counts[PENDING])
            if pending == NONE:
                return
            self._grow(pending)

    def _grow(self, node: int) -> None:
        """Make the children of *node*."""
        self.tree.grow(node)
        if self.settings.adds_one_child and self.tree.most_histories > 1:
            raise UsageError(
                f"adds_one_child: {self.tree.game} has a public state of"
                f" {self.tree.most_histories} histories, expected 1",
                "add all children where something is hidden",
            )

    def _evaluator(self) -> LeafEvaluator:
        """Return the evaluator for the tree as it is now, and make room for the search."""
        # In this order: an evaluator may enlarge the tree, as the oracle does.
        evaluator = self.leaf_values.on(self.tree)
        self._fit()
        return evaluator

    def _fit(self) -> None:
        """Enlarge the memory of the search to that of the tree."""
        num_nodes, num_rows, num_slots = _room_in(self.tree)
        own = self.arrays
        if (num_nodes, num_rows, num_slots) == (len(own.order), len(own.reach), len(own.regrets)):
            return
        room = search_arrays(num_nodes, num_rows, num_slots, len(own.path))
        for new, old in zip(room, own, strict=True):
            new[: len(old)] = old
        self.arrays = room

    def _result(self, root: int, target: int, ranges: Floats) -> SearchResult:
        tree, own = self.tree, self.arrays
        # What the last simulations added has met no update, and has no values.
        is_known, values = np.zeros(tree.num_nodes, np.bool_), np.zeros(tree.num_rows)
        write_means(tree.arrays, own, is_known, values)
        reach = np.zeros(tree.num_rows)
        begin_row = int(tree.arrays.nodes["first_row"][root])
        reach[begin_row : begin_row + len(ranges)] = ranges
        write_average_reach(tree.arrays, own, reach)
        policy = self._uniform_policy()
        write_average_policy(tree.arrays, own, is_known, policy)
        return SearchResult(
            root,
            target,
            is_known,
            values,
            reach,
            policy,
            int(own.counts[UPDATES]),
            int(own.counts[NUM_STATES]),
            int(own.counts[QUERIES]),
        )

    def _uniform_policy(self) -> Floats:
        """Return the uniform policy [slot], a new array."""
        tree = self.tree
        if len(self._uniform) != tree.num_slots:
            counts = tree.arrays.rows["count"][: tree.num_rows]
            counts = counts[counts > 0]
            self._uniform = np.repeat(1.0 / counts, counts)
        return self._uniform.copy()


def _room_in(tree: PublicTree) -> tuple[int, int, int]:
    """Return the lengths of arrays by node, row and slot."""
    return len(tree.arrays.nodes), len(tree.arrays.rows), tree.slot_room
