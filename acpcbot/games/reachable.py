"""Actions that can still lead to a target, by enumeration of all that may follow: for small games.

A new game can answer ``actions_towards`` with ``enumerated_actions`` until it has an answer of its
own. It goes through the whole game below a state, at every move of every targeted sample.
"""

from __future__ import annotations

import numpy as np

from acpcbot.games.game import CHANCE, OVER, Game, State, Target, is_reached
from acpcbot.jit import kernel


@kernel
def enumerated_actions(game: Game, state: State, target: Target) -> int:
    """Return the set of actions after which *target* can be reached from *state*, as bits."""
    states = np.empty((game.max_moves() + 2, len(state)), np.int64)
    untried = np.empty(len(states), np.int64)
    actions = 0
    for action in range(game.num_actions(state)):
        states[0] = state
        if _can_take(game, states[0], action) and _can_reach(game, target, states, untried, action):
            actions |= 1 << action
    return actions


@kernel
def _can_reach(
    game: Game, target: Target, states: State, untried: State, first_action: int
) -> bool:
    """Return whether *target* can be reached from states[0] by way of *first_action*."""
    # Depth first without recursion; states are copied, because rules have no way back. The first
    # member of the target that is met ends the search.
    states[1] = states[0]
    game.apply(states[1], first_action)
    depth, untried[1] = 1, 0
    while depth > 0:
        state = states[depth]
        if is_reached(game, target, state):
            return True
        if game.actor(state) == OVER or untried[depth] == game.num_actions(state):
            depth -= 1
            continue
        action = untried[depth]
        untried[depth] += 1
        if _can_take(game, state, action):
            states[depth + 1] = state
            game.apply(states[depth + 1], action)
            depth += 1
            untried[depth] = 0
    return False


@kernel
def _can_take(game: Game, state: State, action: int) -> bool:
    return game.actor(state) != CHANCE or game.chance(state, action) > 0
