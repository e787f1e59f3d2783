"""The contract of a research game: rules over a small vector of integers, in Python and kernels.

A game is a NamedTuple of its parameters that has the methods of ``Game``. They are plain
Python, and kernels call them too: a kernel that takes a game is compiled for each type of
game, with the rules merged into it. (As tuples games of two types may be equal; their
``repr`` tells them apart.)

A state is int64 [state_length], changed in place. Its first words are the *keys* of the seats: all
that a seat has observed so far, own actions and their order included, as one number (perfect
recall). Two histories that a seat cannot tell apart have equal keys. Two that it can tell apart
have different ones, but with a probability of 2**-64 a pair; keys of different seats differ as
well. Rules never touch keys but by ``observe`` and ``observe_all``.

Actions are numbered 0 .. num_actions - 1 in each state, those of chance included. Of two seats that
move at the same time one moves second here, and observes nothing of the other's move before.

Also here: sets of small whole numbers as bits of one number, for hands of cards and the rest of a
deck (``nth_member``), and random play (``play_out``).

Source of the mixing of keys: Steele, Lea & Flood (2014), Fast splittable pseudorandom number
generators, https://doi.org/10.1145/2714064.2660195
"""

from __future__ import annotations

from math import frexp
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.jit import kernel, shared, shared_methods
from acpcbot.random_kernels import RandomState, below, unit

State = NDArray[np.int64]

CHANCE, OVER = -1, -2

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)


@shared_methods
class Game(Protocol):
    """The rules of a game; payoffs are in its own units."""

    def num_seats(self) -> int:
        """Return the number of players, chance not counted."""
        ...

    def state_length(self) -> int:
        """Return the words of a state."""
        ...

    def max_moves(self) -> int:
        """Return the largest number of moves in a game, chance's included."""
        ...

    def max_actions(self) -> int:
        """Return the most actions that any state has."""
        ...

    def start(self, state: State) -> None:
        """Set *state* to the beginning."""
        ...

    def actor(self, state: State) -> int:
        """Return the seat that moves, or CHANCE, or OVER."""
        ...

    def num_actions(self, state: State) -> int:
        """Return the number of actions of the actor."""
        ...

    def chance(self, state: State, action: int) -> float:
        """Return the probability of *action* where chance moves."""
        ...

    def apply(self, state: State, action: int) -> None:
        """Let the actor take *action*."""
        ...

    def payoff(self, state: State, seat: int) -> float:
        """Return the payoff of *seat* when the game is over."""
        ...


def new_state(game: Game) -> State:
    """Return a state of *game* at its beginning."""
    state = np.zeros(game.state_length(), np.int64)
    game.start(state)
    return state


@kernel
def clear(state: State, num_seats: int) -> None:
    """Empty *state*: zeros, and keys of seats that have observed nothing."""
    state[:] = 0
    for seat in range(num_seats):
        observe(state, seat, seat)


@kernel
def observe(state: State, seat: int, what: int) -> None:
    """Let *seat* observe *what*, a number that tells it from all that might be observed instead."""
    # The finaliser of SplitMix64 over the old key and what is observed: a bijection of the key for
    # each *what*, so only different observations can collide. One word a seat stays in the state,
    # and information sets are compared and hashed by it instead of by whole histories.
    key = np.uint64(state[seat]) + (np.uint64(what) + np.uint64(1)) * _STEP
    key = (key ^ key >> np.uint64(30)) * _FIRST_FACTOR
    key = (key ^ key >> np.uint64(27)) * _SECOND_FACTOR
    state[seat] = np.int64(key ^ key >> np.uint64(31))


@kernel
def observe_all(state: State, num_seats: int, what: int) -> None:
    """Let every seat observe *what*."""
    for seat in range(num_seats):
        observe(state, seat, what)


@shared
def nth_member(members: int, index: int) -> int:
    """Return the member of rank *index*, from zero, in ascending order."""
    left = members
    for _ in range(index):
        left &= left - 1
    # The exponent of the lowest bit that is left.
    return frexp(float(left & -left))[1] - 1


@kernel
def play_out(game: Game, state: State, random_state: RandomState) -> None:
    """Play on from *state* to the end: chance by its probabilities, seats uniformly at random."""
    actor = game.actor(state)
    while actor != OVER:
        if actor == CHANCE:
            game.apply(state, chance_action(game, state, unit(random_state)))
        else:
            game.apply(state, below(random_state, game.num_actions(state)))
        actor = game.actor(state)


@kernel
def chance_action(game: Game, state: State, draw: float) -> int:
    """Return the action of chance that *draw*, from [0, 1), selects."""
    # The last action takes what rounding leaves of the draw.
    last = game.num_actions(state) - 1
    action, left = 0, draw - game.chance(state, 0)
    while left >= 0 and action < last:
        action += 1
        left -= game.chance(state, action)
    return action
