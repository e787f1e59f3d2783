"""The kernels' generator: its published numbers, and bounds, fairness and independence of what
is made of them.
"""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, below, next_bits, seed_state, seed_states, unit

# From the state (1, 2), as in the tests of the Rust crate rand_xoshiro, which took them from the
# authors' C.
PUBLISHED = [
    393217,
    669327710093319,
    1732421326133921491,
    11394790081659126983,
    9555452776773192676,
    3586421180005889563,
    1691397964866707553,
    10735626796753111697,
    15216282715349408991,
    14247243556711267923,
]


@kernel
def count_below(state: RandomState, bound: int, counts: np.ndarray) -> None:
    for _ in range(100 * 10_000):
        counts[below(state, bound)] += 1


def test_the_numbers_are_the_published_ones() -> None:
    """Catches a wrong rotation or a wrong order of the steps, which leaves a generator that
    looks random.
    """
    state = np.array([1, 2], np.uint64)
    assert [int(next_bits(state)) for _ in PUBLISHED] == PUBLISHED


def test_whole_numbers_are_below_their_bound_and_equally_frequent() -> None:
    """Catches a bound that is never reached, or reached too often."""
    counts = np.zeros(53, np.int64)
    count_below(seed_state(1), 52, counts)
    assert counts[52] == 0
    expected = 1_000_000 / 52
    assert (
        (counts[:52] - expected) ** 2 / expected
    ).sum() < 95  # 51 degrees of freedom: one in 5,000


def test_the_largest_bound_can_be_used() -> None:
    """Catches a product that overflows."""
    state = seed_state(2)
    numbers = [int(below(state, 1 << 32)) for _ in range(1000)]
    assert max(numbers) < 1 << 32
    assert max(numbers) > 0.99 * (1 << 32)


def test_units_fill_the_interval() -> None:
    """Catches a wrong scale."""
    state = seed_state(3)
    numbers = [unit(state) for _ in range(10_000)]
    assert 0 <= min(numbers) < 0.001
    assert 0.999 < max(numbers) < 1
    assert np.mean(numbers) == pytest.approx(0.5, abs=0.015)


def test_every_tuple_of_seeds_has_a_state_of_its_own_and_none_is_all_zeros() -> None:
    """Catches seeds that are added up, and the state from which the generator gives nothing but
    zeros.
    """
    seeds = [(), (0,), (1,), (0, 0), (0, 1), (1, 0), (2,), (1 << 63,)]
    states = [tuple(seed_state(*given).tolist()) for given in seeds]
    assert len(set(states)) == len(states)
    assert all(any(state) for state in states)
    assert seed_state(1, 0).tolist() == seed_state(1, 0).tolist()


def test_states_of_threads_are_their_own_and_lie_in_cache_lines_of_their_own() -> None:
    """Catches states side by side, with which two threads are worth 1.6 instead of 1.95."""
    states = seed_states([(7, 0), (7, 1)])
    assert abs(states[1].ctypes.data - states[0].ctypes.data) >= 128
    assert [list(state) for state in states] == [list(seed_state(7, 0)), list(seed_state(7, 1))]
    assert list(states[0]) != list(states[1])
