"""The rules of betting over two small integer vectors, for plain Python and kernels alike.

Every function here is plain Python over lists for a table that plays one hand,
and compiles unchanged over int64 arrays for kernels that replay logs or build
trees. The game vector is read, the state vector is changed in place.

game   [NUM_PLAYERS, NUM_STREETS, IS_LIMIT, BIG_BLIND, STACK + seat, BLIND + seat,
        FIRST_SEAT + street, MAX_RAISES + street, RAISE_SIZE + street]
state  [STREET, ACTOR (-1: the hand is over), MAX_SPENT, MIN_RAISE_TO, NUM_RAISES and
        NUM_ACTIONS of this street, NUM_CALLERS (see there), SPENT + seat, FOLDED + seat]

Chips are counted over the whole hand, blinds included. An acting player is one
that has not folded and still has chips behind.

Source: the rules and limits of the ACPC server, release 1.0.42.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from acpcbot.jit import shared
from acpcbot.poker.definition_parser import MAX_PLAYERS, MAX_STREETS

MAX_ACTIONS_PER_STREET = 64

FOLD, CALL, RAISE = 0, 1, 2

NUM_PLAYERS, NUM_STREETS, IS_LIMIT, BIG_BLIND = 0, 1, 2, 3
STACK = 4
BLIND = STACK + MAX_PLAYERS
FIRST_SEAT = BLIND + MAX_PLAYERS
MAX_RAISES = FIRST_SEAT + MAX_STREETS
RAISE_SIZE = MAX_RAISES + MAX_STREETS
GAME_LENGTH = RAISE_SIZE + MAX_STREETS

STREET, ACTOR, MAX_SPENT, MIN_RAISE_TO, NUM_RAISES, NUM_ACTIONS, NUM_CALLERS = 0, 1, 2, 3, 4, 5, 6
SPENT = 7
FOLDED = SPENT + MAX_PLAYERS
STATE_LENGTH = FOLDED + MAX_PLAYERS

OVER = -1


@shared
def start_hand(game: Sequence[int], state: MutableSequence[int]) -> None:
    """Set *state* to the first decision of a hand, blinds posted."""
    # Element by element: slices of lists and of arrays differ, loops over them do not.
    for index in range(STATE_LENGTH):
        state[index] = 0
    for seat in range(game[NUM_PLAYERS]):
        state[SPENT + seat] = game[BLIND + seat]
    state[MAX_SPENT] = game[BIG_BLIND]
    # The smallest raise is by one big blind; without blinds, to one chip.
    state[MIN_RAISE_TO] = 2 * game[BIG_BLIND] if game[BIG_BLIND] > 0 else 1
    state[ACTOR] = first_acting(game, state, game[FIRST_SEAT])


@shared
def is_acting(game: Sequence[int], state: Sequence[int], seat: int) -> bool:
    """Return whether *seat* can still act in this hand: neither folded nor all-in."""
    return state[FOLDED + seat] == 0 and state[SPENT + seat] < game[STACK + seat]


@shared
def first_acting(game: Sequence[int], state: Sequence[int], seat: int) -> int:
    """Return the first acting player clockwise from *seat*, itself included; OVER if none."""
    num_players = game[NUM_PLAYERS]
    # The test of is_acting, written out as in the other loops over seats: in plain Python a call
    # costs more than the test.
    for step in range(num_players):
        candidate = (seat + step) % num_players
        if state[FOLDED + candidate] == 0 and state[SPENT + candidate] < game[STACK + candidate]:
            return candidate
    return OVER


@shared
def num_acting(game: Sequence[int], state: Sequence[int]) -> int:
    """Return the number of players that are neither folded nor all-in."""
    count = 0
    for seat in range(game[NUM_PLAYERS]):
        if state[FOLDED + seat] == 0 and state[SPENT + seat] < game[STACK + seat]:
            count += 1
    return count


@shared
def num_folded(game: Sequence[int], state: Sequence[int]) -> int:
    """Return the number of players that have folded."""
    count = 0
    for seat in range(game[NUM_PLAYERS]):
        count += state[FOLDED + seat]
    return count


@shared
def can_fold(game: Sequence[int], state: Sequence[int]) -> bool:
    """Return whether the actor may fold: only when there is something to call."""
    spent = state[SPENT + state[ACTOR]]
    return spent < state[MAX_SPENT] and spent < game[STACK + state[ACTOR]]


@shared
def guard_holds(game: Sequence[int], state: Sequence[int]) -> bool:
    """Return whether so many actions were made on this street that raising stops."""
    # The official server has room for so many actions a street, and keeps a call for every seat.
    return state[NUM_ACTIONS] + game[NUM_PLAYERS] > MAX_ACTIONS_PER_STREET


@shared
def can_raise(game: Sequence[int], state: Sequence[int]) -> bool:
    """Return whether the actor may bet or raise at all."""
    # A raise needs another player that can answer it; in no-limit games the actor must also have
    # chips beyond the call.
    if state[NUM_RAISES] >= game[MAX_RAISES + state[STREET]] or guard_holds(game, state):
        return False
    if num_acting(game, state) < 2:
        return False
    return bool(game[IS_LIMIT]) or game[STACK + state[ACTOR]] > state[MAX_SPENT]


@shared
def max_raise_to(game: Sequence[int], state: Sequence[int]) -> int:
    """Return the largest no-limit raise: everything the actor has."""
    return game[STACK + state[ACTOR]]


@shared
def min_raise_to(game: Sequence[int], state: Sequence[int]) -> int:
    """Return the smallest no-limit raise; all-in where the stack allows no full raise."""
    return min(state[MIN_RAISE_TO], game[STACK + state[ACTOR]])


@shared
def is_legal(game: Sequence[int], state: Sequence[int], kind: int, raise_to: int) -> bool:
    """Return whether the actor may take the action; *raise_to* counts in no-limit raises only."""
    if state[ACTOR] == OVER:
        return False
    if kind == FOLD:
        return can_fold(game, state)
    if kind == CALL:
        return True
    if kind != RAISE or not can_raise(game, state):
        return False
    stack = game[STACK + state[ACTOR]]
    return bool(game[IS_LIMIT]) or min(state[MIN_RAISE_TO], stack) <= raise_to <= stack


@shared
def apply_action(
    game: Sequence[int], state: MutableSequence[int], kind: int, raise_to: int
) -> None:
    """Apply a legal action of the actor to *state*, with the next actor and street."""
    seat = state[ACTOR]
    state[NUM_ACTIONS] += 1
    if kind == FOLD:
        state[FOLDED + seat] = 1
    elif kind == CALL:
        state[SPENT + seat] = min(state[MAX_SPENT], game[STACK + seat])
        state[NUM_CALLERS] += is_acting(game, state, seat)
    else:
        _raise(game, state, seat, raise_to)
        # All others have to answer again, so the count of callers begins anew with the raiser; one
        # that is all-in is no acting player and does not count.
        state[NUM_CALLERS] = 1 if is_acting(game, state, seat) else 0
    _pass_on(game, state, seat)


@shared
def _raise(game: Sequence[int], state: MutableSequence[int], seat: int, raise_to: int) -> None:
    """Apply a raise of *seat*; a short all-in keeps the smallest raise that stood before it."""
    target = raise_to
    if game[IS_LIMIT]:
        target = min(state[MAX_SPENT] + game[RAISE_SIZE + state[STREET]], game[STACK + seat])
    # The next raise must be at least as large as this one: target + (target - MAX_SPENT). The
    # maximum is what an all-in for less than a full raise leaves in force.
    state[MIN_RAISE_TO] = max(state[MIN_RAISE_TO], 2 * target - state[MAX_SPENT])
    state[MAX_SPENT] = target
    state[SPENT + seat] = target
    state[NUM_RAISES] += 1


@shared
def _pass_on(game: Sequence[int], state: MutableSequence[int], seat: int) -> None:
    """Find the next actor after *seat*'s action, or end the street, or the hand.

    NUM_CALLERS are the acting players among the last raiser of this street and
    those who called since: when it reaches the number of acting players,
    nobody has anything left to answer.
    """
    # One pass counts both: this runs after every action of every replayed hand.
    acting = folded = 0
    for other in range(game[NUM_PLAYERS]):
        if state[FOLDED + other]:
            folded += 1
        elif state[SPENT + other] < game[STACK + other]:
            acting += 1
    if folded + 1 >= game[NUM_PLAYERS]:
        state[ACTOR] = OVER
    elif state[NUM_CALLERS] < acting:
        state[ACTOR] = first_acting(game, state, seat + 1)
    elif acting < 2:
        # All but one at most are all-in: the rest of the board is dealt without betting.
        state[STREET] = game[NUM_STREETS] - 1
        state[ACTOR] = OVER
    elif state[STREET] + 1 >= game[NUM_STREETS]:
        state[ACTOR] = OVER
    else:
        _next_street(game, state)


@shared
def _next_street(game: Sequence[int], state: MutableSequence[int]) -> None:
    """Begin the next street: no raises or callers yet, a smallest bet of one big blind."""
    state[STREET] += 1
    state[NUM_RAISES] = 0
    state[NUM_ACTIONS] = 0
    state[NUM_CALLERS] = 0
    state[MIN_RAISE_TO] = state[MAX_SPENT] + max(1, game[BIG_BLIND])
    state[ACTOR] = first_acting(game, state, game[FIRST_SEAT + state[STREET]])
