"""Histograms of strength: their distance is the earth mover's, and their counts are those of
slow enumerations.
"""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpcbot.abstraction.canonical_boards import SUIT_CHANGES, combo_under
from acpcbot.abstraction.equity import BLOCKED_STRENGTH, fill_river_strengths
from acpcbot.abstraction.histograms import NUM_BINS, NUM_THRESHOLDS, StrengthHistograms
from acpcbot.abstraction.kmeans import Centroids, Points
from acpcbot.cards.any_strength import strength
from acpcbot.cards.combos import NUM_COMBOS, combo_index, combo_masks
from acpcbot.cards.deck import mask_of, parse_cards

bins = st.lists(st.integers(0, NUM_BINS - 1), min_size=5, max_size=5)


def histograms(board: list[int]) -> Points:
    points = np.empty((NUM_COMBOS, NUM_THRESHOLDS), np.uint16)
    StrengthHistograms(len(board)).fill(np.array(board, np.uint8), points)
    return points


def at_least(strengths: list[int]) -> list[int]:
    """Return how many of *strengths* reach each threshold, in whole numbers throughout."""
    return [
        sum(value * NUM_BINS >= 1981 * number for value in strengths)
        for number in range(1, NUM_BINS)
    ]


@settings(max_examples=40)
@given(bins, bins)
def test_the_cost_is_the_least_work_of_moving_one_histogram_onto_the_other(
    first: list[int], second: list[int]
) -> None:
    """Catches a distance that only compares bin with bin, for which a miss is as bad as a mile."""
    counts = [
        [sum(place >= number for place in places) for number in range(1, NUM_BINS)]
        for places in (first, second)
    ]
    one, other = np.array(counts, np.uint16)
    _, costs = Centroids.of(one[None], StrengthHistograms.power).assign(other[None])
    works = [
        sum(abs(a - b) for a, b in zip(first, moved, strict=True)) for moved in permutations(second)
    ]
    assert costs[0] == min(works)


def test_counts_on_a_turn_are_those_of_an_evaluator_without_tables() -> None:
    """Catches rivers that are left out, thresholds that are off by one, and ties that count as
    wins.
    """
    hole_cards, board = list(parse_cards("8c7c")), list(parse_cards("9c6h4dTc"))
    rivers = sorted(set(range(52)) - {*hole_cards, *board})
    strengths = [slow_strength(hole_cards, [*board, river]) for river in rivers]
    assert len(strengths) == 46
    assert histograms(board)[combo_index(*hole_cards)].tolist() == at_least(strengths)


def slow_strength(hole_cards: list[int], river: list[int]) -> int:
    own = strength([*hole_cards, *river])
    rest = sorted(set(range(52)) - {*hole_cards, *river})
    others = [strength([*pair, *river]) for pair in combinations(rest, 2)]
    return 2 * sum(own > other for other in others) + sum(own == other for other in others)


def test_counts_on_a_flop_are_those_of_all_pairs_of_cards_to_come() -> None:
    """Catches pairs that count twice, once in either order."""
    board = list(parse_cards("KsTd9h"))
    combos = [combo_index(*parse_cards(text)) for text in ("QcJc", "2c2d", "AsQs")]
    strengths: list[list[int]] = [[] for _ in combos]
    values = np.empty(NUM_COMBOS, np.uint16)
    for pair in combinations(sorted(set(range(52)) - set(board)), 2):
        fill_river_strengths(np.array([*board, *pair], np.uint8), values)
        for found, combo in zip(strengths, combos, strict=True):
            found += [int(values[combo])] if values[combo] != BLOCKED_STRENGTH else []
    points = histograms(board)
    for found, combo in zip(strengths, combos, strict=True):
        assert len(found) == 1081
        assert points[combo].tolist() == at_least(found)


@pytest.mark.parametrize(("text", "run_outs"), [("QsJsTs", 1081), ("QsJsTs2c", 46)])
def test_a_hand_that_nothing_beats_reaches_all_thresholds_and_a_blocked_one_none(
    text: str, run_outs: int
) -> None:
    """Catches a highest threshold beyond every hand, and numbers left over for combos that
    cannot be.
    """
    board = list(parse_cards(text))
    points = histograms(board)
    assert points[combo_index(*parse_cards("AsKs"))].tolist() == [run_outs] * NUM_THRESHOLDS
    blocked = combo_masks() & np.uint64(mask_of(board)) != 0
    assert not points[blocked].any()
    assert points[~blocked].max() == run_outs


@settings(max_examples=8)
@given(st.lists(st.integers(0, 51), min_size=4, max_size=4, unique=True), st.integers(0, 23))
def test_the_names_of_suits_do_not_matter(board: list[int], permutation: int) -> None:
    """Catches a hand that would be another on its canonical board."""
    changed = [card & ~3 | int(SUIT_CHANGES[permutation, card & 3]) for card in board]
    assert np.array_equal(histograms(changed)[combo_under()[permutation]], histograms(board))


def test_draws_differ_from_made_hands_of_their_mean_strength() -> None:
    """Catches a description by the mean alone."""
    points = histograms(list(parse_cards("KsTs4d")))
    draw, pair = (points[combo_index(*parse_cards(text))].astype(int) for text in ("9s8s", "6c6h"))
    assert np.abs(draw - pair).sum() > 40 * abs(int(draw.sum()) - int(pair.sum()))
