"""The compiled reader of STATE lines: how far a piece of a match log is right.

A line is taken if it is spelt as a dealer spells it and the hand can have happened: the
betting is replayed with ``acpcbot.poker.rules`` to its end, the cards are different cards of
one deck, and the values are what ``acpcbot.poker.payoffs`` gives. Reading stops at the first
line that is anything else; ``log_line`` says what is wrong with it, if anything is.

A log is a uint8 array that ends with a line end. As no reader of a field takes a line end,
none can run off the array. Such a reader returns the place behind its field, or REFUSED, and
passes on a REFUSED that it is given.

``ReplayTables`` holds what a game fixes: the game vector of ``acpcbot.poker.rules``, the card
counts [hole cards, board cards + street] and the masks of the two decks that the game can be dealt
from (equal if they are the same). Masks are int64: 52 bits leave the sign alone. ``Workspace`` is
memory for one hand.

Compiling takes seconds, most of it for the number of functions, for wrappers that Python could
call, and for what numpy does behind slices and new arrays. So all but one function here are
``shared``, each does as much as can be read at a time, and loops write single numbers into memory
that is handed in.

Cards as they stand in a log, byte by byte: -1 for a byte that is no rank or no suit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Bytes, KernelArray
from acpcbot.cards.any_strength_kernel import any_strength
from acpcbot.cards.deck import mask_of
from acpcbot.jit import kernel, shared
from acpcbot.logs.card_bytes import RANK_OF_BYTE, SUIT_OF_BYTE
from acpcbot.logs.entries import DECIMALS, is_near
from acpcbot.logs.source import MAX_LINE_LENGTH
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

# An int64 and a float64 array; the rule book's functions take them for sequences, which mypy cannot
# see.

MAX_DIGITS = 12
SHORTEST_LINE = len("STATE:0:f:2c|3c:0|0:|")
MICROS = 10**DECIMALS

REFUSED = -1
LINE_END, MINUS, POINT, SLASH, ZERO, COLON, BAR = b"\n-./0:|"
TAG = np.frombuffer(b"STATE:", np.uint8)
_KINDS = dict(zip(b"fcr", (FOLD, CALL, RAISE), strict=True))
KIND_OF_BYTE = np.array([_KINDS.get(byte, -1) for byte in range(256)], np.int64)


class ReplayTables(NamedTuple):
    """A game as the kernel reads it; see the module's words."""

    game: KernelArray
    card_counts: KernelArray
    decks: KernelArray


def replay_tables(definition: GameDefinition) -> ReplayTables:
    """The tables of the game *definition*."""
    return ReplayTables(
        np.array(game_vector(definition), np.int64),
        np.array([definition.num_hole_cards, *definition.num_board_cards], np.int64),
        np.array([mask_of(definition.deck), mask_of(definition.lowest_deck)], np.int64),
    )


class Workspace(NamedTuple):
    """Memory for one hand: its betting, its cards, one player's cards, strengths, printed
    values and exact ones.
    """

    state: KernelArray
    cards: Bytes
    held: Bytes
    strengths: KernelArray
    printed: KernelArray
    values: KernelArray


def new_workspace() -> Workspace:
    """Memory for a hand of any game."""
    return Workspace(
        state=np.zeros(STATE_LENGTH, np.int64),
        cards=np.zeros(MAX_PLAYERS * MAX_HOLE_CARDS + MAX_BOARD_CARDS, np.uint8),
        held=np.zeros(MAX_HOLE_CARDS + MAX_BOARD_CARDS, np.uint8),
        strengths=np.zeros(MAX_PLAYERS, np.int64),
        printed=np.zeros(MAX_PLAYERS, np.float64),
        values=np.zeros(MAX_PLAYERS, np.float64),
    )


