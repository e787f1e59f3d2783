"""Eight and sixteen numbers in registers, held against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.arrays import AnyArray, Ints
from acpcbot.jit import kernel
from acpcbot.lanes import (
    NUM_LANES,
    add_square,
    load_lanes,
    no_lanes,
    store_lanes,
    turn_square,
)
from acpcbot.wide_lanes import (
    WIDTH,
    larger,
    load_shares,
    load_wide,
    multiply_add,
    spread,
    store_wide,
)


@kernel
def combine_wide(one: AnyArray, other: AnyArray, place: int, found: AnyArray) -> None:
    a, b = load_wide(one, place), load_wide(other, place)
    store_wide(found, 0, multiply_add(a, spread(one, 2.5), b))
    store_wide(found, WIDTH, larger(a, b))
    store_wide(found, 2 * WIDTH, a - b * b)


@kernel
def copy_shares(shares: AnyArray, place: int, found: AnyArray) -> None:
    store_wide(found, 0, load_shares(shares, place, found))


@kernel
def combine(one: AnyArray, other: AnyArray, place: int, found: AnyArray) -> None:
    zero, a, b = no_lanes(), load_lanes(one, place), load_lanes(other, place)
    store_lanes(found, 0, zero + a + b)
    store_lanes(found, np.uint64(NUM_LANES), a - b)
    store_lanes(found, 2 * NUM_LANES, a * b)


@kernel
def turn(source: AnyArray, first: int, stride: int, target: AnyArray, step: int) -> None:
    turn_square(source, first, stride, target, np.uint64(3), step)


@kernel
def add_back(
    source: AnyArray, first: int, stride: int, target: AnyArray, starts: Ints, offset: int
) -> None:
    add_square(source, first, stride, target, starts, offset)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_operations_are_those_of_numpy_in_double_precision(dtype: type[np.floating]) -> None:
    draw = np.random.default_rng(1)
    one, other = draw.normal(size=(2, 20)).astype(dtype)
    found = np.full(3 * NUM_LANES + 2, 7, dtype)
    combine(one, other, 5, found)
    a, b = (array[5 : 5 + NUM_LANES].astype(np.float64) for array in (one, other))
    expected = np.concatenate([a + b, a - b, a * b]).astype(dtype)
    assert found[:-2].tolist() == expected.tolist()
    assert found[-2:].tolist() == [7, 7]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_turned_square_is_its_transpose(dtype: type[np.floating]) -> None:
    source: NDArray[np.floating] = np.arange(11 * 30).astype(dtype)
    target = np.zeros(3 + 9 * NUM_LANES, dtype)
    turn(source, 2, 30, target, 9)
    square = source[2 : 2 + 30 * NUM_LANES].reshape(NUM_LANES, 30)[:, :NUM_LANES]
    found = target[3:].reshape(NUM_LANES, 9)
    assert found[:, :NUM_LANES].tolist() == square.T.tolist()
    assert not found[:, NUM_LANES:].any()
    assert not target[:3].any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_square_is_added_vector_by_vector(dtype: type[np.floating]) -> None:
    """Catches a vector that is lost where two are added at the same place, and writes beside."""
    draw = np.random.default_rng(3)
    source, target = draw.normal(size=(2, 150)).astype(dtype)
    starts = np.array([100, 0, 40, 0, 60, 20, 120, 43])
    expected = target.copy()
    for vector, start in enumerate(starts.tolist()):
        for place in range(NUM_LANES):
            expected[start + 2 + place] += source[3 + 11 * place + vector]
    add_back(source, 3, 11, target, starts, 2)
    assert target.tolist() == expected.tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sixteen_numbers_are_combined_in_their_own_precision(dtype: type[np.floating]) -> None:
    draw = np.random.default_rng(2)
    one, other = draw.normal(size=(2, 30)).astype(dtype)
    found = np.full(3 * WIDTH + 2, 7, dtype)
    combine_wide(one, other, 3, found)
    a, b = (array[3 : 3 + WIDTH] for array in (one, other))
    # A product and a sum are rounded once or twice, as the processor has it.
    assert found[:WIDTH] == pytest.approx(2.5 * a + b, rel=1e-5, abs=1e-6)
    assert found[WIDTH:-2].tolist() == np.concatenate([np.maximum(a, b), a - b * b]).tolist()
    assert found[-2:].tolist() == [7, 7]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16, None])
def test_shares_are_steps_of_the_largest_integer(
    dtype: type[np.floating], kind: type[np.unsignedinteger] | None
) -> None:
    """Catches integers that are taken for signed ones: the largest would be below zero."""
    shares, whole = np.random.default_rng(4).random(30).astype(dtype), 1
    if kind is not None:
        whole = np.iinfo(kind).max
        shares = np.rint(shares * whole).astype(kind)
        shares[3:5] = 0, whole
    found = np.full(WIDTH + 1, 7, dtype)
    copy_shares(shares, 3, found)
    expected = shares[3 : 3 + WIDTH].astype(np.float64) / whole
    assert found[:WIDTH] == pytest.approx(expected, rel=4 * float(np.finfo(dtype).eps))
    assert found[WIDTH] == 7
