"""Folds and showdowns against a range, held against the sum over all pairs of hands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from acpcbot.arrays import AnyArray
from acpcbot.cards.deck import parse_cards
from acpcbot.jit import kernel
from acpcbot.lanes import NUM_LANES
from acpcbot.subgames.terminal_values import (
    fold_lanes,
    fold_values,
    showdown_lanes,
    showdown_values,
    sum_lanes,
)
from acpcbot.trees.board_tree import BoardTree, build_board_tree, no_changes
from tests.support.games import KUHN, definition_of

HOLDEM = definition_of("holdem.limit.2p.reverse_blinds")


def river(board: str) -> BoardTree:
    return build_board_tree(HOLDEM, 3, parse_cards(board), no_changes())


def share_a_card(cards: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """[hand, hand]"""
    shared: NDArray[np.bool_] = (cards[:, None, :, None] == cards[None, :, None, :]).any(
        axis=(2, 3)
    )
    return shared


def filled(
    boards: BoardTree, reach: NDArray[np.float64], chips: float
) -> tuple[NDArray[np.float64], ...]:
    arrays, sums = boards.arrays, np.empty(52 + len(reach))
    folds, showdowns = np.empty(len(reach)), np.empty(len(reach))
    fold_values(reach, arrays.cards, chips, sums, folds)
    showdown_values(reach, arrays.cards, arrays.ranks, chips, sums, showdowns)
    return folds, showdowns


@given(
    board=st.sampled_from(["KsTd9h4s2c", "AsAdAhAcKs", "TsJsQsKsAs", "2c3d4h5s7c"]),
    seed=st.integers(0, 99),
    chips=st.sampled_from([-1.5, 1.0, 400.0]),
    stretch=st.sampled_from([1, 40, 1081]),
    share=st.sampled_from([0.0, 0.1, 0.6]),
)
@settings(max_examples=30, deadline=None)
def test_both_are_the_sums_over_all_hands_that_can_be_held_beside_one(
    board: str, seed: int, chips: float, stretch: int, share: float
) -> None:
    """Catches a hand that is lost where hands without reach are passed over, alone or in a row."""
    boards, draw = river(board), np.random.default_rng(seed)
    is_held = np.repeat(draw.random(1081) < share, stretch)[:1081]
    reach = draw.random(1081) * is_held
    beside = ~share_a_card(boards.arrays.cards)
    ranks = boards.arrays.ranks.astype(int)
    folds, showdowns = filled(boards, reach, chips)
    assert folds == pytest.approx(chips * beside @ reach)
    assert showdowns == pytest.approx(
        chips * (beside * np.sign(ranks[:, None] - ranks[None])) @ reach, abs=1e-9
    )


def test_single_cards_block_themselves_alone() -> None:
    boards = build_board_tree(definition_of(KUHN), 0, (), no_changes())
    folds, showdowns = filled(boards, np.array([0.5, 0.25, 2.0]), 1.0)
    assert folds.tolist() == [2.25, 2.5, 0.75]
    assert showdowns.tolist() == [-2.25, -1.5, 0.75]


@kernel
def eight_values(
    reaches: AnyArray,
    cards: AnyArray,
    ranks: AnyArray,
    chips: AnyArray,
    sums: AnyArray,
    folds: AnyArray,
    showdowns: AnyArray,
) -> None:
    """Eight folds and eight showdowns, by kernels that pass registers to each other."""
    total = sum_lanes(reaches, cards, sums)
    fold_lanes(reaches, cards, chips, sums, total, folds)
    showdown_lanes(reaches, cards, ranks, chips, sums, showdowns)


def eight_filled(
    boards: BoardTree, reaches: AnyArray, chips: NDArray[np.float64]
) -> tuple[AnyArray, ...]:
    """Folds and showdowns [lane, hand] of *reaches* [lane, hand], each for its *chips*."""
    arrays, sums = boards.arrays, np.empty((52 + reaches.shape[1]) * NUM_LANES)
    turned = reaches.T.ravel()
    folds, showdowns = np.empty((2, len(turned)), reaches.dtype)
    eight_values(turned, arrays.cards, arrays.ranks, chips, sums, folds, showdowns)
    return tuple(found.reshape(-1, NUM_LANES).T for found in (folds, showdowns))


@given(
    board=st.sampled_from(["KsTd9h4s2c", "AsAdAhAcKs", "TsJsQsKsAs", "2c3d4h5s7c"]),
    seed=st.integers(0, 99),
    share=st.sampled_from([0.1, 1.0]),
    dtype=st.sampled_from([np.float32, np.float64]),
)
@settings(max_examples=20, deadline=None)
def test_eight_at_once_are_eight_one_by_one(
    board: str, seed: int, share: float, dtype: type[np.floating]
) -> None:
    """Catches lanes that mix, and chips of another lane."""
    boards, draw = river(board), np.random.default_rng(seed)
    shape = (NUM_LANES, 1081)
    reaches = (draw.random(shape) * (draw.random(shape) < share)).astype(dtype)
    chips = draw.normal(size=NUM_LANES)
    folds, showdowns = eight_filled(boards, reaches, chips)
    for lane in range(NUM_LANES):
        fold, showdown = filled(boards, reaches[lane].astype(float), float(chips[lane]))
        # Values reach a thousand, and those near zero are differences of such.
        tolerance = 1e-3 if dtype == np.float32 else 1e-9
        assert folds[lane] == pytest.approx(fold, rel=1e-6, abs=tolerance)
        assert showdowns[lane] == pytest.approx(showdown, rel=1e-6, abs=tolerance)


def test_eight_at_once_may_be_single_cards() -> None:
    boards = build_board_tree(definition_of(KUHN), 0, (), no_changes())
    reaches, chips = np.zeros((NUM_LANES, 3)), np.ones(NUM_LANES)
    reaches[2], chips[5] = [0.5, 0.25, 2.0], 3.0
    reaches[5] = reaches[2]
    folds, showdowns = eight_filled(boards, reaches, chips)
    assert folds[2].tolist() == [2.25, 2.5, 0.75]
    assert showdowns[2].tolist() == [-2.25, -1.5, 0.75]
    assert (folds[5], showdowns[5]) == (
        pytest.approx(3 * folds[2]),
        pytest.approx(3 * showdowns[2]),
    )
    assert not folds[[0, 1, 3, 4, 6, 7]].any()
    assert not showdowns[[0, 1, 3, 4, 6, 7]].any()
