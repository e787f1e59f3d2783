"""``any_strength`` as one kernel, compiled once for all that call it."""

from __future__ import annotations

from acpcbot.arrays import Bytes
from acpcbot.cards.any_strength import strength_of_first
from acpcbot.jit import kernel


@kernel(signature="int64(uint8[:], int64)")
def any_strength(cards: Bytes, count: int) -> int:
    """Return the showdown strength of the first *count* of *cards*."""
    # Shared functions are compiled again for each kernel that calls them; behind this signature
    # they are compiled once.
    return strength_of_first(cards, count)  # type: ignore[arg-type]
