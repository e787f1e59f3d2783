"""Betting trees against the rules walked in plain Python, against the limit tree, and sizes
counted elsewhere.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpcbot.errors import UsageError
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import parse_definition
from acpcbot.subgames.game import street_parts
from acpcbot.trees.bet_menu import ALL_IN, LIMIT_MENU, SMALLEST, BetMenu, same_menu, wanted_raise
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    ACTION_KIND,
    ACTION_RAISE_TO,
    END_FOLDED,
    END_SPENT,
    END_STREET,
    NODE_BLOCK_END,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    NODE_SLOT,
    NODE_STREET,
    BettingTree,
    betting_bytes,
    betting_size,
    build_betting_tree,
)
from acpcbot.trees.public_tree import LIMIT_SLOT, build_tree
from tests.support.games import KUHN, LEDUC, definition_of

LIMIT_HOLDEM = "holdem.limit.2p.reverse_blinds"
NO_LIMIT_LEDUC = definition_of("leduc.nolimit.2p")


def spot(num_streets: int, board: str, stack: int = 450) -> BettingState:
    """Both with 50 in the pot, and the rest of *stack* behind."""
    return BettingRules(
        parse_definition(
            f"GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = {num_streets}\nstack = {stack} {stack}\nblind = 50 50\n"
            f"numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = {board}\nEND GAMEDEF\n"
        )
    ).start


def plain_actions(state: BettingState, menu: BetMenu) -> list[Action]:
    """The actions of *state*, in the tree's order."""
    actions = [action for action in (FOLDING, CALLING) if state.can_act(action)]
    if state.raise_range is None:
        return actions
    if state.game.definition.is_limit:
        return [*actions, LIMIT_RAISING]
    shares = menu.sizes(state.street, state.vector[rules.NUM_RAISES])
    sizes = {wanted_raise(state.game.vector, state.vector, share) for share in shares}
    return [*actions, *map(raising, sorted(sizes))]


def verify(tree: BettingTree, node: int, state: BettingState) -> tuple[int, int]:
    """Hold the subtree of *node* against the rules; returns how many nodes and ends it has."""
    record = tree.nodes[node]
    assert (record[NODE_SEAT], record[NODE_STREET]) == (state.actor, state.street)
    rows = tree.actions[
        record[NODE_FIRST_ACTION] : record[NODE_FIRST_ACTION] + record[NODE_NUM_ACTIONS]
    ]
    actions = [Action(int(row[ACTION_KIND]), int(row[ACTION_RAISE_TO])) for row in rows]
    assert isinstance(tree.menu, BetMenu)
    assert actions == plain_actions(state, tree.menu)
    num_nodes, num_ends = 1, 0
    for row, action in zip(rows, actions, strict=True):
        after = state.apply(action)
        if after.is_over:
            verify_end(tree, ~int(row[ACTION_CHILD]), after, state.street)
            num_ends += 1
        else:
            below = verify(tree, int(row[ACTION_CHILD]), after)
            num_nodes, num_ends = num_nodes + below[0], num_ends + below[1]
    return num_nodes, num_ends


def verify_end(tree: BettingTree, end: int, state: BettingState, street: int) -> None:
    record = tree.ends[end]
    assert tuple(record[END_SPENT : END_SPENT + 2]) == state.spent
    assert record[END_STREET] == street
    assert record[END_FOLDED] == (state.folded.index(True) if any(state.folded) else -1)


menus = st.lists(
    st.lists(st.sampled_from([SMALLEST, 0.3, 0.5, 1.0, 2.5, ALL_IN]), max_size=3),
    min_size=1,
    max_size=3,
).map(lambda rows: same_menu(*rows))


@given(menu=menus, stack=st.integers(51, 400), streets=st.integers(1, 2))
@settings(max_examples=60, deadline=None)
def test_no_limit_trees_hold_what_the_rules_allow(menu: BetMenu, stack: int, streets: int) -> None:
    root = spot(streets, "5" if streets == 1 else "4 1", stack)
    if sum(betting_size(root, menu).num_nodes) > 5000:
        return
    tree = build_betting_tree(root, menu)
    assert tree.size == betting_size(root, menu)
    assert verify(tree, 0, root) == (sum(tree.size.num_nodes), tree.size.num_terminals)


