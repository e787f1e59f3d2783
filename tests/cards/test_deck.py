"""Cards, their text and their masks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.deck import (
    RANKS,
    SUITS,
    cards_of,
    deck_cards,
    format_card,
    format_cards,
    mask_of,
    parse_card,
    parse_cards,
)
from acpcbot.errors import BadCards

hands = st.lists(st.integers(0, 51), unique=True)


def test_a_card_is_four_times_its_rank_plus_its_suit() -> None:
    # Bug: ranks and suits swapped, or suits in another order than c, d, h, s.
    names = ["2c", "2d", "2h", "2s", "3c", "Tc", "Jd", "Qh", "Ks", "As"]
    assert [parse_card(name) for name in names] == [0, 1, 2, 3, 4, 32, 37, 42, 47, 51]


def test_every_card_is_read_in_either_case_and_written_in_one() -> None:
    # Bug: one spelling missing from the table ("Td" read, "tD" refused).
    for card in range(52):
        name = format_card(card)
        assert name[0] in RANKS
        assert name[1] in SUITS
        spellings = {
            rank + suit
            for rank in (name[0], name[0].lower())
            for suit in (name[1], name[1].upper())
        }
        assert {parse_card(spelling) for spelling in spellings} == {card}


@given(hands)
def test_text_of_cards_reads_back(cards: list[int]) -> None:
    # Bug: order lost, or cards cut at the wrong place.
    assert parse_cards(format_cards(cards)) == tuple(cards)


@given(hands)
def test_a_mask_holds_exactly_its_cards(cards: list[int]) -> None:
    # Bug: a bit off by one, or the last card dropped.
    assert cards_of(mask_of(cards)) == tuple(sorted(cards))


@pytest.mark.parametrize("text", ["", "A", "Asx", "1s", "Ax", "A s", "10s", "AsKd", " As"])
def test_text_that_is_no_card_is_refused(text: str) -> None:
    # Bug: a KeyError for the caller, or a card made from a part of the text.
    with pytest.raises(BadCards) as caught:
        parse_card(text)
    assert caught.value.text == text


@pytest.mark.parametrize("text", ["As Kd", "AsK", "AsXd", "As,Kd", "AsAs", "AsKdaS"])
def test_text_that_is_no_list_of_different_cards_is_refused(text: str) -> None:
    # Bug: a repeated card dealt twice, also when it is spelled in two ways.
    with pytest.raises(BadCards) as caught:
        parse_cards(text)
    assert caught.value.text == text


@given(st.text(alphabet="23456789TJQKAtjqkacdhsCDHS x", max_size=8))
def test_any_text_is_read_or_refused(text: str) -> None:
    # Bug: any exception but BadCards.
    try:
        cards = parse_cards(text)
    except BadCards:
        return
    assert format_cards(cards).lower() == text.lower()


def test_the_full_deck_goes_suit_by_suit() -> None:
    # Bug: the deck in card order, which deals other cards than the official dealer.
    text = format_cards(deck_cards(4, 13))
    assert text.startswith("2c3c4c5c6c7c8c9cTcJcQcKcAc2d")
    assert text.endswith("KhAh2s3s4s5s6s7s8s9sTsJsQsKsAs")
    assert sorted(deck_cards(4, 13)) == list(range(52))


def test_a_small_deck_has_the_highest_cards_unless_told_otherwise() -> None:
    # Bug: a Leduc or Kuhn deck from the other end.
    assert format_cards(deck_cards(2, 3)) == "QhKhAhQsKsAs"
    assert format_cards(deck_cards(1, 3)) == "QsKsAs"
    assert format_cards(deck_cards(2, 3, lowest=True)) == "2c3c4c2d3d4d"
