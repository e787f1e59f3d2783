"""``any_strength`` for kernels: compiled once, whoever calls it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.cards.any_strength import strength_of_first
from acpcbot.jit import kernel


@kernel(signature="int64(uint8[:], int64)")
def any_strength(cards: NDArray[np.uint8], count: int) -> int:
    """The showdown strength of the first *count* of *cards*."""
    return strength_of_first(cards, count)  # type: ignore[arg-type]
