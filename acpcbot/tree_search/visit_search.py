"""Monte Carlo tree search by PUCT and visits, as AlphaZero plays: for games that hide nothing.

A simulation selects actions by PUCT from the position on, with means of values in place of
counterfactual values, and expands the first position that it meets on the edge: its priors are kept
and its value goes back up. What is played is in proportion to visits. So it is growing-tree CFR
without regrets, and is compared with it at equal simulations and with the same network. Nothing is
drawn: equal positions are searched alike.

Values of positions are those of ``leaf_evaluators.py``, in the tree of ``position_tree.py``.

Source: Silver et al. (2018), A general reinforcement learning algorithm that masters chess, shogi
and Go through self-play (selection, with its constants).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, Game, State
from acpcbot.jit import kernel
from acpcbot.tree_search.leaf_evaluators import LeafEvaluator, LeafValues, NoValues
from acpcbot.tree_search.position_search import PositionResult
from acpcbot.tree_search.position_tree import PositionTree
from acpcbot.tree_search.public_tree import NONE, NUM_SEATS, ROOT, PublicArrays, TreeGrower

SIMULATIONS, QUERIES, STATES, NUM_COUNTS = range(4)


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitSettings:
    """The *simulations* of a search, and the two constants of PUCT, which are AlphaZero's.

    The weight of the prior is *exploration* + log((visits + *growth* + 1) / *growth*).
    """

    simulations: int = 100
    exploration: float = 1.25
    growth: float = 19_652.0

    def __post_init__(self) -> None:
        for name, value, is_good, expected in (
            ("simulations", self.simulations, self.simulations >= 1, "a number of at least 1"),
            ("exploration", self.exploration, self.exploration >= 0, "a number of at least 0"),
            ("growth", self.growth, self.growth > 0, "a number above 0, such as 19652"),
        ):
            if not (is_good and isfinite(value)):
                raise UsageError(f"{name} = {value} is out of range", f"use {expected}")

    def __str__(self) -> str:
        return f"MCTS({self.simulations})"


class VisitArrays(NamedTuple):
    """The memory of a search.

    ``visits``, ``totals``, ``priors``   float64 [slot]; totals of values for the seat that moves
    ``is_expanded``   int64 [node]
    ``reach``, ``values``   float64 [row]: ones, and values of the position just asked about
    ``path``          int64 [depth], the slots of a simulation
    ``counts``        int64 [SIMULATIONS .. STATES]
    """

    visits: Floats
    totals: Floats
    priors: Floats
    is_expanded: Ints
    reach: Floats
    values: Floats
    path: Ints
    counts: Ints


class VisitSearch:
    """PUCT at positions of *game*, one after the other, with *leaf_values*.

    Raises UsageError where chance moves; see ``PositionTree`` for the rest.
    """

    def __init__(
        self,
        game: Game,
        settings: VisitSettings | None = None,
        leaf_values: LeafValues | None = None,
        greatest_payoff: float = 1.0,
    ) -> None:
        self.settings = settings or VisitSettings()
        self.tree = PositionTree(game, greatest_payoff=greatest_payoff)
        self._leaf_values: LeafValues = leaf_values or NoValues()
        self._arrays = _arrays(0, 0, 1)

    def search(self, state: State, seed: int = 0) -> PositionResult:
        """Return a search at *state*, whatever the *seed*; raises UsageError where a game is over."""
        actor = int(self.tree.game.actor(state))
        if actor in (CHANCE, OVER):
            where = "the game is over" if actor == OVER else "chance moves"
            raise UsageError(f"a search by visits: {where} there", "search where a seat moves")
        self.tree.begin(state)
        self._arrays.counts[:] = 0
        self._arrays.is_expanded[:] = 0
        while True:
            # In this order: an evaluator sees the tree as large as the memory is.
            evaluator = self._leaf_values.on(self.tree)
            self._fit()
            pending = simulate_visits(
                self.tree.arrays,
                evaluator,
                self._arrays,
                self.tree.grower(),
                self.settings.simulations,
                float(self.settings.exploration),
                float(self.settings.growth),
                1.0 / float(self.tree.greatest_payoff),
            )
            if pending == NONE:
                return self._result()
            self.tree.grow(pending)

    def _result(self) -> PositionResult:
        record, own = self.tree.arrays.nodes[ROOT], self._arrays
        slots = slice(int(record["first_slot"]), int(record["end_slot"]))
        visits = own.visits[slots]
        # One simulation alone visits no action: it expands the position itself.
        shares = visits if visits.sum() > 0 else own.priors[slots]
        return PositionResult(
            shares / shares.sum(),
            float(own.totals[slots].sum() / max(1.0, visits.sum())) * self.tree.greatest_payoff,
            int(own.counts[STATES]),
            int(own.counts[QUERIES]),
        )

    def _fit(self) -> None:
        """Enlarge the memory to that of the tree."""
        num_nodes, num_slots = len(self.tree.arrays.nodes), self.tree.slot_room
        if num_nodes <= len(self._arrays.is_expanded):
            return
        room = _arrays(num_nodes, num_slots, self.tree.game.max_moves() + 1)
        for new, old in zip(room, self._arrays, strict=True):
            new[: len(old)] = old
        room.reach[:] = 1.0
        self._arrays = room


def _arrays(num_nodes: int, num_slots: int, depth: int) -> VisitArrays:
    return VisitArrays(
        np.zeros(num_slots),
        np.zeros(num_slots),
        np.zeros(num_slots),
        np.zeros(num_nodes, np.int64),
        np.zeros(NUM_SEATS * num_nodes),
        np.zeros(NUM_SEATS * num_nodes),
        np.zeros(depth, np.int64),
        np.zeros(NUM_COUNTS, np.int64),
    )


@kernel
def simulate_visits(
    tree: PublicArrays,
    evaluator: LeafEvaluator,
    search: VisitArrays,
    grower: TreeGrower,
    num_simulations: int,
    exploration: float,
    growth: float,
    scale: float,
) -> int:
    """Run simulations until there are *num_simulations*; return -1, or a node that Python grows."""
    leaves = np.zeros(1, np.int64)
    while search.counts[SIMULATIONS] < num_simulations:
        node, depth = ROOT, 0
        while search.is_expanded[node] == 1:
            slot = best_slot(tree, search, node, exploration, growth)
            search.path[depth] = slot
            depth += 1
            history = tree.nodes[node]["first_history"]
            move = tree.histories[history]["first_move"] + slot - tree.nodes[node]["first_slot"]
            node = tree.moves[move]["child"]
        record = tree.nodes[node]
        if record["is_grown"] == 0 and not grower.make_children(tree, node):
            return int(node)
        if record["actor"] == OVER:
            value = tree.histories[record["first_history"]]["payoff"]
        else:
            leaves[0] = node
            evaluator.leaf_values(tree, leaves, 1, search.reach, search.values)
            value = search.values[record["first_row"]]
            for slot in range(record["first_slot"], record["end_slot"]):
                search.visits[slot] = search.totals[slot] = 0.0
            evaluator.write_priors(tree, node, search.reach, search.priors)
            search.is_expanded[node] = 1
            search.counts[QUERIES] += 1
            search.counts[STATES] += 1
        value *= scale
        # Up again: each slot is one of the node above, whose seat moves there.
        for step in range(depth - 1, -1, -1):
            node = tree.nodes[node]["parent"]
            search.visits[search.path[step]] += 1.0
            won = value if tree.nodes[node]["actor"] == 0 else -value
            search.totals[search.path[step]] += won
        search.counts[SIMULATIONS] += 1
    return NONE


@kernel
def best_slot(
    tree: PublicArrays, search: VisitArrays, node: int, exploration: float, growth: float
) -> int:
    """Return the slot of *node* with the greatest sum of mean value and exploration."""
    first, end = tree.nodes[node]["first_slot"], tree.nodes[node]["end_slot"]
    visits, priors = 0.0, 0.0
    for slot in range(first, end):
        visits += search.visits[slot]
        priors += search.priors[slot]
    weight = exploration + np.log((visits + growth + 1.0) / growth)
    explored = weight * np.sqrt(visits) / priors
    best, chosen = -np.inf, first
    for slot in range(first, end):
        own = search.visits[slot]
        value = search.totals[slot] / own if own > 0 else 0.0
        value += explored * search.priors[slot] / (1.0 + own)
        # The prior decides at the first visit, when nothing else has been seen.
        if visits == 0:
            value = search.priors[slot]
        if value > best:
            best, chosen = value, slot
    return int(chosen)
