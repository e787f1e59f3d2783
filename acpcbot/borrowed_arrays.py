"""Arrays without a count of references, for the inner loops of kernels.

A compiled function that is given an array counts a reference on its way in and out, by two atomic
instructions, unless it has one way out. The rules of a game have many, and are called at every
move: half of the time of random playouts in Goofspiel went into counting. ``borrowed`` is the same
memory without a counter, so there is nothing to count.

The memory must outlive the borrowed array: borrow what the caller of the kernel owns.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.core.imputils import impl_ret_untracked
from numba.extending import intrinsic, overload

from acpcbot.arrays import KernelArray

# numba's own functions have no types.
_cgutils: Any = cgutils
_untracked: Any = impl_ret_untracked
_intrinsic: Any = intrinsic
_overload: Any = overload


def borrowed(array: KernelArray) -> KernelArray:
    """Return *array* without a count of references; in plain Python, *array* itself."""
    return array


def _without_counter(_context: Any, array: Any) -> Any:
    """Return the struct of *array* with null where the pointer to its counter stands."""

    def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        struct = _cgutils.create_struct_proxy(array)(context, builder, value=values[0])
        struct.meminfo = _cgutils.get_null_value(struct.meminfo.type)
        return _untracked(context, builder, array, struct._getvalue())

    return array(array), generate


_uncounted: Any = _intrinsic(_without_counter)


def _borrowed_in_kernels(array: Any) -> Any:
    return (lambda array: _uncounted(array)) if isinstance(array, types.Array) else None


_overload(borrowed, strict=False)(_borrowed_in_kernels)
