"""Bucketings: ways to put the hands of one hold'em street into buckets, behind one interface.

A ``Bucketing`` answers for one hand during play, and for all hands in a table for training: uint8
(up to 256 buckets) or uint16 [canonical board, combo], found by places (``canonical_boards.py``).
Both agree. Combos that a board blocks have some bucket there, which means nothing. A bucketing goes
to disk as a specification for JSON and arrays, and comes back by its ``restore``.

Here are the 169 classes before the flop, and buckets by E[HS2]: of equal width (``grid``) or with
equally many hands (``percentiles``). Clusters are in ``kmeans_buckets.py``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.equity import (
    BLOCKED_TOTAL,
    DENOMINATORS,
    MAX_STRENGTH,
    Strengths,
    Totals,
    board_totals,
    equity_table,
    fill_river_strengths,
)
from acpcbot.abstraction.run_outs import run_out_total
from acpcbot.cards.combos import NUM_COMBOS, all_combos
from acpcbot.cards.deck import NUM_RANKS
from acpcbot.cards.strength import Cards
from acpcbot.jit import kernel
from acpcbot.worker_threads import Progress, for_row_chunks

# uint8 or uint16.
Buckets: TypeAlias = NDArray[Any]
Arrays: TypeAlias = Mapping[str, NDArray[Any]]
Spec: TypeAlias = dict[str, object]
Counts = NDArray[np.int64]

# Totals are counted in steps of a size that leaves some four million; on rivers, all of them.
NUM_STEPS = 1 << 22


class Bucketing(Protocol):
    """A way to put the hands of one street into buckets."""

    @property
    def board_size(self) -> int:
        """The number of board cards of its street."""

    @property
    def num_buckets(self) -> int:
        """The number of buckets, some of which may be empty."""

    def bucket(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of one hand."""

    def board_buckets(self, board: Sequence[int]) -> Buckets:
        """Return the bucket of every combo on one board, [combo]."""

    def fill_table(self, on_progress: Progress | None = None) -> Buckets:
        """Return the bucket of every combo on every canonical board, [canonical board, combo]."""

    def spec(self) -> Spec:
        """Return its specification for JSON, without arrays; ``kind`` tells how to restore it."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return its arrays, by names that suit files."""


def bucket_type(num_buckets: int) -> type[np.uint8] | type[np.uint16]:
    """Return the smallest type that holds *num_buckets* buckets."""
    return np.uint8 if num_buckets <= 256 else np.uint16


class Lossless169:
    """Before the flop: the 169 classes of hands that only the names of suits tell apart.

    They are the cells of the usual chart of 13 by 13: pairs on its diagonal, suited hands
    on one side, others on the other.
    """

    board_size = 0
    num_buckets = NUM_RANKS**2

    @classmethod
    def restore(cls, _spec: Mapping[str, object], _arrays: Arrays) -> Lossless169:
        """Return the bucketing that was saved."""
        return cls()

    def bucket(self, hole_cards: Sequence[int], board: Sequence[int] = ()) -> int:
        """Return the hand's cell of the chart, from 0 (a pair of twos) to 168 (a pair of aces)."""
        low, high = sorted(hole_cards)
        row, column = (high, low) if low & 3 == high & 3 else (low, high)
        return NUM_RANKS * (row >> 2) + (column >> 2)

    def board_buckets(self, board: Sequence[int] = ()) -> Buckets:
        return np.array([self.bucket(pair) for pair in all_combos().tolist()], np.uint8)

    def fill_table(self, on_progress: Progress | None = None) -> Buckets:
        return self.board_buckets()[None]

    def spec(self) -> Spec:
        return {"kind": "lossless"}

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {}


