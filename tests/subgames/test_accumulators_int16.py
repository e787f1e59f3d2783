"""Sums in 16 bits: how far rounding is off, and that they learn what others learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from acpcbot.subgames.accumulators import magnitude_bits, quantise_row
from acpcbot.subgames.solver import RangeCFR
from tests.support.range_games import river_spot

FLOATS = st.floats(-1e6, 1e6, width=32).map(lambda value: value if abs(value) > 1e-20 else 0.0)


@given(arrays(np.float32, st.integers(1, 40), elements=FLOATS))
def test_a_row_comes_back_but_for_half_a_step(row: np.ndarray) -> None:
    cells, most = np.zeros(len(row), np.int16), np.abs(row).max()
    step = quantise_row(row, max(magnitude_bits(value) for value in row), cells)
    assert step == pytest.approx(most / 32767)
    assert np.abs(cells * step - row).max() <= most / 65534 * 1.01
    assert np.array_equal(np.abs(cells) == 32767, np.abs(cells) == np.abs(cells).max()) or most == 0


def test_first_strategies_are_alike_and_later_ones_nearly() -> None:
    """The first step rounds sums once, so that nothing else may differ.

    Catches scales of other slots or boards.
    """
    short, usual = RangeCFR(river_spot(), is_int16=True), RangeCFR(river_spot())
    assert np.array_equal(short.average_strategy(0), usual.average_strategy(0))
    for num_iterations, tolerance in [(1, 1e-3), (20, 0.05)]:
        for solver in (short, usual):
            solver.step(num_iterations)
        off = np.abs(short.average_strategy(0) - usual.average_strategy(0))
        assert off.mean() < tolerance
    assert short.exploitability() == pytest.approx(usual.exploitability(), rel=0.02)
