"""Growing-tree CFR at positions of a game that hides nothing, one after the other.

Nothing is hidden, so a search begins at the position itself, with reaches of 1 and without a
gadget, and depends on nothing that was before. Searches share one memory, and a result has what is
played and learnt: the average policy at the position, and its value.

Source: Schmid et al. (2023), Student of Games, "Modified Continual Re-solving" (what perfect
information makes simple).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.games.game import Game, State
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.growing_cfr_arrays import NUM_STATES, QUERIES
from acpcbot.tree_search.leaf_evaluators import LeafValues
from acpcbot.tree_search.position_tree import PositionTree
from acpcbot.tree_search.public_tree import NUM_SEATS, ROOT


@dataclass(frozen=True, slots=True)
class PositionResult:
    """A search at a position: its *policy* [action], and its *value* for the seat to move.

    The value is a mean over the updates of the search. *num_states* positions are in its tree, and
    *num_queries* were asked of the evaluator.
    """

    policy: Floats
    value: float
    num_states: int
    num_queries: int


class PositionSearch:
    """SoG(s, c) at positions of *game*, with *leaf_values*; see ``PositionTree`` for the rest."""

    def __init__(
        self,
        game: Game,
        settings: GrowingCFRSettings,
        leaf_values: LeafValues | None = None,
        greatest_payoff: float = 1.0,
    ) -> None:
        self.tree = PositionTree(game, greatest_payoff=greatest_payoff)
        self._growing = GrowingCFR(self.tree, settings, leaf_values)

    def search(self, state: State, seed: int) -> PositionResult:
        """Return a search at *state*; raises UsageError where the game is over."""
        self.tree.begin(state)
        growing = self._growing
        growing.explore(ROOT, ROOT, np.ones(NUM_SEATS), seed)
        # Read here alone: a result of the whole tree would take as long as a small search.
        record, arrays = self.tree.arrays.nodes[ROOT], growing.arrays
        sums = arrays.averages[record["first_slot"] : record["end_slot"]]
        mover, total = int(record["first_row"] + record["actor"]), float(sums.sum())
        return PositionResult(
            # The first update knows no child yet; where it is the only one, nothing is preferred.
            sums / total if total > 0 else np.full(len(sums), 1 / len(sums)),
            float(arrays.value_sums[mover] / arrays.weights[ROOT]),
            int(arrays.counts[NUM_STATES]),
            int(arrays.counts[QUERIES]),
        )
