"""The ends of blocks of betting, held against a walk over the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.cards.deck import parse_cards
from acpcbot.lanes import NUM_LANES
from acpcbot.subgames.block_ends import (
    FOLDS,
    NO_PARTNER,
    NO_ROW,
    SHOWDOWNS,
    SHOWDOWNS_WITH_FOLDS,
    BlockEnds,
    block_ends,
    end_chips,
    has_reach,
    make_end_scratch,
    padded,
    value_lanes,
)
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.terminal_values import fold_values, showdown_values
from acpcbot.subgames.traversal import most_end_rows
from acpcbot.trees.bet_menu import ALL_IN, LIMIT_MENU, same_menu
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    END_FOLDED,
    NOBODY,
    NODE_BLOCK_END,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    BettingTree,
    build_betting_tree,
)
from acpcbot.trees.board_tree import build_board_tree, no_changes
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
            action = tree.nodes[node, NODE_FIRST_ACTION] + choice
            assert ends.end_places[action] == number
            (kind,) = [kind for kind in (True, False) if [node, choice, record] in expected[kind]]
            others = [other for other in expected[not kind] if other[0] == node]
            partner = ends.end_partners[fold + number]
            found = [] if partner == NO_PARTNER else [ends.end_actions[partner].tolist()]
            assert found == others
        num_listed += last - fold
    assert num_listed == len(ends.end_actions) == (tree.actions[:, ACTION_CHILD] < 0).sum()
    assert (ends.end_places != NO_ROW).sum() == num_listed


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
def test_rows_of_eight_are_the_values_of_eight_ends(
    dtype: type[np.floating[Any]], kind: int
) -> None:
    """Catches hands lost where 1,081 is no multiple of eight, and rows beside the row asked for."""
    draw, num_hands = np.random.default_rng(5), 1081
    scratch, width = make_end_scratch(11, 28, 52, num_hands, dtype), padded(num_hands)
    assert (width, len(scratch.values)) == (1088, 28 * 1088)
    reaches = draw.random((NUM_LANES, num_hands)).astype(dtype)
    scratch.reaches.reshape(NUM_LANES, width)[:, :num_hands] = reaches
    scratch.chips[:] = draw.normal(size=NUM_LANES)
    scratch.fold_chips[:] = draw.normal(size=NUM_LANES)
    scratch.values[:] = 7
    value_lanes(scratch, BOARDS.arrays, 0, 3, kind)
    rows, sums = scratch.values.reshape(-1, width), np.empty(52)
    expected, arrays, row = np.empty(num_hands), BOARDS.arrays, 3
    for are_showdowns, chips in {
        FOLDS: [(False, scratch.chips)],
        SHOWDOWNS: [(True, scratch.chips)],
        SHOWDOWNS_WITH_FOLDS: [(True, scratch.chips), (False, scratch.fold_chips)],
    }[kind]:
        for lane in range(NUM_LANES):
            reach, stake = reaches[lane].astype(float), float(chips[lane])
            if are_showdowns:
                showdown_values(reach, arrays.cards, arrays.ranks, stake, sums, expected)
            else:
                fold_values(reach, arrays.cards, stake, sums, expected)
            assert rows[row, :num_hands] == pytest.approx(expected, rel=1e-6, abs=1e-4)
            row += 1
    assert (np.delete(rows, range(3, row), axis=0) == 7).all()


def rows_written(game: RangeGame, first: int, own: int, is_met: NDArray[np.bool_]) -> int:
    """Return the rows behind the last one that is written for a block, by a walk over its ends."""
    betting = game.betting
    fold, showdown, last = betting.end_bounds[first]
    seats = betting.nodes[betting.end_actions[:, 0], NODE_SEAT]
    own_folds = {
        int(betting.end_partners[number])
        for number in range(showdown, last)
        if seats[number] == own and betting.end_partners[number] != NO_PARTNER
    }
    showdowns = sorted(
        range(showdown, last), key=lambda number: betting.end_partners[number] not in own_folds
    )
    showdowns = [number for number in showdowns if is_met[number]]
    row, written = 0, 0
    for start in range(0, len(showdowns), NUM_LANES):
        eight = showdowns[start : start + NUM_LANES]
        pairs = [number for number in eight if betting.end_partners[number] in own_folds]
        height = 2 * NUM_LANES if pairs else NUM_LANES
        written = row + height
        row += height if pairs else len(eight)
    num_folds = sum(1 for number in set(range(fold, showdown)) - own_folds if is_met[number])
    for start in range(0, num_folds, NUM_LANES):
        written = row + NUM_LANES
        row += min(NUM_LANES, num_folds - start)
    return written


@pytest.mark.parametrize("sizes", [[1.0], [0.5, 1.0, ALL_IN], [0.3, 0.5, 0.7, 1.0, 2.0, ALL_IN]])
def test_no_block_writes_behind_the_rows_that_are_made_for_it(sizes: list[float]) -> None:
    """Catches writes beyond a buffer, which nothing but a later crash would show."""
    draw, rules = np.random.default_rng(3), rules_of("holdem.nolimit.2p.reverse_blinds")
    menu = same_menu(sizes, [1.0, ALL_IN])
    game = make_range_game(rules.parse("cc/cc/cc/"), parse_cards("KsTd9h4s2c"), menu)
    num_ends, most = len(game.betting.end_actions), 0
    for _ in range(20):
        is_met = draw.random(num_ends) < draw.choice([0.2, 0.8, 1.0])
        for own in range(2):
            most = max(most, rows_written(game, 0, own, is_met))
    assert most <= most_end_rows(game.betting) <= most + NUM_LANES


def test_a_single_hand_with_reach_is_seen() -> None:
    reach = np.zeros(1081)
    assert not has_reach(reach)
    for hand in (0, 500, 1080):
        reach[:] = 0
        reach[hand] = 1e-300
        assert has_reach(reach)
