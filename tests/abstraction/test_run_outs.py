"""One hand's run-outs against those of all hands together, river by river."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpcbot.abstraction.equity import fill_river_strengths, total
from acpcbot.abstraction.histograms import NUM_THRESHOLDS, fill_histograms
from acpcbot.abstraction.kmeans_buckets import hand_histogram, hand_opponent_strengths
from acpcbot.abstraction.opponent_clusters import OpponentStrengths
from acpcbot.abstraction.run_outs import MAX_GROUPS, fill_run_outs, hand_masks, run_out_total
from acpcbot.cards.combos import NUM_COMBOS, combo_index
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import BadCards

# Suits of three, four and five on the board, ours or not; boards of pairs, trips and four of a
# kind; straight flushes.
FLOPS = ["AsKs2s", "AhKh7d", "QsJd4c", "7c7d7h", "9s9h4s", "2c3c4c", "KdKs3d"]
TURNS = [
    "AsKs2s9s",
    "AhKh7d7h",
    "QsJd4cTc",
    "7c7d7h7s",
    "9s9h4s4h",
    "2c3c4c6c",
    "KdQdJd2s",
    "5h6c7d8s",
]
RIVERS = [
    "AsKsQsJsTs",
    "2c2d2h2s3c",
    "KsTd9h4s2c",
    "AhKh8h5h2h",
    "7c7d8s8h9c",
    "QdJd9c8c3h",
    "9s8s7s6s2d",
]


def run_outs(hole_cards: list[int], board: list[int]) -> Counter[int]:
    """Return how many rivers give the hand each strength."""
    strengths, counts = np.zeros(MAX_GROUPS, np.int64), np.zeros(MAX_GROUPS, np.int64)
    number = fill_run_outs(*hand_masks(hole_cards, board), strengths, counts)
    found: Counter[int] = Counter()
    for strength, count in zip(strengths[:number].tolist(), counts[:number].tolist(), strict=True):
        found[strength] += count
    return found


def every_river(hole_cards: list[int], board: list[int]) -> Counter[int]:
    """The same, river by river, from the strengths of all hands."""
    found: Counter[int] = Counter()
    strengths = np.empty(NUM_COMBOS, np.uint16)
    for missing in combinations(sorted(set(range(52)) - {*hole_cards, *board}), 5 - len(board)):
        fill_river_strengths(np.array([*board, *missing], np.uint8), strengths)
        found[int(strengths[combo_index(*hole_cards)])] += 1
    return found


def hands_on(board: list[int], count: int) -> list[list[int]]:
    """Random hole cards, and two of the suit of the board's first card if it leaves them."""
    random, rest = Random(len(board)), sorted(set(range(52)) - set(board))
    suited = [card for card in rest if card & 3 == board[0] & 3]
    return [
        suited[-2:],
        suited[:2],
        [suited[0], rest[-1]],
        *[random.sample(rest, 2) for _ in range(count)],
    ]


@pytest.mark.parametrize("text", RIVERS + TURNS)
def test_a_hand_has_the_strength_that_all_hands_together_have(text: str) -> None:
    """Catches flushes that are forgotten, counted twice or among hands of ranks, and dead cards
    that opponents hold.
    """
    board = list(parse_cards(text))
    for hand in hands_on(board, 40):
        assert run_outs(hand, board) == every_river(hand, board), hand


@pytest.mark.parametrize("text", FLOPS)
def test_a_flops_run_outs_are_those_of_every_turn_and_river(text: str) -> None:
    """Catches run-outs of two suited cards that count as one, and pairs of one rank that count
    in both orders.
    """
    board = list(parse_cards(text))
    for hand in hands_on(board, 1):
        found = run_outs(hand, board)
        assert found == every_river(hand, board), hand
        assert found.total() == 1081


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(52)), st.integers(3, 5))
def test_totals_are_those_of_all_opponents_one_by_one(deck: list[int], num_known: int) -> None:
    hole_cards, board = deck[:2], deck[2 : 2 + num_known]
    assert run_out_total(hole_cards, board) == total(hole_cards, board)


@pytest.mark.parametrize("text", ["AsKs2s", "9s9h4s4h", "5h6c7d8s"])
def test_a_histogram_is_the_row_of_the_hand(text: str) -> None:
    board = list(parse_cards(text))
    rows = np.empty((NUM_COMBOS, NUM_THRESHOLDS), np.uint16)
    fill_histograms(np.array(board, np.uint8), rows)
    for hand in hands_on(board, 40):
        point = hand_histogram(hand, board)
        assert point.dtype == rows.dtype
        assert point[0].tolist() == rows[combo_index(*hand)].tolist()


@pytest.mark.parametrize("text", RIVERS)
@pytest.mark.parametrize("num_clusters", [1, 8])
def test_strengths_against_clusters_are_the_row_of_the_hand(text: str, num_clusters: int) -> None:
    """Catches opponents with our cards, and clusters of which the cards that lie leave none."""
    board, clusters = (
        list(parse_cards(text)),
        (np.arange(169) * num_clusters // 169).astype(np.uint8),
    )
    clusters[0] = num_clusters  # a pair of twos alone
    features = OpponentStrengths(clusters)
    rows = np.empty((NUM_COMBOS, features.num_dimensions), np.uint16)
    features.fill(np.array(board, np.uint8), rows)
    for hand in hands_on(board, 40):
        point = hand_opponent_strengths(hand, board, clusters)
        assert point.dtype == rows.dtype
        assert point[0].tolist() == rows[combo_index(*hand)].tolist()


@pytest.mark.parametrize("hole_cards", ["As", "AsKsQs", "AsAs", "AsTd"])
def test_cards_that_no_deal_has_are_refused(hole_cards: str) -> None:
    held = [
        card
        for start in range(0, len(hole_cards), 2)
        for card in parse_cards(hole_cards[start : start + 2])
    ]
    with pytest.raises(BadCards, match="not two hole cards and three to five others"):
        run_out_total(held, parse_cards("Td9h4s"))
    with pytest.raises(BadCards):
        hand_histogram([51, 50], parse_cards("Td9h"))
