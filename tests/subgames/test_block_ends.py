"""The ends of blocks of betting, held against a walk over the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from acpcbot.cards.deck import parse_cards
from acpcbot.jit import kernel
from acpcbot.lanes import NUM_LANES
from acpcbot.subgames.block_ends import (
    FOLDS,
    NO_PARTNER,
    SHOWDOWNS,
    SHOWDOWNS_WITH_FOLDS,
    BlockEnds,
    EndScratch,
    add_end_values,
    block_ends,
    end_chips,
    has_reach,
    make_end_scratch,
    padded,
    turn_values_back,
    value_showdowns,
)
from acpcbot.subgames.terminal_values import fold_values, showdown_values
from acpcbot.trees.bet_menu import ALL_IN, LIMIT_MENU, same_menu
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    END_FOLDED,
    NOBODY,
    NODE_BLOCK_END,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    BettingTree,
    build_betting_tree,
)
from acpcbot.trees.board_tree import BoardArrays, build_board_tree, no_changes
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT, definition_of, rules_of

BOARDS = build_board_tree(
    definition_of("holdem.limit.2p.reverse_blinds"), 3, parse_cards("KsTd9h4s2c"), no_changes()
)


def plain_ends(tree: BettingTree, first: int) -> dict[bool, list[list[int]]]:
    """Return the ends [node, choice, record] of the block at *first*, showdowns under True."""
    found: dict[bool, list[list[int]]] = {False: [], True: []}
    for node in range(first, tree.nodes[first, NODE_BLOCK_END]):
        for choice in range(tree.nodes[node, NODE_NUM_ACTIONS]):
            child = tree.actions[tree.nodes[node, NODE_FIRST_ACTION] + choice, ACTION_CHILD]
            if child < 0:
                is_showdown = tree.ends[~child, END_FOLDED] == NOBODY
                found[bool(is_showdown)].append([node, choice, int(~child)])
    return found


@pytest.mark.parametrize("name", [KUHN, LEDUC, LEDUC_NOLIMIT, "holdem.limit.2p.reverse_blinds"])
def test_ends_are_listed_block_by_block_folds_first(name: str) -> None:
    rules = rules_of(name)
    menu = LIMIT_MENU if rules.definition.is_limit else same_menu([0.5, 1.0], [ALL_IN])
    tree = build_betting_tree(rules.start, menu)
    ends: BlockEnds = block_ends(tree)
    num_listed = 0
    for first in np.flatnonzero(tree.nodes[:, NODE_BLOCK_END]):
        expected = plain_ends(tree, int(first))
        fold, showdown, last = ends.end_bounds[first]
        assert ends.end_actions[fold:showdown].tolist() == expected[False]
        assert ends.end_actions[showdown:last].tolist() == expected[True]
        for number, (node, choice, record) in enumerate(expected[False] + expected[True]):
            (kind,) = [kind for kind in (True, False) if [node, choice, record] in expected[kind]]
            others = [other for other in expected[not kind] if other[0] == node]
            partner = ends.end_partners[fold + number]
            found = [] if partner == NO_PARTNER else [ends.end_actions[partner].tolist()]
            assert found == others
        num_listed += last - fold
    assert num_listed == len(ends.end_actions) == (tree.actions[:, ACTION_CHILD] < 0).sum()


def test_chips_of_ends_are_those_of_the_rules() -> None:
    """In Kuhn poker a check-check is for 1, a bet and a fold too, a bet and a call for 2."""
    tree = build_betting_tree(rules_of(KUHN).start)
    chips = sorted(
        (int(record[END_FOLDED]), [end_chips(tree.ends, end, seat) for seat in range(2)])
        for end, record in enumerate(tree.ends)
    )
    one_folds, nobody_folds = [[-1.0, 1.0], [1.0, -1.0]], [[1.0, 1.0], [2.0, 2.0], [2.0, 2.0]]
    assert [found for _, found in chips] == (
        one_folds + nobody_folds if NOBODY > 1 else nobody_folds + one_folds
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", [FOLDS, SHOWDOWNS, SHOWDOWNS_WITH_FOLDS])
def test_values_of_eight_ends_are_added_to_their_rows(
    dtype: type[np.floating[Any]], kind: int
) -> None:
    """Catches hands lost where 1,081 is no multiple of eight, and writes beside a row."""
    draw, num_hands = np.random.default_rng(5), 1081
    scratch, width = make_end_scratch(52, num_hands, dtype), padded(num_hands)
    assert width == 1088
    reaches = draw.random((NUM_LANES, num_hands)).astype(dtype)
    scratch.reaches.reshape(NUM_LANES, width)[:, :num_hands] = reaches
    scratch.chips[:] = draw.normal(size=NUM_LANES)
    scratch.fold_chips[:] = draw.normal(size=NUM_LANES)
    # Two showdowns share a row, two folds another.
    rows, fold_rows = [3, 9, 4, 4, 8, 0, 11, 1], [2, 5, 5, 3, 7, 10, 0, 6]
    scratch.rows[:], scratch.fold_rows[:] = (
        np.array(places) * num_hands for places in (rows, fold_rows)
    )
    values = np.full((13, num_hands), 7, dtype)
    expected, value, sums = values.astype(float), np.empty(num_hands), np.empty(52)
    add_end_values(scratch, BOARDS.arrays, 0, kind, values.reshape(-1))
    for are_showdowns, chips, places in {
        FOLDS: [(False, scratch.chips, rows)],
        SHOWDOWNS: [(True, scratch.chips, rows)],
        SHOWDOWNS_WITH_FOLDS: [
            (True, scratch.chips, rows),
            (False, scratch.fold_chips, fold_rows),
        ],
    }[kind]:
        for lane in range(NUM_LANES):
            reach, stake = reaches[lane].astype(float), float(chips[lane])
            if are_showdowns:
                ranks = BOARDS.arrays.ranks
                showdown_values(reach, BOARDS.arrays.cards, ranks, stake, sums, value)
            else:
                fold_values(reach, BOARDS.arrays.cards, stake, sums, value)
            expected[places[lane]] += value
    assert values == pytest.approx(expected, rel=1e-6, abs=1e-3)
    assert (values[12] == 7).all()


@kernel
def show_down(scratch: EndScratch, boards: BoardArrays, num_hands: int) -> None:
    value_showdowns(scratch, boards, 0)
    turn_values_back(scratch, num_hands)


def test_showdowns_turned_back_are_those_of_one_at_a_time() -> None:
    draw, num_hands = np.random.default_rng(6), 1081
    scratch, width = make_end_scratch(52, num_hands, np.float64), padded(num_hands)
    reaches = draw.random((NUM_LANES, num_hands))
    scratch.reaches.reshape(NUM_LANES, width)[:, :num_hands] = reaches
    scratch.chips[:] = draw.normal(size=NUM_LANES)
    show_down(scratch, BOARDS.arrays, num_hands)
    found = scratch.turned_reaches.reshape(NUM_LANES, width)[:, :num_hands]
    expected, arrays = np.empty(num_hands), BOARDS.arrays
    for lane in range(NUM_LANES):
        chips = float(scratch.chips[lane])
        showdown_values(reaches[lane], arrays.cards, arrays.ranks, chips, np.empty(52), expected)
        assert found[lane] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_single_hand_with_reach_is_seen() -> None:
    reach = np.zeros(1081)
    assert not has_reach(reach)
    for hand in (0, 500, 1080):
        reach[:] = 0
        reach[hand] = 1e-300
        assert has_reach(reach)
