"""The numbering of hole-card pairs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.cards.combos import (
    NUM_COMBOS,
    all_combos,
    combo_cards,
    combo_index,
    combo_masks,
    combos_without,
    format_combo,
    parse_combo,
)
from acpcbot.cards.deck import mask_of
from acpcbot.errors import BadCards
from acpcbot.jit import kernel


@kernel
def number_pairs(pairs: NDArray[np.uint8], numbers: NDArray[np.int64]) -> None:
    for place, pair in enumerate(pairs):
        numbers[place] = combo_index(pair[0], pair[1])


def test_every_pair_has_one_number_in_either_order() -> None:
    # Bug: two pairs share a number, or the order of the cards matters.
    numbers = [combo_index(high, low) for low, high in combinations(range(52), 2)]
    assert sorted(numbers) == list(range(NUM_COMBOS))
    assert numbers == [combo_index(low, high) for low, high in combinations(range(52), 2)]


def test_a_number_gives_its_cards_back() -> None:
    # Bug: rounding in the square root at the first or last combo of a card.
    for index in range(NUM_COMBOS):
        high, low = combo_cards(index)
        assert high > low
        assert combo_index(high, low) == index


def test_kernels_number_as_python_does() -> None:
    # Bug: small unsigned cards overflow in the multiplication.
    numbers = np.empty(NUM_COMBOS, np.int64)
    for pairs in (all_combos(), all_combos()[:, ::-1]):
        number_pairs(pairs, numbers)
        assert numbers.tolist() == list(range(NUM_COMBOS))


def test_arrays_agree_with_the_numbering() -> None:
    # Bug: the cards or masks in another order than the numbers.
    assert all_combos().shape == (NUM_COMBOS, 2)
    assert [tuple(pair) for pair in all_combos().tolist()] == [
        combo_cards(index) for index in range(NUM_COMBOS)
    ]
    assert combo_masks().tolist() == [mask_of(combo_cards(index)) for index in range(NUM_COMBOS)]


def test_shared_arrays_cannot_be_changed() -> None:
    # Bug: one user writes into every other user's table.
    with pytest.raises(ValueError, match="read-only"):
        all_combos()[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        combo_masks()[0] = 0


def test_blocked_combos_are_left_out() -> None:
    # Bug: a combo with one blocked card stays in.
    mask = mask_of([0, 20, 51])
    free = combos_without(mask).tolist()
    assert free == [index for index in range(NUM_COMBOS) if not mask_of(combo_cards(index)) & mask]
    assert len(free) == 49 * 48 // 2


def test_text_of_a_combo_reads_back() -> None:
    # Bug: the pair read as one card, or written lower card first.
    assert format_combo(parse_combo("KdAs")) == "AsKd"
    assert [parse_combo(format_combo(index)) for index in range(NUM_COMBOS)] == list(
        range(NUM_COMBOS)
    )


@pytest.mark.parametrize("text", ["As", "AsKdQh", "AsAs", "AK", ""])
def test_text_that_is_no_combo_is_refused(text: str) -> None:
    # Bug: a third card ignored.
    with pytest.raises(BadCards):
        parse_combo(text)
