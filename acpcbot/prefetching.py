"""Hints to the processor: which row of a table will be needed soon.

A load from a table that no cache holds takes as long as hundreds of operations. The processor
starts such loads ahead of time by itself where it can tell their addresses: in a loop over rows it
can, along a path through a tree, where each choice hangs on the row before, it cannot.
``prefetch(table, row)`` starts one, and the kernel goes on at once. It pays where a kernel knows a
few rows that it will probably read, some ten nanoseconds before it does, and where those rows are
seldom in a cache. Otherwise it costs a little. It never changes a result.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from acpcbot.arrays import KernelArray, Number

# numba has no types of its own for a checker.
_cgutils: Any = cgutils
_intrinsic: Any = intrinsic
_overload: Any = overload
_ir: Any = _cgutils.ir

LINE_BYTES = 64
"""What one hint fetches: a line of the cache, of most processors."""

# Arguments of LLVM's instruction: to be read, kept in every cache, data and no instructions. The
# hint of a write to come ("prefetchw") was as fast where one thread works, but takes the line away
# from other threads, even where the row is not visited in the end.
_READ, _KEPT, _DATA = 0, 3, 1


def prefetch(table: KernelArray, row: Number) -> None:
    """Begin to fetch the first line of ``table[row]``; in plain Python, do nothing.

    A *row* beyond the table's end does no harm.
    """


def _prefetch(_context: Any, table: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = context.cast(builder, values[1], signature.args[1], types.intp)
        own = context.make_array(table)(context, builder, values[0])
        places = [place] + [_ir.Constant(place.type, 0)] * (table.ndim - 1)
        pointer = _cgutils.get_item_pointer(context, builder, table, own, places)
        address = builder.bitcast(pointer, _cgutils.voidptr_t)
        number = _ir.IntType(32)
        hint = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [address.type],
            _ir.FunctionType(_ir.VoidType(), [address.type, number, number, number]),
        )
        builder.call(hint, [address, *(_ir.Constant(number, n) for n in (_READ, _KEPT, _DATA))])
        return context.get_dummy_value()

    return types.none(table, row), generate


_begin_fetch = _intrinsic(_prefetch)


def _prefetch_in_kernels(_table: Any, _row: Any) -> Any:
    def begin(table: Any, row: Any) -> Any:
        return _begin_fetch(table, row)

    return begin


_overload(prefetch, strict=False)(_prefetch_in_kernels)
