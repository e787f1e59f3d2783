"""Showdown strength of any number of cards, against the official dealer and a slow evaluator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, groupby, pairwise, permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from acpcbot.cards.any_strength import MAX_CARDS, strength
from acpcbot.cards.any_strength_kernel import any_strength
from acpcbot.cards.deck import parse_cards
from acpcbot.jit import kernel

RANKED_HANDS = Path(__file__).parents[3] / "shared/gold/unit/rank.txt"
hands = st.lists(st.integers(0, 51), min_size=1, max_size=MAX_CARDS, unique=True)

# From worst to best, for each number of cards; hands that tie are on one line.
LADDERS = {
    1: ["2c", "9d 9h", "As Ac"],
    2: ["3c2d", "AcKc AhKd", "2c2d", "AcAd AhAs"],
    3: ["4c3c2c", "AcKcQc AdKhQs", "2c2d3h", "2c2dAh", "AcAdKh", "2c2d2h", "AcAdAh"],
    4: [
        "5c4c3c2c",
        "AcKcQcJc",
        "2c2d4h3h",
        "3c3d2h2c",
        "AcAdKhKc",
        "2c2d2h3c",
        "AcAdAh2c",
        "2c2d2h2s",
        "AcAdAhAs",
    ],
    5: [
        "7c5d4h3s2c",
        "AcKdQhJs9c AdKcQsJh9d",
        "2c2d5h4s3c",
        "3c3d2h2sAc",
        "2c2d2h4s3c",
        "Ac2d3h4s5c",
        "2c3d4h5s6c",
        "AcKdQhJsTc",
        "7c5c4c3c2c",
        "AcKcQcJc9c AdKdQdJd9d",
        "2c2d2h3s3c",
        "3c3d3h2s2c",
        "2c2d2h2s3c",
        "Ac2c3c4c5c",
        "AcKcQcJcTc AsKsQsJsTs",
    ],
    7: [
        "9c8c7d5h4s3d2c",
        "AcAdKhKdQhQs2c AcAdKhKdQhJs2c",
        "2c3d4h5s6cAcAd 2d3c4h5s6c6dAd",
        "2c4c6c8cTc3d5h",
        "AcAdAhKcKdKh2s AcAdAhKcKd2h3s",
        "2c2d2h2sAcAdAh 2c2d2h2sAcKdQh",
        "2c3c4c5c6cAcAd",
        "9sTsJsQsKsAsAd AsKsQsJsTsTdTh",
    ],
}


def slow_strength(cards: Sequence[int]) -> tuple[int, ...]:
    """The best of all hands of at most five cards, by counting."""
    return max(five_card_strength(five) for five in combinations(cards, min(5, len(cards))))


def five_card_strength(cards: Sequence[int]) -> tuple[int, ...]:
    groups = sorted(
        ((times, rank) for rank, times in Counter(card // 4 for card in cards).items()),
        reverse=True,
    )
    times, ranks = [group[0] for group in groups], [group[1] for group in groups]
    flush = len(cards) == 5 and len({card % 4 for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3, 2, 1, 0, -1]
    straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    classes = [
        (8, straight and flush),
        (7, times[0] == 4),
        (6, times[:2] == [3, 2]),
        (5, flush),
        (4, straight),
        (3, times[0] == 3),
        (2, times[:2] == [2, 2]),
        (1, times[0] == 2),
        (0, True),
    ]
    return (next(number for number, holds in classes if holds), *ranks)


@kernel
def strength_of_row(hands: NDArray[np.uint8], row: int, count: int) -> int:
    return any_strength(hands[row], count)


@pytest.mark.parametrize("count", sorted(LADDERS))
def test_classes_and_kickers_climb_the_ladder(count: int) -> None:
    # Bug: any class or kicker out of order; a wheel counted as ace high; two pair without its
    # kicker.
    rungs = [{strength(parse_cards(hand)) for hand in rung.split()} for rung in LADDERS[count]]
    assert all(len(rung) == 1 for rung in rungs)
    assert all(max(lower) < min(higher) for lower, higher in pairwise(rungs))


def test_of_two_flushes_in_ten_cards_the_better_counts() -> None:
    # Bug: only the first or last suit with five cards is looked at.
    six_high = strength(parse_cards("2c3c4c5c6c"))
    for low, high in permutations("cdhs", 2):
        straight_flush = "".join(rank + low for rank in "23456")
        flush = "".join(rank + high for rank in "AKQJ9")
        assert strength(parse_cards(straight_flush + flush)) == six_high
        assert strength(parse_cards(flush)) < six_high


def test_the_order_is_the_official_dealers() -> None:
    # Bug: any hand ranked otherwise than the dealer that keeps the score.
    if not RANKED_HANDS.exists():
        pytest.skip(f"{RANKED_HANDS} is not there")
    lines = [line.split() for line in RANKED_HANDS.read_text().splitlines()]
    ranked = sorted((len(text), int(number), strength(parse_cards(text))) for text, number in lines)
    for _, same_count in groupby(ranked, key=lambda entry: entry[0]):
        for (_, official, ours), (_, next_official, next_ours) in pairwise(same_count):
            assert (official < next_official) == (ours < next_ours)
            assert (official == next_official) == (ours == next_ours)


@pytest.mark.parametrize("count", range(1, MAX_CARDS + 1))
def test_any_two_hands_compare_as_by_counting(count: int) -> None:
    # Bug: rare shapes of many cards (two trips, three pairs, quads over quads) that no ladder
    # lists.
    random = Random(count)
    # Few ranks make many pairs, few suits many flushes.
    decks = [range(52), range(24), [card for card in range(52) if card % 4 < 2]]
    dealt = [random.sample(deck, count) for deck in decks for _ in range(100)]
    by_counting = {slow_strength(hand): strength(hand) for hand in dealt}
    assert [by_counting[slow_strength(hand)] for hand in dealt] == [
        strength(hand) for hand in dealt
    ]
    ascending = [by_counting[key] for key in sorted(by_counting)]
    assert all(lower < higher for lower, higher in pairwise(ascending))


@given(hands, st.permutations(range(4)), st.randoms())
def test_neither_order_nor_names_of_suits_matter(
    hand: list[int], suits: list[int], random: Random
) -> None:
    # Bug: the last card not counted, or a suit treated apart.
    other = [card // 4 * 4 + suits[card % 4] for card in hand]
    random.shuffle(other)
    assert strength(other) == strength(hand)


@given(hands.filter(lambda hand: len(hand) > 5))
def test_one_more_card_never_hurts(hand: list[int]) -> None:
    # Bug: a pair on the board breaks a straight or flush.
    assert strength(hand) >= strength(hand[:-1])


def test_kernels_get_the_same_numbers() -> None:
    # Bug: the count ignored, or rows of a larger array read with the wrong stride.
    dealt = np.array([[51, 47, 43, 39, 35, 0, 1], [0, 1, 2, 5, 9, 20, 51]], np.uint8)
    for row, hand in enumerate(dealt.tolist()):
        for count in range(1, 8):
            assert strength_of_row(dealt, row, count) == strength(hand[:count])
            assert any_strength(np.asfortranarray(dealt)[row], count) == strength(hand[:count])
