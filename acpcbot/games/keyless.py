"""States whose keys nobody reads: the same memory, as a type for which observing is nothing.

Keys take half of a random playout's time, and a playout reads none. A kernel that calls the rules
with ``unobserved(state)`` is compiled for another type of array, and ``keeps_keys`` is a constant
for each type: where it is False the compiler drops all that observes. So rules are written once,
states are not copied, and nothing is asked while a game runs.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core.datamodel import models
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, overload, register_model

from acpcbot.arrays import Ints

# numba has no types of its own for a checker.
_intrinsic: Any = intrinsic
_overload: Any = overload
_borrowed: Any = impl_ret_borrowed
_Array: Any = types.Array


class UnobservedState(_Array):  # type: ignore[misc]
    """The type of an array that is a state whose keys are stale."""


def unobserved(state: Ints) -> Ints:
    """Return *state* as one whose keys are not kept; in plain Python, *state* itself.

    For kernels: call it once before a loop, since it counts a reference.
    """
    return state


def keeps_keys(_state: Ints) -> bool:
    """Return whether the keys of a state are kept: False after ``unobserved``, in kernels."""
    return True


def _retype(_context: Any, state: Any) -> Any:
    """Return the array *state* as an UnobservedState: the same pointer, no instruction."""
    signature = UnobservedState(state.dtype, state.ndim, state.layout)(state)

    def generate(context: Any, builder: Any, types: Any, values: Any) -> Any:
        return _borrowed(context, builder, types.return_type, values[0])

    return signature, generate


_retyped = _intrinsic(_retype)


def _unobserved_in_kernels(state: Any) -> Any:
    def retyped(state: Any) -> Any:
        return _retyped(state)

    def same(state: Any) -> Any:
        return state

    return same if isinstance(state, UnobservedState) else retyped


def _keeps_keys_in_kernels(_state: Any) -> Any:
    # A constant for each type, so that the branch on it is gone after inlining.
    if isinstance(_state, UnobservedState):
        return lambda _state: False
    return lambda _state: True


register_model(UnobservedState)(models.ArrayModel)
_overload(unobserved, strict=False)(_unobserved_in_kernels)
_overload(keeps_keys, strict=False)(_keeps_keys_in_kernels)
