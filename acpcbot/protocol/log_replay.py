"""The compiled reader of STATE lines: how far a piece of a match log is right.

A line is taken if it is spelt as a dealer spells it and the hand can have happened: the
betting is replayed with ``acpcbot.poker.rules`` to its end, the cards are different cards of
one deck, and the values are what ``acpcbot.poker.payoffs`` gives. Reading stops at the first
line that is anything else; ``log_line`` says what is wrong with it, if anything is.

A log is a uint8 array that ends with a line end. As no reader of a field takes a line end,
none can run off the array. Such a reader returns the place behind its field, or REFUSED, and
passes on a REFUSED that it is given.

``ReplayTables`` holds what a game fixes: the game vector of ``acpcbot.poker.rules``, the card
counts [hole cards, board cards + street] and the masks of the two decks that the game can be
dealt from (equal if they are the same). Masks are int64: 52 bits leave the sign alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.cards.any_strength import any_strength
from acpcbot.cards.deck import RANKS, SUITS, mask_of
from acpcbot.jit import kernel, shared
from acpcbot.poker.betting import game_vector
from acpcbot.poker.definition import MAX_BOARD_CARDS, GameDefinition
from acpcbot.poker.definition_parser import MAX_HOLE_CARDS, MAX_PLAYERS
from acpcbot.poker.payoffs import fill_values
from acpcbot.poker.rules import (
    ACTOR,
    CALL,
    FOLD,
    FOLDED,
    IS_LIMIT,
    NUM_PLAYERS,
    OVER,
    RAISE,
    STATE_LENGTH,
    STREET,
    apply_action,
    is_legal,
    num_folded,
    start_hand,
)

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
# An int64 array; the rule book's functions take it for a sequence, which mypy cannot see.
Ints: TypeAlias = Any

MAX_LINE_LENGTH = 65_536
MAX_DIGITS = 12
DECIMALS = 6
MICROS = 10**DECIMALS
PRINTED_TOLERANCE = 0.5 / MICROS

REFUSED = -1
LINE_END, MINUS, POINT, SLASH, ZERO, COLON, BAR = b"\n-./0:|"
TAG = tuple(b"STATE:")
_KINDS = dict(zip(b"fcr", (FOLD, CALL, RAISE), strict=True))
KIND_OF_BYTE = np.array([_KINDS.get(byte, -1) for byte in range(256)], np.int64)
RANK_OF_BYTE = np.array([RANKS.find(chr(byte)) for byte in range(256)], np.int64)
SUIT_OF_BYTE = np.array([SUITS.find(chr(byte)) for byte in range(256)], np.int64)


class ReplayTables(NamedTuple):
    """A game as the kernel reads it; see the module's words."""

    game: Ints
    card_counts: Ints
    decks: Ints


def replay_tables(definition: GameDefinition) -> ReplayTables:
    """The tables of the game *definition*."""
    return ReplayTables(
        np.array(game_vector(definition), np.int64),
        np.array([definition.num_hole_cards, *definition.num_board_cards], np.int64),
        np.array([mask_of(definition.deck), mask_of(definition.lowest_deck)], np.int64),
    )


@shared
def is_near(printed: float, value: float, tolerance: float) -> bool:
    """Whether *printed* is within *tolerance* of *value*, rounding in floating point allowed for."""
    return abs(printed - value) <= tolerance + 1e-12 + 1e-15 * abs(value)


@kernel
def replay_lines(log: Bytes, start: int, tables: ReplayTables, seen: Ints, tolerance: float) -> int:
    """Where the first line at or behind *start* begins that is no right STATE line; the log's length if there is none.

    *seen*, one mask, collects the cards of the lines that were taken. *tolerance* is how far a
    printed value may lie from the hand's.
    """
    state: Ints = np.zeros(STATE_LENGTH, np.int64)
    cards = np.zeros(MAX_PLAYERS * MAX_HOLE_CARDS + MAX_BOARD_CARDS, np.uint8)
    strengths: Ints = np.zeros(MAX_PLAYERS, np.int64)
    values = np.zeros((2, MAX_PLAYERS), np.float64)
    while start < len(log):
        at = _read_hand_id(log, start)
        at = _read_betting(log, at, tables.game, state)
        at = _read_cards(log, at, tables, state, cards)
        at = _read_values(log, at, tables.game, values[0])
        stop = _read_names(log, at, tables.game)
        if stop == REFUSED or stop - start > MAX_LINE_LENGTH:
            break
        mask = _mask_of(cards, _num_cards(tables, state))
        if mask == 0 or not _fits(mask | seen[0], tables.decks):
            break
        _fill_strengths(tables, state, cards, strengths)
        fill_values(tables.game, state, strengths, values[1])
        if not _are_near(values, tables.game[NUM_PLAYERS], tolerance):
            break
        seen[0] |= mask
        start = stop
    return start


@kernel
def _expect(log: Bytes, at: int, byte: int) -> int:
    if at == REFUSED or log[at] != byte:
        return REFUSED
    return at + 1


@kernel
def _read_number(log: Bytes, at: int) -> tuple[int, int]:
    """The number at *at*, without leading zeros, and the place behind it; a size of REFUSED fits no rule."""
    first, number = at, 0
    while ZERO <= log[at] < ZERO + 10 and at - first < MAX_DIGITS:
        number = 10 * number + int(log[at]) - ZERO
        at += 1
    if at == first or (log[first] == ZERO and at > first + 1):
        return REFUSED, REFUSED
    return number, at


