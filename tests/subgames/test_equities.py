"""Equities against ranges, against plain sums over pairs of hands and boards by the evaluator in
plain Python, and against published ones.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.cards.any_strength import strength
from acpcbot.cards.deck import parse_cards
from acpcbot.cards.range_notation import parse_range
from acpcbot.evaluation.aivat.showdowns import hand_equities
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_number
from acpcbot.subgames.equities import Equities, range_equities
from tests.support.games import LEDUC, LIMIT_2P, definition_of

HOLDEM = definition_of(LIMIT_2P)


def equities(board: str, *texts: str) -> Equities:
    reaches = np.stack([np.asarray(parse_range(text), np.float64) for text in texts])
    return range_equities(HOLDEM, parse_cards(board), reaches, np.random.default_rng(3))


def plain(definition: GameDefinition, board: tuple[int, ...], reaches: Floats, seat: int) -> Floats:
    """Return the equity of each hand of *seat*, by going through all pairs and boards."""
    hands = all_hands(definition).tolist()
    missing = sum(definition.num_board_cards) - len(board)
    found = np.full(len(hands), np.nan)
    for own, cards in enumerate(hands):
        if not reaches[seat, own] or set(cards) & set(board):
            continue
        won = met = 0.0
        for other in np.flatnonzero(reaches[1 - seat]):
            rival = hands[other]
            if set(rival) & {*cards, *board}:
                continue
            rest = [card for card in definition.deck if card not in (*cards, *rival, *board)]
            for later in combinations(rest, missing):
                first, second = (strength((*hand, *board, *later)) for hand in (cards, rival))
                weight = float(reaches[1 - seat, other])
                won += weight * (1.0 if first > second else 0.5 if first == second else 0.0)
                met += weight
        found[own] = won / met if met else np.nan
    return found


@pytest.mark.parametrize(
    ("board", "first", "second"),
    [
        ("KsTd9h4s2c", "AKs,QJo:0.25,44,T9o", "A2s:0.5,KQo,99,QJs"),
        ("KsTd9h4s", "AKs:0.3,QJs,44", "KQs:0.5,99,A5s"),
        ("KsTd9h4s", "KhKd", "KhQh"),
    ],
    ids=["river", "turn", "blocked"],
)
def test_equities_are_sums_over_pairs_of_hands_and_boards(
    board: str, first: str, second: str
) -> None:
    """Catches ties that count whole, hands that share a card, and weights left out."""
    found = equities(board, first, second)
    reaches = np.stack([parse_range(first), parse_range(second)])
    for seat in range(2):
        expected = plain(HOLDEM, parse_cards(board), reaches, seat)
        held = (reaches[seat] > 0) & np.isfinite(expected)
        assert held.any() or board == "KsTd9h4s"
        np.testing.assert_allclose(found.shares[seat][held], expected[held], atol=1e-12)
    assert found.standard_error == 0


def test_a_hand_that_meets_nobody_has_no_equity() -> None:
    """Catches a number from nothing."""
    found = equities("KsTd9h4s", "KhKd", "KhQh")
    assert np.isnan(found.shares[0, hand_number(HOLDEM, parse_cards("KhKd"))])


def test_equities_on_a_flop_are_those_of_hands_against_hands() -> None:
    """Catches boards that are left out; the other way goes hand by hand."""
    board, reach = "QsJh2c", np.asarray(parse_range("TT+:0.5,A5s,87s"), np.float64)
    shares = equities(board, "AKo,T9s,22", "TT+:0.5,A5s,87s").shares[0]
    for text in ("AdKh", "TsTh", "2d2h", "Th9h"):
        cards = parse_cards(text)
        by_hand = np.asarray(hand_equities(cards, parse_cards(board)), np.float64)
        hands = all_hands(HOLDEM).tolist()
        free = np.array([not set(hand) & {*cards, *parse_cards(board)} for hand in hands])
        weights = reach * free
        expected = weights @ by_hand / weights.sum()
        assert shares[hand_number(HOLDEM, cards)] == pytest.approx(expected, abs=1e-5)


def test_equities_before_the_flop_come_with_their_error() -> None:
    """Aces against kings win 81.9 %, against queens of other suits too; drawn boards come near."""
    found = equities("", "AA", "KK")
    aces = found.shares[0, hand_number(HOLDEM, parse_cards("AsAh"))]
    assert 0.002 < found.standard_error < 0.03
    assert aces == pytest.approx(0.8195, abs=4 * found.standard_error)
    assert found.num_boards == 1000


def test_equities_of_single_cards_are_those_of_leduc() -> None:
    """Catches a second card that small games do not have."""
    definition = definition_of(LEDUC)
    reaches = np.random.default_rng(5).random((2, len(all_hands(definition))))
    for board in ((), (definition.deck[2],)):
        found = range_equities(definition, board, reaches, np.random.default_rng(0)).shares
        for seat in range(2):
            expected = plain(definition, board, reaches, seat)
            held = np.isfinite(expected)
            np.testing.assert_allclose(found[seat][held], expected[held], atol=1e-12)
