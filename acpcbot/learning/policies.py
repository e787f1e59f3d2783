"""Policies in one byte a slot, as players read them, from the weights that learners store.

Probabilities are uint8 [slot] in the layout of the game (``trees/infosets.py``), in steps of 1/255
or larger ones: each information set has the sum 255. Weights, visits and means are [slot], of any
type and spacing, so that one column of a learner's statistics is read where it lies, street by
street, and never copied.

Kernels take a street in one pass. *counts* [node] are the numbers of actions of its nodes in order,
*kinds* uint8 [node] the actions of a limit game's as bits. The rows of all buckets follow each
other, and each has the same nodes: so at every place a kernel knows how many slots the next
information set has. Numbers of information sets go the same way, [bucket, node] in row order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import AnyArray, Bytes, Number
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.trees.bet_menu import MAX_SIZES
from acpcbot.trees.infosets import BucketGame
from acpcbot.trees.public_tree import LIMIT_INFO, AbstractGame, info_kinds, info_street, num_actions

WHOLE = 255

ZERO: Number = np.uint64(0)
ONE: Number = np.uint64(1)


def byte_probabilities(weights: AnyArray, game: BucketGame, steps: int = WHOLE) -> Bytes:
    """Return probabilities in proportion to *weights* (none negative), in *steps* of 1/steps.

    Uniform where an information set has none. No probability is off by a whole step. An average
    strategy, N(u, a) of UCT or a strategy sum are such weights. Raises UsageError where *steps* are
    not whole bytes.
    """
    if steps < 1 or WHOLE % steps:
        raise UsageError(f"probabilities in {steps} steps", f"expected a divisor of {WHOLE}")
    probabilities = np.empty(game.layout.num_slots, np.uint8)
    for counts, slots in _street_counts(game):
        fill_byte_probabilities(counts, weights[slots], probabilities[slots], steps)
    return probabilities


def greedy_actions(visits: AnyArray, means: AnyArray, game: AbstractGame) -> Bytes:
    """Return the legal action (by index) with the highest mean among those visited, [infoset].

    A call if none was.

    Information sets are numbered street after street, on each by bucket and node.
    """
    actions = np.empty(game.layout.num_infosets, np.uint8)
    for kinds, slots, infosets in _streets(game):
        fill_greedy_actions(kinds, visits[slots], means[slots], actions[infosets])
    return actions


def pure_probabilities(actions: Bytes, game: AbstractGame) -> Bytes:
    """Return the policy that takes *actions* [infoset], as ``greedy_actions`` numbers them."""
    probabilities = np.empty(game.layout.num_slots, np.uint8)
    for kinds, slots, infosets in _streets(game):
        fill_pure_probabilities(kinds, actions[infosets], probabilities[slots])
    return probabilities


def greedy_probabilities(visits: AnyArray, means: AnyArray, game: AbstractGame) -> Bytes:
    """Return the policy that takes the ``greedy_actions``."""
    return pure_probabilities(greedy_actions(visits, means, game), game)


def is_policy(probabilities: Bytes, game: BucketGame) -> bool:
    """Return True if *probabilities* fit *game* and every information set has the sum 255."""
    if probabilities.dtype != np.uint8 or probabilities.shape != (game.layout.num_slots,):
        return False
    return all(
        sums_are_whole(counts, probabilities[slots]) for counts, slots in _street_counts(game)
    )


def _street_counts(game: BucketGame) -> Iterator[tuple[NDArray[np.int32], slice]]:
    """Of each street the numbers of its nodes' actions, and its slots."""
    first_slot = 0
    for street, num_buckets in enumerate(game.num_buckets):
        end_slot = first_slot + num_buckets * int(game.layout.row_widths[street])
        yield game.tree.street_nodes(street)[1], slice(first_slot, end_slot)
        first_slot = end_slot


