"""The contract of a research game: rules over a small vector of integers, in Python and kernels.

A game is a NamedTuple of its parameters that has the methods of ``Game``. They are plain
Python, and kernels call them too: a kernel that takes a game is compiled for each type of
game, with the rules merged into it. (As tuples games of two types may be equal; their
``repr`` tells them apart.)

A state is int64 [state_length], changed in place. Its first words are the *keys* of the viewers:
the seats in order, then the public, whose number is num_seats. A seat's key is all that it has
observed so far, own actions and their order included, as one number (perfect recall). Two histories
that a seat cannot tell apart have equal keys. Two that it can tell apart have different ones; two
such keys are equal by accident with probability 2**-64. Keys of different viewers differ as well.
The *public key* is what ``observe_all`` has revealed: histories with one public key are a public
state. Rules never touch keys but by ``observe`` and ``observe_all``. Where nobody reads keys, as in
random playouts, ``unobserved`` turns both into nothing at compile time.

Actions are numbered 0 .. num_actions - 1 in each state, those of chance included. Of two seats that
move at the same time one moves second here, and observes nothing of the other's move before.

A *target* is the information set or the public state that a match has come to. Each game answers
exactly which actions can still lead there (``actions_towards``): a search that samples towards a
target takes only those, and always arrives there. A key alone does not answer it: what is observed
later can rule out what was not observed before.

Also here: sets of small whole numbers as bits of one number, for hands of cards and the rest of a
deck (``nth_member``), and random play (``play_out``).

Source of the mixing of keys: Steele, Lea & Flood (2014), Fast splittable pseudorandom number
generators, https://doi.org/10.1145/2714064.2660195
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Ints, Number
from acpcbot.errors import UsageError
from acpcbot.games.keyless import keeps_keys
from acpcbot.games.keyless import unobserved as unobserved
from acpcbot.jit import kernel, shared, shared_methods
from acpcbot.random_kernels import RandomState, below, unit
from acpcbot.set_bits import nth_set_bit
from acpcbot.uncounted_arrays import uncounted

State = NDArray[np.int64]

CHANCE, OVER = -1, -2

# Actions of a state are counted in bits of one positive int64.
MOST_ACTIONS = 62

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)


class Target(NamedTuple):
    """An information set or a public state, with one history that leads there.

    ``viewer``   the seat that is to move there, or num_seats for a public state
    ``key``      the viewer's key there
    ``states``   int64 [move + 1, word], from the start to a state of the target
    ``actions``  int64 [move]
    """

    viewer: int
    key: int
    states: Ints
    actions: Ints


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

    def has_uniform_chance(self) -> bool:
        """Return whether all actions are equally likely at every chance node."""
        ...

    def apply(self, state: State, action: int) -> None:
        """Let the actor take *action*."""
        ...

    def payoff(self, state: State, seat: int) -> float:
        """Return the payoff of *seat* when the game is over; those of all seats add up to 0."""
        ...

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        """Return the set of actions after which *target* can still be reached, as bits.

        Bit k stands for action k. *state* was reached by *num_moves* moves from the start, chance's
        included, each of them towards the target, and is not in the target yet. The answer depends
        on the target's information set or public state alone, not on its history.
        """
        ...


def new_state(game: Game) -> State:
    """Return a state of *game* at its beginning."""
    state = np.zeros(game.state_length(), np.int64)
    game.start(state)
    return state


def make_target(game: Game, actions: Sequence[int], viewer: int) -> Target:
    """Return the information set or public state that *viewer* is in after *actions*.

    *actions* are those of one of its histories, from the start on, chance's included. Raises
    UsageError for an action that does not exist, and for a seat that is not to move.
    """
    if game.max_actions() > MOST_ACTIONS:
        raise UsageError(
            f"{game} has up to {game.max_actions()} actions", f"targets need at most {MOST_ACTIONS}"
        )
    return _target_at(game, states_after(game, actions), actions, viewer)


def states_after(game: Game, actions: Sequence[int], start: State | None = None) -> list[State]:
    """Return the states from *start* to that after *actions*, chance's included.

    Without *start* from that of the game. Raises UsageError for an action that does not exist.
    """
    states = [new_state(game) if start is None else start]
    for number, action in enumerate(actions):
        state = states[-1].copy()
        count = 0 if game.actor(state) == OVER else game.num_actions(state)
        if not 0 <= action < count:
            raise UsageError(
                f"{game} has no action {action} at move {number}", f"it has {count} actions there"
            )
        game.apply(state, action)
        states.append(state)
    return states


def no_target(game: Game) -> Target:
    """Return the public state that *game* starts in, of which the whole game is the rest."""
    return make_target(game, (), game.num_seats())


def _target_at(game: Game, states: list[State], actions: Sequence[int], viewer: int) -> Target:
    actor = game.actor(states[-1])
    if not 0 <= viewer <= game.num_seats() or (viewer < game.num_seats() and viewer != actor):
        raise UsageError(
            f"viewer {viewer} of a target: the actor there is {actor}",
            f"the seat that is to move, or {game.num_seats()} for the public state",
        )
    return Target(viewer, int(states[-1][viewer]), np.array(states), np.array(actions, np.int64))


@shared
def is_reached(game: Game, target: Target, state: State) -> bool:
    """Return whether *state* is in *target*."""
    # A seat has the same key before and after what it does not observe, so its information set is
    # the key where it is to move.
    if state[target.viewer] != target.key:
        return False
    return bool(target.viewer == game.num_seats() or target.viewer == game.actor(state))


@kernel
def clear(state: State, num_seats: int) -> None:
    """Empty *state*: zeros, and keys of viewers that have observed nothing."""
    state[:] = 0
    for viewer in range(num_seats + 1):
        observe(state, viewer, viewer)


@kernel
def observe(state: State, seat: int, what: int) -> None:
    """Let *seat* observe *what*, a number that tells it from all that might be observed instead."""
    # Decided by the type of *state* when a kernel is compiled, see keyless.py.
    if keeps_keys(state):
        state[seat] = _mixed(state[seat], what)


@kernel
def observe_all(state: State, num_seats: int, what: int) -> None:
    """Let every seat observe *what*, and the public."""
    if keeps_keys(state):
        for seat in range(num_seats):
            state[seat] = _mixed(state[seat], what)
        # One round of the two is enough for the public key: no information set depends on it, and
        # every observation of every game pays for it.
        mixed = np.uint64(state[num_seats]) + (np.uint64(what) + np.uint64(1)) * _STEP
        mixed = (mixed ^ mixed >> np.uint64(32)) * _FIRST_FACTOR
        state[num_seats] = np.int64(mixed ^ mixed >> np.uint64(29))


@kernel
def _mixed(key: int, what: int) -> Number:
    """Return *key* after *what* was observed."""
    # The finaliser of SplitMix64 over the old key and what is observed: a bijection of the key for
    # each *what*, so only different observations can collide. One word a viewer stays in the state,
    # and information sets are compared and hashed by it instead of by whole histories.
    mixed = np.uint64(key) + (np.uint64(what) + np.uint64(1)) * _STEP
    mixed = (mixed ^ mixed >> np.uint64(30)) * _FIRST_FACTOR
    mixed = (mixed ^ mixed >> np.uint64(27)) * _SECOND_FACTOR
    return np.int64(mixed ^ mixed >> np.uint64(31))


@shared
def nth_member(members: int, index: int) -> int:
    """Return the member of rank *index*, from zero, in ascending order."""
    return nth_set_bit(members, index)


@shared
def num_members(members: int) -> int:
    """Return the number of *members*, of which none is above 61."""
    # Bits are added up in pairs, pairs in fours, fours in bytes; a product adds up the bytes.
    # The compiler knows the pattern and makes one instruction of it.
    pairs = int(members) - (int(members) >> 1 & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333)
    octets = fours + (fours >> 4) & 0x0F0F0F0F0F0F0F0F
    return octets * 0x0101010101010101 >> 56 & 0xFF


@shared
def rank_of(members: int, member: int) -> int:
    """Return the rank of *member* among *members*, from zero, in ascending order."""
    return num_members(members & (1 << member) - 1)


@shared
def all_actions(count: int) -> int:
    """Return the set of actions 0 .. *count* - 1, as bits."""
    return (1 << count) - 1


@kernel
def play_out(game: Game, state: State, random_state: RandomState) -> None:
    """Play on from *state* to the end: chance by its probabilities, seats uniformly at random.

    With ``unobserved(state)`` no keys are kept, which takes half of the time in some games.
    """
    # Rules are called at every move; references of the state need not be counted each time.
    own = uncounted(state)
    actor = game.actor(own)
    while actor != OVER:
        if actor == CHANCE:
            action: Number = chance_action(game, own, unit(random_state))
        else:
            # Signed, as chance's is: numba makes a float of an int64 or a uint64.
            action = np.int64(below(random_state, game.num_actions(own)))
        # One call, so that the rules are merged into the loop once.
        game.apply(own, action)
        actor = game.actor(own)


@kernel
def chance_action(game: Game, state: State, draw: float) -> int:
    """Return the action of chance that *draw*, from [0, 1), selects."""
    # The last action takes what rounding leaves of the draw.
    last = game.num_actions(state) - 1
    if game.has_uniform_chance():
        # No loop, whose end no processor foresees: an eighth of a playout of Goofspiel(13).
        return min(int(draw * (last + 1)), last)
    action, left = 0, draw - game.chance(state, 0)
    while left >= 0 and action < last:
        action += 1
        left -= game.chance(state, action)
    return action
