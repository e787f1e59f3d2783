"""The states in which simulations begin, and their probabilities by chance.

These are the states of an information set or a public state, or those after the opening moves of
chance.

A target with too many states to list is represented by some of them, drawn by walks towards the
target: uniformly among the actions that can still lead there. Each counts as much as its walk was
improbable, so that draws from the sample tend to draws from all states (importance sampling).
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import (
    CHANCE,
    OVER,
    Game,
    Target,
    is_reached,
    new_state,
    nth_member,
    num_members,
)
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, below

MAX_STATES = 10_000_000

# In Goofspiel(13) with hidden bids a million states are common, and 13 million were met; listing
# them takes more than a second. Up to this number it takes some hundredths.
MOST_LISTED = 200_000
NUM_DRAWN = 20_000

# More deals than these would no longer stay in a core's own cache.
MOST_OPENINGS = 1_000


def root_states(
    game: Game, target: Target, random_state: RandomState, *, by_chance: bool
) -> tuple[Ints, Floats]:
    """Return states of *target* to begin simulations in, and their cumulative probabilities.

    All of them up to MOST_LISTED, else NUM_DRAWN that are drawn with *random_state*. Equally
    probable, or *by_chance*.
    """
    states, chance_reaches = _listed(game, target, MOST_LISTED)
    if len(states) <= MOST_LISTED:
        return states, draw_weights(chance_reaches, by_chance=by_chance)
    states, weights = drawn_states(game, target, NUM_DRAWN, random_state, by_chance=by_chance)
    return states, draw_weights(weights, by_chance=True)


def opening_states(game: Game) -> tuple[Ints, Floats]:
    """Return the states after the opening moves of chance, and their cumulative probabilities.

    The start alone where there are more than MOST_OPENINGS of them, or none: chance moves in each
    simulation then.
    """
    start = new_state(game)
    states, chances = np.zeros((MOST_OPENINGS, len(start)), np.int64), np.zeros(MOST_OPENINGS)
    states[0], chances[0] = start, 1.0
    count = list_openings(game, states, chances)
    if count > MOST_OPENINGS:
        return start[np.newaxis], np.ones(1)
    return states[:count].copy(), draw_weights(chances[:count], by_chance=True)


def states_of(game: Game, target: Target, max_states: int = MAX_STATES) -> tuple[Ints, Floats]:
    """Return the states of *target*, [state, word], and the product of chance on the way, [state].

    Of a public state those where it begins. Raises UsageError if there are more than *max_states*.
    """
    states, chance_reaches = _listed(game, target, max_states)
    if len(states) > max_states:
        raise UsageError(
            f"the target has more than {max_states:,} states", "list those of a smaller game"
        )
    return states, chance_reaches


def _listed(game: Game, target: Target, most: int) -> tuple[Ints, Floats]:
    """Return the states of *target* and their probabilities.

    If there are more than *most*, zeros for one more than that.
    """
    depth, length = game.max_moves() + 1, game.state_length()
    count = list_states(
        game, target, np.zeros((0, length), np.int64), np.zeros(0), *_stack(game, depth), most
    )
    states, chance_reaches = np.zeros((count, length), np.int64), np.zeros(count)
    if count <= most:
        list_states(game, target, states, chance_reaches, *_stack(game, depth), most)
    return states, chance_reaches


def drawn_states(
    game: Game, target: Target, number: int, random_state: RandomState, *, by_chance: bool
) -> tuple[Ints, Floats]:
    """Return *number* states of *target* from walks towards it, [state, word], and their weights.

    Weighted states represent all of them as equally probable, or *by_chance*.
    """
    states, weights = np.zeros((number, game.state_length()), np.int64), np.zeros(number)
    draw_states(game, target, states, weights, by_chance, random_state)
    # Walks through a hundred moves have weights beyond the range of numbers.
    return states, np.exp(weights - weights.max())


def _stack(game: Game, depth: int) -> tuple[Ints, Ints, Floats]:
    stack = np.zeros((depth + 1, game.state_length()), np.int64)
    stack[0] = new_state(game)
    return stack, np.zeros(depth + 1, np.int64), np.ones(depth + 1)


@kernel
def list_states(
    game: Game,
    target: Target,
    states: Ints,
    chance_reaches: Floats,
    stack: Ints,
    left: Ints,
    reaches: Floats,
    most: int,
) -> int:
    """Write as many states of *target* as there is room for, and return how many there are.

    The count ends at one more than *most*. *stack* [move] holds the start; *left* [move] and
    *reaches* [move] are memory to work with.
    """
    # A walk that goes deep first, one state a depth, into those moves alone that can still lead to
    # the target: nothing is visited in vain.
    count, depth = 0, 0
    is_fresh = True
    while depth >= 0 and count <= most:
        state = stack[depth]
        if is_fresh:
            is_fresh = False
            left[depth] = 0
            if is_reached(game, target, state):
                if count < len(states):
                    states[count] = state
                    chance_reaches[count] = reaches[depth]
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


@kernel
def list_openings(game: Game, states: Ints, chances: Floats) -> int:
    """Write all states after the opening moves of chance; return how many there are.

    ``states[0]`` is the start. The count ends at one more than there is room for.
    """
    # Where chance moves, the first outcome takes the state's own place, the others go to the end.
    place, count = 0, 1
    while place < count:
        state = states[place]
        if game.actor(state) != CHANCE:
            place += 1
            continue
        outcomes, reach = game.num_actions(state), chances[place]
        if count + outcomes - 1 > len(states):
            return len(states) + 1
        for outcome in range(1, outcomes):
            states[count] = state
            chances[count] = reach * game.chance(state, outcome)
            game.apply(states[count], outcome)
            count += 1
        chances[place] = reach * game.chance(state, 0)
        game.apply(state, 0)
    return count


@kernel
def draw_states(
    game: Game,
    target: Target,
    states: Ints,
    weights: Floats,
    by_chance: bool,  # noqa: FBT001 (kernels take no keywords)
    random_state: RandomState,
) -> None:
    """Fill *states* with members of *target* from walks, and *weights* with logarithms."""
    # A walk never fails, since each action that it takes can still lead to the target. Its
    # probability is the product of 1 / n over its moves, of which n could have been taken.
    for place in range(len(states)):
        state, depth, weight = states[place], 0, 0.0
        game.start(state)
        while not is_reached(game, target, state):
            actions = game.actions_towards(state, depth, target)
            count = num_members(actions)
            action = nth_member(actions, int(below(random_state, count)))
            if by_chance and game.actor(state) == CHANCE:
                weight += np.log(game.chance(state, action))
            weight += np.log(np.float64(count))
            game.apply(state, action)
            depth += 1
        weights[place] = weight


def draw_weights(chance_reaches: Floats, *, by_chance: bool) -> Floats:
    """Return the cumulative probabilities, [state], by which states are drawn."""
    weights = chance_reaches if by_chance else np.ones(len(chance_reaches))
    cumulative: Floats = np.cumsum(weights) / weights.sum()
    return cumulative
