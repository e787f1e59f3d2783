"""Atomic operations for kernels whose threads share an array."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic

# numba has no types of its own for a checker.
_cgutils: Any = cgutils
_intrinsic: Any = intrinsic


def _fetch_and_add(_context: Any, array: Any, place: Any, amount: Any) -> Any:
    """Add *amount* to ``array[place]`` [int64] at once, and return what was there before."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind, index, added = signature.args
        own = context.make_array(kind)(context, builder, values[0])
        number = context.cast(builder, values[1], index, types.intp)
        pointer = _cgutils.get_item_pointer(context, builder, kind, own, [number])
        return builder.atomic_rmw(
            "add", pointer, context.cast(builder, values[2], added, types.int64), "seq_cst"
        )

    return types.int64(array, place, amount), generate


fetch_and_add = _intrinsic(_fetch_and_add)
