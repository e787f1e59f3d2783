"""Suit isomorphism: published sizes, and an index that is neither too coarse nor too fine."""

from __future__ import annotations

from itertools import chain, combinations, permutations
from math import comb
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from acpcbot.cards.isomorphism import SuitIsomorphism
from acpcbot.errors import BadCards

# Waugh (2013), table 1, and the same streets without the order of the later ones.
SIZES = {
    (2,): 169,
    (2, 3): 1_286_792,
    (2, 3, 1): 55_190_538,
    (2, 3, 1, 1): 2_428_287_420,
    (2, 4): 13_960_050,
    (2, 5): 123_156_254,
    (3,): 1_755,
    (4,): 16_432,
    (5,): 134_459,
}
isomorphisms = {
    groups: SuitIsomorphism(groups)
    for groups in [*SIZES, (7,), (1, 2, 1), (1, 1, 1, 1), (6, 1), (2, 1)]
}
Hand = tuple[tuple[int, ...], ...]


def split(cards: list[int], groups: tuple[int, ...]) -> Hand:
    """*cards* in *groups*, ascending inside each."""
    ends = np.cumsum(groups).tolist()
    return tuple(
        tuple(sorted(cards[end - size : end])) for end, size in zip(ends, groups, strict=True)
    )


def renamed(hand: Hand, suits: tuple[int, ...] | list[int]) -> Hand:
    return tuple(tuple(sorted(card // 4 * 4 + suits[card % 4] for card in group)) for group in hand)


def smallest_form(hand: Hand) -> Hand:
    """The hand that stands for all its renamings, by trying every one."""
    return min(renamed(hand, suits) for suits in permutations(range(4)))


def orbits(groups: tuple[int, ...]) -> int:
    """Return the number of hands that differ in more than suits, by Burnside's lemma."""
    cycle_types = {(1, 1, 1, 1): 1, (2, 1, 1): 6, (2, 2): 3, (3, 1): 8, (4,): 6}
    fixed = sum(number * hands_fixed_by(cycles, groups) for cycles, number in cycle_types.items())
    return fixed // 24


def hands_fixed_by(cycles: tuple[int, ...], groups: tuple[int, ...]) -> int:
    """Hands made of whole cycles of cards: 13 of each length in *cycles*."""
    ways = {tuple(13 for _ in cycles): 1}
    for size in groups:
        after: dict[tuple[int, ...], int] = {}
        for left, number in ways.items():
            most = [min(count, size // length) for count, length in zip(left, cycles, strict=True)]
            for used in np.ndindex(*(count + 1 for count in most)):
                if sum(count * length for count, length in zip(used, cycles, strict=True)) == size:
                    chosen = [comb(count, taken) for count, taken in zip(left, used, strict=True)]
                    rest = tuple(count - taken for count, taken in zip(left, used, strict=True))
                    after[rest] = after.get(rest, 0) + number * int(np.prod(chosen, dtype=object))
        ways = after
    return sum(ways.values())


@st.composite
def dealt_hands(draw: st.DrawFn) -> tuple[tuple[int, ...], Hand]:
    groups = draw(st.sampled_from(sorted(isomorphisms)))
    cards = draw(
        st.lists(st.integers(0, 51), min_size=sum(groups), max_size=sum(groups), unique=True)
    )
    return groups, split(cards, groups)


@pytest.mark.parametrize("groups", SIZES)
def test_numbers_of_hands_up_to_suits_are_the_published_ones(groups: tuple[int, ...]) -> None:
    # Bug: a configuration missing or counted twice.
    assert isomorphisms[groups].size == SIZES[groups]


@pytest.mark.parametrize("groups", [(2, 3), (7,), (1, 2, 1), (1, 1, 1, 1), (6, 1)])
def test_sizes_are_those_of_burnsides_lemma(groups: tuple[int, ...]) -> None:
    # Bug: shapes that only other games have, such as many cards of one group.
    assert isomorphisms[groups].size == orbits(groups)


@given(dealt_hands(), st.permutations(range(4)), st.randoms())
def test_neither_order_nor_names_of_suits_change_the_number(
    dealt: tuple[tuple[int, ...], Hand], suits: list[int], random: Random
) -> None:
    # Bug: suits of one shape not sorted, or a group read in order.
    groups, hand = dealt
    isomorphism = isomorphisms[groups]
    other = [random.sample(group, len(group)) for group in renamed(hand, suits)]
    assert isomorphism.index(other) == isomorphism.index(hand)


@given(dealt_hands())
def test_a_number_gives_back_a_hand_that_differs_only_in_suits(
    dealt: tuple[tuple[int, ...], Hand],
) -> None:
    # Bug: hands of other ranks or other suits share a number; cards handed back in another group.
    groups, hand = dealt
    isomorphism = isomorphisms[groups]
    representative = isomorphism.unindex(isomorphism.index(hand))
    assert smallest_form(representative) == smallest_form(hand)
    assert isomorphism.unindex(isomorphism.index(representative)) == representative


@given(st.data())
def test_every_number_has_a_hand(data: st.DataObject) -> None:
    # Bug: gaps, above all at the ends of configurations.
    isomorphism = isomorphisms[data.draw(st.sampled_from(sorted(isomorphisms)))]
    index = data.draw(st.integers(0, isomorphism.size - 1))
    assert isomorphism.index(isomorphism.unindex(index)) == index


@pytest.mark.parametrize("groups", [(2,), (2, 1), pytest.param((2, 3), marks=pytest.mark.slow)])
def test_every_class_is_hit_by_all_its_hands_and_no_others(groups: tuple[int, ...]) -> None:
    # Bug: two classes under one number while another stays empty.
    isomorphism = isomorphisms[groups]
    hits = np.zeros(isomorphism.size, np.int64)
    for hands in all_hands(groups):
        hits += np.bincount(isomorphism.indices(hands), minlength=isomorphism.size)
    numbers = np.arange(isomorphism.size)
    assert np.array_equal(isomorphism.indices(isomorphism.unindices(numbers)), numbers)
    # A class has as many hands as its representative has different renamings.
    sample = Random(1).sample(range(isomorphism.size), 169)
    for number in sample:
        hand = isomorphism.unindex(number)
        assert hits[number] == len({renamed(hand, suits) for suits in permutations(range(4))})
    assert hits.min() > 0
    assert hits.sum() == 1326 * (comb(50, groups[1]) if len(groups) > 1 else 1)


def all_hands(groups: tuple[int, ...]) -> list[NDArray[np.uint8]]:
    """Every hand of two hole cards, and with a board if *groups* says so."""
    holes = np.array(list(combinations(range(52), 2)), np.uint8)
    if groups == (2,):
        return [holes]
    boards = np.array(list(combinations(range(52), groups[1])), np.uint8)
    hands = []
    for hole in holes:
        free = boards[~np.isin(boards, hole).any(axis=1)]
        hands.append(np.hstack([np.broadcast_to(hole, (len(free), 2)), free]))
    return hands


def test_batches_agree_with_single_hands() -> None:
    # Bug: scratch space left over from the hand before.
    random = Random(2)
    for groups, isomorphism in isomorphisms.items():
        hands = [split(random.sample(range(52), sum(groups)), groups) for _ in range(50)]
        cards = np.array([list(chain.from_iterable(hand)) for hand in hands], np.uint8)
        assert isomorphism.indices(cards).tolist() == [isomorphism.index(hand) for hand in hands]


@pytest.mark.parametrize(
    "hand", [[(0, 1)], [(0, 1), (2, 3)], [(0, 1), (2, 3, 1)], [(0,), (1, 2, 3, 4)]]
)
def test_a_hand_of_other_groups_or_with_a_card_twice_is_refused(
    hand: list[tuple[int, ...]],
) -> None:
    # Bug: a number for cards that cannot have been dealt.
    with pytest.raises(BadCards):
        isomorphisms[2, 3].index(hand)
