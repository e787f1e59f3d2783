"""Percentiles: every bucket holds its share of all hands."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.abstraction import buckets as module
from acpcbot.abstraction.buckets import NUM_STEPS, EquityBuckets, percentiles
from acpcbot.abstraction.canonical_boards import CanonicalBoards, canonical_boards
from acpcbot.abstraction.equity import BLOCKED_TOTAL, board_totals
from tests.abstraction.cheap_tables import (
    mostly_empty_table,
    true_rows,
    use_cheap_tables,
    use_few_rivers,
)


@pytest.fixture
def few_rivers(monkeypatch: pytest.MonkeyPatch) -> CanonicalBoards:
    return use_few_rivers(monkeypatch, module)


def masses(bucketing: EquityBuckets, totals: list[np.ndarray], weights: np.ndarray) -> np.ndarray:
    """The share of all hands in each bucket, by a plain count."""
    counts = np.zeros(bucketing.num_buckets)
    for row, weight in zip(totals, weights, strict=True):
        possible = row[row != BLOCKED_TOTAL].astype(np.int64)
        buckets = (possible[:, None] >= bucketing.thresholds[None, :].astype(np.int64)).sum(axis=1)
        counts += np.bincount(buckets, minlength=bucketing.num_buckets) * weight
    shares: np.ndarray = counts / counts.sum()
    return shares


@pytest.mark.parametrize("num_buckets", [2, 10, 50])
def test_a_bucket_begins_exactly_where_its_share_is_complete(
    few_rivers: CanonicalBoards, num_buckets: int
) -> None:
    """Catches boards without their weights, hands of one strength that are split, and
    thresholds off by one.
    """
    totals = np.array([board_totals(board) for board in few_rivers.boards.tolist()])
    counts = (totals != BLOCKED_TOTAL) * few_rivers.weights[:, None]
    wanted = np.arange(1, num_buckets) / num_buckets
    for threshold, share in zip(
        percentiles(5, num_buckets).thresholds.tolist(), wanted, strict=True
    ):
        assert counts[totals < threshold].sum() >= share * counts.sum()
        assert counts[totals < threshold - 1].sum() < share * counts.sum()


@pytest.mark.parametrize("size", [3, 4])
def test_earlier_streets_are_cut_as_finely_as_totals_are_counted(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches blocked combos that count as the best hands."""
    use_cheap_tables(monkeypatch)
    rows, boards = true_rows(size), canonical_boards(size)
    few = CanonicalBoards(boards.boards[rows], boards.weights[rows], boards.places)
    totals = mostly_empty_table(size)[rows]
    monkeypatch.setattr(module, "equity_table", lambda *_: totals)
    monkeypatch.setattr(module, "canonical_boards", lambda _: few)
    shares = masses(percentiles(size, 5), list(totals), few.weights)
    assert shares == pytest.approx(np.full(5, 0.2), abs=0.005)


def test_one_bucket_has_no_thresholds(few_rivers: CanonicalBoards) -> None:
    """Catches a share of zero."""
    assert percentiles(5, 1).num_buckets == 1


def test_rivers_are_counted_total_by_total() -> None:
    """Catches a step that would merge strengths."""
    assert NUM_STEPS > 1980**2
