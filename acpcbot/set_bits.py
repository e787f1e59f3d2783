"""The set bit of a given rank in a number, by one instruction where the processor has it.

A walk over the set bits ends after a number of steps that no processor foresees, and random
playouts of Goofspiel take three a trick. ``pdep`` (x86 with BMI2) puts a single one at the set bit
of the rank that is asked for; for other processors kernels walk, as plain Python does.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.core.registry import cpu_target
from numba.extending import intrinsic, overload

# The compiler's own functions have no types.
_cgutils: Any = cgutils
_ir: Any = _cgutils.ir
_cpu_target: Any = cpu_target
_intrinsic: Any = intrinsic
_overload: Any = overload


def nth_set_bit(bits: int, rank: int) -> int:
    """Return the number of the set bit of *rank* in *bits*, from zero, in ascending order."""
    left = int(bits)
    for _ in range(rank):
        left &= left - 1
    return (left & -left).bit_length() - 1


def _with_deposit(_context: Any, _bits: Any, _rank: Any) -> Any:
    """Return the type and the code of the answer by ``pdep``."""

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        word = _ir.IntType(64)
        one = builder.shl(_ir.Constant(word, 1), values[1])
        kind = _ir.FunctionType(word, [word, word])
        deposit = _cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
        return _trailing_zeros(builder, builder.call(deposit, [one, values[0]]))

    return types.int64(types.int64, types.int64), generate


def _of_lowest(_context: Any, _bits: Any) -> Any:
    """Return the type and the code of the number of the lowest set bit."""

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return _trailing_zeros(builder, values[0])

    return types.int64(types.int64), generate


def _trailing_zeros(builder: Any, bits: Any) -> Any:
    return builder.cttz(bits, _ir.Constant(_ir.IntType(1), 0))


_deposited: Any = _intrinsic(_with_deposit)
_lowest: Any = _intrinsic(_of_lowest)


def _nth_set_bit_in_kernels(_bits: Any, _rank: Any) -> Any:
    def deposit(_bits: Any, _rank: Any) -> Any:
        return _deposited(_bits, _rank)

    def walk(_bits: Any, _rank: Any) -> Any:
        left = _bits
        for _ in range(_rank):
            left &= left - 1
        return _lowest(left)

    # What the compiler may use is the processor that it compiles for, as a user may have set it.
    features = _cpu_target.target_context.codegen()._tm_features.split(",")
    return deposit if "+bmi2" in features else walk


_overload(nth_set_bit, strict=False)(_nth_set_bit_in_kernels)
