"""E[HS2], the expected square of the hand strength, as exact integers.

The *strength* of a hand on a river counts the 990 hands that an opponent may hold: two
for each that it beats and one for each that it ties, so it is in 0..1,980. The *total* of
a hand is the sum of the squares of its strengths over all rivers that can still come: one
after the river, 46 after the turn, 1,081 after the flop. E[HS2] is the total divided by
``DENOMINATORS`` of the board's size, and lies in [0, 1]. Being integers, totals are the
same by whatever way they are computed.

Arrays over combos are [combo]; combos that the board blocks have the markers
``BLOCKED_STRENGTH`` (uint16) and ``BLOCKED_TOTAL`` (uint32), which no hand has.

``equity_table`` has the totals of all hands on all canonical flops (9 MB) or turns (87 MB), uint32
[canonical board, combo]. Those of the turns take six seconds of one core, and those of the flops
follow from them at once; both are kept on disk. Strengths on rivers take one second and 356 MB, so
users of them go board by board: ``for_row_chunks`` with a kernel.

Source: Johanson (2007), Robust strategies and counter-strategies: building a champion level
computer poker player.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.canonical_boards import (
    PERMUTATION_BITS,
    PERMUTATION_MASK,
    Places,
    board_place,
    canonical_boards,
    combo_under,
)
from acpcbot.abstraction.table_cache import cached_table, code_of
from acpcbot.arrays import Number
from acpcbot.cards.combos import NUM_COMBOS, combo_index
from acpcbot.cards.deck import format_cards
from acpcbot.cards.strength import BEST_OF_CLASS, Cards, fill_board_strengths
from acpcbot.errors import BadCards
from acpcbot.jit import kernel
from acpcbot.worker_threads import Progress, for_row_chunks

Strengths = NDArray[np.uint16]
Totals = NDArray[np.uint32]

NUM_OPPONENT_HANDS = comb(45, 2)
MAX_STRENGTH = 2 * NUM_OPPONENT_HANDS
BLOCKED_STRENGTH = 0xFFFF
BLOCKED_TOTAL = 0xFFFFFFFF
# By the size of the board: the total of a hand that nothing can beat.
DENOMINATORS = {size: MAX_STRENGTH**2 * comb(50 - size, 5 - size) for size in (3, 4, 5)}

_NUM_CLASSES = BEST_OF_CLASS[-1] + 1
# A combo in one word: its number, its lower card, its higher card.
_COMBO_MASK, _LOW_SHIFT, _HIGH_SHIFT = np.uint32(0x7FF), np.uint32(11), np.uint32(17)

# The modules whose code decides over the tables.
_SOURCES = ("acpcbot.abstraction.equity", "acpcbot.abstraction.canonical_boards")


def total(hole_cards: Sequence[int], board: Sequence[int]) -> int:
    """Return the total of one hand on a board of three to five cards.

    Raises ``BadCards`` if a card is there twice.
    """
    cards = [*hole_cards, *board]
    if len(hole_cards) != 2 or len(board) not in DENOMINATORS or len(set(cards)) < len(cards):
        raise BadCards(format_cards(cards), "not two hole cards and three to five others")
    return int(hand_total(np.array(hole_cards, np.uint8), np.array(board, np.uint8)))


def expected_square(hole_cards: Sequence[int], board: Sequence[int]) -> float:
    """E[HS2] of one hand on a board of three to five cards."""
    return total(hole_cards, board) / DENOMINATORS[len(board)]


def board_totals(board: Sequence[int]) -> Totals:
    """Return the total of every combo on a board of three to five cards, uint32 [combo]."""
    totals = np.empty(NUM_COMBOS, np.uint32)
    fill_totals(np.array(board, np.uint8), totals)
    return totals


def equity_table(board_size: int, on_progress: Progress | None = None) -> Totals:
    """Return the totals on all canonical boards of three or four cards, read-only.

    They are made if they are not in the cache.
    """
    make = {3: make_flop_table, 4: make_turn_table}[board_size]
    return cached_table(f"equity_{board_size}", code_of(*_SOURCES), lambda: make(on_progress))


def make_turn_table(on_progress: Progress | None = None) -> Totals:
    """Return the totals on all canonical turns, made river by river."""
    boards = canonical_boards(4).boards
    totals = np.empty((len(boards), NUM_COMBOS), np.uint32)
    for_row_chunks(
        lambda start, end: _fill_turn_rows(boards[start:end], totals[start:end]),
        len(boards),
        on_progress,
    )
    return totals


def make_flop_table(on_progress: Progress | None = None) -> Totals:
    """Return the totals on all canonical flops, made from those on turns."""
    boards = canonical_boards(3).boards
    totals = np.empty((len(boards), NUM_COMBOS), np.uint32)
    _fill_flop_rows(
        boards, equity_table(4, on_progress), canonical_boards(4).places, combo_under(), totals
    )
    return totals


@kernel
def hand_total(hole_cards: Cards, board: Cards) -> int:
    """Return the total of one hand, as ``total``."""
    result = 0
    for river in _rivers(board, hole_cards):
        result += _hand_strength(hole_cards, river) ** 2
    return result


@kernel
def _hand_strength(hole_cards: Cards, river: Cards) -> int:
    """Return the strength of one hand on *river*."""
    # For one hand, straight from the definition: the tests hold the fast ways against this one.
    values = np.empty(NUM_COMBOS, np.uint16)
    fill_board_strengths(river, values)
    first, second = int(hole_cards[0]), int(hole_cards[1])
    own = values[combo_index(first, second)]
    # Combos with one of our own cards are no opponent's.
    for card in range(52):
        if card != first:
            values[combo_index(card, first)] = 0
        if card != second:
            values[combo_index(card, second)] = 0
    strength = 0
    for value in values:
        if value:
            strength += (value < own) + (value <= own)
    return strength


@kernel
def fill_totals(board: Cards, totals: Totals) -> None:
    """Write the total of every combo on *board* into *totals*, river by river."""
    strengths = np.empty(NUM_COMBOS, np.uint16)
    totals[:] = 0
    for river in _rivers(board, board):
        _add_squares(river, strengths, totals)
    mark_blocked(board, totals)


@kernel
def _rivers(board: Cards, dead: Cards) -> Cards:
    """Return all boards of five cards that *board* can become, uint8 [river, card].

    None of the *dead* cards is added.
    """
    rest = [card for card in range(52) if card not in board and card not in dead]
    num_known, num_rest = len(board), len(rest)
    num_rivers = (
        num_rest * (num_rest - 1) // 2 if num_known == 3 else num_rest if num_known == 4 else 1
    )
    rivers = np.empty((num_rivers, 5), np.uint8)
    rivers[:, :num_known] = board
    if num_known == 4:
        rivers[:, 4] = np.array(rest)
    if num_known == 3:
        row = 0
        for last in range(num_rest):
            for turn in rest[:last]:
                rivers[row, 3], rivers[row, 4] = turn, rest[last]
                row += 1
    return rivers


@kernel
def _add_squares(river: Cards, strengths: Strengths, totals: Totals) -> None:
    fill_river_strengths(river, strengths)
    # 1,326 numbers of four bytes stay in the first-level cache from one river to the next.
    for combo in range(np.uint64(NUM_COMBOS)):
        strength: Number = np.uint32(strengths[combo])
        totals[combo] += strength * strength if strength != BLOCKED_STRENGTH else np.uint32(0)


@kernel
def mark_blocked(board: Cards, totals: Totals) -> None:
    """Set the totals of all combos that *board* blocks to the marker."""
    for card in board:
        for other in range(52):
            if other != card:
                totals[combo_index(int(card), other)] = BLOCKED_TOTAL


@kernel
def fill_river_strengths(river: Cards, strengths: Strengths) -> None:
    """Write the strength of every combo on a board of five cards into *strengths*.

    A hand meets those opponents that share no card with it: all that are weaker, say, but for those
    with its one card and those with its other. No combo has both, except itself.
    """
    classes = np.empty(NUM_COMBOS, np.uint16)
    fill_board_strengths(river, classes)
    # Sorted once for all hands, so that ties are neighbours and a river takes one walk along them.
    ends = np.zeros(_NUM_CLASSES, np.uint16)
    hands = np.empty(NUM_COMBOS, np.uint32)
    _sort_hands(classes, ends, hands)
    strengths[:] = BLOCKED_STRENGTH
    # How many of the hands so far there are, and how many with each card.
    num_so_far: Number = np.uint32(0)
    num_with = np.zeros(64, np.uint32)
    first: Number = np.uint64(ends[0])
    while first < np.uint64(NUM_COMBOS):
        end = np.uint64(ends[classes[hands[first] & _COMBO_MASK]])
        # Ties are counted in three rounds: what is weaker, then the ties themselves, then what is
        # no stronger. Weaker + no stronger = 2 wins + ties.
        for place in range(first, end):
            hand = hands[place]
            strengths[hand & _COMBO_MASK] = (
                num_so_far - num_with[_low(hand)] - num_with[_high(hand)]
            )
        for place in range(first, end):
            hand = hands[place]
            num_with[_low(hand)] += np.uint32(1)
            num_with[_high(hand)] += np.uint32(1)
        num_so_far += np.uint32(end - first)
        for place in range(first, end):
            hand = hands[place]
            # The hand itself was taken off twice, with each of its cards.
            not_stronger = num_so_far - num_with[_low(hand)] - num_with[_high(hand)] + np.uint32(1)
            strengths[hand & _COMBO_MASK] += not_stronger
        first = end


@kernel
def _sort_hands(classes: Strengths, ends: NDArray[np.uint16], hands: NDArray[np.uint32]) -> None:
    """Put all combos with their cards into *hands*, by rising class.

    *ends* [class], zeros before, is where each class ends.
    """
    # A counting sort: few thousand classes, and no comparison that the processor has to guess.
    for value in classes:
        ends[value] += np.uint16(1)
    before: Number = np.uint16(0)
    for place in range(np.uint64(_NUM_CLASSES)):
        count = ends[place]
        ends[place] = before
        before += count
    # A combo and its cards in one word, so that the walk needs no table of cards.
    combo: Number = np.uint32(0)
    for high in range(np.uint32(52)):
        for low in range(high):
            value = classes[combo]
            hands[ends[value]] = combo | low << _LOW_SHIFT | high << _HIGH_SHIFT
            ends[value] += np.uint16(1)
            combo += np.uint32(1)


@kernel
def _low(hand: Number) -> Number:
    return hand >> _LOW_SHIFT & np.uint32(63)


@kernel
def _high(hand: Number) -> Number:
    return hand >> _HIGH_SHIFT


@kernel
def _fill_turn_rows(turns: Cards, totals: Totals) -> None:
    for row in range(len(turns)):
        fill_totals(turns[row], totals[row])


@kernel
def _fill_flop_rows(
    flops: Cards, turn_totals: Totals, places: Places, changes: NDArray[np.uint16], totals: Totals
) -> None:
    """Write the totals on flops: the sums over all turns, halved.

    Every pair of turn and river counts twice in these sums, once in either order.
    """
    turn, sums = np.empty(4, np.uint8), np.empty(NUM_COMBOS, np.uint64)
    for row in range(len(flops)):
        turn[:3] = flops[row]
        sums[:] = 0
        # The row of a turn is that of its canonical board, read under its change of suits.
        for card in range(52):
            if card not in flops[row]:
                turn[3] = card
                place = board_place(turn, places)
                change = changes[np.uint64(place & PERMUTATION_MASK)]
                _add_changed(turn_totals[np.uint64(place >> PERMUTATION_BITS)], change, sums)
        for combo in range(NUM_COMBOS):
            totals[row, combo] = sums[combo] >> np.uint64(1)
        mark_blocked(flops[row], totals[row])


@kernel
def _add_changed(totals: Totals, change: NDArray[np.uint16], sums: NDArray[np.uint64]) -> None:
    """Add to every combo's sum the total of what a suit change makes of it."""
    for combo in range(np.uint64(NUM_COMBOS)):
        total = totals[np.uint64(change[combo])]
        if total != BLOCKED_TOTAL:
            sums[combo] += np.uint64(total)
