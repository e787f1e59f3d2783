"""Probabilities in whole steps, and choices of one action in two bits each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

WHOLE = 255
ACTIONS_PER_BYTE = 4


def to_bytes(probabilities: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    """Probabilities [..., action] in steps of 1/255; see ``to_steps``.

    >>> to_bytes(np.array([[1 / 3, 1 / 3, 1 / 3], [0.001, 0.0, 0.999]])).tolist()
    [[85, 85, 85], [0, 0, 255]]
    """
    return to_steps(probabilities, WHOLE).astype(np.uint8)


def to_steps(probabilities: NDArray[np.floating[Any]], whole: int) -> NDArray[np.int64]:
    """Probabilities [..., action] in steps of 1/*whole*, so rounded that each information set sums to *whole*.

    The steps that rounding down leaves over go to the largest remainders, the first among
    equals. No probability is off by a whole step.
    """
    scaled = whole * np.asarray(probabilities, np.float64)
    steps = np.floor(scaled)
    num_left = whole - steps.sum(axis=-1, keepdims=True)
    order = np.argsort(steps - scaled, axis=-1, kind="stable")
    turns = np.argsort(order, axis=-1, kind="stable")
    rounded: NDArray[np.int64] = (steps + (turns < num_left)).astype(np.int64)
    return rounded


def packed_actions(actions: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    """Action indices below four, of any shape, packed in row order: the first in the lowest bits of a byte."""
    padded = np.zeros(-(-actions.size // ACTIONS_PER_BYTE) * ACTIONS_PER_BYTE, np.uint8)
    padded[: actions.size] = actions.reshape(-1)
    first, second, third, fourth = padded.reshape(-1, ACTIONS_PER_BYTE).T
    return (first | second << 2 | third << 4 | fourth << 6).astype(np.uint8, copy=False)


def unpacked_actions(packed: NDArray[np.uint8], places: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    """The action indices at *places* in row order.

    >>> unpacked_actions(packed_actions(np.array([2, 0, 1, 2, 1])), np.arange(5)).tolist()
    [2, 0, 1, 2, 1]
    """
    shifts = (2 * (places % ACTIONS_PER_BYTE)).astype(np.uint8)
    actions: NDArray[np.uint8] = packed[places // ACTIONS_PER_BYTE] >> shifts & np.uint8(3)
    return actions
