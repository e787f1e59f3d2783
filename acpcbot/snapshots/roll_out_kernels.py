"""What a plan's rows and ends are worth to many hands at once, on one board.

Hands stand for their groups: ``strategy`` float32 [slot, hand] is what each does, and the
chooser does it in several ways, [continuation].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32, Ints, Number
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, below
from acpcbot.snapshots.roll_out_plans import ACTOR, FIRST_ROW, FIRST_SLOT, NUM_CHOICES, PARENT_ROW

# A number in a kernel: what numba makes of numpy's numbers is beyond mypy.

ZERO, ONE = np.float32(0), np.float32(1)


@kernel
def draw_hands(random_state: RandomState, members: Ints, starts: Ints, free: NDArray[np.bool_], hands: Ints) -> None:
    """One of the *free* hands of each group, each as likely, into *hands* [group]; -1 where there is none."""
    for group in range(len(hands)):
        count = 0
        for place in range(starts[group], starts[group + 1]):
            count += free[members[place]]
        wanted = np.int64(below(random_state, count)) if count else 0
        hands[group] = -1
        for place in range(starts[group], starts[group + 1]):
            if free[members[place]]:
                if wanted == 0:
                    hands[group] = members[place]
                wanted -= 1


@kernel
def fill_rows(
    decisions: Ints,
    kinds: Ints,
    factors: Floats32,
    strategies: Floats32,
    own: Floats32,
    chosen: Floats32,
) -> None:
    """How likely both seats do what their rows say: *own* [row, hand], *chosen* [row, continuation, hand].

    *strategies* are [seat, slot, hand]. In a continuation the chances of an action are multiplied by
    one of *factors* [continuation, kind], and divided by what they come to then.
    """
    own[0], chosen[0] = 1, 1
    num_hands = own.shape[1]
    totals = np.empty(num_hands, np.float32)
    for decision in decisions:
        first, slot, count = decision[FIRST_ROW], decision[FIRST_SLOT], decision[NUM_CHOICES]
        if decision[ACTOR] == 0:
            for choice in range(count):
                _multiply(own[decision[PARENT_ROW]], strategies[0, slot + choice], ONE, own[first + choice])
            continue
        for way in range(len(factors)):
            totals[:] = 0
            for choice in range(count):
                _add_product(strategies[1, slot + choice], factors[way, kinds[slot + choice]], totals)
            parent = chosen[decision[PARENT_ROW], way]
            for hand in range(num_hands):
                totals[hand] = parent[hand] / totals[hand] if totals[hand] > 0 else ZERO
            for choice in range(count):
                factor = factors[way, kinds[slot + choice]]
                _multiply(totals, strategies[1, slot + choice], factor, chosen[first + choice, way])


@kernel
def _multiply(one: Floats32, other: Floats32, factor: Number, product: Floats32) -> None:
    for hand in range(len(product)):
        product[hand] = one[hand] * other[hand] * factor


@kernel
def _add_product(values: Floats32, factor: Number, totals: Floats32) -> None:
    for hand in range(len(totals)):
        totals[hand] += values[hand] * factor


@kernel
def gather_ends(ends: Ints, chips: Floats32, own: Floats32, chosen: Floats32, ours: Floats32, theirs: Floats32) -> int:
    """The factors of the matrix product that is all *ends* [end, 2] together, by the rows of the other seat.

    *ours* [row, hand] and *theirs* [row, continuation, hand]: the other's chances, and those of the
    chooser times the *chips* of the ends there. Returns how many rows there are.
    """
    num_rows, last = 0, -1
    for end in range(len(ends)):
        if ends[end, 0] != last:
            last = ends[end, 0]
            ours[num_rows], theirs[num_rows] = own[last], 0
            num_rows += 1
        for way in range(theirs.shape[1]):
            _add_product(chosen[ends[end, 1], way], chips[end], theirs[num_rows - 1, way])
    return num_rows


@kernel
def add_results(
    showing: Floats32,
    folding: Floats32,
    chips: Number,
    weights: Floats32,
    controls: Floats32,
    sums: Floats32,
    products: NDArray[np.float64],
) -> None:
    """Add what is won beyond equity, by *showing* and *folding* [hand, continuation, hand], to *sums*.

    *sums* are [continuation, hand, hand], *weights* those of the pairs, [hand, hand]. Of *controls* [control,
    hand, hand] the first says who shows the better hand; *products* [continuation, control] are the sums of
    the results times each control.
    """
    for hand in range(showing.shape[0]):
        for way in range(showing.shape[1]):
            for control in range(len(controls)):
                products[way, control] += _weighted(
                    showing[hand, way],
                    folding[hand, way],
                    chips,
                    weights[hand],
                    controls[0, hand],
                    controls[control, hand],
                )
            for other in range(showing.shape[2]):
                won = controls[0, hand, other] * (showing[hand, way, other] - chips) + folding[hand, way, other]
                sums[way, hand, other] += weights[hand, other] * won


@kernel
def _weighted(
    showing: Floats32, folding: Floats32, chips: Number, weights: Floats32, signs: Floats32, control: Floats32
) -> Number:
    total = ZERO
    for other in range(len(weights)):
        total += weights[other] * (signs[other] * (showing[other] - chips) + folding[other]) * control[other]
    return total
