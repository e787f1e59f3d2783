"""Equities of all pairs, against those of single hands and of plain counting."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.hand_groups import HandGroups, group_hands
from acpcbot.abstraction.pair_equities import (
    LOWEST,
    fill_percentiles,
    full_ranks,
    pair_equities,
    run_out_ranks,
)
from acpcbot.cards.any_strength import strength
from acpcbot.cards.combos import combo_index, parse_combo
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.showdowns import hand_equities
from acpcbot.poker.hands import all_hands, hand_number, hands_without
from tests.support.games import LEDUC, LIMIT_2P, definition_of
from tests.support.range_games import even_game

HOLDEM = definition_of(LIMIT_2P)
SMALL = even_game("0 1 1", 12, 2, suits=2, ranks=4)


@pytest.mark.parametrize("text", ["KsTd9h", "Kd8d3d4c", "7s7d7h"])
@pytest.mark.parametrize("num_threads", [1, 2])
def test_pairs_are_worth_what_single_hands_are(text: str, num_threads: int) -> None:
    board = tuple(parse_cards(text))
    found, held = (
        pair_equities(HOLDEM, board, num_threads),
        np.flatnonzero(hands_without(HOLDEM, board)),
    )
    assert np.array_equal(found, -found.T)
    for place in (0, 317, len(held) - 1):
        hand = all_hands(HOLDEM)[held[place]]
        beside = ~np.isin(all_hands(HOLDEM)[held], hand).any(axis=1)
        expected = np.where(beside, 2 * hand_equities(hand.tolist(), board)[held] - 1, 0)
        assert found[place] == pytest.approx(expected, abs=1e-6)


def test_small_decks_are_counted_through() -> None:
    found, hands = pair_equities(SMALL, ()), all_hands(SMALL).tolist()
    for first, second in combinations(range(0, len(hands), 3), 2):
        gone = {*hands[first], *hands[second]}
        if len(gone) < 4:
            assert found[first, second] == 0
            continue
        boards = list(combinations([card for card in SMALL.deck if card not in gone], 2))
        won = sum(
            np.sign(strength((*hands[first], *board)) - strength((*hands[second], *board)))
            for board in boards
        )
        assert found[first, second] == pytest.approx(won / len(boards), abs=1e-6)


def test_single_cards_are_compared_too() -> None:
    leduc = definition_of(LEDUC)
    found = pair_equities(leduc, ())
    high, low = (hand_number(leduc, [card]) for card in (leduc.deck[-1], leduc.deck[0]))
    # Of the four cards that can come one pairs the lower card, which wins then.
    assert found[high, low] == pytest.approx(0.5)


def test_ranks_are_those_of_the_evaluator_and_percentiles_count_ties_half() -> None:
    board = tuple(parse_cards("KsTd9h4s2c"))
    ranks = full_ranks(HOLDEM, board)
    assert np.array_equal(ranks == LOWEST, ~hands_without(HOLDEM, board))
    pairs = [[parse_combo(text) for text in pair] for pair in (("KhKd", "AsAh"), ("QsJs", "KhKd"))]
    assert all(ranks[better] > ranks[worse] for better, worse in pairs)
    shares = np.empty((1, 6), np.float32)
    fill_percentiles(np.array([[3, 5, LOWEST, 3, 0, 7]], np.int16), shares)
    assert shares[0].tolist() == pytest.approx([0.4, 0.7, 0, 0.4, 0.1, 0.9])


def test_there_are_no_run_outs_where_they_are_too_many() -> None:
    assert run_out_ranks(HOLDEM, ()).shape == (0, 1326)
    long = even_game("0 3 1 1", 450, 50, suits=3)
    with pytest.raises(UsageError, match="boards can follow, more than"):
        pair_equities(long, ())


def test_groups_hold_like_hands_and_suits_do_not_matter() -> None:
    board = tuple(parse_cards("Kd8d3d"))
    equities = pair_equities(HOLDEM, board)
    held = np.flatnonzero(hands_without(HOLDEM, board))
    groups = group_hands(equities, np.ones(len(held)), 32)
    assert 24 <= len(groups) <= 32
    assert np.array_equal(np.sort(groups.members), np.arange(len(held)))
    for number in range(len(groups)):
        own = groups.members[groups.starts[number] : groups.starts[number + 1]]
        assert (groups.groups[own] == number).all()
    place = {int(hand): number for number, hand in enumerate(held)}
    for first, second in (("AhKh", "AsKs"), ("QhJc", "QcJs")):
        one, other = (place[combo_index(*parse_cards(text))] for text in (first, second))
        assert groups.groups[one] == groups.groups[other]
    assert len(group_hands(equities, np.ones(len(held)), 5000)) == len(held)
    assert len(HandGroups.of(np.array([4, 4, 9]))) == 2


@pytest.mark.slow
def test_before_the_flop_classes_are_compared() -> None:
    """Over all boards, which takes half a minute; beside 20,000 boards drawn for one hand."""
    found, classes = pair_equities(HOLDEM, ()), Lossless169().board_buckets()
    aces = found[parse_combo("AsAh"), parse_combo("KdKc")]
    assert (1 + aces) / 2 == pytest.approx(0.8195, abs=1e-3)
    hand = parse_combo("AsKd")
    beside = found[hand] != 0
    drawn = 2 * hand_equities(parse_cards("AsKd"), ()) - 1
    for own in np.unique(classes[beside]):
        same = beside & (classes == own)
        assert found[hand][same].mean() == pytest.approx(drawn[same].mean(), abs=0.03)
