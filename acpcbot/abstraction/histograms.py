"""Histograms of the strength that a hand will have on the river, for flops and turns.

A hand's strength on a river is in 0..1,980 (``equity.py``); 46 rivers may follow a turn and 1,081
pairs of cards a flop. 48 thresholds cut the strengths into 49 bins of one width, and a hand is
described by the number of run-outs that give it at least the strength of each threshold: uint16
[combo, threshold], zeros for combos that the board blocks. The earth mover's distance between the
histograms of two hands on boards of one size, in bins, is the sum of the differences of these
counts.

Hands of one mean strength differ in their histograms if one is a draw and the other is not, which
E[HS2] tells only in part.

Sources: Gilpin, Sandholm & Sorensen (2007), Potential-aware automated abstraction of sequential
games; Johanson, Burch, Valenzano & Bowling (2013), Evaluating state-space abstractions in
extensive-form games
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.equity import MAX_STRENGTH, Strengths, fill_river_strengths
from acpcbot.abstraction.kmeans import Points
from acpcbot.cards.combos import NUM_COMBOS
from acpcbot.cards.strength import Cards
from acpcbot.jit import kernel

NUM_THRESHOLDS = 48
NUM_BINS = NUM_THRESHOLDS + 1


class StrengthHistograms:
    """Hands on boards of *board_size* cards, 3 or 4, as points for k-means."""

    power = 1
    num_dimensions = NUM_THRESHOLDS

    def __init__(self, board_size: int) -> None:
        self.board_size = board_size

    def fill(self, board: Cards, points: Points) -> None:
        """Write the point of every combo on *board* into *points*."""
        fill_histograms(board, points)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return none: nothing about them is chosen."""
        return {}


@kernel
def fill_histograms(board: Cards, histograms: Points) -> None:
    """Write how many run-outs of *board* lift every combo over each threshold.

    *board* has three or four cards.
    """
    river, strengths = np.empty(5, np.uint8), np.empty(NUM_COMBOS, np.uint16)
    num_board = len(board)
    river[:num_board] = board
    dead = np.zeros(52, np.bool_)
    for card in board:
        dead[card] = True
    histograms[:] = 0
    # All hands of one river at once, because a river's strengths come sorted for all of them.
    for last in range(52):
        if dead[last]:
            continue
        river[4] = last
        if num_board == 4:
            _count_river(river, strengths, histograms)
        for turn in range(last if num_board == 3 else 0):
            if not dead[turn]:
                river[3] = turn
                _count_river(river, strengths, histograms)
    _add_up(histograms)


@kernel
def _count_river(river: Cards, strengths: Strengths, counts: Points) -> None:
    """Count every combo at the highest threshold that it reaches on *river*."""
    fill_river_strengths(river, strengths)
    # One counter a river and combo; the counts below it are added once, at the end.
    for combo in range(np.uint64(NUM_COMBOS)):
        strength = np.uint32(strengths[combo])
        if strength <= MAX_STRENGTH:
            reached = np.uint64(strength * np.uint32(NUM_BINS) // np.uint32(MAX_STRENGTH + 1))
            if reached:
                counts[combo, reached - np.uint64(1)] += np.uint16(1)


@kernel
def _add_up(counts: Points) -> None:
    """Turn counts at the highest threshold reached into counts of all thresholds reached."""
    # Sums from the right, along the 96 bytes of a combo.
    for combo in range(np.uint64(NUM_COMBOS)):
        for below_last in range(np.uint64(1), np.uint64(NUM_THRESHOLDS)):
            threshold = np.uint64(NUM_THRESHOLDS - 1) - below_last
            counts[combo, threshold] += counts[combo, threshold + np.uint64(1)]
