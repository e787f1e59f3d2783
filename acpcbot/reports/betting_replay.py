"""Replay of the betting of finished hands, counted action by action, for Python and kernels.

A *bet* is the first raise of a street on which nobody has put in more than others; after uneven
blinds the first raise is a *raise*. Blinds are no bet that is *faced*. The levels of the first
street are the blinds or the first bet (1), the raise of it (2), the *3-bet* (3). A *c-bet* is
the first bet of the second street by the last raiser of the first. An opportunity counts only if
the rules let the seat raise.

The same pass writes down who acts, how, and with which chips in the pot (``ActionTrace``).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Bytes, Flags, Ints, KernelArray
from acpcbot.jit import shared
from acpcbot.poker.definition_parser import MAX_STREETS
from acpcbot.poker.rules import (
    ACTOR,
    CALL,
    FOLD,
    FOLDED,
    IS_LIMIT,
    MAX_SPENT,
    NUM_PLAYERS,
    NUM_RAISES,
    OVER,
    RAISE,
    SPENT,
    STREET,
    apply_action,
    can_raise,
    num_folded,
    start_hand,
)


class Count(IntEnum):
    """The counts of each seat and street, columns of ``BettingFacts.counts``."""

    FOLDS = 0
    CHECKS = 1
    CALLS = 2
    BETS = 3
    RAISES = 4
    FACED_BETS = 5
    FOLDS_TO_BETS = 6


class Mark(IntEnum):
    """The flags of each seat in a hand, columns of ``BettingFacts.marks``."""

    PUT_MONEY_IN = 0
    RAISED_FIRST_STREET = 1
    COULD_THREE_BET = 2
    THREE_BET = 3
    FACED_THREE_BET = 4
    FOLDED_TO_THREE_BET = 5
    COULD_C_BET = 6
    C_BET = 7
    FACED_C_BET = 8
    FOLDED_TO_C_BET = 9
    SHOWED_DOWN = 10


class ActionTrace(NamedTuple):
    """The actions of hands whose betting lies end to end in one text, an array each [character].

    *code* is ``KINDS * seat + kind`` where the letter of an action stands, else ``NO_ACTION``; the
    kind is a ``Count``, from ``FOLDS`` to ``RAISES``. *spent* are the chips that the seat has put in after it.
    """

    code: Bytes
    spent: Ints

    def __repr__(self) -> str:
        return f"ActionTrace({len(self.code):,} characters)"


KINDS, NO_ACTION = 8, 255
# Whole numbers: kernels unify no members of an enumeration.
_FOLDS, _CHECKS, _CALLS = int(Count.FOLDS), int(Count.CHECKS), int(Count.CALLS)
_BETS, _RAISES = int(Count.BETS), int(Count.RAISES)


class BettingFacts(NamedTuple):
    """Facts of many hands, an array each; ``betting_facts.py`` has their shapes."""

    counts: Bytes
    marks: Flags
    reached: NDArray[np.int8]
    spent: Ints

    def __repr__(self) -> str:
        return f"BettingFacts({len(self.spent):,} hands)"


# Places in the memory of one hand: two seats and two flags.
_OPENER, _AGGRESSOR, _C_BET_MADE, _BLIND_LEVEL = range(4)
MEMORY_SIZE = 4
_R, _F = b"rf"
_ZERO, _NINE, _SLASH = b"09/"


def empty_facts(num_hands: int, num_players: int) -> BettingFacts:
    """Return facts of so many hands with nothing counted yet."""
    return BettingFacts(
        np.zeros((num_hands, num_players, MAX_STREETS, len(Count)), np.uint8),
        np.zeros((num_hands, num_players, len(Mark)), np.bool_),
        np.zeros((num_hands, num_players), np.int8),
        np.zeros((num_hands, num_players), np.int64),
    )


def empty_trace(num_characters: int) -> ActionTrace:
    """Return a trace of so much betting without an action yet."""
    return ActionTrace(
        np.full(num_characters, NO_ACTION, np.uint8), np.zeros(num_characters, np.int64)
    )


@shared
def replay_all(
    text: Any,
    game: KernelArray,
    blind_level: int,
    state: KernelArray,
    memory: KernelArray,
    facts: BettingFacts,
    trace: ActionTrace,
) -> None:
    """Fill *facts* and *trace* from *text*, hands end to end.

    *state* and *memory* are for one hand.
    """
    # One pass over the text: the rules say which character ends a hand, so nothing separates hands.
    at = 0
    for hand in range(len(facts.spent)):
        start_hand(game, state)
        memory[_OPENER] = memory[_AGGRESSOR] = -1
        memory[_C_BET_MADE] = 0
        memory[_BLIND_LEVEL] = blind_level
        while state[ACTOR] != OVER:
            at = _replay_action(text, at, game, state, memory, facts, trace, hand)
        _note_end(game, state, facts, hand)


@shared
def _replay_action(
    text: Any,
    at: int,
    game: KernelArray,
    state: KernelArray,
    memory: KernelArray,
    facts: BettingFacts,
    trace: ActionTrace,
    hand: int,
) -> int:
    """Count and apply the action at *at*; return the place of the next one."""
    seat, street, place = state[ACTOR], state[STREET], at
    kind = RAISE if text[at] == _R else FOLD if text[at] == _F else CALL
    # A no-limit raise has digits behind its letter. The text ends with a line end, so looking at
    # the character behind the last action is safe.
    size, at = 0, at + 1
    while game[IS_LIMIT] == 0 and _ZERO <= text[at] <= _NINE and kind == RAISE:
        size, at = 10 * size + int(text[at]) - _ZERO, at + 1
    # Facts are of the state before the action; the action is applied last.
    counted = _count(state, kind, memory[_BLIND_LEVEL], facts.counts[hand, seat, street])
    if street == 0:
        _mark_first_street(game, state, kind, memory, facts.marks[hand, seat])
    elif street == 1:
        _mark_second_street(game, state, kind, memory, facts.marks[hand, seat])
    facts.reached[hand, seat] = street
    apply_action(game, state, kind, size)
    trace.code[place] = KINDS * seat + counted
    trace.spent[place] = state[SPENT + seat]
    while text[at] == _SLASH:
        at += 1
    return at


@shared
def _count(state: KernelArray, kind: int, blind_level: int, counts: KernelArray) -> int:
    """Count an action of the actor in *counts*, those of its seat and street.

    Return the column of its kind.
    """
    must_pay = state[SPENT + state[ACTOR]] < state[MAX_SPENT]
    counted = _FOLDS
    if kind == RAISE:
        is_bet = state[NUM_RAISES] == 0 and (state[STREET] > 0 or blind_level == 0)
        counted = _BETS if is_bet else _RAISES
    elif kind == CALL:
        counted = _CALLS if must_pay else _CHECKS
    counts[counted] += 1
    # Something to call without a raise is a blind, which is no bet that is faced.
    if must_pay and state[NUM_RAISES] > 0:
        counts[Count.FACED_BETS] += 1
        counts[Count.FOLDS_TO_BETS] += kind == FOLD
    return counted


@shared
def _mark_first_street(
    game: KernelArray, state: KernelArray, kind: int, memory: KernelArray, marks: KernelArray
) -> None:
    """Set the *marks* of the actor's seat that an action on the first street decides."""
    # Uneven blinds are level 1, so the first raise makes level 2 and the next one is the 3-bet.
    seat, level = state[ACTOR], state[NUM_RAISES] + memory[_BLIND_LEVEL]
    pays = kind == CALL and state[SPENT + seat] < state[MAX_SPENT]
    marks[Mark.PUT_MONEY_IN] |= kind == RAISE or pays
    marks[Mark.RAISED_FIRST_STREET] |= kind == RAISE
    if level == 2 and can_raise(game, state):
        marks[Mark.COULD_THREE_BET] = True
        marks[Mark.THREE_BET] = kind == RAISE
    if level == 3 and seat == memory[_OPENER]:
        marks[Mark.FACED_THREE_BET] = True
        marks[Mark.FOLDED_TO_THREE_BET] = kind == FOLD
    # The last raiser may c-bet on the next street; the opener is the one that a 3-bet is against.
    if kind == RAISE:
        memory[_AGGRESSOR] = seat
        if level == 1:
            memory[_OPENER] = seat


