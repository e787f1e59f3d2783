"""Compiled reader of STATE lines: it verifies a piece of a match log up to the first bad line.

A line is accepted if it has a dealer's spelling and the hand is possible: the betting is replayed
with ``acpcbot.poker.rules`` to its end, the cards are different cards of one deck, and the values
are those of ``acpcbot.poker.payoffs``. Reading stops at the first other line; ``line.py`` says
what is wrong with it, if anything is.

A log is a uint8 array that ends with a line end. No reader of a field accepts a line end, so none
can run beyond the array, and no loop needs to compare an index with the length. A reader of a
field takes the index of its first byte and returns the index behind it, or REFUSED; it returns
REFUSED if it is given REFUSED, so that the caller tests once a line.

``ReplayTables`` holds the constants of a game: the game vector of ``acpcbot.poker.rules``, the
card counts [hole cards, board cards + street] and the masks of the two decks that the game can be
dealt from (equal if they are the same). Masks are int64: 52 cards leave the sign bit free.
``Workspace`` is memory for one hand.

Compiling takes seconds. Most of that is due to the number of functions, to the wrappers for calls
from Python, and to numpy's code for slices and new arrays. So all but one function here are
``shared``, each reads a whole field, and loops write single numbers into arrays of the caller.
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

MICROS = 10**DECIMALS

MAX_DIGITS = 12
SHORTEST_LINE = len("STATE:0:f:2c|3c:0|0:|")

REFUSED = -1
LINE_END, MINUS, POINT, SLASH, ZERO, COLON, BAR = b"\n-./0:|"
TAG = np.frombuffer(b"STATE:", np.uint8)

_KINDS = dict(zip(b"fcr", (FOLD, CALL, RAISE), strict=True))
KIND_OF_BYTE = np.array([_KINDS.get(byte, -1) for byte in range(256)], np.int64)


class ReplayTables(NamedTuple):
    """The constants of a game in the form of the kernel; see the module's docstring."""

    game: KernelArray
    card_counts: KernelArray
    decks: KernelArray


def replay_tables(definition: GameDefinition) -> ReplayTables:
    """Return the tables of the game *definition*."""
    return ReplayTables(
        np.array(game_vector(definition), np.int64),
        np.array([definition.num_hole_cards, *definition.num_board_cards], np.int64),
        np.array([mask_of(definition.deck), mask_of(definition.lowest_deck)], np.int64),
    )


class Workspace(NamedTuple):
    """Memory for one hand, used again for each line."""

    state: KernelArray
    """int64 [STATE_LENGTH]: the betting, a state vector of ``acpcbot.poker.rules``."""
    cards: Bytes
    """All hole cards by position, then the board."""
    held: Bytes
    """One player's hole cards and the board."""
    strengths: KernelArray
    """int64 [position]: the strength of each hand at a showdown."""
    printed: KernelArray
    """float64 [position]: the values in the line."""
    values: KernelArray
    """float64 [position]: the exact values."""


def new_workspace() -> Workspace:
    """Return memory for a hand of any game."""
    return Workspace(
        state=np.zeros(STATE_LENGTH, np.int64),
        cards=np.zeros(MAX_PLAYERS * MAX_HOLE_CARDS + MAX_BOARD_CARDS, np.uint8),
        held=np.zeros(MAX_HOLE_CARDS + MAX_BOARD_CARDS, np.uint8),
        strengths=np.zeros(MAX_PLAYERS, np.int64),
        printed=np.zeros(MAX_PLAYERS, np.float64),
        values=np.zeros(MAX_PLAYERS, np.float64),
    )


