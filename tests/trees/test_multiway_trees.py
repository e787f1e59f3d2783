"""Betting trees for more than two players: random walks against the rule book, and payoffs with
side pots against the official dealer's.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from acpcbot.cards.orderings import orderings
from acpcbot.errors import UsageError
from acpcbot.learning.tree_formats import MultiwayFormat, tree_arrays
from acpcbot.poker import rules
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition, parse_definition
from acpcbot.poker.payoffs import fill_values
from acpcbot.trees import betting_tree
from acpcbot.trees.bet_menu import BetMenu, parse_menu
from acpcbot.trees.betting_tree import (
    END_SPENT,
    NODE_SEAT,
    NODE_STREET,
    BettingPlaces,
    BettingTree,
    MenuGame,
    betting_bytes,
    betting_size,
    build_betting_tree,
)
from tests.support.games import NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P, NOLIMIT_10P, definition_of
from tests.support.menu_games import SIDE_POTS
from tests.trees.test_betting_tree import plain_actions

SMALL_MENU = parse_menu("1;all-in;/1;")
SIX_STACKS = parse_definition(
    "GAMEDEF\nnolimit\nnumPlayers = 6\nnumRounds = 2\nstack = 300 500 900 200 700 400\n"
    "blind = 50 100 0 0 0 0\nfirstPlayer = 3 1\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\n"
    "numBoardCards = 0 3\nEND GAMEDEF\n"
)
PAIRS = BetMenu(SMALL_MENU.streets, max_players=2)
TRIPLES = BetMenu(SMALL_MENU.streets, max_players=3)


def can_call(state: BettingState, max_players: int) -> bool:
    """Return whether the menu leaves the call in, told from what everyone has put in."""
    stacks, most = state.game.definition.stacks, max(state.spent)
    staying = [
        seat
        for seat, spent in enumerate(state.spent)
        if not state.folded[seat] and spent == most and spent < stacks[seat]
    ]
    return state.actor in staying or most >= stacks[state.actor] or len(staying) < max_players


def walk(tree: BettingTree, rng: random.Random) -> tuple[BettingState, int]:
    """Play random actions of the tree, compare each decision, and return the end."""
    state, node = tree.root, 0
    assert isinstance(tree.menu, BetMenu)
    while True:
        assert tuple(tree.nodes[node, [NODE_SEAT, NODE_STREET]]) == (state.actor, state.street)
        children = tree.children(node)
        expected = plain_actions(state, tree.menu)
        if not can_call(state, tree.menu.max_players):
            expected = [action for action in expected if action.kind != rules.CALL]
        assert list(children) == expected
        action = rng.choice(expected)
        state, node = state.apply(action), children[action]
        if state.is_over:
            assert node < 0
            return state, ~node


@pytest.mark.parametrize(
    ("definition", "menu"),
    [
        (definition_of(NOLIMIT_2P), SMALL_MENU),
        (definition_of(NOLIMIT_3P), SMALL_MENU),
        (SIDE_POTS, parse_menu("0.5,1;1,all-in;/0.5,all-in")),
        (definition_of(NOLIMIT_6P), PAIRS),
        (SIX_STACKS, TRIPLES),
    ],
    ids=["2p", "3p", "3p uneven", "6p", "6p uneven"],
)
def test_random_walks_agree_with_the_rule_book(definition: GameDefinition, menu: BetMenu) -> None:
    """Catches a wrong actor, action or end anywhere, and chips that vanish in side pots."""
    tree, rng = build_betting_tree(BettingRules(definition).start, menu), random.Random(5)
    num_players, num_side_pots = definition.num_players, 0
    assert tree.size == betting_size(tree.root, menu)
    rows = orderings(num_players)
    for _ in range(400):
        state, end = walk(tree, rng)
        assert tuple(tree.ends[end, END_SPENT : END_SPENT + num_players]) == state.spent
        if num_players == 2:
            continue
        form, (_, _, ends) = tree_arrays(MenuGame(tree, (1,) * definition.num_streets))
        assert isinstance(form, MultiwayFormat)
        staying = {spent for seat, spent in enumerate(state.spent) if not state.folded[seat]}
        num_side_pots += len(staying) > 1
        ordering = rng.randrange(len(rows))
        found = [
            form.end_value(ends, np.uint64(end), np.uint64(ordering), np.uint64(seat))
            * definition.big_blind
            for seat in range(num_players)
        ]
        expected = [0.0] * num_players
        fill_values(state.game.vector, state.vector, rows[ordering].tolist(), expected)
        assert found == pytest.approx(expected)
        assert sum(found) == pytest.approx(0)
    assert bool(num_side_pots) == (num_players > 2 and len(set(definition.stacks)) > 1)


def test_places_in_a_tree_for_three_are_found_by_following_the_betting() -> None:
    tree = build_betting_tree(BettingRules(definition_of(NOLIMIT_3P)).start, SMALL_MENU)
    places, found = BettingPlaces(tree), set()
    waiting = [tree.root]
    while waiting:
        state = waiting.pop()
        place = places.place_after(state)
        found.add(place.node)
        waiting += [after for action in place.actions if not (after := state.apply(action)).is_over]
    assert found == set(range(len(tree.nodes)))


def test_the_memory_of_a_tree_for_six_is_known_before_it_is_built() -> None:
    root = BettingRules(definition_of(NOLIMIT_6P)).start
    tree = build_betting_tree(root, PAIRS)
    assert (
        betting_bytes(betting_size(root, PAIRS), 6)
        == tree.nodes.nbytes + tree.actions.nbytes + tree.ends.nbytes
    )


def test_a_tree_beyond_the_limit_is_refused_while_it_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(betting_tree, "MAX_NODES", 1000)
    with pytest.raises(UsageError, match="more than 1,000 decision nodes"):
        betting_size(BettingRules(definition_of(NOLIMIT_6P)).start, TRIPLES)


def test_games_for_more_than_seven_have_no_tree() -> None:
    with pytest.raises(UsageError, match="up to 7 players"):
        betting_size(BettingRules(definition_of(NOLIMIT_10P)).start, PAIRS)
