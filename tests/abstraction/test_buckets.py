"""Bucketings: the table and play agree, grids are where the paper puts them, and what is saved
comes back.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from acpcbot.abstraction.buckets import Bucketing, EquityBuckets, Lossless169, grid
from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.equity import DENOMINATORS, board_totals, total
from acpcbot.cards.combos import all_combos, combos_without
from acpcbot.cards.deck import mask_of, parse_cards
from acpcbot.cards.isomorphism import SuitIsomorphism
from tests.abstraction.cheap_tables import true_rows, use_cheap_tables


def test_there_are_169_classes_before_the_flop_and_they_are_those_of_the_other_numbering() -> None:
    """Catches suited hands in the cells of others, and cells that stay empty."""
    ours, theirs = Lossless169().board_buckets(), SuitIsomorphism((2,)).indices(all_combos())
    assert set(ours.tolist()) == set(range(169))
    assert len(set(zip(ours.tolist(), theirs.tolist(), strict=True))) == 169


def test_the_order_of_hole_cards_does_not_matter() -> None:
    """Catches a suited hand that becomes another when its cards change places."""
    for first, second in all_combos().tolist():
        assert Lossless169().bucket([first, second]) == Lossless169().bucket([second, first])


@pytest.mark.parametrize(("size", "num_buckets"), [(3, 1000), (4, 500), (5, 200), (5, 7), (3, 1)])
def test_grid_buckets_are_the_whole_part_of_their_share(size: int, num_buckets: int) -> None:
    """Catches thresholds that are off by one, where the paper's formula is exact."""
    cards, bucketing, random = list(range(52)), grid(size, num_buckets), Random(size)
    for _ in range(30):
        hand = random.sample(cards, 2 + size)
        share = total(hand[:2], hand[2:]) * num_buckets // DENOMINATORS[size]
        assert bucketing.bucket(hand[:2], hand[2:]) == min(num_buckets - 1, share)


@pytest.mark.parametrize("num_buckets", [2, 4, 1980, 3960])
def test_a_total_at_a_threshold_belongs_to_the_upper_bucket(num_buckets: int) -> None:
    """Catches intervals that are closed at the wrong end."""
    hand, river = parse_cards("2c3d"), parse_cards("AsKsQsJsTs")
    assert grid(5, num_buckets).bucket(hand, river) == num_buckets // 4


def test_the_last_bucket_holds_the_hands_that_nothing_beats() -> None:
    """Catches a bucket of its own for the one value of exactly 1."""
    assert grid(3, 1000).bucket(parse_cards("AsKs"), parse_cards("QsJsTs")) == 999


@pytest.mark.parametrize("size", [3, 4])
def test_the_table_and_play_agree_before_the_river(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches rows or combos that change places, and totals cut differently here and there."""
    use_cheap_tables(monkeypatch)
    verify_table(grid(size, 1000), true_rows(size))


@pytest.mark.slow
def test_the_table_and_play_agree_on_the_river() -> None:
    """Catches strengths that are looked up as if they were totals."""
    verify_table(grid(5, 200), range(0, 134_459, 9_999))


def verify_table(bucketing: EquityBuckets, rows: range | list[int]) -> None:
    table, boards = bucketing.fill_table(), canonical_boards(bucketing.board_size).boards
    assert table.shape == (len(boards), 1326)
    assert table.dtype == (np.uint8 if bucketing.num_buckets <= 256 else np.uint16)
    for row in rows:
        board = boards[row].tolist()
        possible = combos_without(mask_of(board))
        assert np.array_equal(table[row, possible], bucketing.board_buckets(board)[possible])
        for combo in possible[::300].tolist():
            assert table[row, combo] == bucketing.bucket(all_combos()[combo].tolist(), board)


def test_every_entry_of_a_table_is_a_bucket() -> None:
    """Catches blocked combos that lead a learner outside of its arrays."""
    bucketing = grid(3, 300)
    assert bucketing.board_buckets([0, 1, 2]).max() < 300
    assert bucketing.board_buckets([0, 1, 2]).dtype == np.uint16


@pytest.mark.parametrize("bucketing", [Lossless169(), grid(4, 20)])
def test_saved_buckets_load_as_they_were(bucketing: Bucketing) -> None:
    """Catches a snapshot that plays by other buckets than it was trained with."""
    again = type(bucketing).restore(bucketing.spec(), bucketing.arrays())  # type: ignore[attr-defined]
    assert again.num_buckets == bucketing.num_buckets
    assert again.board_size == bucketing.board_size
    assert again.spec() == bucketing.spec()
    board = list(range(20, 20 + bucketing.board_size))
    assert np.array_equal(again.board_buckets(board), bucketing.board_buckets(board))


def test_better_hands_have_higher_buckets() -> None:
    """Catches buckets that are numbered from the top."""
    board = parse_cards("KsTd9h4s")
    order = np.argsort(board_totals(board), kind="stable")
    assert (np.diff(grid(4, 500).board_buckets(board)[order].astype(int)) >= 0).all()
