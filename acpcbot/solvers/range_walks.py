"""A walk through a ``RangeGame`` for one seat: its root's street, and by several threads what lies beyond."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import numpy as np

from acpcbot.arrays import AnyArray
from acpcbot.solvers.range_game import RangeGame
from acpcbot.solvers.range_mind import NUM_SEATS, Mind, Scratch
from acpcbot.solvers.range_sweeps import average_orbits, close_part, open_part, sweep_boards

Beyond = Callable[[AnyArray], AnyArray]
"""From the reaches [part, seat, hand] of what follows the root's part to the traverser's values of it [part, hand]."""


def root_values(game: RangeGame, mind: Mind, ranges: AnyArray, scratch: Scratch, beyond: Beyond) -> AnyArray:
    """The traverser's values of the root's hands, [hand], where *ranges* [seat, hand] come in."""
    boards, betting = game.boards.arrays, game.betting
    num_below, num_hands = int(betting.first_parts[1] - betting.first_parts[0]), ranges.shape[1]
    below, values = np.zeros((num_below, num_hands), ranges.dtype), np.empty(num_hands, ranges.dtype)
    if num_below:
        above = np.empty((num_below, NUM_SEATS, num_hands), ranges.dtype)
        open_part(betting, boards, mind, scratch, 0, 0, ranges, above)
        below = beyond(above)
    close_part(betting, boards, mind, scratch, 0, 0, ranges, below, values)
    return values


def values_beyond(
    game: RangeGame,
    mind: Mind,
    above: AnyArray,
    chunks: Sequence[tuple[int, int]],
    scratches: Sequence[Scratch],
    threads: ThreadPoolExecutor,
    on_chunk: Callable[[int], None] | None = None,
) -> AnyArray:
    """What ``Beyond`` says if the game is gone through to its end.

    *chunks* are the boards of the second street in pieces, gone through by as many *threads*
    as there are *scratches*; *on_chunk* hears how many pieces are done. What the pieces come
    to is added up in their order.
    """
    below = np.zeros((len(above), above.shape[2]), above.dtype)
    free = SimpleQueue[Scratch]()
    for scratch in scratches:
        free.put(scratch)

    def add(chunk: tuple[int, int]) -> AnyArray:
        own, scratch = np.zeros_like(below), free.get()
        sweep_boards(game.betting, game.boards.arrays, mind, scratch, chunk, above, own)
        free.put(scratch)
        return own

    for done, own in enumerate(threads.map(add, chunks), 1):
        below += own
        if on_chunk is not None:
            on_chunk(done)
    average_orbits(game.boards.arrays, 0, below)
    return below
