"""Board trees: every board once, chances that add up, hands where they belong."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from acpcbot.cards.deck import parse_cards
from acpcbot.poker.definition import GameDefinition, parse_definition
from acpcbot.poker.hands import all_hands, hand_masks, hand_strengths
from acpcbot.trees.board_tree import (
    BoardTree,
    DrawnBoards,
    build_board_tree,
    hands_on,
    kept_changes,
    no_changes,
    suit_changes,
)
from tests.support.games import LEDUC, definition_of

HOLDEM = definition_of("holdem.limit.2p.reverse_blinds")


def small_holdem(suits: int, ranks: int, board: str) -> GameDefinition:
    """Two hole cards from a small deck."""
    streets = len(board.split())
    return parse_definition(
        f"GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = {streets}\nblind = 1 2\nraiseSize = {'2 ' * streets}\n"
        f"maxRaises = {'2 ' * streets}\nnumSuits = {suits}\nnumRanks = {ranks}\nnumHoleCards = 2\n"
        f"numBoardCards = {board}\nEND GAMEDEF\n"
    )


@pytest.mark.parametrize("isomorphic", [False, True])
def test_drawn_boards_stand_for_all_below_each_parent(*, isomorphic: bool) -> None:
    """Weights are kept, on average of many seeds board by board; ranks are spread."""
    definition = small_holdem(3, 4, "0 2 1 1")
    changes = suit_changes(definition) if isomorphic else no_changes()
    board = definition.deck[:2]
    every = build_board_tree(definition, 1, board, changes)
    weights: dict[tuple[int, ...], float] = dict.fromkeys(every.boards, 0.0)
    for seed in range(400):
        drawn = build_board_tree(definition, 1, board, changes, drawn=DrawnBoards(3, seed))
        assert drawn.boards[: drawn.first_boards[2]] == every.boards[: every.first_boards[2]]
        for parent in drawn.street_boards(2):
            below, all_below = (children(tree, parent) for tree in (drawn, every))
            assert 1 <= len(below) <= 3
            assert set(below) <= set(all_below)
            assert sum(below.values()) == pytest.approx(sum(all_below.values()))
            if not isomorphic:
                # One from each third of the nine cards in order.
                assert [list(all_below).index(cards) // 3 for cards in below] == [0, 1, 2]
        for cards, weight in zip(drawn.boards, drawn.arrays.weights.tolist(), strict=True):
            weights[cards] += weight / 400
    found = np.array([weights[cards] for cards in every.boards])
    assert found == pytest.approx(every.arrays.weights, abs=0.06)
    same = [
        build_board_tree(definition, 1, board, changes, drawn=DrawnBoards(3, 5)).boards
        for _ in range(2)
    ]
    assert same[0] == same[1]
    whole = build_board_tree(definition, 1, board, changes, drawn=DrawnBoards(99, 5))
    assert whole.boards == every.boards
    assert np.array_equal(whole.arrays.weights, every.arrays.weights)


def children(tree: BoardTree, parent: int) -> dict[tuple[int, ...], float]:
    """Return the boards below *parent* with their weights."""
    first, last = tree.arrays.first_child[parent : parent + 2].tolist()
    return dict(zip(tree.boards[first:last], tree.arrays.weights[first:last].tolist(), strict=True))


def flop_boards(*, isomorphic: bool) -> BoardTree:
    definition = small_holdem(4, 4, "0 3")
    return build_board_tree(
        definition, 0, (), suit_changes(definition) if isomorphic else no_changes()
    )


def test_flops_are_as_many_as_there_are_and_those_of_other_suits_are_left_out() -> None:
    assert len(flop_boards(isomorphic=False).boards) == 1 + comb(16, 3)
    definition = small_holdem(4, 13, "0 3")
    boards = build_board_tree(definition, 0, (), suit_changes(definition))
    assert len(boards.boards) == 1 + 1755
    assert len(np.unique(boards.arrays.orbits[boards.rows(0)])) == 169
    assert boards.arrays.weights[1:].sum() == pytest.approx(comb(52, 3) / comb(48, 3))


# With three suits alike, by Burnside's lemma: (2352 + 3 * 23 * 22 + 2 * 10 * 9) / 6,
# and (2352 + 3 * 25 * 24 + 2 * 13 * 12) / 6.
@pytest.mark.parametrize(
    ("board", "turns", "rivers"), [("KsTd9h", 49, 2352), ("KsTs9s", 23, 675), ("7c7d7h", 25, 744)]
)
def test_turns_and_rivers_stand_for_each_other_where_suits_are_alike(
    board: str, turns: int, rivers: int
) -> None:
    boards = build_board_tree(HOLDEM, 1, parse_cards(board), suit_changes(HOLDEM))
    assert (len(boards.street_boards(2)), len(boards.street_boards(3))) == (turns, rivers)
    chances = boards.arrays.chances
    assert chances[boards.street_boards(2)].sum() == pytest.approx(49 / 45)
    assert chances[boards.street_boards(3)].sum() == pytest.approx(49 * 48 / (45 * 44))
    assert HOLDEM.num_boards(1) == 1 + 49 + 49 * 48


def test_a_board_has_the_hands_that_it_leaves_in_the_order_of_their_strength() -> None:
    boards = build_board_tree(HOLDEM, 2, parse_cards("KsTd9h4s"), no_changes())
    for number in (0, 1, 17, 48):
        rows, board = boards.rows(number), boards.boards[number]
        hands = boards.arrays.hands[rows]
        assert sorted(hands.tolist()) == hands_on(HOLDEM, board).tolist()
        assert np.array_equal(all_hands(HOLDEM)[hands], boards.arrays.cards[rows])
        if number:
            known = np.unique(hand_strengths(HOLDEM, board)[hands])
            ranks = boards.arrays.ranks[rows].astype(int)
            assert np.array_equal(known[ranks], hand_strengths(HOLDEM, board)[hands])
            assert (np.diff(ranks) >= 0).all()
            assert np.array_equal(
                boards.arrays.hands[boards.rows(0)][boards.arrays.parents[rows]], hands
            )


def test_single_hole_cards_have_a_second_number_of_their_own() -> None:
    leduc = definition_of(LEDUC)
    boards = build_board_tree(leduc, 0, (), no_changes())
    assert len(boards.boards) == 7
    for number in range(7):
        seconds = boards.arrays.cards[boards.rows(number), 1]
        assert len(set(seconds.tolist())) == len(seconds)
        assert seconds.min() >= 52


def test_the_means_over_orbits_restore_what_all_boards_would_give() -> None:
    """Catches a suit change that is taken the wrong way round, or a board that counts too often."""
    definition = small_holdem(4, 4, "0 3")
    masks = hand_masks(definition)
    sums = []
    for boards in (flop_boards(isomorphic=True), flop_boards(isomorphic=False)):
        total = np.zeros(len(masks))
        for number in boards.street_boards(1):
            rows = boards.rows(number)
            # Something that knows suits of hands and board together, but no suit by name.
            values = suited_with(definition, boards.boards[number])[boards.arrays.hands[rows]]
            total[boards.arrays.parents[rows]] += boards.arrays.weights[number] * values
        orbits = boards.arrays.orbits[boards.rows(0)]
        means = np.bincount(orbits, total) / np.bincount(orbits)
        sums.append(means[orbits])
    assert sums[0] == pytest.approx(sums[1])


def suited_with(definition: GameDefinition, board: tuple[int, ...]) -> np.ndarray:
    hands = all_hands(definition).astype(int)
    total = np.zeros(len(hands))
    for card in board:
        total += ((hands & 3) == (card & 3)).sum(axis=1) * (
            1 + (hands >> 2).max(axis=1) + (card >> 2)
        )
    return total


def test_ranges_that_tell_suits_apart_forbid_to_exchange_them() -> None:
    changes, ranges = suit_changes(HOLDEM), np.ones((2, 1326))
    assert len(kept_changes(HOLDEM, changes, ranges)) == 24
    spades = (all_hands(HOLDEM) & 3 == 3).all(axis=1)
    ranges[1, spades] = 0.5
    assert len(kept_changes(HOLDEM, changes, ranges)) == 6
    ranges[0, 7] = 0.25
    assert len(kept_changes(HOLDEM, changes, ranges)) < 6
    assert len(kept_changes(HOLDEM, changes, np.random.default_rng(1).random((2, 1326)))) == 1


def test_changes_of_suits_are_permutations_of_the_deck() -> None:
    for definition, count in ((HOLDEM, 24), (definition_of(LEDUC), 2)):
        changes = suit_changes(definition)
        assert len(changes) == count
        for one, other in combinations(changes.tolist(), 2):
            assert one != other
        for change in changes:
            assert sorted(change.tolist()) == list(range(52))
            assert {int(change[card]) for card in definition.deck} == set(definition.deck)