class CompiledReader:
    """Reads STATE lines of the game *definition*.

    Printed values may lie *tolerance* from the hand's.
    """

    def __init__(self, definition: GameDefinition, tolerance: float) -> None:
        self._tables, self._tolerance = replay_tables(definition), tolerance
        self._work, self._num_players = new_workspace(), definition.num_players
        self._exact = np.zeros((0, MAX_PLAYERS), np.float64)

    def read(
        self, chunk: bytes, start: int, seen: int
    ) -> tuple[list[tuple[bytes, tuple[float, ...]]], int]:
        """The right STATE lines of *chunk*, whole lines, from *start* to the first that is
        none, with exact values.

        *seen* is the mask of all cards before; the second result is the mask behind.
        """
        log, mask = np.frombuffer(chunk, np.uint8), np.array([seen], np.int64)
        most_lines = len(chunk) // SHORTEST_LINE
        if len(self._exact) < most_lines:
            self._exact = np.zeros((most_lines, MAX_PLAYERS), np.float64)
        stop = replay_lines(
            log, start, self._tables, self._work, mask, self._tolerance, self._exact
        )
        lines = chunk[start:stop].split(b"\n")[:-1]
        values = self._exact[: len(lines), : self._num_players].tolist()
        return list(zip(lines, map(tuple, values), strict=True)), int(mask[0])


@kernel
def replay_lines(
    log: Bytes,
    start: int,
    tables: ReplayTables,
    work: Workspace,
    seen: KernelArray,
    tolerance: float,
    exact: KernelArray,
) -> int:
    """Where the first line at or behind *start* begins that is no right STATE line.

    The log's length if there is none.

    *seen*, one mask, collects the cards of the lines that were taken. *tolerance* is how far a
    printed value may lie from the hand's, which goes to *exact* [line from *start*, seat].
    """
    num_taken, num_players = 0, tables.game[NUM_PLAYERS]
    while start < len(log):
        at = _read_betting(log, _read_hand_id(log, start), tables.game, work.state)
        at = _read_cards(log, at, tables, work.state, work.cards)
        at = _read_values(log, at, tables.game, work.printed)
        stop = _read_names(log, at, tables.game)
        if stop == REFUSED or stop - start > MAX_LINE_LENGTH:
            break
        mask = _mask_of(tables, work.state, work.cards)
        known = mask | seen[0]
        if mask == 0 or (known & ~tables.decks[0] != 0 and known & ~tables.decks[1] != 0):
            break
        _fill_strengths(tables, work)
        fill_values(tables.game, work.state, work.strengths, work.values)
        num_near = 0
        for seat in range(num_players):
            num_near += is_near(work.printed[seat], work.values[seat], tolerance)
            exact[num_taken, seat] = work.values[seat]
        if num_near < num_players:
            break
        seen[0] = known
        num_taken += 1
        start = stop
    return start


@shared
def _read_number(log: Bytes, at: int) -> tuple[int, int]:
    """The number at *at*, without leading zeros, and the place behind it.

    A size of REFUSED fits no rule.
    """
    first, number = at, 0
    while ZERO <= log[at] < ZERO + 10 and at - first < MAX_DIGITS:
        number = 10 * number + int(log[at]) - ZERO
        at += 1
    if at == first or (log[first] == ZERO and at > first + 1):
        return REFUSED, REFUSED
    return number, at


@shared
def _read_hand_id(log: Bytes, at: int) -> int:
    for place in range(len(TAG)):
        if log[at + place] != TAG[place]:
            return REFUSED
    hand_id, at = _read_number(log, at + len(TAG))
    if at == REFUSED or hand_id >= 2**32 or log[at] != COLON:
        return REFUSED
    return at + 1


@shared
def _read_betting(log: Bytes, at: int, game: KernelArray, state: KernelArray) -> int:
    """Replay the betting into *state*; it must lead to the end of the hand."""
    if at == REFUSED:
        return REFUSED
    start_hand(game, state)
    while state[ACTOR] != OVER:
        kind, size, street = KIND_OF_BYTE[log[at]], 0, state[STREET]
        at += 1
        if kind == RAISE and game[IS_LIMIT] == 0:
            size, at = _read_number(log, at)
        if at == REFUSED or not is_legal(game, state, kind, size):
            return REFUSED
        apply_action(game, state, kind, size)
        for _ in range(state[STREET] - street):
            if log[at] != SLASH:
                return REFUSED
            at += 1
    return at + 1 if log[at] == COLON else REFUSED


