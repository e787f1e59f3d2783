"""Random numbers for kernels: a generator whose state is an array, advanced in place.

A state is uint64 [2]; each thread has its own. Equal seeds give equal numbers on every
machine.

Source: Blackman & Vigna (2021), xoroshiro128++, https://doi.org/10.1145/3460772
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from acpcbot.arrays import Number, Uints64
from acpcbot.jit import kernel
from acpcbot.rng import Stream

RandomState = Uints64
STATE_WORDS = 2
# Words from one state to the next: two cache lines. A state is written at every draw, and states
# of two threads in one line make each thread wait for the other's writes.
STATE_STRIDE = 16


def seed_state(*seeds: int) -> RandomState:
    """Return the state of this tuple of *seeds*."""
    state: RandomState = seed_states([seeds])[0]
    return state


def seed_states(seeds: Sequence[tuple[int, ...]]) -> Uints64:
    """Return states [tuple of *seeds*, 2] for as many threads; no two share a cache line."""
    states = np.zeros((len(seeds), STATE_STRIDE), np.uint64)[:, :STATE_WORDS]
    for state, own in zip(states, seeds, strict=True):
        stream = Stream(*own)
        # The one state that the generator never leaves is that of zeros.
        state[:] = stream.bits(), stream.bits() | 1
    return states


@kernel
def next_bits(state: RandomState) -> Number:
    """Return the next 64 random bits, and advance *state*."""
    # xoroshiro128++ with the paper's constants (17; 49, 21, 28). All operands are uint64: numba
    # makes a float of a uint64 and an int.
    first, second = state[0], state[1]
    # The output function "++": rotating a sum scrambles even its low bits, which are the weak ones
    # of the linear engine below.
    bits = _rotated(first + second, np.uint64(17)) + first
    # The linear engine: period 2**128 - 1 over all states but that of zeros.
    second ^= first
    state[0] = _rotated(first, np.uint64(49)) ^ second ^ second << np.uint64(21)
    state[1] = _rotated(second, np.uint64(28))
    return bits


@kernel
def unit(state: RandomState) -> float:
    """Return a number in [0, 1) with 53 random bits."""
    # A float64 has 53 bits of mantissa, so the product is exact and never rounds up to 1.
    return np.float64(next_bits(state) >> np.uint64(11)) * 2.0**-53


@kernel
def below(state: RandomState, bound: int) -> Number:
    """Return a whole number in [0, *bound*), for bounds up to 2**32.

    Probabilities are equal up to 2**-32.
    """
    # Multiply and shift instead of a division: the high half of a 32-bit fraction times the bound.
    return (next_bits(state) >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32)


@kernel
def _rotated(word: Number, places: Number) -> Number:
    return word << places | word >> np.uint64(64) - places
