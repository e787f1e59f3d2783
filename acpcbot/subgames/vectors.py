"""Elementwise kernels on vectors over the hands of a board.

Plain loops throughout: they are vectorised and allocate nothing. A slice expression would allocate
a temporary, and a slice assignment such as ``target[:] = source`` took nine times as long as a loop
(0.37 microseconds against 0.04 for 1,081 float32), for it checks shapes and overlap first.
"""

from __future__ import annotations

from acpcbot.arrays import AnyArray
from acpcbot.jit import kernel


@kernel
def copy_vector(source: AnyArray, target: AnyArray) -> None:
    """Fill *target* with *source*."""
    for hand in range(len(target)):
        target[hand] = source[hand]


@kernel
def clear_vector(target: AnyArray) -> None:
    """Fill *target* with zeros."""
    for hand in range(len(target)):
        target[hand] = 0


@kernel
def add_vector(source: AnyArray, target: AnyArray) -> None:
    """Add *source* to *target*."""
    for hand in range(len(target)):
        target[hand] += source[hand]


@kernel
def multiply(one: AnyArray, other: AnyArray, product: AnyArray) -> None:
    """Fill *product* with the elementwise product of two vectors."""
    for hand in range(len(one)):
        product[hand] = one[hand] * other[hand]


@kernel
def best_values(action_values: AnyArray, node_values: AnyArray) -> None:
    """Fill *node_values* [hand] with the largest of *action_values* [action, hand]."""
    # The best action is taken hand by hand, since the traverser knows its own cards.
    copy_vector(action_values[0], node_values)
    for choice in range(1, len(action_values)):
        action_value = action_values[choice]
        for hand in range(len(node_values)):
            node_values[hand] = max(node_values[hand], action_value[hand])


@kernel
def mean_values(action_values: AnyArray, strategy: AnyArray, node_values: AnyArray) -> None:
    """Fill *node_values* [hand] with the mean of *action_values* under *strategy*.

    Both are [action, hand].
    """
    # v(I) = sum over a of s(I, a) v(I, a), one action's row at a time as above.
    clear_vector(node_values)
    for choice in range(len(action_values)):
        action_value, probability = action_values[choice], strategy[choice]
        for hand in range(len(node_values)):
            node_values[hand] += action_value[hand] * probability[hand]