class CompiledReader:
    """Reader of STATE lines of the game *definition*.

    Printed values may differ by *tolerance* from the exact ones.
    """

    def __init__(self, definition: GameDefinition, tolerance: float) -> None:
        self._tables, self._tolerance = replay_tables(definition), tolerance
        self._work, self._num_players = new_workspace(), definition.num_players
        self._exact = np.zeros((0, MAX_PLAYERS), np.float64)

    def read(
        self, chunk: bytes, start: int, seen: int
    ) -> tuple[list[tuple[bytes, tuple[float, ...]]], int]:
        """Return the verified STATE lines of *chunk* from *start* on, with their exact values.

        *chunk* holds whole lines; reading stops at the first that is not accepted. *seen* is the
        mask of the cards in all lines before, the second result that with these lines.
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
    """Return the index of the first line from *start* on that is not accepted, or the length.

    *seen*, an array of one mask, collects the cards of the accepted lines. *tolerance* is the
    largest difference of printed and exact values; the exact ones are written to *exact*
    [line from *start*, position].
    """
    num_taken, num_players = 0, tables.game[NUM_PLAYERS]
    while start < len(log):
        # One pass over the bytes of a line, field by field: each byte is read once, in order,
        # while its cache line is hot. After a failed field all later ones return REFUSED at once.
        at = _read_betting(log, _read_hand_id(log, start), tables.game, work.state)
        at = _read_cards(log, at, tables, work.state, work.cards)
        at = _read_values(log, at, tables.game, work.printed)
        stop = _read_names(log, at, tables.game)
        if stop == REFUSED or stop - start > MAX_LINE_LENGTH:
            break
        # A small deck may be that of the highest or of the lowest ranks, but one log uses one
        # deck: all cards so far must lie within one of the two masks.
        mask = _mask_of(tables, work.state, work.cards)
        known = mask | seen[0]
        if mask == 0 or (known & ~tables.decks[0] != 0 and known & ~tables.decks[1] != 0):
            break
        # Strengths and payoffs are computed last, for well-formed lines only.
        _fill_strengths(tables, work)
        fill_values(tables.game, work.state, work.strengths, work.values)
        # The exact values of an accepted line stand in its row of *exact*; the row of a refused
        # line is never read, because the number of accepted lines follows from the result.
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
    """Return the number at *at*, without leading zeros, and the index behind it.

    Both are REFUSED if there is none; a raise of that size is illegal in every game.
    """
    # With at most MAX_DIGITS digits the number, even in millionths, is below 2^63.
    first, number = at, 0
    while ZERO <= log[at] < ZERO + 10 and at - first < MAX_DIGITS:
        number = 10 * number + int(log[at]) - ZERO
        at += 1
    if at == first or (log[first] == ZERO and at > first + 1):
        return REFUSED, REFUSED
    return number, at


@shared
def _read_hand_id(log: Bytes, at: int) -> int:
    """Read the tag and the number of the hand, whose value the kernel does not need."""
    # Byte by byte: a comparison of slices would compile numpy's code for arrays. A shorter line
    # fails at its line end, which differs from the tag, before the index can leave the array.
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
    # The rules decide, action by action, what may follow. The loop ends with the hand, so text
    # behind the last action fails at the colon, and a hand that goes on fails at an action.
    while state[ACTOR] != OVER:
        kind, size, street = KIND_OF_BYTE[log[at]], 0, state[STREET]
        at += 1
        if kind == RAISE and game[IS_LIMIT] == 0:
            size, at = _read_number(log, at)
        if at == REFUSED or not is_legal(game, state, kind, size):
            return REFUSED
        apply_action(game, state, kind, size)
        # One slash a street; an all-in call may end several streets at once.
        for _ in range(state[STREET] - street):
            if log[at] != SLASH:
                return REFUSED
            at += 1
    return at + 1 if log[at] == COLON else REFUSED


@shared
def _read_cards(log: Bytes, at: int, tables: ReplayTables, state: KernelArray, cards: Bytes) -> int:
    """Write all hole cards by position, then the board, into *cards*."""
    if at == REFUSED:
        return REFUSED
    count, num_players = 0, tables.game[NUM_PLAYERS]
    # One group of cards for each position, then one for each street. Groups of positions are
    # separated by bars, those of streets by slashes; the first street has no mark before it.
    # The street of a group is negative for hole cards, so max(0, street + 1) is the index into
    # card_counts, where hole cards come first.
    for group in range(num_players + state[STREET] + 1):
        street = group - num_players
        if group > 0 and street != 0:
            if log[at] != (BAR if street < 0 else SLASH):
                return REFUSED
            at += 1
        for _ in range(tables.card_counts[max(0, street + 1)]):
            # A table with 256 entries needs no test of the byte's range.
            rank = RANK_OF_BYTE[log[at]]
            if rank < 0 or SUIT_OF_BYTE[log[at + 1]] < 0:
                return REFUSED
            cards[count] = 4 * rank + SUIT_OF_BYTE[log[at + 1]]
            count += 1
            at += 2
    return at + 1 if log[at] == COLON else REFUSED


@shared
def _read_values(log: Bytes, at: int, game: KernelArray, values: KernelArray) -> int:
    """Write each position's printed value into *values*.

    A value is a whole number, and perhaps a point and one to six digits behind it.
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
        # Digits are added up in whole millionths, and divided once. Below 2^53 millionths the
        # result is the double nearest to the printed number, as from Python's float().
        micros, unit = 0, MICROS
        if log[at] == POINT:
            at += 1
            while ZERO <= log[at] < ZERO + 10 and unit > 1:
                unit //= 10
                micros += unit * (int(log[at]) - ZERO)
                at += 1
            if unit == MICROS:  # a point without a digit behind it
                return REFUSED
        values[seat] = sign * ((whole * MICROS + micros) / MICROS)
    return at + 1 if log[at] == COLON else REFUSED


@shared
def _read_names(log: Bytes, at: int, game: KernelArray) -> int:
    """Return the index behind the line; names may hold anything, with a bar between two."""
    if at == REFUSED:
        return REFUSED
    # A name may itself hold a bar, so there are at least, not exactly, as many bars.
    num_bars = 0
    while log[at] != LINE_END:
        num_bars += log[at] == BAR
        at += 1
    return at + 1 if num_bars + 1 >= game[NUM_PLAYERS] else REFUSED


@shared
def _mask_of(tables: ReplayTables, state: KernelArray, cards: Bytes) -> int:
    """Return all cards of the hand as a mask, 0 if one of them occurs twice."""
    count = tables.game[NUM_PLAYERS] * tables.card_counts[0]
    for street in range(state[STREET] + 1):
        count += tables.card_counts[1 + street]
    # One bit a card: a repeated card is a bit that is set already.
    mask = 0
    for place in range(count):
        bit = 1 << int(cards[place])
        if mask & bit:
            return 0
        mask |= bit
    return mask


@shared
def _fill_strengths(tables: ReplayTables, work: Workspace) -> None:
    """Write each position's strength at a showdown, -1 for folded ones; zeros without one."""
    num_players, size = tables.game[NUM_PLAYERS], tables.card_counts[0]
    is_showdown = num_folded(tables.game, work.state) + 1 < num_players
    # The board is copied once, behind the place of the hole cards, which change with the position.
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
