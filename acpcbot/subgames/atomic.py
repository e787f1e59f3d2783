"""Operations for kernels whose threads share an array: atomic ones, and those of a waiting loop."""

from __future__ import annotations

import platform
import sys
from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic

# numba has no types of its own for a checker.
_cgutils: Any = cgutils
_intrinsic: Any = intrinsic
_ir: Any = _cgutils.ir

_X86 = ("x86_64", "amd64")


def _pointer(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Return the pointer to the place [second argument] of the array [first argument]."""
    kind, index = signature.args[:2]
    own = context.make_array(kind)(context, builder, values[0])
    number = context.cast(builder, values[1], index, types.intp)
    return _cgutils.get_item_pointer(context, builder, kind, own, [number])


def _fetch_and_add(_context: Any, array: Any, place: Any, amount: Any) -> Any:
    """Add *amount* to ``array[place]`` [int64] at once, and return what was there before."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = _pointer(context, builder, signature, values)
        added = context.cast(builder, values[2], signature.args[2], types.int64)
        return builder.atomic_rmw("add", pointer, added, "seq_cst")

    return types.int64(array, place, amount), generate


def _load(_context: Any, array: Any, place: Any) -> Any:
    """Return ``array[place]`` [int64] as other threads have left it."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load_atomic(_pointer(context, builder, signature, values), "seq_cst", 8)

    return types.int64(array, place), generate


def _pause(_context: Any) -> Any:
    """Tell the processor that a loop waits, so that the core's other thread gets more of it."""

    def generate(context: Any, builder: Any, _signature: Any, _values: Any) -> Any:
        if platform.machine().lower() in _X86:
            kind = _ir.FunctionType(_ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), kind), [])
        return context.get_dummy_value()

    return types.none(), generate


def _yield_time_slice(_context: Any) -> Any:
    """Let another thread have the core."""

    def generate(context: Any, builder: Any, _signature: Any, _values: Any) -> Any:
        kind = _ir.FunctionType(_ir.IntType(32), [])
        name = "SwitchToThread" if sys.platform == "win32" else "sched_yield"
        builder.call(_cgutils.get_or_insert_function(builder.module, kind, name), [])
        return context.get_dummy_value()

    return types.none(), generate


fetch_and_add = _intrinsic(_fetch_and_add)
load = _intrinsic(_load)
pause = _intrinsic(_pause)
yield_time_slice = _intrinsic(_yield_time_slice)
