"""Types of arrays for the rules of games: states without keys, and parameters that stay.

A compiled function counts a reference of every array that it is given, by atomic instructions on
its way in and out. Rules are called at each move and pass their state and parameters on, so that
counting took most of a playout's time. The arrays here are of types that nothing counts: their
memory belongs to the caller of the kernel.

``unobserved(state)`` is a state whose keys nobody reads. Keys take up to half of a random playout,
which reads none. ``keeps_keys`` is a constant for each type of state: where it is False the
compiler drops all that observes. So rules are written once, states are not copied, and nothing is
asked while a game runs.

``static(array)`` is for the parameters of a game that are arrays: numpy sees an array as any other.
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

from acpcbot.arrays import Ints, KernelArray

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


class UnobservedState(UncountedArray):
    """The type of a state whose keys are stale, which nothing counts either."""


class _UncountedModel(_StructModel):  # type: ignore[misc]
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


def unobserved(state: Ints) -> Ints:
    """Return *state* as one whose keys are not kept; in plain Python, *state* itself.

    For kernels, whose caller owns the state.
    """
    return state


def uncounted(state: Ints) -> Ints:
    """Return *state* as an array that nothing counts; in plain Python, *state* itself.

    For kernels, whose caller owns the state; keys are kept, but for one that is unobserved.
    """
    return state


def keeps_keys(_state: Ints) -> bool:
    """Return whether the keys of a state are kept: False after ``unobserved``, in kernels."""
    return True


def static(array: KernelArray) -> KernelArray:
    """Return *array* for a game's parameters: the same memory, which kernels do not count."""
    return array.view(StaticArray)


def _converted(context: Any, builder: Any, kind: Any, value: Any, wanted: Any) -> Any:
    """Return the array *value* of type *kind* as one of type *wanted* that nothing counts."""
    old = _cgutils.create_struct_proxy(kind)(context, builder, value=value)
    new = _cgutils.create_struct_proxy(wanted)(context, builder)
    for name in ("nitems", "itemsize", "data", "shape", "strides"):
        setattr(new, name, getattr(old, name))
    for name in ("meminfo", "parent"):
        setattr(new, name, _cgutils.get_null_value(getattr(new, name).type))
    return new._getvalue()


def _retyped_as(kind: Any) -> Any:
    """Return the intrinsic that makes an array of type *kind* of an array: the same memory."""

    def retype(_context: Any, state: Any) -> Any:
        wanted = kind(state.dtype, state.ndim, state.layout)

        def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            value = _converted(context, builder, state, values[0], wanted)
            return _untracked(context, builder, wanted, value)

        return wanted(state), generate

    return _intrinsic(retype)


_as_uncounted, _as_unobserved = _retyped_as(UncountedArray), _retyped_as(UnobservedState)


def _same(state: Any) -> Any:
    return state


def _uncounted_in_kernels(state: Any) -> Any:
    def retyped(state: Any) -> Any:
        return _as_uncounted(state)

    return _same if isinstance(state, UncountedArray) else retyped


def _unobserved_in_kernels(state: Any) -> Any:
    def retyped(state: Any) -> Any:
        return _as_unobserved(state)

    return _same if isinstance(state, UnobservedState) else retyped


def _keeps_keys_in_kernels(_state: Any) -> Any:
    # A constant for each type, so that the branch on it is gone after inlining.
    if isinstance(_state, UnobservedState):
        return lambda _state: False
    return lambda _state: True


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


for _kind in (UncountedArray, UnobservedState):
    register_model(_kind)(_UncountedModel)
_overload(uncounted, strict=False)(_uncounted_in_kernels)
_overload(unobserved, strict=False)(_unobserved_in_kernels)
_overload(keeps_keys, strict=False)(_keeps_keys_in_kernels)
_typeof_impl.register(StaticArray)(_type_of_static)
_unbox(UncountedArray)(_unbox_static)
