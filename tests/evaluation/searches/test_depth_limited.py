"""Depth-limited exploitability: exact where the depth covers the game, a plain recursion else."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.depth_limited import DepthLimit
from acpcbot.evaluation.searches.whole_strategy import WholeStrategy
from acpcbot.games.game import CHANCE, OVER, State, make_target
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.sequence_form import sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.tree_search.backward_induction import GoofspielValues
from acpcbot.tree_search.selection.duct import DecoupledUCT
from acpcbot.tree_search.selection.matched_regrets import RegretMatching
from acpcbot.tree_search.selection.policy import SelectionPolicy
from acpcbot.tree_search.simultaneous import SimultaneousSearch

POLICIES: dict[str, SelectionPolicy] = {"rm": RegretMatching(0.025), "duct": DecoupledUCT(4.0)}


@cache
def solved(num_cards: int) -> GoofspielValues:
    values = GoofspielValues(num_cards, storage="float64")
    values.solve(num_threads=1)
    return values


def searched(game: Goofspiel, policy: str, upcard: int, number: int) -> SimultaneousSearch:
    search = SimultaneousSearch(game, POLICIES[policy], 3)
    search.begin(root_of(game, upcard))
    search.simulate(number)
    return search


def root_of(game: Goofspiel, upcard: int) -> State:
    root: State = make_target(game, [upcard], 0).states[-1]
    return root


@pytest.mark.parametrize("number", [0, 300, 20_000])
@pytest.mark.parametrize("policy", POLICIES)
def test_a_depth_that_covers_the_game_gives_exact_exploitability(policy: str, number: int) -> None:
    """Against exact best responses in the sequence form of PD-Goof(4) behind the upcard 4."""
    game = Goofspiel(4, pays_points=True)
    root = root_of(game, 3)
    search = searched(game, policy, 3, number)
    form = sequence_form(game, root)
    found = WholeStrategy(game, form, root=root).policy(search)
    response = sequence_best_response(form, found)
    limit = DepthLimit(solved(4))
    for seat in (0, 1):
        # The value of equal hands is 0.
        exact = response.values[1 - seat]
        for depth in (5, 6, 9):
            assert limit.exploitability(search, root, seat, depth) == pytest.approx(exact, abs=1e-9)
    assert exact > 0.01


def plain(
    search: SimultaneousSearch, state: State, node: int | None, seat: int, depth: int
) -> float:
    """The printed recursion: the payoff of seat 0, a ply at a time."""
    game, values = search.game, solved(search.game.max_actions())
    if depth == 0 or game.actor(state) == OVER:
        return values.value(state)
    count = game.num_actions(state)
    found = []
    if game.actor(state) == CHANCE:
        for outcome in range(count):
            after = state.copy()
            game.apply(after, outcome)
            child = None if node is None else search.child(node, outcome)
            found.append(plain(search, after, child, seat, depth - 1))
        return float(np.mean(found))
    strategy: Floats = np.full(count, 1 / count) if node is None else search.strategy(seat, node)
    matrix = np.zeros((count, count))
    for row in range(count):
        for column in range(count):
            after = state.copy()
            game.apply(after, row)
            game.apply(after, column)
            child = None if node is None else search.child(node, row, column)
            matrix[row, column] = plain(search, after, child, seat, depth - 1)
    return float((strategy @ matrix).min() if seat == 0 else (matrix @ strategy).max())


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_smaller_depths_follow_the_printed_recursion(policy: str, depth: int) -> None:
    """Catches a chance ply that is not counted, and a maximum of the wrong seat."""
    game = Goofspiel(5, pays_points=True)
    search, root = searched(game, policy, 4, 500), root_of(game, 4)
    limit = DepthLimit(solved(5))
    for seat in (0, 1):
        expected = plain(search, root, 0, seat, depth) * (1 if seat else -1)
        assert limit.exploitability(search, root, seat, depth) == pytest.approx(expected, abs=1e-9)
    assert limit.exploitability(search, root, 0, 0) == 0


def test_positions_of_unequal_hands_are_measured_against_their_value() -> None:
    """Catches the value of the root left out: after 4 against 3 on 4, seat 0 is ahead."""
    game = Goofspiel(4, pays_points=True)
    root = make_target(game, [3, 3, 2, 0], 0).states[-1]
    search = SimultaneousSearch(game, POLICIES["rm"], 3)
    search.begin(root)
    search.simulate(2000)
    form = sequence_form(game, root)
    response = sequence_best_response(form, WholeStrategy(game, form, root=root).policy(search))
    value = solved(4).value(root)
    assert value > 1
    for seat in (0, 1):
        exact = response.values[1 - seat] - (value if seat else -value)
        found = DepthLimit(solved(4)).exploitability(search, root, seat, 9)
        assert found == pytest.approx(exact, abs=1e-9)
        assert found > 0


def test_deeper_answers_gain_more_and_uniform_play_loses_what_is_known() -> None:
    """NashConv of uniform play in PD-Goof(4) is known: 5 points, both seats lose 2.5."""
    game = Goofspiel(4, pays_points=True)
    limit = DepthLimit(solved(4))
    by_depth = np.zeros((2, 3))
    for upcard in range(4):
        search = searched(game, "rm", upcard, 0)
        for seat in (0, 1):
            for place, depth in enumerate((2, 4, 6)):
                found = limit.exploitability(search, root_of(game, upcard), seat, depth)
                by_depth[seat, place] += found / 4
    assert by_depth[:, 2] == pytest.approx([2.5, 2.5], abs=1e-6)
    assert (np.diff(by_depth, axis=1) > 0).all()


def test_unseen_decisions_may_have_one_action() -> None:
    game = Goofspiel(4, pays_points=True)
    search, root = searched(game, "rm", 3, 0), root_of(game, 3)
    limit = DepthLimit(solved(4))
    found = {limit.exploitability(search, root, 0, 6, "one-action", seed) for seed in range(4)}
    assert len(found) > 1
    assert min(found) > limit.exploitability(search, root, 0, 6)
    again = limit.exploitability(search, root, 0, 6, "one-action", 2)
    assert again == limit.exploitability(search, root, 0, 6, "one-action", 2)


def test_other_games_and_unsolved_values_are_refused() -> None:
    game = Goofspiel(4, pays_points=True)
    with pytest.raises(UsageError, match="not solved"):
        DepthLimit(GoofspielValues(4))
    limit = DepthLimit(solved(4))
    search = SimultaneousSearch(Goofspiel(4), POLICIES["rm"], 1)
    with pytest.raises(UsageError, match="Ex_2"):
        limit.exploitability(search, root_of(game, 3), 0, 2)
    start = make_target(game, [], 2).states[-1]
    with pytest.raises(UsageError, match="Ex_2"):
        limit.exploitability(SimultaneousSearch(game, POLICIES["rm"], 1), start, 0, 2)
