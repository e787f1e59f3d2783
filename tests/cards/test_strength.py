"""Table lookups of five to seven cards: exact counts, other people's evaluators, laws."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from acpcbot.cards.any_strength import strength
from acpcbot.cards.combos import NUM_COMBOS, combo_cards
from acpcbot.cards.deck import format_card, format_cards, mask_of, parse_cards
from acpcbot.cards.strength import (
    CLASS_NAMES,
    board_strengths,
    mask_strength,
    strength7,
    strength_class,
    strengths,
)
from acpcbot.errors import BadCards
from acpcbot.jit import kernel

hands = st.lists(st.integers(0, 51), min_size=5, max_size=7, unique=True)

# How many hands of each class there are, from high card to straight flush, and of how many
# strengths.
CLASS_COUNTS = {
    5: [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40],
    6: [6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1844],
    7: [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584],
}
NUM_STRENGTHS = {5: 7462, 6: 6075, 7: 4824}


@kernel
def count_strengths(first: int, end: int, counts: NDArray[np.int64]) -> None:
    """Count the strength of every mask from *first* to *end* with as many cards as *first*."""
    mask = first
    while mask < end:
        counts[mask_strength(mask)] += 1
        # The next number with as many bits: carry the lowest run up, and put the rest of it at the
        # bottom.
        lowest = mask & -mask
        carried = mask + lowest
        mask = carried | (carried ^ mask) // lowest >> 2


@cache
def dealt(count: int, num_hands: int = 500) -> NDArray[np.uint8]:
    random = Random(count)
    return np.array([random.sample(range(52), count) for _ in range(num_hands)], np.uint8)


def same_order(ours: list[int], theirs: list[Any]) -> bool:
    """Return True if both rank the hands alike, ties included."""
    pairs = sorted(set(zip(ours, theirs, strict=True)), key=lambda pair: pair[0])
    return all(low < high and weak < strong for (low, weak), (high, strong) in pairwise(pairs))


@pytest.mark.parametrize("count", [5, 6, pytest.param(7, marks=pytest.mark.slow)])
def test_all_hands_there_are_fall_into_classes_as_published(count: int) -> None:
    # Bug: any single place of the tables that moves a hand into another class, or merges two
    # strengths.
    counts = np.zeros(7463, np.int64)
    count_strengths((1 << count) - 1, 1 << 52, counts)
    by_class = Counter[str]()
    for value in range(1, 7463):
        by_class[strength_class(value)] += int(counts[value])
    assert [by_class[name] for name in CLASS_NAMES] == CLASS_COUNTS[count]
    assert np.count_nonzero(counts) == NUM_STRENGTHS[count]
    assert counts[0] == 0


@pytest.mark.parametrize("count", [5, 6, 7])
def test_tables_order_hands_as_the_arithmetic_does(count: int) -> None:
    # Bug: tables made for other rules than those of the general evaluator.
    values = strengths(dealt(count, 5000)).tolist()
    assert same_order(values, [strength(hand) for hand in dealt(count, 5000).tolist()])


@pytest.mark.parametrize("count", [5, 6, 7])
def test_tables_order_hands_as_pokerkit_does(count: int) -> None:
    # Bug: a misreading of poker's rules that both of our evaluators share.
    from pokerkit import StandardHighHand

    theirs = [StandardHighHand.from_game(format_cards(hand)) for hand in dealt(count).tolist()]
    ranked = sorted(
        zip(theirs, strengths(dealt(count)).tolist(), strict=True), key=lambda pair: pair[1]
    )
    for (weak, low), (strong, high) in pairwise(ranked):
        assert (low < high) == (weak < strong)


@pytest.mark.parametrize("count", [5, 6, 7])
def test_tables_order_hands_as_eval7_does(count: int) -> None:
    # Bug: as above, on more hands.
    eval7 = pytest.importorskip("eval7")
    cards = [eval7.Card(format_card(card)) for card in range(52)]
    theirs = [
        eval7.evaluate([cards[card] for card in hand]) for hand in dealt(count, 20000).tolist()
    ]
    assert same_order(strengths(dealt(count, 20000)).tolist(), theirs)


@given(hands)
def test_a_hand_is_as_strong_as_the_best_five_of_its_cards(hand: list[int]) -> None:
    # Bug: scales of five, six and seven cards that cannot be compared.
    fives = np.array(list(combinations(hand, 5)), np.uint8)
    assert strengths(np.array([hand], np.uint8))[0] == strengths(fives).max()


@given(hands, st.permutations(range(4)), st.randoms())
def test_neither_order_nor_names_of_suits_matter(
    hand: list[int], suits: list[int], random: Random
) -> None:
    # Bug: one suit's flushes looked up in another's ranks.
    other = [card // 4 * 4 + suits[card % 4] for card in hand]
    random.shuffle(other)
    assert strengths(np.array([hand], np.uint8)) == strengths(np.array([other], np.uint8))


def test_flushes_of_every_suit_are_found_in_every_form() -> None:
    # Bug: the suit of a flush decoded wrongly, which random hands rarely show.
    for suit in range(4):
        royal = [4 * rank + suit for rank in range(8, 13)]
        for rest in ([], [0], [0, 1]):
            hand = [*royal, *rest]
            assert strengths(np.array([hand], np.uint8)).tolist() == [7462]
            assert mask_strength(mask_of(hand)) == 7462
        assert strength7(*[*royal, 0, 1]) == 7462


def test_single_calls_agree_with_batches() -> None:
    # Bug: the scalar forms use other tables or starts than the batch.
    values = strengths(dealt(7, 5000)).tolist()
    assert [strength7(*hand) for hand in dealt(7, 5000).tolist()] == values
    for count in (5, 6, 7):
        masks = [mask_of(hand) for hand in dealt(count).tolist()]
        assert [mask_strength(mask) for mask in masks] == strengths(dealt(count)).tolist()


def test_known_hands_have_known_numbers_and_classes() -> None:
    # Bug: the scale upside down or shifted.
    expected = {
        "7c5d4h3s2c": (1, "high card"),
        "AcKdQhJs9c": (1277, "high card"),
        "2c2d5h4s3c": (1278, "pair"),
        "3c3d2h2s4c": (4138, "two pair"),
        "2c2d2h4s3c": (4996, "three of a kind"),
        "Ac2d3h4s5c": (5854, "straight"),
        "7c5c4c3c2c": (5864, "flush"),
        "2c2d2h3s3c": (7141, "full house"),
        "2c2d2h2s3c": (7297, "four of a kind"),
        "Ac2c3c4c5c": (7453, "straight flush"),
        "AsKsQsJsTs": (7462, "straight flush"),
    }
    for text, (value, name) in expected.items():
        assert strengths(np.array([parse_cards(text)], np.uint8)).tolist() == [value]
        assert strength_class(value) == name


@pytest.mark.parametrize("count", [3, 4, 5])
def test_a_board_gives_every_combo_its_own_strength(count: int) -> None:
    # Bug: combos in another order, blocked ones with a strength, flushes missed when one or no hole
    # card is needed.
    random = Random(count)
    suited = [[4 * rank + suit for rank in random.sample(range(13), count)] for suit in range(4)]
    boards = [
        *suited,
        *([*board[:-1], board[-1] ^ 1] for board in suited),
        *dealt(count, 50).tolist(),
    ]
    boards += [[*range(4 * rank, 4 * rank + 4), 30][:count] for rank in (0, 5, 12)]
    for board in boards:
        values = board_strengths(board).tolist()
        free = [index for index in range(NUM_COMBOS) if not set(combo_cards(index)) & set(board)]
        with_board = np.array([[*combo_cards(index), *board] for index in free], np.uint8)
        assert [values[index] for index in free] == strengths(with_board).tolist()
        assert np.count_nonzero(values) == len(free)


@pytest.mark.parametrize("board", ["AsKd", "AsKdQh2c3c4c", ""])
def test_a_board_of_another_size_is_refused(board: str) -> None:
    # Bug: strengths of four or eight cards read from a table that has none.
    with pytest.raises(BadCards):
        board_strengths(parse_cards(board))


def test_a_board_with_a_card_twice_is_refused() -> None:
    # Bug: a strength for hands that cannot be.
    with pytest.raises(BadCards):
        board_strengths([5, 5, 9])


@given(st.lists(st.integers(0, 255), min_size=7, max_size=7))
def test_numbers_that_are_no_hand_are_survived(numbers: list[int]) -> None:
    # Bug: a lookup outside the tables, which ends the process.
    assert 0 <= strength7(*numbers) <= 7462
    assert 0 <= strengths(np.array([numbers], np.uint8))[0] <= 7462