def _streets(game: AbstractGame) -> Iterator[tuple[Bytes, slice, slice]]:
    """Of each street the legal actions of its nodes, its slots and its information sets."""
    info: Any = game.tree.nodes[
        :, LIMIT_INFO
    ]  # the functions of a record's numbers take whole columns as well
    streets: Any = info_street(info)
    kinds: Any = info_kinds(info)
    first_infoset = 0
    for street, (_, slots) in enumerate(_street_counts(game)):
        street_kinds = kinds[streets == street].astype(np.uint8)
        end_infoset = first_infoset + game.num_buckets[street] * len(street_kinds)
        yield street_kinds, slots, slice(first_infoset, end_infoset)
        first_infoset = end_infoset


@kernel
def fill_byte_probabilities(
    counts: AnyArray, weights: AnyArray, probabilities: Bytes, num_steps: int
) -> None:
    """Write *weights* in *num_steps* steps, each information set with the sum 255.

    Uniform where all weights are 0. The steps that rounding down leaves over go to the largest
    remainders, the first among equals.
    """
    # Room for the largest node of any menu, allotted once.
    remainders = np.zeros(MAX_SIZES + 2)
    slot, step = ZERO, np.uint8(WHOLE // num_steps)
    while slot < np.uint64(len(probabilities)):
        for node in range(np.uint64(len(counts))):
            end = slot + np.uint64(counts[node])
            total = 0.0
            for place in range(slot, end):
                total += np.float64(weights[place])
            # Largest remainder method: round down, then hand the rest out one step at a time.
            left = num_steps
            for place in range(slot, end):
                share = (
                    np.float64(weights[place]) / total
                    if total > 0
                    else 1.0 / np.float64(end - slot)
                )
                steps = int(num_steps * share)
                probabilities[place] = np.uint8(steps) * step
                remainders[place - slot] = num_steps * share - steps
                left -= steps
            # At most one step for each action is left over; nodes are too small to be sorted.
            for _ in range(left):
                largest = ZERO
                for action in range(ONE, end - slot):
                    if remainders[action] > remainders[largest]:
                        largest = action
                probabilities[slot + largest] += step
                remainders[largest] = -1.0
            slot = end


@kernel
def fill_greedy_actions(kinds: AnyArray, visits: AnyArray, means: AnyArray, actions: Bytes) -> None:
    """Write the index of the visited action with the highest mean, the first among equals.

    That of the call if no action was visited.
    """
    slot = ZERO
    infoset = ZERO
    while infoset < np.uint64(len(actions)):
        for node in range(np.uint64(len(kinds))):
            count = np.uint64(num_actions(kinds[node]))
            # A call comes first, or second after a fold.
            best, highest = np.uint64(kinds[node]) & ONE, -np.inf
            for action in range(count):
                if visits[slot + action] > 0 and np.float64(means[slot + action]) > highest:
                    best, highest = action, np.float64(means[slot + action])
            actions[infoset] = best
            infoset += ONE
            slot += count


@kernel
def fill_pure_probabilities(kinds: AnyArray, actions: Bytes, probabilities: Bytes) -> None:
    """Write 255 for the one action of *actions* [infoset], and 0 for all others."""
    slot = ZERO
    infoset = ZERO
    # Slots are written once, in the order of memory.
    while infoset < np.uint64(len(actions)):
        for node in range(np.uint64(len(kinds))):
            count = np.uint64(num_actions(kinds[node]))
            for action in range(count):
                probabilities[slot + action] = WHOLE if action == np.uint64(actions[infoset]) else 0
            infoset += ONE
            slot += count


@kernel
def sums_are_whole(counts: AnyArray, probabilities: Bytes) -> bool:
    """Return True if every information set has the sum 255."""
    slot = ZERO
    while slot < np.uint64(len(probabilities)):
        for node in range(np.uint64(len(counts))):
            end = slot + np.uint64(counts[node])
            total = ZERO
            for place in range(slot, end):
                total += np.uint64(probabilities[place])
            if total != WHOLE:
                return False
            slot = end
    return True
