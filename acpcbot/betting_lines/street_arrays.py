"""The betting of one street as its kernels read it, and the room that they work in.

All vectors are [hand, lane], flat, sixteen lanes wide.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.aligned_arrays import aligned_zeros
from acpcbot.arrays import AnyArray, Ints
from acpcbot.betting_lines.lines import BlockPlan
from acpcbot.wide_lanes import WIDTH

TILE = 48
"""The hands of a tile. With 16 a board took 1.25 times as long on a Zen 4: all vectors of ``backward``
begin anew with each tile. With 96 to 192 it takes 0.96 of the time, and learners, who have a tile for
each chunk, take more memory."""
RESPOND, CHOOSE, PLAY, LEARN = range(4)
ZERO, ONE, WIDE = np.uint64(0), np.uint64(1), np.uint64(WIDTH)


class StreetArrays(NamedTuple):
    """The betting of one street for one responder.

    ``chips``   [chunk, row * lane]; ``policy``, ``own`` [chunk, bucket * slot * lane] are the
    opponent's and the responder's strategies; ``num_slots``, ``num_own`` their slots of a block.
    ``policy`` may be unsigned integers, of which the largest is 1. RESPOND needs no ``own``.
    ``mode`` is RESPOND, CHOOSE, PLAY or LEARN. CHOOSE fills ``own`` with the best actions; LEARN
    adds up ``gains``, in the shape of ``own``: the values of the responder's actions.
    """

    plan: BlockPlan
    chips: AnyArray
    policy: AnyArray
    own: AnyArray
    num_slots: int
    num_own: int
    mode: int
    gains: AnyArray


class LineScratch(NamedTuple):
    """Room for one chunk on one board; flat arrays.

    ``reaches`` [class, hand, lane], ``values`` [end, hand, lane], ``sums`` [class, card, lane],
    ``totals`` [class, lane], ``has`` [class], ``tile`` [node, hand of a tile, lane] with a place
    for one more, ``root`` [hand, lane], ``spare`` [hand or card, lane] in place of the
    vectors of a walk's showdowns that are missing, ``held`` [place] the hands that reach class 0 in
    some lane, ascending, and ``num_held`` [1] their number. Reaches of all other hands are zero:
    ``forward`` clears those of hands that are held no more, so that all boards of a room must have
    the same number of hands.
    """

    reaches: AnyArray
    values: AnyArray
    sums: AnyArray
    totals: AnyArray
    has: Ints
    tile: AnyArray
    root: AnyArray
    spare: AnyArray
    held: Ints
    num_held: Ints


def line_scratch(
    plan: BlockPlan, num_hands: int, num_cards: int, dtype: type[np.floating]
) -> LineScratch:
    """Return room for the blocks of a *plan*."""
    vector = num_hands * WIDTH
    return LineScratch(
        aligned_zeros(plan.num_classes * vector, dtype),
        aligned_zeros(len(plan.ends) * vector, dtype),
        aligned_zeros(plan.num_classes * num_cards * WIDTH, dtype),
        aligned_zeros(plan.num_classes * WIDTH, dtype),
        aligned_zeros(plan.num_classes, np.int64),
        aligned_zeros((len(plan.nodes) + 1) * TILE * WIDTH, dtype),
        aligned_zeros(vector, dtype),
        aligned_zeros(vector + num_cards * WIDTH, dtype),
        aligned_zeros(num_hands, np.int64),
        aligned_zeros(1, np.int64),
    )
