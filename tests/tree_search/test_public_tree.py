"""Public trees against the enumeration of the game: information sets, probabilities, payoffs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.games.game import (
    OVER,
    Game,
    State,
    Target,
    clear,
    new_state,
    observe,
    observe_all,
    states_after,
)
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.sequence_form import all_histories, sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.tree_search.public_tree import ROOT, PublicTree

HIDDEN = Goofspiel(4, hides_bids=True, is_ascending=True, lowest_point=0)
GAMES = [Kuhn(), LEDUC, LiarsDice(1, 3), LiarsDice(2, 2), HIDDEN, Goofspiel(3)]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_rows_that_decide_are_the_information_sets(game: Game) -> None:
    """Catches rows that merge information sets, split them, or have other numbers of actions."""
    tree, form = PublicTree(game), sequence_form(game)
    tree.grow_all()
    for seat in range(2):
        deciding = [
            row
            for node in range(tree.num_nodes)
            if tree.arrays.nodes["actor"][node] == seat
            for row in tree.arrays.rows[tree.rows_of(node, seat)]
        ]
        own = form.infoset_seats == seat
        sizes = np.diff(form.first_slots)[own].tolist()
        expected = dict(zip(form.infoset_keys[own].tolist(), sizes, strict=True))
        assert {int(row["key"]): int(row["count"]) for row in deciding} == expected
        assert len(deciding) == len(expected)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_values_of_a_random_policy_are_those_of_the_sequence_form(game: Game) -> None:
    """Catches wrong parents of rows, chance that is lost, and payoffs at the wrong history."""
    tree, form = PublicTree(game), sequence_form(game)
    tree.grow_all()
    policy = form.normalised(np.random.default_rng(3).random(form.num_slots))
    slots, plays = form.slots_by_key(), np.ones(tree.num_slots)
    for row in tree.arrays.rows[: tree.num_rows]:
        if row["count"]:
            first = int(row["first_slot"])
            plays[first : first + int(row["count"])] = policy[slots[int(row["key"])]]
    reach, value = np.ones(tree.num_rows), 0.0
    for number, row in enumerate(tree.arrays.rows[: tree.num_rows]):
        if row["parent_row"] >= 0:
            played = plays[row["parent_slot"]] if row["parent_slot"] >= 0 else 1.0
            reach[number] = reach[row["parent_row"]] * played
    for node in tree.arrays.nodes[: tree.num_nodes]:
        if node["actor"] == OVER:
            ends = tree.arrays.histories[node["first_history"] : node["end_history"]]
            value += (
                ends["chance"] * ends["payoff"] * reach[ends["row0"]] * reach[ends["row1"]]
            ).sum()
    assert value == pytest.approx(sequence_best_response(form, policy).policy_values[0], abs=1e-12)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_moves_lead_from_history_to_history_as_the_rules_do(game: Game) -> None:
    """Catches moves to a history of another state, and probabilities that do not add up to 1."""
    tree = PublicTree(game)
    tree.grow_all()
    for number in range(tree.num_histories):
        own = tree.arrays.histories[number]
        moves = tree.arrays.moves[own["first_move"] : own["end_move"]]
        if not len(moves):
            assert game.actor(tree.states[number]) == OVER
            continue
        is_chance = game.actor(tree.states[number]) < 0
        for action in {0} if is_chance else set(moves["action"].tolist()):
            chosen = moves if is_chance else moves[moves["action"] == action]
            assert chosen["probability"].sum() == pytest.approx(1)
        for move in moves:
            child = tree.arrays.nodes[move["child"]]
            assert child["first_history"] <= move["history"] < child["end_history"]
            if len(moves) == len(set(moves["action"].tolist())):
                after = tree.states[number].copy()
                game.apply(after, int(move["action"]))
                if game.actor(after) >= 0 or game.actor(after) == OVER:
                    assert after.tolist() == tree.states[move["history"]].tolist()


def test_orders_of_dice_are_one_history() -> None:
    """Catches a tree that keeps histories apart which are equal from there on."""
    tree = PublicTree(LiarsDice(2, 3))
    root = tree.arrays.nodes[ROOT]
    assert root["end_history"] - root["first_history"] == 36
    assert root["middle_row"] - root["first_row"] == 6


def test_actions_lead_to_the_public_state_that_they_show() -> None:
    tree = PublicTree(LEDUC)
    state = new_state(LEDUC)
    actions = [0, 1, 1, 1, 0]
    for action in actions:
        LEDUC.apply(state, action)
    node = tree.node_after(actions)
    assert int(tree.states[tree.arrays.nodes["first_history"][node]][2]) == int(state[2])
    assert tree.arrays.rows["key"][tree.row_of(node, 0, int(state[0]))] == state[0]
    assert tree.path_to(node)[0] == ROOT
    assert tree.path_to(node)[-1] == node
    with pytest.raises(UsageError, match="in the middle of moves of chance"):
        tree.node_after([0])
    with pytest.raises(UsageError, match="no action 7"):
        tree.node_after([0, 7])
    with pytest.raises(UsageError, match="no information set 5 of seat 1"):
        tree.row_of(node, 1, 5)


def test_three_seats_are_refused() -> None:
    with pytest.raises(UsageError, match="public trees are for 2 seats, not 3"):
        PublicTree(Kuhn(3))


def test_a_tree_beyond_its_memory_is_refused() -> None:
    tree = PublicTree(LEDUC, memory_bytes=100_000)
    with pytest.raises(UsageError, match=r"public tree .* would take .* allowed") as caught:
        tree.grow_all()
    assert "memory" in caught.value.hint
    assert tree.num_nodes > 1
    assert sum(array.nbytes for array in tree.arrays) + tree.states.nbytes <= 100_000


def test_a_game_too_large_to_enumerate_needs_its_greatest_payoff() -> None:
    game = Goofspiel(9)
    with pytest.raises(UsageError, match="more than") as caught:
        PublicTree(game)
    assert caught.value.hint == "give the greatest payoff of so large a game"
    assert PublicTree(game, greatest_payoff=1.0).num_nodes == 1
    with pytest.raises(UsageError, match="greatest payoff -1"):
        PublicTree(game, greatest_payoff=-1)


def test_the_greatest_payoff_is_that_of_the_ends() -> None:
    payoffs = all_histories(LEDUC, new_state(LEDUC), 100_000).end_payoffs
    assert PublicTree(LEDUC).greatest_payoff == np.abs(payoffs).max() == 13


class SecretEnd(NamedTuple):
    """A coin that only seat 0 sees decides who moves next; the public is told nothing."""

    no_field: int = 0

    def num_seats(self) -> int:
        return 2

    def state_length(self) -> int:
        return 5

    def max_moves(self) -> int:
        return 2

    def max_actions(self) -> int:
        return 2

    def start(self, state: State) -> None:
        clear(state, 2)

    def actor(self, state: State) -> int:
        if state[3] == 0:
            return -1
        return int(state[4]) if state[3] == 1 else OVER

    def num_actions(self, state: State) -> int:
        return 2

    def chance(self, state: State, action: int) -> float:
        return 0.5

    def has_uniform_chance(self) -> bool:
        return True

    def apply(self, state: State, action: int) -> None:
        if state[3] == 0:
            state[4] = action
            observe(state, 0, action)
        else:
            observe_all(state, 2, action)
        state[3] += 1

    def payoff(self, state: State, seat: int) -> float:
        return 1.0 if seat == 0 else -1.0

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        return 3


def test_public_states_with_several_actors_are_refused() -> None:
    with pytest.raises(UsageError, match="differ in who is to move: seat 0 or seat 1"):
        PublicTree(SecretEnd())


def test_a_tree_of_the_rest_of_a_game_begins_at_its_start() -> None:
    """Catches actions that are counted from the start of the game, and payoffs out of reach."""
    game = LEDUC
    # Both checked and a public card fell: a bet and a raise of 4 are left, after antes of 1.
    whole, actions = PublicTree(game), [0, 1, 0, 0, 1]
    rest = PublicTree(game, start=states_after(game, actions)[-1])
    node = whole.node_after(actions)
    assert whole.greatest_payoff == 13
    assert rest.greatest_payoff == 9
    assert rest.node_after([]) == ROOT
    for more in ([0], [1], [1, 0], [1, 2, 1]):
        words = [
            tree.states[tree.arrays.nodes["first_history"][tree.node_after([*before, *more])]][2]
            for tree, before in ((whole, actions), (rest, []))
        ]
        assert words[0] == words[1]
    assert rest.arrays.nodes[ROOT]["end_row"] == 2
    assert whole.arrays.nodes[node]["end_row"] - whole.arrays.nodes[node]["first_row"] > 2
    assert whole.most_histories > rest.most_histories == 1
