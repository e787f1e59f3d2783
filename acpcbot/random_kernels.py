"""Random numbers for kernels: a generator whose state is an array, advanced in place.

A state is uint64 [2]; each thread has its own. Equal seeds give equal numbers on every
machine.

Source: Blackman & Vigna (2021), xoroshiro128++, https://doi.org/10.1145/3460772
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Number
from acpcbot.jit import kernel
from acpcbot.rng import Stream

RandomState = NDArray[np.uint64]
STATE_WORDS = 2
# Words from one state to the next: two cache lines. A state is written at every draw, and states
# of two threads in one line make each thread wait for the other's writes.
STATE_STRIDE = 16
# A uint64 in a kernel: what numba makes of numpy's numbers is beyond mypy.


def seed_state(*seeds: int) -> RandomState:
    """A state of its own for each tuple of *seeds*."""
    state: RandomState = seed_states([seeds])[0]
    return state


def seed_states(seeds: Sequence[tuple[int, ...]]) -> NDArray[np.uint64]:
    """States [tuple of *seeds*, 2] for as many threads; no two share a cache line."""
    states = np.zeros((len(seeds), STATE_STRIDE), np.uint64)[:, :STATE_WORDS]
    for state, own in zip(states, seeds, strict=True):
        stream = Stream(*own)
        # The one state that the generator never leaves is that of zeros.
        state[:] = stream.bits(), stream.bits() | 1
    return states


@kernel
def next_bits(state: RandomState) -> Number:
    """The next 64 random bits."""
    first, second = state[0], state[1]
    bits = _rotated(first + second, np.uint64(17)) + first
    second ^= first
    state[0] = _rotated(first, np.uint64(49)) ^ second ^ second << np.uint64(21)
    state[1] = _rotated(second, np.uint64(28))
    return bits


@kernel
def unit(state: RandomState) -> float:
    """A number in [0, 1) with 53 random bits."""
    return np.float64(next_bits(state) >> np.uint64(11)) * 2.0**-53


@kernel
def below(state: RandomState, bound: int) -> Number:
    """A whole number in [0, *bound*), for bounds up to 2**32, each as likely as any other but
    for *bound* * 2**-32.
    """
    return (next_bits(state) >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32)


@kernel
def _rotated(word: Number, places: Number) -> Number:
    return word << places | word >> np.uint64(64) - places
