"""The numbering of hands on flops, against counts that are known and against all changes of
suits tried one by one.
"""

from __future__ import annotations

from itertools import combinations, islice, permutations
from random import Random

import numpy as np
import pytest

from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.holdem_abstraction import flop_hand_number, flop_numbers, num_flop_hands
from acpcbot.cards.combos import combo_cards, combo_index, combo_masks
from acpcbot.cards.deck import mask_of, parse_cards
from acpcbot.errors import BadCards

# Waugh (2013), A fast and optimal hand isomorphism algorithm: hands on flops that are not the same
# but for suits.
NUM_KNOWN = 1_286_792
CHANGES = list(permutations(range(4)))
PLACES = {
    "distinct ranks": "Kh9d2c",
    "two of a suit, low": "9d2dKh",
    "two of a suit, apart": "2dKd9h",
    "two of a suit, high": "9dKd2h",
    "one suit": "Kd9d2d",
    "low pair": "3c3hKd",
    "low pair and its suit": "3c3hKh",
    "high pair": "KcKh3d",
    "high pair and its suit": "KcKs3c",
    "trips": "7c7h7s",
}


def first_alike(hand: tuple[int, ...], flop: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Of all hands that are the same but for suits the first one."""
    changed = [
        [[card & ~3 | change[card & 3] for card in part] for part in (hand, flop)]
        for change in CHANGES
    ]
    return min((sorted(held), sorted(board)) for held, board in changed)


def test_there_are_as_many_hands_as_others_count() -> None:
    """Catches hands that share a number, flops whose numbers overlap, and hands that are alike
    and have two.
    """
    seen = np.zeros(num_flop_hands(), np.int64)
    for flop in canonical_boards(3).boards.tolist():
        free = combo_masks() & np.uint64(mask_of(flop)) == 0
        seen[np.unique(flop_numbers(flop)[free])] += 1
    assert seen.max() == 1
    assert seen.sum() == NUM_KNOWN


@pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.slow)])
def test_no_two_kinds_of_flops_meet(step: int) -> None:
    """Catches a flop that takes numbers of another one, whatever its suits are: one in 13, or
    all 22,100.
    """
    combos = (combo_index(51, 47), combo_index(5, 2))
    owners: dict[int, tuple[int, tuple[list[int], list[int]]]] = {}
    for flop in islice(combinations(range(52), 3), 0, None, step):
        numbers = flop_numbers(flop)
        assert 0 <= numbers.min() <= numbers.max() < num_flop_hands()
        for combo in combos:
            hand = combo_cards(combo)
            if not {*hand} & {*flop}:
                found = (flop_hand_number(hand, flop), first_alike(hand, flop))
                assert owners.setdefault(found[0], found) == found


@pytest.mark.parametrize("place", PLACES)
def test_hands_share_a_number_if_a_change_of_suits_makes_them_the_same(place: str) -> None:
    """Catches changes of suits that are left out or that are none, pattern by pattern, for all
    hands of a flop.
    """
    flop = parse_cards(PLACES[place])
    hands = list(combinations([card for card in range(52) if card not in flop], 2))
    numbers = [flop_hand_number(hand, flop) for hand in hands]
    names = [first_alike(hand, flop) for hand in hands]
    kinds = {(number, str(name)) for number, name in zip(numbers, names, strict=True)}
    assert len(kinds) == len(set(numbers)) == len({name for _, name in kinds})


def test_suits_and_the_order_of_cards_change_no_number() -> None:
    """Catches an order that is taken for granted, in the hand or on the board."""
    random = Random(1)
    for _ in range(2000):
        cards = random.sample(range(52), 5)
        change = random.choice(CHANGES)
        others = [card & ~3 | change[card & 3] for card in cards]
        hand, flop = others[1::-1], random.sample(others[2:], 3)
        assert flop_hand_number(hand, flop) == flop_hand_number(cards[:2], cards[2:])


def test_one_hand_has_the_number_that_the_whole_flop_gives_it() -> None:
    """Catches two ways of counting that are two numberings."""
    random = Random(2)
    for _ in range(50):
        deck = random.sample(range(52), 52)
        flop, rest = deck[:3], deck[3:]
        numbers = flop_numbers(flop)
        for hand in zip(rest[::2], rest[1::2], strict=False):
            assert flop_hand_number(hand, flop) == numbers[combo_index(*hand)]


@pytest.mark.parametrize(
    ("hand", "flop"), [("AsKd", "Ks9h"), ("As", "Ks9h2c"), ("AsKd", "Ks9h2c3d")]
)
def test_other_numbers_of_cards_are_refused(hand: str, flop: str) -> None:
    """Catches a bucket of some other hand where the turn is asked about by mistake."""
    with pytest.raises(BadCards):
        flop_hand_number(parse_cards(hand), parse_cards(flop))


def test_a_card_that_is_there_twice_is_refused() -> None:
    """Catches a number for a hand that cannot be."""
    for hand, flop in [((3, 3), (8, 13, 18)), ((3, 8), (8, 13, 18)), ((3, 8), (13, 13, 18))]:
        with pytest.raises(BadCards):
            flop_hand_number(hand, flop)
