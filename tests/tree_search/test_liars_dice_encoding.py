"""Liar's dice as queries of a network: dice in their own order, bids by number."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from acpcbot.games.game import OVER
from acpcbot.games.liars_dice import ACTOR, BID, FACES, LiarsDice
from acpcbot.tree_search.liars_dice_encoding import LiarsDiceEncoding
from acpcbot.tree_search.public_encodings import TreeEncoder
from acpcbot.tree_search.public_tree import PublicTree

GAMES = pytest.mark.parametrize("game", [LiarsDice(1, 4), LiarsDice(2, 2)], ids=str)


def whole_tree(game: LiarsDice) -> PublicTree:
    tree = PublicTree(game)
    tree.grow_all()
    return tree


def states_to_move(tree: PublicTree) -> list[int]:
    return np.flatnonzero(tree.arrays.nodes["actor"][: tree.num_nodes] != OVER).tolist()


@GAMES
def test_places_of_both_seats_name_the_dice_of_every_history(game: LiarsDice) -> None:
    """By the faces that both show, which the rules keep beside each seat's own dice."""
    tree, encoding = whole_tree(game), LiarsDiceEncoding(game)
    rolls = list(combinations_with_replacement(range(game.num_sides), game.num_dice))
    num_places = len(rolls)
    assert encoding.interface.num_rows == (num_places, num_places)
    encoded = TreeEncoder(encoding).encoded(tree)
    for node in states_to_move(tree):
        record = tree.arrays.nodes[node]
        span = slice(record["first_history"], record["end_history"])
        met = set()
        for state, history in zip(tree.states[span], tree.arrays.histories[span], strict=True):
            own = int(encoded.places[history["row0"]])
            other = int(encoded.places[history["row1"]]) - num_places
            met.add((own, other))
            shown = [(rolls[own] + rolls[other]).count(face) for face in range(game.num_sides)]
            assert state[FACES : FACES + game.num_sides].tolist() == shown
        # Dice never rule each other out: every pair of rolls is there, once.
        assert len(met) == num_places**2


@GAMES
def test_states_with_equal_features_have_equal_rules_ahead(game: LiarsDice) -> None:
    tree, encoding = whole_tree(game), LiarsDiceEncoding(game)
    encoded = TreeEncoder(encoding).encoded(tree)
    found: dict[bytes, set[tuple[int, int]]] = {}
    for node in states_to_move(tree):
        state = tree.states[tree.arrays.nodes["first_history"][node]]
        ahead = int(state[ACTOR]), int(state[BID])
        found.setdefault(encoded.features[node].tobytes(), set()).add(ahead)
    assert all(len(aheads) == 1 for aheads in found.values())
    # Before the first bid seat 0 is to move, later either may be but for the first bid and the last
    # two: after bid 1 seat 1 alone is.
    num_bids = 2 * game.num_dice * game.num_sides
    assert len(found) == 1 + 1 + 2 * (num_bids - 1)
    assert set(encoded.scales[states_to_move(tree)].tolist()) == {1.0}


@GAMES
def test_columns_are_the_bids_above_the_last_and_the_call(game: LiarsDice) -> None:
    tree, encoding = whole_tree(game), LiarsDiceEncoding(game)
    encoded = TreeEncoder(encoding).encoded(tree)
    names = encoding.interface.actions
    num_bids = 2 * game.num_dice * game.num_sides
    assert names[0] == "bid 1 of face 1"
    assert names[num_bids - 1] == f"bid {2 * game.num_dice} of face {game.num_sides}"
    for node in states_to_move(tree):
        record = tree.arrays.nodes[node]
        last = int(tree.states[record["first_history"]][BID])
        expected = list(names[last:num_bids]) + (["call the last bid a lie"] if last else [])
        for row in tree.arrays.rows[tree.rows_of(node, int(record["actor"]))]:
            slots = slice(int(row["first_slot"]), int(row["first_slot"] + row["count"]))
            assert [names[column] for column in encoded.columns[slots]] == expected
