"""Sets of small whole numbers as bits of one number: hands of cards, and what is left of a deck."""

from __future__ import annotations

from math import frexp

from acpcbot.jit import shared


@shared
def nth_member(members: int, index: int) -> int:
    """The member of rank *index*, from zero, in ascending order."""
    left = members
    for _ in range(index):
        left &= left - 1
    # The exponent of the lowest bit that is left.
    return frexp(float(left & -left))[1] - 1
