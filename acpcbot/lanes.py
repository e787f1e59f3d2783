"""Eight numbers side by side in one register of the processor, for kernels that do eight at once.

``load_lanes(array, first)`` reads eight elements of a flat array that follow one another,
``store_lanes(array, first, lanes)`` writes them; ``no_lanes()`` are eight zeros. In between they
are float64, and ``+``, ``-`` and ``*`` work lane by lane. ``turn_square`` turns eight vectors into
an array whose rows have one element of each, and back; ``add_square`` turns back and adds each
vector to one that lies anywhere.

For one vector at a time the compiler finds such operations itself. It does not where each element
changes sums that the next one reads, as in showdowns: there, eight independent vectors go through
the loop together. Arrays of eight numbers in place of registers were not faster than one vector
after another, for the compiler checks at each step whether they overlap.

A processor with shorter registers takes several for eight numbers. Kernels alone can call these.
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

NUM_LANES = 8

_DOUBLES = _ir.VectorType(_ir.DoubleType(), NUM_LANES)
_SINGLES = _ir.VectorType(_ir.FloatType(), NUM_LANES)


class LanesType(_Type):  # type: ignore[misc]
    """The type of eight numbers in float64, as kernels pass them on."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


class LanesModel(_PrimitiveModel):  # type: ignore[misc]
    """One value of the processor, a vector."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _DOUBLES)


def _vector_pointer(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    """Return the pointer to eight elements of a flat *array* of type *kind* from *place* on."""
    own = context.make_array(kind)(context, builder, array)
    pointer = builder.gep(own.data, [place], inbounds=True)
    return builder.bitcast(pointer, _vector(kind).as_pointer())


def _vector(kind: Any) -> Any:
    """Return the type of eight elements of an array of type *kind*."""
    return _SINGLES if kind.dtype == types.float32 else _DOUBLES


def _alignment(kind: Any) -> int:
    """Return the bytes of an element: rows begin anywhere."""
    return 4 if kind.dtype == types.float32 else 8


def _load_lanes(_context: Any, array: Any, first: Any) -> Any:
    """Return the eight elements of a flat float *array* from *first* on, in float64."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = context.cast(builder, values[1], signature.args[1], types.intp)
        pointer = _vector_pointer(context, builder, array, values[0], place)
        loaded = builder.load(pointer, align=_alignment(array))
        return builder.fpext(loaded, _DOUBLES) if loaded.type == _SINGLES else loaded

    return LanesType()(array, first), generate


def _store_lanes(_context: Any, array: Any, first: Any, lanes: Any) -> Any:
    """Write *lanes* to a flat float *array* from *first* on, rounded if it is float32."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = context.cast(builder, values[1], signature.args[1], types.intp)
        pointer = _vector_pointer(context, builder, array, values[0], place)
        stored = values[2]
        if _vector(array) == _SINGLES:
            stored = builder.fptrunc(stored, _SINGLES)
        builder.store(stored, pointer, align=_alignment(array))
        return context.get_dummy_value()

    return types.none(array, first, lanes), generate


def _no_lanes(_context: Any) -> Any:
    """Return eight zeros."""

    def generate(_context: Any, _builder: Any, _signature: Any, _values: Any) -> Any:
        return _ir.Constant(_DOUBLES, None)

    return LanesType()(), generate


def _turn_square(
    _context: Any, source: Any, first: Any, stride: Any, target: Any, start: Any, step: Any
) -> Any:
    """Fill ``target[start + i * step + j]`` with ``source[first + j * stride + i]``, i, j < 8.

    Both arrays are flat, and of one type of floats.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        turned = _turned_rows(context, builder, signature, values)
        start, step = (_number(context, builder, signature, values, place) for place in (4, 5))
        for place, row in enumerate(turned):
            begin = builder.add(start, builder.mul(step, _ir.Constant(step.type, place)))
            pointer = _vector_pointer(context, builder, target, values[3], begin)
            builder.store(row, pointer, align=_alignment(target))
        return context.get_dummy_value()

    return types.none(source, first, stride, target, start, step), generate


def _add_square(
    _context: Any, source: Any, first: Any, stride: Any, target: Any, starts: Any, offset: Any
) -> Any:
    """Add ``source[first + j * stride + i]`` to ``target[starts[i] + offset + j]``, i, j < 8.

    *source* and *target* are flat, and of one type of floats; *starts* are int64. Where two vectors
    begin at the same place both are added.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        turned = _turned_rows(context, builder, signature, values)
        offset = _number(context, builder, signature, values, 5)
        places = context.make_array(starts)(context, builder, values[4])
        for place, row in enumerate(turned):
            number = _ir.Constant(offset.type, place)
            start = builder.load(builder.gep(places.data, [number], inbounds=True))
            begin = builder.add(start, offset)
            pointer = _vector_pointer(context, builder, target, values[3], begin)
            added = builder.fadd(builder.load(pointer, align=_alignment(target)), row)
            builder.store(added, pointer, align=_alignment(target))
        return context.get_dummy_value()

    return types.none(source, first, stride, target, starts, offset), generate


def _number(context: Any, builder: Any, signature: Any, values: Any, place: int) -> Any:
    """Return the argument at *place*, an integer."""
    return context.cast(builder, values[place], signature.args[place], types.intp)


def _turned_rows(context: Any, builder: Any, signature: Any, values: Any) -> list[Any]:
    """Return the columns of the square that the arguments source, first and stride name."""
    source = signature.args[0]
    first, stride = (_number(context, builder, signature, values, place) for place in (1, 2))
    rows = []
    for place in range(NUM_LANES):
        begin = builder.add(first, builder.mul(stride, _ir.Constant(stride.type, place)))
        pointer = _vector_pointer(context, builder, source, values[0], begin)
        rows.append(builder.load(pointer, align=_alignment(source)))
    return _transposed(builder, rows)


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Return the columns of eight registers."""
    # Row k is interleaved with row k + 4, three times: each time the rows turn by one bit of their
    # number, and elements take its place.
    half = NUM_LANES // 2
    low = [place for number in range(half) for place in (number, NUM_LANES + number)]
    masks = [
        _ir.Constant(
            _ir.VectorType(_ir.IntType(32), NUM_LANES),
            [_ir.Constant(_ir.IntType(32), place + offset) for place in low],
        )
        for offset in (0, half)
    ]
    for _ in range(NUM_LANES.bit_length() - 1):
        rows = [
            builder.shuffle_vector(rows[number], rows[number + half], mask)
            for number in range(half)
            for mask in masks
        ]
    return rows


def _lane_operation(instruction: str) -> Any:
    """Return the intrinsic that combines two registers lane by lane."""

    def combine(_context: Any, one: Any, other: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return getattr(builder, instruction)(*values)

        return one(one, other), generate

    return _intrinsic(combine)


def _define_operator(symbol: Any, instruction: str) -> None:
    """Let kernels write *symbol* between two registers."""
    combined = _lane_operation(instruction)

    def find(one: Any, other: Any) -> Any:
        if not (isinstance(one, LanesType) and isinstance(other, LanesType)):
            return None

        def combine(one: Any, other: Any) -> Any:
            return combined(one, other)

        return combine

    _overload(symbol)(find)


register_model(LanesType)(LanesModel)
for _symbol, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
):
    _define_operator(_symbol, _instruction)

load_lanes = _intrinsic(_load_lanes)
store_lanes = _intrinsic(_store_lanes)
no_lanes = _intrinsic(_no_lanes)
turn_square = _intrinsic(_turn_square)
add_square = _intrinsic(_add_square)
