"""Probabilities in bytes and actions in two bits: nothing is lost but what must be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.strategies.policy import packed_actions, to_bytes, unpacked_actions

WEIGHTS = st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=1, max_size=3).filter(
    lambda row: sum(row) > 1e-3
)


@given(weights=WEIGHTS, dtype=st.sampled_from([np.float32, np.float64]))
def test_rounded_probabilities_sum_to_255_and_none_is_off_by_a_step(
    weights: list[float], dtype: type
) -> None:
    """Would catch rounding each by itself, which makes 254 of three thirds or 256 of two halves."""
    row = np.array(weights)
    row = (row / row.sum()).astype(dtype)
    steps = to_bytes(row)
    assert steps.dtype == np.uint8
    assert int(steps.sum()) == 255
    assert np.all(np.abs(steps / 255 - row.astype(float)) < 1 / 255)


def test_impossible_actions_stay_impossible_and_sure_ones_sure() -> None:
    assert to_bytes(np.array([[0.0, 1.0], [1.0, 0.0]])).tolist() == [[0, 255], [255, 0]]
    assert to_bytes(np.array([0.0, 0.5, 0.5]))[0] == 0


def test_halves_differ_by_one_step_and_the_first_gets_it() -> None:
    """Equal bytes on every machine need a rule for equal remainders."""
    assert to_bytes(np.array([0.5, 0.5])).tolist() == [128, 127]


@pytest.mark.parametrize("shape", [(0,), (1,), (4,), (5,), (3, 7), (2, 3, 5)])
def test_packed_actions_come_back_in_row_order(shape: tuple[int, ...]) -> None:
    """Would catch column order, and a last byte that is cut off."""
    actions = np.random.default_rng(3).integers(0, 4, shape).astype(np.uint8)
    packed = packed_actions(actions)
    assert packed.shape == (-(-actions.size // 4),)
    places = np.arange(actions.size).reshape(shape)
    assert np.array_equal(unpacked_actions(packed, places), actions)


def test_the_first_action_lies_in_the_lowest_bits() -> None:
    """The format on disk: it must not change unnoticed."""
    assert packed_actions(np.array([1, 0, 0, 0, 0, 2], np.uint8)).tolist() == [1, 8]