@kernel
def _read_hand_id(log: Bytes, at: int) -> int:
    for byte in TAG:
        at = _expect(log, at, byte)
    if at == REFUSED:
        return REFUSED
    hand_id, at = _read_number(log, at)
    if hand_id >= 2**32:
        return REFUSED
    return _expect(log, at, COLON)


@kernel
def _read_betting(log: Bytes, at: int, game: Ints, state: Ints) -> int:
    """Replay the betting into *state*; it must lead to the end of the hand."""
    if at == REFUSED:
        return REFUSED
    start_hand(game, state)
    while state[ACTOR] != OVER:
        kind, size, street = KIND_OF_BYTE[log[at]], 0, state[STREET]
        at += 1
        if kind == RAISE and game[IS_LIMIT] == 0:
            size, at = _read_number(log, at)
        if not is_legal(game, state, kind, size):
            return REFUSED
        apply_action(game, state, kind, size)
        for _ in range(state[STREET] - street):
            at = _expect(log, at, SLASH)
        if at == REFUSED:
            return REFUSED
    return _expect(log, at, COLON)


@kernel
def _read_cards(log: Bytes, at: int, tables: ReplayTables, state: Ints, cards: Bytes) -> int:
    """Write everybody's hole cards and then the board into *cards*."""
    count = 0
    for seat in range(tables.game[NUM_PLAYERS]):
        if seat > 0:
            at = _expect(log, at, BAR)
        at = _read_some_cards(log, at, cards, count, tables.card_counts[0])
        count += tables.card_counts[0]
    for street in range(state[STREET] + 1):
        if street > 0:
            at = _expect(log, at, SLASH)
        at = _read_some_cards(log, at, cards, count, tables.card_counts[1 + street])
        count += tables.card_counts[1 + street]
    return _expect(log, at, COLON)


@kernel
def _read_some_cards(log: Bytes, at: int, cards: Bytes, first: int, count: int) -> int:
    if at == REFUSED:
        return REFUSED
    for place in range(first, first + count):
        rank = RANK_OF_BYTE[log[at]]
        if rank < 0 or SUIT_OF_BYTE[log[at + 1]] < 0:
            return REFUSED
        cards[place] = 4 * rank + SUIT_OF_BYTE[log[at + 1]]
        at += 2
    return at


@kernel
def _read_values(log: Bytes, at: int, game: Ints, values: Floats) -> int:
    """Write each position's printed value into *values*."""
    for seat in range(game[NUM_PLAYERS]):
        if seat > 0:
            at = _expect(log, at, BAR)
        if at == REFUSED:
            return REFUSED
        sign = 1.0
        if log[at] == MINUS:
            sign, at = -1.0, at + 1
        whole, at = _read_number(log, at)
        if at == REFUSED:
            return REFUSED
        micros, at = _read_decimals(log, at)
        values[seat] = sign * ((whole * MICROS + micros) / MICROS)
    return _expect(log, at, COLON)


@kernel
def _read_decimals(log: Bytes, at: int) -> tuple[int, int]:
    """Millionths from a point and up to six digits, which may both be missing."""
    if log[at] != POINT:
        return 0, at
    first, micros, unit = at + 1, 0, MICROS
    at = first
    while ZERO <= log[at] < ZERO + 10 and unit > 1:
        unit //= 10
        micros += unit * (int(log[at]) - ZERO)
        at += 1
    return micros, REFUSED if at == first else at


@kernel
def _read_names(log: Bytes, at: int, game: Ints) -> int:
    """The place behind the line; names may hold anything, but there is a bar between two of them."""
    if at == REFUSED:
        return REFUSED
    num_bars = 0
    while log[at] != LINE_END:
        num_bars += log[at] == BAR
        at += 1
    return at + 1 if num_bars + 1 >= game[NUM_PLAYERS] else REFUSED


@kernel
def _num_cards(tables: ReplayTables, state: Ints) -> int:
    count: int = tables.game[NUM_PLAYERS] * tables.card_counts[0]
    for street in range(state[STREET] + 1):
        count += tables.card_counts[1 + street]
    return count


@kernel
def _mask_of(cards: Bytes, count: int) -> int:
    """The first *count* of *cards* as a mask, 0 if one of them is there twice."""
    mask = 0
    for place in range(count):
        bit = 1 << int(cards[place])
        if mask & bit:
            return 0
        mask |= bit
    return mask


@kernel
def _fits(mask: int, decks: Ints) -> bool:
    return bool(mask & ~decks[0] == 0 or mask & ~decks[1] == 0)


@kernel
def _fill_strengths(tables: ReplayTables, state: Ints, cards: Bytes, strengths: Ints) -> None:
    """The strength of everybody at a showdown, -1 for those who folded; zeros without a showdown."""
    num_players, size = tables.game[NUM_PLAYERS], tables.card_counts[0]
    strengths[:] = 0
    if num_folded(tables.game, state) + 1 == num_players:
        return
    first_of_board = num_players * size
    board_size = _num_cards(tables, state) - first_of_board
    held = np.empty(MAX_HOLE_CARDS + MAX_BOARD_CARDS, np.uint8)
    held[size : size + board_size] = cards[first_of_board : first_of_board + board_size]
    for seat in range(num_players):
        held[:size] = cards[seat * size : seat * size + size]
        strengths[seat] = -1 if state[FOLDED + seat] else any_strength(held, size + board_size)


@kernel
def _are_near(values: Floats, num_players: int, tolerance: float) -> bool:
    """Whether the printed *values*, row 0, are the computed ones, row 1."""
    num_near = 0
    for seat in range(num_players):
        num_near += is_near(values[0, seat], values[1, seat], tolerance)
    return num_near == num_players
