"""The states of an information set or a public state, and their probabilities by chance."""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, Game, Target, is_reached, new_state
from acpcbot.jit import kernel

MAX_STATES = 10_000_000


def states_of(game: Game, target: Target, max_states: int = MAX_STATES) -> tuple[Ints, Floats]:
    """Return the states of *target*, [state, word], and the product of chance on the way, [state].

    Of a public state those where it begins. Raises UsageError if there are more than *max_states*.
    """
    depth, length = game.max_moves() + 1, game.state_length()
    count = list_states(
        game, target, np.zeros((0, length), np.int64), np.zeros(0), *_stack(game, depth)
    )
    if count > max_states:
        raise UsageError(f"the target has {count:,} states", f"{max_states:,} at most are listed")
    states, chances = np.zeros((count, length), np.int64), np.zeros(count)
    list_states(game, target, states, chances, *_stack(game, depth))
    return states, chances


def _stack(game: Game, depth: int) -> tuple[Ints, Ints, Floats]:
    stack = np.zeros((depth + 1, game.state_length()), np.int64)
    stack[0] = new_state(game)
    return stack, np.zeros(depth + 1, np.int64), np.ones(depth + 1)


@kernel
def list_states(
    game: Game,
    target: Target,
    states: Ints,
    chances: Floats,
    stack: Ints,
    left: Ints,
    reaches: Floats,
) -> int:
    """Write as many states of *target* as there is room for, and return how many there are.

    *stack* [move] holds the start; *left* [move] and *reaches* [move] are memory to work with.
    """
    # A walk that goes deep first, one state a depth, into those moves alone that can still lead to
    # the target: nothing is visited in vain.
    count, depth = 0, 0
    is_fresh = True
    while depth >= 0:
        state = stack[depth]
        if is_fresh:
            is_fresh = False
            left[depth] = 0
            if is_reached(game, target, state):
                if count < len(states):
                    states[count] = state
                    chances[count] = reaches[depth]
                count += 1
            elif game.actor(state) != OVER:
                left[depth] = game.actions_towards(state, depth, target)
        if left[depth] == 0:
            depth -= 1
        else:
            action, bit = 0, left[depth] & -left[depth]
            while bit >> action > 1:
                action += 1
            left[depth] ^= bit
            chance = game.chance(state, action) if game.actor(state) == CHANCE else 1.0
            reaches[depth + 1] = reaches[depth] * chance
            stack[depth + 1] = state
            game.apply(stack[depth + 1], action)
            depth += 1
            is_fresh = True
    return count


def draw_weights(chances: Floats, *, by_chance: bool) -> Floats:
    """Return the cumulative probabilities, [state], by which states are drawn."""
    weights = chances if by_chance else np.ones(len(chances))
    cumulative: Floats = np.cumsum(weights) / weights.sum()
    return cumulative
