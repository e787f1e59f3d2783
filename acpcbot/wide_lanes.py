"""Sixteen numbers side by side in registers of the processor, in the precision of their array.

``load_wide(array, first)`` reads sixteen elements of a flat float array that follow one another,
``load_shares(array, first, like)`` sixteen shares of one as numbers of the type of the array *like*:
of an array of that type as they are, of unsigned integers in steps of 1 over the largest one,
``store_wide(array, first, numbers)`` writes them, ``wide_zeros(array)`` are sixteen zeros and
``spread(array, number)`` sixteen times one number. ``+``, ``-``, ``*`` and ``/`` work lane by lane,
and so do ``larger(one, other)``, ``if_positive(numbers, one, other)``, which is *one* where
*numbers* are above zero and *other* elsewhere, and ``multiply_add(one, other, sums)``, which is one * other + sums with
one rounding where the processor can do that in one instruction; ``any_positive(numbers)`` tells
whether one of them is above zero.

``lanes.py`` has eight numbers, always in float64. Here float32 stays float32: twice as many numbers
fit a register, and half as many bytes go through the caches. Kernels alone can call these.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.extending import intrinsic, overload, register_model

# numba has no types of its own for a checker.
_cgutils: Any = cgutils
_intrinsic: Any = intrinsic
_overload: Any = overload
_ir: Any = _cgutils.ir
_Type: Any = types.Type
_PrimitiveModel: Any = models.PrimitiveModel

WIDTH = 16


class WideType(_Type):  # type: ignore[misc]
    """The type of sixteen numbers of one *element* type, float32 or float64."""

    def __init__(self, element: Any) -> None:
        self.element = element
        super().__init__(name=f"Wide({element})")


class WideModel(_PrimitiveModel):  # type: ignore[misc]
    """One value of the processor, a vector."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _vector(kind.element))


def _vector(element: Any) -> Any:
    """Return the processor's type of sixteen numbers of type *element*."""
    return _ir.VectorType(_ir.FloatType() if element == types.float32 else _ir.DoubleType(), WIDTH)


