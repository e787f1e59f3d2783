"""Dealing: the official dealer's cards for every seed, and decks dealt fairly."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.deck import format_cards
from acpcbot.poker.dealing import Deal, Dealing
from acpcbot.protocol.grammar import format_board
from tests.support.games import ALL_GAMES, KUHN, LEDUC, LIMIT_2P, NOLIMIT_6P, definition_of
from tests.support.gold import BOTH_SETS, gold_rows
from tests.support.playouts import game_names

seeds = st.integers(0, 2**32 - 1)


def text_of(name: str, deal: Deal) -> str:
    definition = definition_of(name)
    board = format_board(deal.board, definition.num_board_cards, definition.num_streets - 1)
    return "|".join(map(format_cards, deal.hole_cards)) + board


@BOTH_SETS
def test_the_cards_are_the_official_dealers(gold: Path) -> None:
    for row in gold_rows(gold, "deals.jsonl"):
        dealing = Dealing(definition_of(row["game"]), row["seed"])
        assert [text_of(row["game"], dealing.next_deal()) for _ in range(4)] == row[
            "first_hands"
        ], row
        dealing.skip(195)
        assert text_of(row["game"], dealing.next_deal()) == row["hand_199"], row


def test_the_published_first_hands_of_seed_zero_come_out() -> None:
    dealing = Dealing(definition_of(LIMIT_2P), 0)
    assert [text_of(LIMIT_2P, dealing.next_deal()) for _ in range(3)] == [
        "5d5c|9hQd/8dAs8s/4h/6d",
        "6sKs|5dJd/2sTh2h/Qh/8h",
        "Ah8s|2h4c/Qd7h6c/4s/Jc",
    ]


# Laws.


@given(game_names, seeds, st.integers(0, 600))
def test_skipping_hands_is_dealing_without_looking(name: str, seed: int, num_hands: int) -> None:
    skipping, dealing = Dealing(definition_of(name), seed), Dealing(definition_of(name), seed)
    skipping.skip(num_hands)
    for _ in range(num_hands):
        dealing.next_deal()
    assert skipping.next_deal() == dealing.next_deal()


@given(game_names, seeds)
def test_no_card_is_dealt_twice_or_from_another_deck(name: str, seed: int) -> None:
    definition = definition_of(name)
    deal = Dealing(definition, seed).next_deal()
    cards = [card for held in deal.hole_cards for card in held] + list(deal.board)
    assert len(cards) == len(set(cards)) == definition.cards_per_hand
    assert set(cards) <= set(definition.deck)
    assert [len(held) for held in deal.hole_cards] == [
        definition.num_hole_cards
    ] * definition.num_players
    assert len(deal.board) == sum(definition.num_board_cards)


@pytest.mark.parametrize("name", ALL_GAMES)
def test_two_matches_of_one_seed_have_the_same_cards(name: str) -> None:
    ours, theirs = Dealing(definition_of(name), 4), Dealing(definition_of(name), 4)
    assert [ours.next_deal() for _ in range(50)] == [theirs.next_deal() for _ in range(50)]


@pytest.mark.parametrize("name", [KUHN, LEDUC, NOLIMIT_6P])
def test_every_card_comes_to_every_place_equally_often(name: str) -> None:
    """A shuffle that swaps wrongly favours some places."""
    definition, dealing = definition_of(name), Dealing(definition_of(name), 2)
    num_hands = 200 * len(definition.deck)
    seen: Counter[tuple[int, int]] = Counter()
    for _ in range(num_hands):
        deal = dealing.next_deal()
        cards = [card for held in deal.hole_cards for card in held] + list(deal.board)
        seen.update(enumerate(cards))
    counts = [
        seen[place, card] for place in range(definition.cards_per_hand) for card in definition.deck
    ]
    statistic = sum((count - 200) ** 2 for count in counts) / 200
    degrees = definition.cards_per_hand * (len(definition.deck) - 1)
    assert abs(statistic - degrees) < 6 * (2 * degrees) ** 0.5
