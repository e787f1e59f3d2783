"""Sizes counted by situation against sizes counted node by node."""

from __future__ import annotations

from collections import Counter

import pytest

from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import shipped_definition
from acpcbot.trees.infosets import SubtreeSizes, TreeSize
from acpcbot.trees.public_tree import LIMIT_INFO, LIMIT_SLOT, build_tree, info_kinds, info_street
from tests.support.plain_tree import small_limit, walk

GAMES = [
    shipped_definition("kuhn.limit.2p"),
    shipped_definition("kuhn.limit.3p"),
    shipped_definition("leduc.limit.2p"),
    small_limit(4, (2, 4), (1, 1), (1, 2, 0, 0)),
    small_limit(3, (2, 4), (3, 3), (1, 2, 0), stack=9),
    small_limit(2, (10,), (2,), (1, 2), stack=5),
    small_limit(2, (2, 2, 2), (2, 1, 2), (1, 2), stack=7),
]


def counted(definition: GameDefinition) -> TreeSize:
    nodes, slots, terminals = Counter[int](), Counter[int](), 0
    for state in walk(definition):
        if state.is_over:
            terminals += 1
        else:
            nodes[state.street] += 1
            slots[state.street] += len(state.legal_actions())
    streets = range(definition.num_streets)
    return TreeSize(tuple(nodes[s] for s in streets), tuple(slots[s] for s in streets), terminals)


@pytest.mark.parametrize("definition", GAMES)
def test_a_tree_is_as_large_as_a_walk_through_it_finds(definition: GameDefinition) -> None:
    assert SubtreeSizes(definition).whole() == counted(definition)


@pytest.mark.parametrize("definition", GAMES)
def test_decisions_have_as_many_actions_as_in_the_built_tree(definition: GameDefinition) -> None:
    tree, sizes = build_tree(definition), SubtreeSizes(definition)
    for street in range(definition.num_streets):
        assert sizes.action_counts(street).tolist() == tree.street_nodes(street)[1].tolist()


def test_three_player_limit_holdem_is_counted_in_no_time_and_right() -> None:
    size = SubtreeSizes(shipped_definition("holdem.limit.3p")).whole()
    assert size.num_nodes == (90, 4412, 205_962, 9_501_342)
    assert size.num_terminals == 14_225_502


def test_ten_players_are_counted_too_though_nobody_could_build_that_tree() -> None:
    size = SubtreeSizes(small_limit(10, (2,), (2,), (1, 2, *[0] * 8), stack=1000)).whole()
    assert sum(size.num_nodes) > 100_000


@pytest.mark.parametrize(
    "definition", [*GAMES, shipped_definition("holdem.limit.2p.reverse_blinds")]
)
def test_a_place_worked_out_is_the_place_in_the_built_tree(definition: GameDefinition) -> None:
    nodes, sizes = build_tree(definition).nodes, SubtreeSizes(definition)
    number = 0
    for state in walk(definition):
        if not state.is_over:
            if number % 17 == 0 or number < 200:
                kinds = ["fcr".index(letter) for letter in state.text if letter != "/"]
                place, record = sizes.place(kinds), nodes[number]
                assert (place.node, place.slot) == (number, record[LIMIT_SLOT])
                assert place.street == info_street(int(record[LIMIT_INFO])) == state.street
                assert sum(1 << kind for kind in place.kinds) == info_kinds(int(record[LIMIT_INFO]))
            number += 1


def test_games_without_a_limit_are_refused() -> None:
    with pytest.raises(UsageError):
        SubtreeSizes(shipped_definition("holdem.nolimit.2p.reverse_blinds"))
