"""Small decks under both conventions, told apart by the cards that are seen."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.deck import deck_cards, parse_card, parse_cards
from acpcbot.errors import BadCards
from acpcbot.poker.deck_convention import DeckConvention

SMALL_DECKS = [sizes for sizes in product(range(1, 5), range(1, 14)) if sizes != (4, 13)]


def leduc_after(cards: str) -> DeckConvention:
    convention = DeckConvention(num_suits=2, num_ranks=3)
    convention.see(parse_cards(cards))
    return convention


def test_one_leduc_card_tells_the_convention() -> None:
    assert leduc_after("").lowest is None
    assert leduc_after("Qh").lowest is False
    assert leduc_after("4c").lowest is True


def test_a_card_of_both_decks_settles_nothing() -> None:
    convention = DeckConvention(num_suits=4, num_ranks=9)
    convention.see(parse_cards("6cTs"))
    assert convention.lowest is None
    convention.see(parse_cards("8d2h"))
    assert convention.lowest is True


def test_suits_alone_tell_the_convention_when_all_ranks_are_there() -> None:
    convention = DeckConvention(num_suits=3, num_ranks=13)
    convention.see(parse_cards("AdAh"))
    assert convention.lowest is None
    convention.see(parse_cards("As"))
    assert convention.lowest is False


def test_leduc_cards_map_rank_to_rank_and_suit_to_suit() -> None:
    convention = leduc_after("2c")
    named = [convention.to_canonical(parse_card(name)) for name in ("2c", "3c", "4d")]
    assert named == [parse_card(name) for name in ("Qh", "Kh", "As")]


@pytest.mark.parametrize("sizes", SMALL_DECKS)
def test_the_lowest_deck_maps_onto_the_highest_in_order(sizes: tuple[int, int]) -> None:
    lowest, highest = deck_cards(*sizes, lowest=True), deck_cards(*sizes)
    convention = DeckConvention(*sizes)
    convention.see(lowest)
    assert convention.lowest is True
    assert tuple(map(convention.to_canonical, lowest)) == highest


@pytest.mark.parametrize("sizes", SMALL_DECKS)
def test_the_highest_deck_is_the_canonical_one(sizes: tuple[int, int]) -> None:
    highest = deck_cards(*sizes)
    convention = DeckConvention(*sizes)
    convention.see(highest)
    assert convention.lowest is False
    assert tuple(map(convention.to_canonical, highest)) == highest


def test_until_it_is_settled_cards_are_taken_for_those_of_the_highest_deck() -> None:
    convention = DeckConvention(num_suits=4, num_ranks=9)
    convention.see(parse_cards("6c"))
    assert convention.to_canonical(parse_card("6c")) == parse_card("6c")


@pytest.mark.parametrize(
    ("before", "cards", "reason"),
    [
        ("", "7h", "not in this game's deck"),
        ("", "Qc", "not in this game's deck"),
        ("2c", "7h", "not in this game's deck"),
        ("", "Qh2c", "the highest and the lowest cards of a small deck together"),
        ("Qh", "2c", "the highest and the lowest cards of a small deck together"),
        ("4d", "Ks", "the highest and the lowest cards of a small deck together"),
    ],
)
def test_cards_that_fit_no_deck_are_refused_and_change_nothing(
    before: str, cards: str, reason: str
) -> None:
    convention = leduc_after(before)
    settled = convention.lowest
    with pytest.raises(BadCards) as caught:
        convention.see(parse_cards(cards))
    assert (caught.value.text, caught.value.reason) == (cards, reason)
    assert convention.lowest is settled


@given(cards=st.lists(st.integers(0, 51), unique=True))
def test_a_full_deck_is_settled_from_the_start_and_takes_every_card(cards: list[int]) -> None:
    convention = DeckConvention(num_suits=4, num_ranks=13)
    convention.see(cards)
    assert convention.lowest is False
    assert [convention.to_canonical(card) for card in cards] == cards