@shared
def _read_cards(log: Bytes, at: int, tables: ReplayTables, state: KernelArray, cards: Bytes) -> int:
    """Write everybody's hole cards and then the board into *cards*."""
    if at == REFUSED:
        return REFUSED
    count, num_players = 0, tables.game[NUM_PLAYERS]
    # One group of cards for each seat, and one for each street, of which the first has no mark
    # before it.
    for group in range(num_players + state[STREET] + 1):
        street = group - num_players
        if group > 0 and street != 0:
            if log[at] != (BAR if street < 0 else SLASH):
                return REFUSED
            at += 1
        for _ in range(tables.card_counts[max(0, street + 1)]):
            rank = RANK_OF_BYTE[log[at]]
            if rank < 0 or SUIT_OF_BYTE[log[at + 1]] < 0:
                return REFUSED
            cards[count] = 4 * rank + SUIT_OF_BYTE[log[at + 1]]
            count += 1
            at += 2
    return at + 1 if log[at] == COLON else REFUSED


@shared
def _read_values(log: Bytes, at: int, game: KernelArray, values: KernelArray) -> int:
    """Write each position's printed value into *values*: a point and up to six digits may both
    be missing.
    """
    if at == REFUSED:
        return REFUSED
    for seat in range(game[NUM_PLAYERS]):
        if seat > 0:
            if log[at] != BAR:
                return REFUSED
            at += 1
        sign = 1.0
        if log[at] == MINUS:
            sign, at = -1.0, at + 1
        whole, at = _read_number(log, at)
        if at == REFUSED:
            return REFUSED
        micros, unit = 0, MICROS
        if log[at] == POINT:
            at += 1
            while ZERO <= log[at] < ZERO + 10 and unit > 1:
                unit //= 10
                micros += unit * (int(log[at]) - ZERO)
                at += 1
            if unit == MICROS:
                return REFUSED
        values[seat] = sign * ((whole * MICROS + micros) / MICROS)
    return at + 1 if log[at] == COLON else REFUSED


@shared
def _read_names(log: Bytes, at: int, game: KernelArray) -> int:
    """The place behind the line.

    Names may hold anything, but there is a bar between two of them.
    """
    if at == REFUSED:
        return REFUSED
    num_bars = 0
    while log[at] != LINE_END:
        num_bars += log[at] == BAR
        at += 1
    return at + 1 if num_bars + 1 >= game[NUM_PLAYERS] else REFUSED


@shared
def _mask_of(tables: ReplayTables, state: KernelArray, cards: Bytes) -> int:
    """All cards of the hand as a mask, 0 if one of them is there twice."""
    count = tables.game[NUM_PLAYERS] * tables.card_counts[0]
    for street in range(state[STREET] + 1):
        count += tables.card_counts[1 + street]
    mask = 0
    for place in range(count):
        bit = 1 << int(cards[place])
        if mask & bit:
            return 0
        mask |= bit
    return mask


@shared
def _fill_strengths(tables: ReplayTables, work: Workspace) -> None:
    """The strength of everybody at a showdown, -1 for those who folded.

    Zeros without a showdown.
    """
    num_players, size = tables.game[NUM_PLAYERS], tables.card_counts[0]
    is_showdown = num_folded(tables.game, work.state) + 1 < num_players
    count = size
    if is_showdown:
        for street in range(work.state[STREET] + 1):
            for _ in range(tables.card_counts[1 + street]):
                work.held[count] = work.cards[count + (num_players - 1) * size]
                count += 1
    for seat in range(num_players):
        work.strengths[seat] = 0
        if is_showdown:
            for place in range(size):
                work.held[place] = work.cards[seat * size + place]
            work.strengths[seat] = (
                -1 if work.state[FOLDED + seat] else any_strength(work.held, count)
            )
