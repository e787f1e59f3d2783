"""Iterations of the solver with ranges that visit a part of the second street's boards.

It is for ``range_starts.py``, which tells what they gain.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.regret_matching import share_kept
from acpcbot.subgames.block_rows import NUM_SEATS
from acpcbot.subgames.board_sweeps import average_root, backward_root, board_chunks, sweep_boards
from acpcbot.subgames.opponent_model import no_model
from acpcbot.subgames.progress import new_progress
from acpcbot.subgames.solver import RangeCFR, RegretTraversal
from acpcbot.subgames.sweeps import open_sweep, run_arrays
from acpcbot.subgames.traversal import Sweep, make_scratch
from acpcbot.trees.betting_tree import NODE_STREET

SEED = 1


class SampledBoards:
    """Iterations of *solver*, each through one of *num_parts* random parts of the boards.

    The values of a part are weighted so that their mean is that of all boards. A round is one
    iteration a part; the next round has other parts. What a board has learnt is discounted for
    every iteration that left it out.
    """

    def __init__(self, solver: RangeCFR, num_parts: int) -> None:
        self._solver, self._num_parts, self._rng = solver, num_parts, np.random.default_rng(SEED)
        game = solver.game
        chunks = board_chunks(game)
        assert len(chunks) == game.boards.arrays.first_child[1], "a board a chunk"
        self._first, self._last = (int(board) for board in game.boards.arrays.first_child[:2])
        self._visited = np.zeros(self._last, np.int64)
        self._scratch = make_scratch(game, np.float32)
        self._arrays = run_arrays(game, chunks, game.ranges.astype(np.float32), 1)

    def round(self) -> float:
        """Visit all boards once, in as many iterations as there are parts; return the work.

        The unit is an iteration through all boards.
        """
        order = self._rng.permutation(np.arange(self._first, self._last))
        for part in np.array_split(order, self._num_parts):
            self._iterate(np.sort(part))
        streets = self._solver.game.tree.nodes[:, NODE_STREET]
        num_root, num_boards = int((streets == streets[0]).sum()), self._last - self._first
        num_behind = num_boards * (len(streets) - num_root)
        return (self._num_parts * num_root + num_behind) / (num_root + num_behind)

    def _iterate(self, part: NDArray[np.int64]) -> None:
        game, arrays, number = self._solver.game, self._arrays, self._solver.num_iterations
        share = len(part) / (self._last - self._first)
        boards = game.boards.arrays
        scaled = boards._replace(weights=boards.weights / share)
        for seat in range(NUM_SEATS):
            root = Sweep(game.betting, boards, self._policy(seat, number), self._scratch)
            open_sweep(root, arrays)
            arrays.below[:] = 0
            for board in part.tolist():
                policy = self._policy(seat, int(self._visited[board]))
                sweep = Sweep(game.betting, scaled, policy, self._scratch)
                sweep_boards(sweep, (board, board + 1), arrays.above, arrays.below, new_progress())
            average_root(boards, arrays.below)
            backward_root(root, arrays.ranges, arrays.below, arrays.values[seat])
        self._visited[part] = number + 1
        self._solver.num_iterations += 1

    def _policy(self, seat: int, first: int) -> RegretTraversal:
        """Return the policy of this iteration, with the discounts from iteration *first* on."""
        keeps = np.ones(3)
        for done in range(first, self._solver.num_iterations + 1):
            keeps *= self._discounts(done)
        positive, negative, average = keeps.astype(np.float32)
        accumulators = self._solver.accumulators
        return RegretTraversal(
            accumulators, seat, positive, negative, average, np.float32(0), no_model()
        )

    def _discounts(self, done: int) -> tuple[float, float, float]:
        settings = self._solver.settings
        if not done:
            return 0.0, 0.0, 0.0
        return (
            share_kept(done, settings.alpha),
            share_kept(done, settings.beta),
            (done / (done + 1)) ** settings.gamma,
        )
