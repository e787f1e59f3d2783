"""Rows of reaches and values in blocks of betting, held against plain walks over the tree."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.subgames.block_rows import block_rows, most_rows
from acpcbot.trees.bet_menu import ALL_IN, LIMIT_MENU, same_menu
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    NODE_BLOCK_END,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    BettingTree,
    build_betting_tree,
)
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT, rules_of

Step = tuple[int, int, int]
"""A node, the number of an action there, and the seat that acts."""


def paths(tree: BettingTree, first: int) -> dict[int, list[Step]]:
    """Return the actions that lead to each node of the block at *first*."""
    last = int(tree.nodes[first, NODE_BLOCK_END])
    found: dict[int, list[Step]] = {first: []}
    for node in range(first, last):
        seat = int(tree.nodes[node, NODE_SEAT])
        for choice in range(tree.nodes[node, NODE_NUM_ACTIONS]):
            child = int(tree.actions[tree.nodes[node, NODE_FIRST_ACTION] + choice, ACTION_CHILD])
            if node < child < last:
                found[child] = [*found[node], (node, choice, seat)]
    return found


@pytest.mark.parametrize("name", [KUHN, LEDUC, LEDUC_NOLIMIT, "holdem.nolimit.2p.reverse_blinds"])
def test_rows_tell_apart_what_differs_and_nothing_else(name: str) -> None:
    """Reaches by the actions of their seat, values by the traverser's last action before them."""
    rules = rules_of(name)
    menu = LIMIT_MENU if rules.definition.is_limit else same_menu([1.0], [ALL_IN])
    tree = build_betting_tree(rules.start, menu)
    rows, most = block_rows(tree), [0, 0]
    for first in np.flatnonzero(tree.nodes[:, NODE_BLOCK_END]).tolist():
        known = paths(tree, first)
        reaches: dict[int, set[object]] = {}
        values: tuple[dict[int, set[object]], dict[int, set[object]]] = ({}, {})
        for node, path in known.items():
            for seat in range(2):
                own = tuple(step for step in path if step[2] == seat)
                reaches.setdefault(int(rows.reach_rows[node, seat]), set()).add((seat, own))
                before = own[-1] if own else None
                values[seat].setdefault(int(rows.node_rows[node, seat]), set()).add(before)
                count = int(tree.nodes[node, NODE_NUM_ACTIONS])
                is_own = tree.nodes[node, NODE_SEAT] == seat
                for choice in range(count):
                    row = int(rows.action_rows[node, seat]) + (choice if is_own else 0)
                    behind = (node, choice, seat) if is_own else before
                    values[seat].setdefault(row, set()).add(behind)
        for kind in (reaches, *values):
            named = [what for found in kind.values() for what in found]
            assert all(len(found) == 1 for found in kind.values())
            assert len(set(named)) == len(named), "one thing has two rows"
            assert sorted(kind) == list(range(len(kind))), "a row is left out"
        most = [max(most[0], len(reaches)), max(most[1], *map(len, values))]
    assert most_rows(tree) == tuple(most)
