"""The rules of betting: each function by itself, and the same text compiled for kernels."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from acpcbot.arrays import KernelArray
from acpcbot.jit import kernel
from acpcbot.poker import rules
from acpcbot.poker.betting import BettingState, game_vector
from tests.support.games import (
    ALL_GAMES,
    ANTE_4P,
    LIMIT_2P,
    NOLIMIT_3P,
    NOLIMIT_6P,
    UNEVEN_3P,
    definition_of,
    rules_of,
)
from tests.support.playouts import Playout, play

HANDS_PER_GAME = 40
NUM_ANSWERS = 9


@kernel
def compiled_playout(
    game: KernelArray, actions: KernelArray, states: KernelArray, answers: KernelArray
) -> None:
    """Play *actions* (rows of kind, raise_to).

    Write each state and the answers to the questions about it.
    """
    rules.start_hand(game, states[0])
    for step in range(len(states)):
        state = states[step]
        answers[step, 0] = rules.num_acting(game, state)
        answers[step, 1] = rules.num_folded(game, state)
        answers[step, 2] = rules.first_acting(game, state, step % game[rules.NUM_PLAYERS])
        if state[rules.ACTOR] != rules.OVER:
            answers[step, 3] = rules.can_fold(game, state)
            answers[step, 4] = rules.can_raise(game, state)
            answers[step, 5] = rules.guard_holds(game, state)
            answers[step, 6] = rules.min_raise_to(game, state)
            answers[step, 7] = rules.max_raise_to(game, state)
            answers[step, 8] = rules.is_legal(game, state, rules.RAISE, 2 * state[rules.MAX_SPENT])
        if step < len(actions):
            states[step + 1] = state
            rules.apply_action(game, states[step + 1], actions[step, 0], actions[step, 1])


def plain_answers(state: BettingState, step: int) -> list[int]:
    game, vector = state.game.vector, state.vector
    seat = step % game[rules.NUM_PLAYERS]
    answers = [
        rules.num_acting(game, vector),
        rules.num_folded(game, vector),
        rules.first_acting(game, vector, seat),
    ]
    if state.is_over:
        return [*answers, 0, 0, 0, 0, 0, 0]
    return [
        *answers,
        rules.can_fold(game, vector),
        rules.can_raise(game, vector),
        rules.guard_holds(game, vector),
        rules.min_raise_to(game, vector),
        rules.max_raise_to(game, vector),
        rules.is_legal(game, vector, rules.RAISE, 2 * state.max_spent),
    ]


def compiled(playout: Playout) -> tuple[KernelArray, KernelArray]:
    """The states and the answers that the kernel finds on the way of *playout*."""
    actions = np.array(
        [(action.kind, action.raise_to) for action in playout.actions], np.int64
    ).reshape(-1, 2)
    states = np.zeros((len(playout.states), rules.STATE_LENGTH), np.int64)
    answers = np.zeros((len(playout.states), NUM_ANSWERS), np.int64)
    compiled_playout(np.array(playout.game.vector, np.int64), actions, states, answers)
    return states, answers


@pytest.mark.parametrize("name", ALL_GAMES)
def test_the_compiled_rules_play_as_the_interpreted_ones_do(name: str) -> None:
    random = Random(name)
    for _ in range(HANDS_PER_GAME):
        playout = play(random, rules_of(name))
        states, answers = compiled(playout)
        assert states.tolist() == [list(state.vector) for state in playout.states]
        assert answers.tolist() == [
            plain_answers(state, step) for step, state in enumerate(playout.states)
        ]


# The vectors.


@pytest.mark.parametrize("name", ALL_GAMES)
def test_the_game_vector_holds_the_definition(name: str) -> None:
    definition, vector = definition_of(name), game_vector(definition_of(name))
    assert len(vector) == rules.GAME_LENGTH
    assert vector[rules.STACK : rules.STACK + definition.num_players] == definition.stacks
    assert vector[rules.BLIND : rules.BLIND + definition.num_players] == definition.blinds
    assert (
        vector[rules.FIRST_SEAT : rules.FIRST_SEAT + definition.num_streets]
        == definition.first_seats
    )
    assert (
        vector[rules.MAX_RAISES : rules.MAX_RAISES + definition.num_streets]
        == definition.max_raises
    )
    assert (
        vector[rules.RAISE_SIZE : rules.RAISE_SIZE + len(definition.raise_sizes)]
        == definition.raise_sizes
    )
    assert (vector[rules.IS_LIMIT] == 1) == definition.is_limit
    assert vector[rules.BIG_BLIND] == max(definition.blinds)


def test_the_fields_of_the_vectors_do_not_overlap() -> None:
    at = SimpleNamespace(**vars(rules))
    assert at.NUM_CALLERS + 1 == at.SPENT
    assert at.SPENT + at.MAX_PLAYERS == at.FOLDED
    assert at.FOLDED + at.MAX_PLAYERS == at.STATE_LENGTH
    starts = [
        at.BIG_BLIND + 1,
        at.STACK,
        at.BLIND,
        at.FIRST_SEAT,
        at.MAX_RAISES,
        at.RAISE_SIZE,
        at.GAME_LENGTH,
    ]
    assert [end - start for start, end in pairwise(starts)] == [0, 10, 10, 4, 4, 4]


# Known values: the start of a hand.


@pytest.mark.parametrize(
    ("name", "actor", "spent", "min_raise_to"),
    [
        (LIMIT_2P, 1, (10, 5), 20),
        (NOLIMIT_3P, 2, (50, 100, 0), 200),
        (NOLIMIT_6P, 2, (50, 100, 0, 0, 0, 0), 200),
        (UNEVEN_3P, 2, (50, 100, 0), 200),
        (ANTE_4P, 0, (10, 10, 10, 10), 20),
    ],
)
def test_a_hand_starts_with_the_blinds_posted_and_the_first_player_to_act(
    name: str, actor: int, spent: tuple[int, ...], min_raise_to: int
) -> None:
    start = rules_of(name).start
    assert (start.actor, start.spent, start.vector[rules.MIN_RAISE_TO]) == (
        actor,
        spent,
        min_raise_to,
    )


def test_a_player_whose_blind_is_his_whole_stack_is_passed_over() -> None:
    game, state = game_vector(definition_of(UNEVEN_3P)), [0] * rules.STATE_LENGTH
    all_in = list(game)
    first = game[rules.FIRST_SEAT]
    all_in[rules.STACK + first] = all_in[rules.BLIND + first]
    rules.start_hand(all_in, state)
    assert state[rules.ACTOR] == (first + 1) % 3
    assert not rules.is_acting(all_in, state, first)


def test_nobody_is_first_where_all_are_all_in() -> None:
    game = list(game_vector(definition_of(NOLIMIT_3P)))
    state = [0] * rules.STATE_LENGTH
    rules.start_hand(game, state)
    state[rules.SPENT : rules.SPENT + 3] = [20000] * 3
    assert rules.first_acting(game, state, 1) == rules.OVER
    assert rules.num_acting(game, state) == 0


@pytest.mark.parametrize("kind", [-1, 3, 7])
def test_an_unknown_kind_of_action_is_never_legal(kind: int) -> None:
    start = rules_of(LIMIT_2P).start
    assert not rules.is_legal(start.game.vector, start.vector, kind, 0)
