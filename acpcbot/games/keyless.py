"""States whose keys are not kept, for random playouts.

Keys take up to half of a random playout, which reads none. ``unobserved(state)`` is a state whose
keys nobody reads. ``keeps_keys`` is a constant for each type of state: where it is False the
compiler drops all that observes. So rules are written once, states are not copied, and nothing is
asked while a game runs.
"""

from __future__ import annotations

from typing import Any

from numba.extending import overload, register_model

from acpcbot.arrays import Ints
from acpcbot.uncounted_arrays import UncountedArray, UncountedModel, retyped_as

# numba's own functions have no types.
_overload: Any = overload


class UnobservedState(UncountedArray):
    """The type of a state whose keys are stale, which nothing counts either."""


def unobserved(state: Ints) -> Ints:
    """Return *state* as one whose keys are not kept; in plain Python, *state* itself.

    For kernels, whose caller owns the state.
    """
    return state


def keeps_keys(_state: Ints) -> bool:
    """Return whether the keys of a state are kept: False after ``unobserved``, in kernels."""
    return True


_as_unobserved = retyped_as(UnobservedState)


def _unobserved_in_kernels(state: Any) -> Any:
    def same(state: Any) -> Any:
        return state

    def retyped(state: Any) -> Any:
        return _as_unobserved(state)

    return same if isinstance(state, UnobservedState) else retyped


def _keeps_keys_in_kernels(_state: Any) -> Any:
    # A constant for each type, so that the branch on it is gone after inlining.
    if isinstance(_state, UnobservedState):
        return lambda _state: False
    return lambda _state: True


register_model(UnobservedState)(UncountedModel)
_overload(unobserved, strict=False)(_unobserved_in_kernels)
_overload(keeps_keys, strict=False)(_keeps_keys_in_kernels)
