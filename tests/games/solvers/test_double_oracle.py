"""The double oracle, held against linear programmes and best responses over the whole
enumerated game.
"""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, State, new_state
from acpcbot.games.generic_poker import CARD, LEDUC, GenericPoker
from acpcbot.games.poker_streets import StreetTree
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.games.solvers.double_oracle import DoubleOracle, GrowingCFR
from acpcbot.games.solvers.poker_best_response import MOST_ACTIONS
from tests.support.research_games import form_of, respond
from tests.support.sequence_lp import plan_by_lp, value_by_lp

LARGE = GenericPoker(2, 3, 2, 2)
GAMES = (
    LEDUC,
    pytest.param(LARGE, marks=pytest.mark.slow),
    GenericPoker(3, 1, 1, 2),
    GenericPoker(4, 6, 0, 2),
)
GP_3322 = GenericPoker(3, 3, 2, 2)


@pytest.mark.parametrize("game", [pytest.param(LEDUC, marks=pytest.mark.slow), *GAMES[1:]], ids=str)
def test_the_value_is_not_another_than_the_whole_programmes(game: GenericPoker) -> None:
    pytest.importorskip("scipy")
    oracle = DoubleOracle(game)
    while oracle.bounds.gap > 1e-9:
        oracle.policy = equilibrium(oracle.form)
        oracle.respond(1e-12)
    assert oracle.bounds.lower - 1e-9 <= value_by_lp(form_of(game)) <= oracle.bounds.upper + 1e-9
    assert oracle.form.num_slots < form_of(game).num_slots


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_bounds_are_not_those_of_other_responses(game: GenericPoker) -> None:
    """At each step of the growth a random policy is met as well as in the game with everything
    enumerated.
    """
    oracle, rng = DoubleOracle(game), np.random.default_rng(1)
    for _ in range(12):
        oracle.policy = oracle.form.normalised(
            np.maximum(rng.random(oracle.form.num_slots) - 0.3, 0)
        )
        expected = respond(game, whole_policy(game, oracle)).values
        bounds = oracle.respond()
        assert (bounds.upper, -bounds.lower) == pytest.approx(expected, abs=1e-12)


def test_each_round_narrows_the_bounds_or_leaves_them_as_they_were() -> None:
    solver, before = GrowingCFR(DoubleOracle(LEDUC)), np.inf
    for growth in solver.solve(1e-3, shortest_round=20):
        assert growth.bounds.gap <= before
        before = growth.bounds.gap
    assert before <= 1e-3


@pytest.mark.slow
def test_the_growing_learner_does_not_certify_another_value_than_the_published_one() -> None:
    solver = GrowingCFR(DoubleOracle(GP_3322))
    *_, last = solver.solve(1e-3)
    assert last.bounds.lower <= -0.11135308803867 <= last.bounds.upper
    assert last.bounds.gap <= 1e-3


def test_every_open_action_is_in_the_restricted_game() -> None:
    """One that is not would have no slot, and be played with another's probability."""
    oracle = DoubleOracle(GP_3322)
    solver = GrowingCFR(oracle)
    for _ in range(10):
        solver.round(20, 0.0)
        assert np.count_nonzero(oracle.masks) == len(oracle.form.infoset_keys)
        assert len(np.unique(oracle.slot_names)) == oracle.form.num_slots


def test_actions_that_gain_less_than_asked_are_not_opened() -> None:
    oracle = DoubleOracle(LEDUC)
    oracle.respond(least_gain=100.0)
    assert oracle.form.num_slots == oracle.form.num_seats
    oracle.respond(least_gain=0.0)
    assert oracle.form.num_slots > oracle.form.num_seats


def test_more_actions_than_there_are_bits_are_refused() -> None:
    with pytest.raises(UsageError, match="17 actions"):
        DoubleOracle(GenericPoker(2, 3, 0, 15))


def equilibrium(form: SequenceForm) -> Floats:
    """Both seats' plans of the restricted game; at first it has one course only."""
    if form.num_slots == form.num_seats:
        return np.ones(form.num_slots)
    first, second = (np.maximum(plan_by_lp(form, seat)[0], 0) for seat in range(2))
    return form.normalised(first + second)


def whole_policy(game: GenericPoker, oracle: DoubleOracle) -> Floats:
    """Return the oracle's policy in each information set of the whole *game*, by its rules."""
    form, known = (
        form_of(game),
        dict(zip(oracle.slot_names.tolist(), oracle.policy.tolist(), strict=True)),
    )
    policy, slots = np.ones(form.num_slots), form.slots_by_key()
    streets = oracle.game

    def visit(state: State, tree: StreetTree, node: int, start: int) -> None:
        seat, count = game.actor(state), game.num_actions(state)
        for action in range(count if seat != OVER else 0):
            after = state.copy()
            game.apply(after, action)
            child = int(tree.first_children[node]) + action
            if seat == CHANCE:
                board = int(after[CARD + 2])
                visit(after, streets.second, 0, int(streets.starts[tree.numbers[node], board]))
            else:
                visit(after, tree, child, start)
        if seat not in (OVER, CHANCE):
            infoset = (start + int(tree.numbers[node])) * game.num_ranks + int(state[CARD + seat])
            probabilities = [
                known.get(infoset * MOST_ACTIONS + action, 0.0) for action in range(count)
            ]
            if not any(infoset * MOST_ACTIONS + action in known for action in range(count)):
                probabilities[int(tree.calls[node])] = 1.0
            policy[slots[int(state[seat])]] = probabilities

    def deal(state: State) -> None:
        if game.actor(state) == CHANCE:
            for action in range(game.num_actions(state)):
                after = state.copy()
                game.apply(after, action)
                deal(after)
        else:
            visit(state, streets.first, 0, 0)

    deal(new_state(game))
    return policy
