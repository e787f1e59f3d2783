"""What range sweeps ask where the strategies of both players are known: what they are worth, and the best answer.

All vectors are float64 [hand of the board]; values are counterfactual and in chips.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.jit import kernel
from acpcbot.solvers.range_game import Betting
from acpcbot.solvers.range_sweeps import take_best, take_mean
from acpcbot.trees.betting_record import BLOCK_END, NUM_ACTIONS, SEAT, SLOT, STREET
from acpcbot.trees.board_tree import BoardArrays


class Play(NamedTuple):
    """What a player does.

    ``policy``      float64 [slot], rows of buckets or hands street by street
    ``row_starts``  int64 [street], ``row_widths`` int64 [street]: as in ``trees/infosets.py``
    ``rows``        int64 [row of the board tree]: the policy's row of each hand on each board
    """

    policy: Floats
    row_starts: NDArray[np.int64]
    row_widths: NDArray[np.int64]
    rows: NDArray[np.int64]


class Question(NamedTuple):
    """A ``Mind``: whose values are asked for.

    With ``is_best`` the *traverser* takes the best action with every hand; else he plays as
    ``own`` says, and ``gains`` [slot of own], unless it is empty, adds up what his actions
    are worth in all rows of the board tree, with the ``row_weights`` [row].
    """

    traverser: int
    is_best: bool
    opponent: Play
    own: Play
    gains: Floats
    row_weights: Floats

    def own_seat(self) -> int:
        """The traverser."""
        return self.traverser

    def fill_strategy(
        self, betting: Betting, boards: BoardArrays, first: int, board: int, room: Floats, strategy: Floats
    ) -> None:
        """What both play; who takes the best of all is not asked."""
        nodes = betting.nodes
        for node in range(first, nodes[first, BLOCK_END]):
            is_own = nodes[node, SEAT] == self.traverser
            play = self.own if is_own else self.opponent
            slot = nodes[node, SLOT] - nodes[first, SLOT]
            rows = strategy[slot : slot + nodes[node, NUM_ACTIONS]]
            if is_own and self.is_best:
                rows[:] = 1.0
            else:
                read_policy(play, boards, board, nodes[node, STREET], nodes[node, SLOT], rows)

    def take_values(
        self,
        betting: Betting,
        boards: BoardArrays,
        node: int,
        board: int,
        reach: Floats,
        gains: Floats,
        strategy: Floats,
        total: Floats,
    ) -> None:
        """The best of the gains, or their mean."""
        if self.is_best:
            take_best(gains, total)
            return
        take_mean(gains, strategy, total)
        if len(self.gains):
            record = betting.nodes[node]
            count_gains(self.own, boards, board, record[STREET], record[SLOT], gains, self.row_weights, self.gains)

    def see_block(self, first: int, board: int, reaches: Floats, values: Floats) -> None:
        """Nothing is kept of it."""


@kernel
def read_policy(play: Play, boards: BoardArrays, board: int, street: int, slot: int, strategy: Floats) -> None:
    """What is played from *slot* on with every hand on *board*, into *strategy* [action, hand]."""
    first = boards.first_row[board]
    for choice in range(len(strategy)):
        for hand in range(strategy.shape[1]):
            row = play.row_starts[street] + play.rows[first + hand] * play.row_widths[street]
            strategy[choice, hand] = play.policy[row + slot + choice]


@kernel
def count_gains(
    play: Play,
    boards: BoardArrays,
    board: int,
    street: int,
    slot: int,
    gains: Floats,
    weights: Floats,
    sums: Floats,
) -> None:
    """Add *gains* [action, hand] of the actions from *slot* on to the *sums* [slot of the play], by *weights* [row]."""
    first = boards.first_row[board]
    for choice in range(len(gains)):
        for hand in range(gains.shape[1]):
            row = play.row_starts[street] + play.rows[first + hand] * play.row_widths[street]
            sums[row + slot + choice] += weights[first + hand] * gains[choice, hand]