def _pointer(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    """Return the pointer to sixteen elements of a flat *array* of type *kind* from *place* on."""
    own = context.make_array(kind)(context, builder, array)
    pointer = builder.gep(own.data, [place], inbounds=True)
    return builder.bitcast(pointer, _vector(kind.dtype).as_pointer())


def _alignment(kind: Any) -> int:
    """Return the bytes of an element: vectors begin anywhere."""
    return 4 if kind.dtype == types.float32 else 8


def _load_wide(_context: Any, array: Any, first: Any) -> Any:
    """Return the sixteen elements of a flat *array* from *first* on."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = context.cast(builder, values[1], signature.args[1], types.intp)
        pointer = _pointer(context, builder, array, values[0], place)
        return builder.load(pointer, align=_alignment(array))

    return WideType(array.dtype)(array, first), generate


def _load_shares(_context: Any, array: Any, first: Any, like: Any) -> Any:
    """Return the sixteen shares of a flat *array* from *first* on, in the type of *like*."""
    if array.dtype == like.dtype:
        return WideType(like.dtype)(
            array, first, like
        ), lambda context, builder, signature, values: _load_wide(None, array, first)[1](
            context, builder, signature, values[:2]
        )

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = context.cast(builder, values[1], signature.args[1], types.intp)
        own, wide = context.make_array(array)(context, builder, values[0]), _vector(like.dtype)
        steps = _ir.VectorType(_ir.IntType(array.dtype.bitwidth), WIDTH)
        pointer = builder.gep(own.data, [place], inbounds=True)
        pointer = builder.bitcast(pointer, steps.as_pointer())
        loaded = builder.load(pointer, align=array.dtype.bitwidth // 8)
        # Signed numbers of 32 bits, for which processors have an instruction.
        loaded = builder.zext(loaded, _ir.VectorType(_ir.IntType(32), WIDTH))
        step = _ir.Constant(wide.element, 1 / (2**array.dtype.bitwidth - 1))
        return builder.fmul(builder.sitofp(loaded, wide), _ir.Constant(wide, [step] * WIDTH))

    return WideType(like.dtype)(array, first, like), generate


def _store_wide(_context: Any, array: Any, first: Any, numbers: Any) -> Any:
    """Write *numbers* to a flat *array* of their type from *first* on."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = context.cast(builder, values[1], signature.args[1], types.intp)
        pointer = _pointer(context, builder, array, values[0], place)
        builder.store(values[2], pointer, align=_alignment(array))
        return context.get_dummy_value()

    return types.none(array, first, numbers), generate


def _wide_zeros(_context: Any, array: Any) -> Any:
    """Return sixteen zeros of the type of *array*."""

    def generate(_context: Any, _builder: Any, _signature: Any, _values: Any) -> Any:
        return _ir.Constant(_vector(array.dtype), None)

    return WideType(array.dtype)(array), generate


def _spread(_context: Any, array: Any, number: Any) -> Any:
    """Return sixteen times *number* in the type of *array*."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = _vector(array.dtype)
        own = context.cast(builder, values[1], signature.args[1], array.dtype)
        index = _ir.Constant(_ir.IntType(32), 0)
        single = builder.insert_element(_ir.Constant(kind, _ir.Undefined), own, index)
        mask = _ir.Constant(_ir.VectorType(_ir.IntType(32), WIDTH), None)
        return builder.shuffle_vector(single, single, mask)

    return WideType(array.dtype)(array, number), generate


def _larger(_context: Any, one: Any, other: Any) -> Any:
    """Return the larger of two numbers, lane by lane."""

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *values), *values)

    return one(one, other), generate


def _if_positive(_context: Any, numbers: Any, one: Any, other: Any) -> Any:
    """Return *one* where *numbers* are above zero, *other* elsewhere, lane by lane."""

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        zeros = _ir.Constant(values[0].type, None)
        return builder.select(builder.fcmp_ordered(">", values[0], zeros), values[1], values[2])

    return one(numbers, one, other), generate


def _multiply_add(_context: Any, one: Any, other: Any, sums: Any) -> Any:
    """Return *one* * *other* + *sums*, lane by lane."""

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        # "fma" would be a call for each number where the processor has no such instruction.
        vector = values[0].type
        name = f"llvm.fmuladd.v{WIDTH}f{32 if one.element == types.float32 else 64}"
        function = _ir.FunctionType(vector, [vector] * len(values))
        return builder.call(_cgutils.get_or_insert_function(builder.module, function, name), values)

    return one(one, other, sums), generate


def _any_positive(_context: Any, numbers: Any) -> Any:
    """Return whether a number is above zero."""

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        zeros = _ir.Constant(_vector(numbers.element), None)
        above = builder.fcmp_ordered(">", values[0], zeros)
        bits = builder.bitcast(above, _ir.IntType(WIDTH))
        return builder.icmp_unsigned("!=", bits, _ir.Constant(_ir.IntType(WIDTH), 0))

    return types.boolean(numbers), generate


def _wide_operation(instruction: str) -> Any:
    """Return the intrinsic that combines two vectors lane by lane."""

    def combine(_context: Any, one: Any, other: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return getattr(builder, instruction)(*values)

        return one(one, other), generate

    return _intrinsic(combine)


def _define_operator(symbol: Any, instruction: str) -> None:
    """Let kernels write *symbol* between two vectors of one type."""
    combined = _wide_operation(instruction)

    def find(one: Any, other: Any) -> Any:
        if not (isinstance(one, WideType) and one == other):
            return None

        def combine(one: Any, other: Any) -> Any:
            return combined(one, other)

        return combine

    _overload(symbol)(find)


register_model(WideType)(WideModel)
for _symbol, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _define_operator(_symbol, _instruction)

load_wide = _intrinsic(_load_wide)
load_shares = _intrinsic(_load_shares)
store_wide = _intrinsic(_store_wide)
wide_zeros = _intrinsic(_wide_zeros)
spread = _intrinsic(_spread)
larger = _intrinsic(_larger)
if_positive = _intrinsic(_if_positive)
multiply_add = _intrinsic(_multiply_add)
any_positive = _intrinsic(_any_positive)