@shared
def _mark_second_street(
    game: KernelArray, state: KernelArray, kind: int, memory: KernelArray, marks: KernelArray
) -> None:
    """Set the *marks* of the actor's seat that an action on the second street decides."""
    # The c-bet must be the street's first bet; it is faced until somebody raises it.
    if state[NUM_RAISES] == 0 and state[ACTOR] == memory[_AGGRESSOR] and can_raise(game, state):
        marks[Mark.COULD_C_BET] = True
        marks[Mark.C_BET] = kind == RAISE
        memory[_C_BET_MADE] = kind == RAISE
    elif state[NUM_RAISES] == 1 and memory[_C_BET_MADE]:
        marks[Mark.FACED_C_BET] = True
        marks[Mark.FOLDED_TO_C_BET] = kind == FOLD


@shared
def _note_end(game: KernelArray, state: KernelArray, facts: BettingFacts, hand: int) -> None:
    """Set the facts that the end of the hand decides."""
    # Seats that folded keep the street of their last action as *reached*.
    is_showdown = num_folded(game, state) + 1 < game[NUM_PLAYERS]
    for seat in range(game[NUM_PLAYERS]):
        facts.spent[hand, seat] = state[SPENT + seat]
        if state[FOLDED + seat] == 0:
            facts.reached[hand, seat] = state[STREET]
            facts.marks[hand, seat, Mark.SHOWED_DOWN] = is_showdown
