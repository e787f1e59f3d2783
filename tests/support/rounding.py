"""Two computations of the same thing, which may differ in their rounding and in nothing else.

Sums in another order, or by another processor's kernels, differ in the last bits. Whatever is
no float has to be equal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

RELATIVE, ABSOLUTE = 1e-9, 1e-12


def same_but_rounding(one: object, other: object) -> bool:
    """Return True if two values of JSON are alike, but for rounding of floats."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(
            same_but_rounding(one[key], other[key]) for key in one
        )
    if isinstance(one, Sequence) and isinstance(other, Sequence) and not isinstance(one, str):
        return len(one) == len(other) and all(map(same_but_rounding, one, other))
    return type(one) is type(other) and one == other
