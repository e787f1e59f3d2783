"""Arrays whose references nothing counts, for the inner loops of kernels.

A compiled function counts a reference of every array that it is given, by two atomic instructions
on its way in and out, unless it has one way out. The rules of a game have many, are called at each
move and pass their state on: half of the time of random playouts in Goofspiel went into counting.

``uncounted(array)`` is the same memory under a type of array that has no counter, so that nothing
is counted in whatever is called with it; ``static(array)`` is such an array for the parameters of a
game, which numpy sees as any other. Leaving the type as it is and only the counter's address empty
was slower: the calls that count stay, and each finds out that there is nothing to count.

The memory must outlive the kernels that are given it, and belongs to their caller. Elements, rows
of records and ``len`` are as for any array; a slice would be an array that is counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import boxing, cgutils
from numba.core.datamodel import models
from numba.core.imputils import impl_ret_untracked
from numba.extending import (
    NativeValue,
    intrinsic,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

from acpcbot.arrays import KernelArray

# numba has no types of its own for a checker.
_intrinsic: Any = intrinsic
_overload: Any = overload
_untracked: Any = impl_ret_untracked
_cgutils: Any = cgutils
_boxing: Any = boxing
_unbox: Any = unbox
_typeof_impl: Any = typeof_impl
_native_value: Any = NativeValue
_types: Any = types
_Array: Any = types.Array
_StructModel: Any = models.StructModel


class StaticArray(np.ndarray[Any, Any]):
    """An array that outlives all kernels that it is given to, as a field of a game."""


class UncountedArray(_Array):  # type: ignore[misc]
    """The type of an array that nothing counts."""


class UncountedModel(_StructModel):  # type: ignore[misc]
    """The members of numba's arrays; the counter is a bare pointer, and null."""

    def __init__(self, manager: Any, kind: Any) -> None:
        sizes = _types.UniTuple(types.intp, kind.ndim)
        super().__init__(
            manager,
            kind,
            [
                ("meminfo", types.voidptr),
                ("parent", types.voidptr),
                ("nitems", types.intp),
                ("itemsize", types.intp),
                ("data", _types.CPointer(kind.dtype)),
                ("shape", sizes),
                ("strides", sizes),
            ],
        )


def uncounted(array: KernelArray) -> KernelArray:
    """Return *array* as one that nothing counts; in plain Python, *array* itself.

    Of a NamedTuple all arrays become such, those of NamedTuples within it, too.
    """
    return array


def static(array: KernelArray) -> KernelArray:
    """Return *array* for a game's parameters: the same memory, which kernels do not count."""
    return array.view(StaticArray)


def retyped_as(kind: Any) -> Any:
    """Return the intrinsic that makes an array of type *kind* of an array: the same memory."""

    def retype(_context: Any, array: Any) -> Any:
        wanted = kind(
            array.dtype,
            array.ndim,
            array.layout,
            readonly=not array.mutable,
            aligned=array.aligned,
        )

        def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            value = _converted(context, builder, array, values[0], wanted)
            return _untracked(context, builder, wanted, value)

        return wanted(array), generate

    return _intrinsic(retype)


def _converted(context: Any, builder: Any, kind: Any, value: Any, wanted: Any) -> Any:
    """Return the array *value* of type *kind* as one of type *wanted* that nothing counts."""
    old = _cgutils.create_struct_proxy(kind)(context, builder, value=value)
    new = _cgutils.create_struct_proxy(wanted)(context, builder)
    for name in ("nitems", "itemsize", "data", "shape", "strides"):
        setattr(new, name, getattr(old, name))
    for name in ("meminfo", "parent"):
        setattr(new, name, _cgutils.get_null_value(getattr(new, name).type))
    return new._getvalue()


def _uncounted_type(kind: Any) -> Any:
    """Return the type of ``uncounted`` of a value of type *kind*."""
    if isinstance(kind, _types.BaseNamedTuple):
        fields = [_uncounted_type(field) for field in kind]
        return _types.BaseTuple.from_types(fields, kind.instance_class)
    if not isinstance(kind, _Array) or isinstance(kind, UncountedArray):
        return kind
    return UncountedArray(
        kind.dtype, kind.ndim, kind.layout, readonly=not kind.mutable, aligned=kind.aligned
    )


def _without_counters(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return a *value* of type *kind* as one of its uncounted type."""
    wanted = _uncounted_type(kind)
    if isinstance(kind, _types.BaseNamedTuple):
        fields = [
            _without_counters(context, builder, field, builder.extract_value(value, number))
            for number, field in enumerate(kind)
        ]
        return context.make_tuple(builder, wanted, fields)
    return value if wanted == kind else _converted(context, builder, kind, value, wanted)


def _uncounted(_context: Any, value: Any) -> Any:
    """Return *value* without counters of references."""
    wanted = _uncounted_type(value)

    def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        found = _without_counters(context, builder, value, values[0])
        return _untracked(context, builder, wanted, found)

    return wanted(value), generate


_as_uncounted = _intrinsic(_uncounted)


def _uncounted_in_kernels(array: Any) -> Any:
    def same(array: Any) -> Any:
        return array

    def retyped(array: Any) -> Any:
        return _as_uncounted(array)

    return same if _uncounted_type(array) == array else retyped


def _type_of_static(array: Any, context: Any) -> Any:
    plain = _typeof_impl(np.asarray(array), context)
    return UncountedArray(plain.dtype, plain.ndim, plain.layout, readonly=not plain.mutable)


def _unbox_static(kind: Any, obj: Any, context: Any) -> Any:
    """Return the native array of a Python object, which the caller of the kernel keeps alive."""
    plain = types.Array(kind.dtype, kind.ndim, kind.layout, readonly=not kind.mutable)
    native = _boxing.unbox_array(plain, obj, context)
    value = _converted(context.context, context.builder, plain, native.value, kind)
    context.context.nrt.decref(context.builder, plain, native.value)
    return _native_value(value, is_error=native.is_error)


register_model(UncountedArray)(UncountedModel)
_overload(uncounted, strict=False)(_uncounted_in_kernels)
_typeof_impl.register(StaticArray)(_type_of_static)
_unbox(UncountedArray)(_unbox_static)