@dataclass(frozen=True, slots=True, eq=False)
class EquityBuckets:
    """Hands of three to five board cards by their E[HS2], cut at thresholds."""

    kind: str
    """How the thresholds were chosen; see ``grid`` and ``percentiles``."""
    board_size: int
    thresholds: Totals
    """The least total of every bucket but the first, uint32 [bucket - 1], not falling."""

    @classmethod
    def restore(cls, spec: Mapping[str, object], arrays: Arrays) -> EquityBuckets:
        """Return the bucketing that was saved."""
        return cls(
            str(spec["kind"]),
            int(str(spec["board_size"])),
            np.asarray(arrays["thresholds"], np.uint32),
        )

    @property
    def num_buckets(self) -> int:
        return len(self.thresholds) + 1

    def bucket(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        return bisect_right(self.thresholds, run_out_total(hole_cards, board))

    def board_buckets(self, board: Sequence[int]) -> Buckets:
        return self._buckets_of(board_totals(board))

    def fill_table(self, on_progress: Progress | None = None) -> Buckets:
        boards = canonical_boards(self.board_size).boards
        table = np.empty((len(boards), NUM_COMBOS), bucket_type(self.num_buckets))
        if self.board_size == 5:
            bucket_of_strength = self._buckets_of(np.arange(MAX_STRENGTH + 1, dtype=np.uint32) ** 2)

            def fill_rows(start: int, end: int) -> None:
                _fill_river_rows(boards[start:end], bucket_of_strength, table[start:end])
        else:
            totals = equity_table(self.board_size, on_progress)

            def fill_rows(start: int, end: int) -> None:
                table[start:end] = self._buckets_of(totals[start:end])

        for_row_chunks(fill_rows, len(boards), on_progress)
        return table

    def spec(self) -> Spec:
        return {"kind": self.kind, "board_size": self.board_size}

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"thresholds": self.thresholds}

    def _buckets_of(self, totals: Totals) -> Buckets:
        return np.searchsorted(self.thresholds, totals, side="right").astype(
            bucket_type(self.num_buckets)
        )


def grid(board_size: int, num_buckets: int) -> EquityBuckets:
    """Return buckets of equal width over E[HS2] from 0 to 1; the last one holds 1.

    Source: Heinrich & Silver (2015), Smooth UCT search in computer poker, table 1.
    """
    denominator = DENOMINATORS[board_size]
    # The least total with total * num_buckets // denominator >= bucket, a division rounded up.
    thresholds = [-(-bucket * denominator // num_buckets) for bucket in range(1, num_buckets)]
    return EquityBuckets("grid", board_size, np.array(thresholds, np.uint32))


@kernel
def _fill_river_rows(boards: Cards, bucket_of_strength: Buckets, table: Buckets) -> None:
    strengths: Strengths = np.empty(NUM_COMBOS, np.uint16)
    for row in range(len(boards)):
        fill_river_strengths(boards[row], strengths)
        # A river's total is the square of the strength, so buckets are looked up by strengths.
        # Blocked combos have a marker above all strengths and get the highest bucket.
        for combo in range(np.uint64(NUM_COMBOS)):
            table[row, combo] = bucket_of_strength[
                min(np.uint64(strengths[combo]), np.uint64(MAX_STRENGTH))
            ]


def percentiles(
    board_size: int, num_buckets: int, on_progress: Progress | None = None
) -> EquityBuckets:
    """Return buckets that hold equally many hands on boards of three to five cards, by E[HS2].

    Every hand on every board counts once. Where very many hands share one total (a hand that beats
    everything, say) they stay together, and a bucket beside them may be empty.
    """
    step = DENOMINATORS[board_size] // NUM_STEPS + 1
    counts = np.zeros(DENOMINATORS[board_size] // step + 1, np.int64)
    if board_size == 5:
        assert step == 1
        counts[np.arange(MAX_STRENGTH + 1) ** 2] = count_river_strengths(on_progress)
    else:
        _count_totals(
            equity_table(board_size, on_progress),
            canonical_boards(board_size).weights,
            step,
            counts,
        )
    mass = np.cumsum(counts)
    wanted = mass[-1] * np.arange(1, num_buckets) / num_buckets
    # A bucket begins behind the step that completes the mass of the buckets below it.
    thresholds = (np.searchsorted(mass, wanted) + 1) * step
    return EquityBuckets("percentile", board_size, thresholds.astype(np.uint32))


def count_river_strengths(on_progress: Progress | None = None) -> Counts:
    """Return the number of hands of each strength, over all boards of five cards."""
    rivers, parts = canonical_boards(5), []

    def count_rows(start: int, end: int) -> None:
        part = np.zeros(MAX_STRENGTH + 1, np.int64)
        _count_strengths(rivers.boards[start:end], rivers.weights[start:end], part)
        parts.append(part)

    for_row_chunks(count_rows, len(rivers), on_progress)
    counts: Counts = np.sum(parts, axis=0)
    return counts


@kernel
def _count_strengths(boards: Cards, weights: Counts, counts: Counts) -> None:
    strengths = np.empty(NUM_COMBOS, np.uint16)
    for row in range(len(boards)):
        fill_river_strengths(boards[row], strengths)
        for strength in strengths:
            if strength <= MAX_STRENGTH:
                counts[strength] += weights[row]


@kernel
def _count_totals(totals: Totals, weights: Counts, step: int, counts: Counts) -> None:
    """Add the hands of each step of totals to *counts*, weighted by their boards."""
    for row in range(len(totals)):
        for total in totals[row]:
            if total != BLOCKED_TOTAL:
                counts[total // step] += weights[row]