@pytest.mark.parametrize("betting", ["", "r800", "r1000c/", "r1000c/r1100"])
def test_a_tree_can_begin_at_any_state(betting: str) -> None:
    root = BettingRules(NO_LIMIT_LEDUC).parse(betting)
    tree = build_betting_tree(root, same_menu([0.5, 1.0], [1.0, ALL_IN]))
    assert verify(tree, 0, root)[0] == len(tree.nodes)


@pytest.mark.parametrize("name", [KUHN, LEDUC, LIMIT_HOLDEM])
def test_limit_slots_are_those_of_the_limit_tree(name: str) -> None:
    """Catches an order in which a stored strategy would be read at the wrong places."""
    definition = definition_of(name)
    ours, theirs = build_betting_tree(BettingRules(definition).start), build_tree(definition)
    assert list(ours.row_widths) == list(theirs.size.num_slots)
    for street in range(definition.num_streets):
        own = ours.nodes[ours.nodes[:, NODE_STREET] == street, NODE_SLOT]
        assert np.array_equal(own, theirs.nodes[theirs.streets == street, LIMIT_SLOT])


@pytest.mark.parametrize(
    ("num_streets", "board", "menu", "decisions", "ends"),
    [
        (1, "5", same_menu([0.5, 1.0, ALL_IN], [1.0, ALL_IN]), [16], 29),
        (2, "4 1", same_menu([0.75, ALL_IN], [ALL_IN]), [8, 24], 49),
        (3, "3 1 1", same_menu([0.75, ALL_IN], [ALL_IN]), [8, 24, 56], 125),
    ],
)
def test_the_three_spots_that_solvers_are_compared_on_have_the_known_numbers_of_nodes(
    num_streets: int, board: str, menu: BetMenu, decisions: list[int], ends: int
) -> None:
    # 45 nodes on the river; 1,160 decisions on the turn: 8 and, for 48 cards, 24.
    tree = build_betting_tree(spot(num_streets, board), menu)
    assert np.bincount(tree.nodes[:, NODE_STREET]).tolist() == decisions
    assert tree.size.num_terminals == ends


def test_blocks_are_the_streets_between_their_firsts_and_ends() -> None:
    tree = build_betting_tree(spot(3, "3 1 1"), same_menu([0.75, ALL_IN], [ALL_IN]))
    parts = street_parts(tree)
    for street in range(3):
        own = parts.parts[parts.street_parts[street] : parts.street_parts[street + 1]]
        blocks = [np.arange(part, tree.nodes[part, NODE_BLOCK_END]) for part in own if part >= 0]
        assert np.array_equal(
            np.concatenate(blocks), np.flatnonzero(tree.nodes[:, NODE_STREET] == street)
        )
    for part, (node, choice) in enumerate(parts.parent_actions.tolist()):
        if node >= 0:
            assert (
                tree.actions[tree.nodes[node, NODE_FIRST_ACTION] + choice, ACTION_CHILD]
                == parts.parts[part]
            )
    waiting = parts.parts[parts.parts < 0]
    assert all(tree.ends[~part, END_FOLDED] == -1 for part in waiting)


def test_the_memory_of_a_tree_is_known_before_it_is_built() -> None:
    root, menu = (
        BettingRules(definition_of("holdem.nolimit.2p.reverse_blinds")).start,
        same_menu([1.0, ALL_IN]),
    )
    tree = build_betting_tree(root, menu)
    assert (
        betting_bytes(betting_size(root, menu))
        == tree.nodes.nbytes + tree.actions.nbytes + tree.ends.nbytes
    )


@pytest.mark.parametrize(
    ("root", "menu"),
    [
        (BettingRules(definition_of(KUHN)).parse("cc"), LIMIT_MENU),
        (BettingRules(NO_LIMIT_LEDUC).start, LIMIT_MENU),
    ],
)
def test_games_without_such_a_tree_are_refused(root: BettingState, menu: BetMenu) -> None:
    with pytest.raises(UsageError):
        build_betting_tree(root, menu)
