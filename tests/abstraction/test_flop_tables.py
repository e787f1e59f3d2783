"""Flop buckets that were written down: the same as those that are worked out, and none that do
not fit.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from acpcbot.abstraction.buckets import EquityBuckets
from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.card_abstraction import quick_at_the_table
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction, TabledFlops, flop_numbers
from acpcbot.abstraction.kmeans_buckets import KMeansBuckets
from acpcbot.cards.combos import combos_without
from acpcbot.cards.deck import mask_of
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import snapshots_below
from acpcbot.worker_threads import for_row_chunks

STRATEGIES = Path(__file__).parents[2] / "strategies"
SETTINGS = {
    "preflop": "lossless",
    "flop": {"grid": 1000},
    "turn": {"grid": 50},
    "river": {"grid": 20},
}
FOLDERS = [folder for folder in snapshots_below(STRATEGIES) if "holdem" in folder.parent.name]

each = pytest.mark.parametrize(
    "folder", FOLDERS, ids=lambda folder: folder.relative_to(STRATEGIES).as_posix()
)


@pytest.fixture(scope="module")
def tabled() -> HoldemAbstraction:
    return HoldemAbstraction.from_settings(SETTINGS).with_flop_table()


def flops_of(abstraction: object) -> TabledFlops:
    assert isinstance(abstraction, HoldemAbstraction)
    flops = abstraction.streets[1]
    assert isinstance(flops, TabledFlops)
    return flops


def test_stored_flop_buckets_equal_computed_ones(tabled: HoldemAbstraction) -> None:
    """Catches a hand that is looked up in another's place."""
    plain, random = HoldemAbstraction.from_settings(SETTINGS), Random(1)
    for _ in range(2000):
        cards = random.sample(range(52), 7)
        for street in range(4):
            assert tabled.bucket(street, cards[:2], cards[2:]) == plain.bucket(
                street, cards[:2], cards[2:]
            )


def test_stored_buckets_of_a_whole_flop_equal_computed_ones(tabled: HoldemAbstraction) -> None:
    """Catches hands of a board that are looked up in each other's places."""
    plain, random = HoldemAbstraction.from_settings(SETTINGS), Random(2)
    for _ in range(30):
        board = random.sample(range(52), 5)
        free = combos_without(mask_of(board[:3]))
        found, expected = (one.board_buckets(1, board)[free] for one in (tabled, plain))
        assert np.array_equal(found, expected)


def test_a_table_is_stored_and_comes_back(tabled: HoldemAbstraction) -> None:
    """Catches a strategy that works flops out again once it was saved, and one that forgets
    what its table repeats.
    """
    again = HoldemAbstraction.from_spec(json.loads(json.dumps(tabled.spec())), tabled.arrays())
    assert np.array_equal(flops_of(again).table, flops_of(tabled).table)
    assert isinstance(flops_of(again).worked_out, EquityBuckets)
    assert again.num_buckets == tabled.num_buckets == (169, 1000, 50, 20)
    board = [3, 9, 30, 44, 51]
    assert np.array_equal(again.board_buckets(1, board), tabled.board_buckets(1, board))
    assert (
        quick_at_the_table(HoldemAbstraction.from_settings(SETTINGS)).arrays().keys()
        == tabled.arrays().keys()
    )


def test_of_few_buckets_a_byte_is_kept() -> None:
    """Catches a table of twice its size."""
    settings = {"preflop": "lossless", "flop": {"grid": 256}}
    table = flops_of(HoldemAbstraction.from_settings(settings).with_flop_table()).table
    assert table.dtype == np.uint8
    assert table.max() == 255


def test_tables_that_cannot_be_the_buckets_are_refused(tabled: HoldemAbstraction) -> None:
    """Catches places of a strategy that does not have them, or memory read beyond its end."""
    spec, arrays = tabled.spec(), tabled.arrays()
    table = arrays["flop_table"]
    too_high = table.copy()
    too_high[7] = 1000
    for bad in (table[:-1], table.astype(np.int32), table.astype(np.uint8), table[None], too_high):
        with pytest.raises(ValueError, match="table"):
            HoldemAbstraction.from_spec(spec, {**arrays, "flop_table": bad})
    turn = {**arrays, "turn_table": arrays["flop_table"]}
    with pytest.raises(ValueError, match="4 board cards"):
        HoldemAbstraction.from_spec(spec, turn)


@each
def test_shipped_strategies_have_their_flops_written_down(folder: Path) -> None:
    """Catches a strategy that takes twenty times as long for a flop as it need."""
    flops_of(load_snapshot(folder).abstraction)


@pytest.mark.slow
@each
def test_a_shipped_table_has_every_hand_as_it_is_worked_out(folder: Path) -> None:
    """Catches one wrong hand among 1,286,792: all are worked out again, board by board."""
    flops = flops_of(load_snapshot(folder).abstraction)
    assert isinstance(flops.worked_out, EquityBuckets | KMeansBuckets)
    boards = canonical_boards(3).boards.tolist()
    wrong: list[tuple[list[int], int]] = []

    def look_at(start: int, end: int) -> None:
        for board in boards[start:end]:
            row, free = flops.worked_out.board_buckets(board), combos_without(mask_of(board))
            found = flops.table[flop_numbers(board)]
            wrong.extend([(board, combo) for combo in free.tolist() if found[combo] != row[combo]])

    for_row_chunks(look_at, len(boards))
    assert not wrong
