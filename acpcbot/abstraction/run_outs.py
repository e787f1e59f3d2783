"""Strengths of one hand on all rivers that can still come, without meeting opponents one by one.

A strength (``equity.py``) counts 990 opponents on each of up to 1,081 rivers. Without a flush a
hand is worth what its ranks are: opponents come as 91 pairs of ranks, each with so many hands as
live cards make, and all run-outs of one pair of ranks give one strength. Suits matter only where a
river has three cards or more of one; then run-outs of a pair of ranks differ in which of their
cards are of that suit, and opponents with a flush are counted apart, by their cards of the suit. So
a flop takes 100 to 400 counts instead of a million comparisons, and the numbers are the same.

Cards come as masks. Sets of ranks are bits of an uint64; a *row* of them says of one rank with
which lower or equal ranks it makes hands that are weaker than ours, from bit 0, and no stronger,
from bit ``NO_STRONGER``. A card that does not come any more is of rank 13 and suit 4.

The strengths that opponents have by ranks alone are looked up once for all run-outs
(``fill_rows``). Two cards to come and two of an opponent are four ranks whose order does not
matter, so a flop has 1,820 strengths to be looked up and not 8,281. They stand in *value rows*,
uint16 [row, rank]: a row for every three ranks, in falling order, and in it the strength with each
fourth up to the highest of them. A row has three places more than there are ranks: what is looked
up with a card that does not come is written there, and read by nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.equity import DENOMINATORS
from acpcbot.arrays import Ints, Number, Uints64
from acpcbot.cards.deck import format_cards, mask_of
from acpcbot.cards.hand_keys import CARD_KEYS, START_KEYS
from acpcbot.cards.strength import BEST_OF_CLASS, FLUSH_STRENGTHS, rank_strength
from acpcbot.errors import BadCards
from acpcbot.jit import kernel

Rows: TypeAlias = NDArray[np.uint16]
RowPlaces: TypeAlias = NDArray[np.uint64]

ZERO, ONE, TWO, THREE, FOUR, FIVE = (np.uint64(number) for number in range(6))
NUM_RANKS, NO_RANK, NO_SUIT = np.uint64(13), np.uint64(13), FOUR
ALL_RANKS, ANY_SUIT = np.uint64(0x1FFF), np.uint64(0b11111)
NUM_ROWS, ROW_LENGTH = 560, 16
NO_STRONGER = np.uint64(16)
# Every flush is above all straights, and below all full houses but for straight flushes.
BEST_STRAIGHT, BEST_FLUSH = np.uint64(BEST_OF_CLASS[4]), np.uint64(BEST_OF_CLASS[5])
# A river and two hole cards leave so many cards to opponents.
NUM_LIVE = np.uint64(45)
# Kinds of run-outs of two ranks: no suit matters, or one of four does, and the first, the second or
# both are of it.
NUM_KINDS = 17
# The fields of a kind: the suit, the suits that the first and the second card may have, 1 if
# these are of the suit, how many cards of the suit the river has, and 1 if that makes us a flush.
SUIT, FIRSTS, SECONDS, IS_FIRST, IS_SECOND, NUM_SUITED, IS_FLUSH, KIND_LENGTH = range(8)
# A flop's run-outs have 91 pairs of ranks of up to five kinds.
MAX_GROUPS = 455


def hand_masks(hole_cards: Sequence[int], board: Sequence[int]) -> tuple[int, int]:
    """Return both masks; raises BadCards unless they are two cards and three to five others."""
    own, lying = mask_of(hole_cards), mask_of(board)
    num_cards = len(hole_cards) + len(board)
    if (
        len(hole_cards) != 2
        or len(board) not in DENOMINATORS
        or (own | lying).bit_count() != num_cards
    ):
        raise BadCards(
            format_cards([*hole_cards, *board]), "not two hole cards and three to five others"
        )
    return own, lying


def run_out_total(hole_cards: Sequence[int], board: Sequence[int]) -> int:
    """Return ``equity.total``, in a thirtieth of the time on a flop; raises BadCards.

    >>> run_out_total((51, 47), (43, 39, 35)) == DENOMINATORS[3]  # a royal flush
    True
    """
    return _total(*hand_masks(hole_cards, board))


@kernel
def _total(hole_cards: int, board: int) -> int:
    strengths, counts = np.empty(MAX_GROUPS, np.int64), np.empty(MAX_GROUPS, np.int64)
    result = 0
    for group in range(fill_run_outs(hole_cards, board, strengths, counts)):
        result += strengths[group] * strengths[group] * counts[group]
    return result


@kernel
def fill_run_outs(hole_cards: int, board: int, strengths: Ints, counts: Ints) -> Number:
    """Write the strengths of a hand on the rivers that *board* can become, and return their number.

    *board* has three to five cards. *counts* has how many run-outs give each strength; one may be
    there several times.
    """
    own, lying, live = np.empty(5, np.uint64), np.empty(5, np.uint64), np.empty(5, np.uint64)
    own_key, _ = split_suits(np.uint64(hole_cards), own)
    key, num_known = split_suits(np.uint64(board), lying)
    kinds = np.empty((NUM_KINDS, KIND_LENGTH), np.uint64)
    num_kinds = _fill_kinds(own, lying, kinds)
    values, places = np.empty((NUM_ROWS, ROW_LENGTH), np.uint16), np.empty(NUM_RANKS, np.uint64)
    fill_rows(START_KEYS[7] + key, FIVE - num_known, values)
    rows = np.empty(NUM_RANKS, np.uint64)
    ranks_lying = lying[0] | lying[1] | lying[2] | lying[3]
    num_groups = 0
    # Each loop goes through all ranks, or has nothing but the card that does not come. Tried: the
    # kinds of two ranks in a kernel of their own, inlined or not, with the arrays in a NamedTuple.
    # It took 1.5 times as long on flops and 1.4 times on turns (medians, alternating in one
    # process), so that all loops are in one kernel.
    for first in range(
        ZERO if num_known < FIVE else NO_RANK, NUM_RANKS if num_known < FIVE else NO_RANK + ONE
    ):
        first_live = _live_suits(np.uint64(hole_cards | board), first)
        for second in range(
            ZERO if num_known == THREE else NO_RANK,
            (first if num_known == THREE else NO_RANK) + ONE,
        ):
            second_live = _live_suits(np.uint64(hole_cards | board), second)
            is_pair = first == second and first != NO_RANK
            num_left = _num_ways(first_live, second_live, is_pair)
            if num_left == ZERO:
                continue
            full_key = START_KEYS[7] + key + CARD_KEYS[first << TWO] + CARD_KEYS[second << TWO]
            rank_value, value_of_rows, among_all = (
                np.uint64(rank_strength(full_key + own_key)),
                ZERO,
                ZERO,
            )
            is_unpaired = _size((ranks_lying | ONE << first | ONE << second) & ALL_RANKS) == FIVE
            fill_places(first, second, places)
            for number in range(num_kinds):
                kind = kinds[number]
                suit, firsts, seconds = (
                    kind[SUIT],
                    first_live & kind[FIRSTS],
                    second_live & kind[SECONDS],
                )
                # In a pair it does not matter which of the two is of the suit. Where no suit
                # matters is the rest.
                is_twin = is_pair and kind[FIRSTS] > kind[SECONDS]
                num_ways = num_left if suit == NO_SUIT else _num_ways(firsts, seconds, is_pair)
                if num_ways == ZERO or is_twin:
                    continue
                num_left -= num_ways
                # By the suit alone, for all run-outs of the kind.
                river = lying[suit] | kind[IS_FIRST] << first | kind[IS_SECOND] << second
                suited, num_suited = ALL_RANKS & ~(own[suit] | river), kind[NUM_SUITED]
                value = (
                    np.uint64(FLUSH_STRENGTHS[own[suit] | river]) if kind[IS_FLUSH] else rank_value
                )
                if is_unpaired and value > BEST_STRAIGHT:
                    # A flush where no two cards are of one rank: there is no full house to beat it.
                    wins = _all_without_flush(num_suited, _size(suited))
                else:
                    among_ranks = _among_ranks(value)
                    if among_ranks != value_of_rows:
                        _fill_rows(values, places, among_ranks, rows)
                        value_of_rows = among_ranks
                        # The same for all suits of these two ranks, of which as many cards are
                        # live.
                        _fill_live(own, lying, first, firsts, second, seconds, live)
                        among_all = _count_pairs(live, rows)
                    wins = among_all
                    if num_suited == THREE:
                        wins -= _count_suited(suited, rows)
                    elif num_suited == FOUR:
                        _fill_live(own, lying, first, firsts, second, seconds, live)
                        live[suit] = ZERO
                        wins = _count_pairs(live, rows)
                    elif num_suited == FIVE:
                        wins = ZERO
                if suit != NO_SUIT and value > BEST_STRAIGHT:
                    wins += _count_flushes(value, river, num_suited, suited)
                strengths[num_groups] = wins
                counts[num_groups] = num_ways
                num_groups += 1
    return num_groups


@kernel
def split_suits(cards: Number, sets: Uints64) -> tuple[Number, Number]:
    """Write the ranks of each suit of *cards* into *sets* [suit].

    Returns the sum of the cards' keys and their number.
    """
    key, count = ZERO, ZERO
    sets[:] = ZERO
    for card in range(np.uint64(52)):
        if cards >> card & ONE:
            key += CARD_KEYS[card]
            count += ONE
            sets[card & THREE] |= ONE << (card >> TWO)
    return key, count


@kernel
def _fill_kinds(own: Uints64, lying: Uints64, kinds: Uints64) -> Number:
    """Write the fields of each kind of run-outs; return the number of kinds.

    The kind where no suit matters comes last.
    """
    count = ZERO
    for suit in range(NO_SUIT):
        for code in range(FOUR):
            is_first, is_second = code & ONE, code >> ONE
            num_suited = _size(lying[suit]) + is_first + is_second
            if num_suited >= THREE:
                kind = kinds[count]
                kind[SUIT] = suit
                kind[FIRSTS] = ONE << suit if is_first else ANY_SUIT & ~(ONE << suit)
                kind[SECONDS] = ONE << suit if is_second else ANY_SUIT & ~(ONE << suit)
                kind[IS_FIRST], kind[IS_SECOND], kind[NUM_SUITED] = is_first, is_second, num_suited
                kind[IS_FLUSH] = np.uint64(_size(own[suit]) + num_suited >= FIVE)
                count += ONE
    kind = kinds[count]
    kind[:] = ZERO
    kind[SUIT], kind[FIRSTS], kind[SECONDS] = NO_SUIT, ANY_SUIT, ANY_SUIT
    return count + ONE


@kernel
def _live_suits(dead: Number, rank: Number) -> Number:
    """Return the suits of the live cards of *rank*; of rank 13 there is one card, of suit 4."""
    return ONE << NO_SUIT if rank == NO_RANK else ~(dead >> (rank << TWO)) & np.uint64(15)


@kernel
def _num_ways(firsts: Number, seconds: Number, is_pair: Number) -> Number:
    """Return the number of run-outs with cards of these suits.

    Of one rank, two different ones in either order.
    """
    num_firsts = _size(firsts)
    if is_pair and firsts == seconds:
        return num_firsts * (num_firsts - ONE) >> ONE if num_firsts else ZERO
    return num_firsts * _size(seconds)


@kernel
def _size(bits: Number) -> Number:
    """Return the number of bits that are set."""
    # Compilers know this loop and make one instruction of it.
    count = ZERO
    while bits:
        bits &= bits - ONE
        count += ONE
    return count


@kernel
def _among_ranks(value: Number) -> Number:
    """Return a strength that compares to hands without a flush as *value* does.

    It is the same for nearly all flushes.
    """
    return BEST_FLUSH if BEST_STRAIGHT < value < BEST_FLUSH else value


@kernel
def fill_rows(key: Number, num_missing: Number, rows: Rows) -> None:
    """Write the strengths of hands with a board of *key*.

    The board lacks *num_missing* cards, up to two.
    """
    # Each loop goes through ranks in falling order, or has nothing but the card that does not come.
    for first in range(
        ZERO if num_missing == TWO else NO_RANK, NUM_RANKS if num_missing == TWO else NO_RANK + ONE
    ):
        of_first = _threes_below(first)
        last = first if num_missing == TWO else NUM_RANKS - ONE
        for second in range(
            ZERO if num_missing else NO_RANK, last + ONE if num_missing else NO_RANK + ONE
        ):
            of_both = of_first + _pairs_below(second)
            board_key = key + CARD_KEYS[first << TWO] + CARD_KEYS[second << TWO]
            for high in range(min(second + ONE, NUM_RANKS)):
                high_key, pairs = board_key + CARD_KEYS[high << TWO], _pairs_below(high)
                for low in range(high + ONE):
                    # One strength, written in the three rows of its four ranks that are read.
                    value = rank_strength(high_key + CARD_KEYS[low << TWO])
                    rows[of_both + high, low] = value
                    rows[of_both + low, high] = value
                    rows[of_first + pairs + low, second] = value


@kernel
def fill_places(first: Number, second: Number, places: RowPlaces) -> None:
    """Write the row of every third rank, [rank], beside two that come in either order."""
    most, least = max(first, second), min(first, second)
    of_most = _threes_below(most)
    # A part for each place that the rank can have among the three.
    for rank in range(min(least + ONE, NUM_RANKS)):
        places[rank] = of_most + _pairs_below(least) + rank
    for rank in range(least + ONE, min(most + ONE, NUM_RANKS)):
        places[rank] = of_most + _pairs_below(rank) + least
    for rank in range(most + ONE, NUM_RANKS):
        places[rank] = _threes_below(rank) + _pairs_below(most) + least


@kernel
def _threes_below(rank: Number) -> Number:
    """Return the number of ways for three ranks in falling order to be below *rank*."""
    return rank * (rank + ONE) * (rank + TWO) // np.uint64(6)


@kernel
def _pairs_below(rank: Number) -> Number:
    return rank * (rank + ONE) >> ONE


@kernel
def _fill_rows(values: Rows, places: RowPlaces, value: Number, rows: Uints64) -> None:
    """Write the rows of all ranks, by ranks alone, against our *value*.

    Opponents' strengths are at *places* of *values*.
    """
    for high in range(NUM_RANKS):
        place, weaker, no_stronger = places[high], ZERO, ZERO
        for step in range(high + ONE):
            # From the highest down: to double a word and add a bit is one step, to shift each bit
            # to its place two.
            opponent = np.uint64(values[place, high - step])
            weaker = weaker + weaker + np.uint64(opponent < value)
            no_stronger = no_stronger + no_stronger + np.uint64(opponent <= value)
        rows[high] = weaker | no_stronger << NO_STRONGER


@kernel
def _fill_live(
    own: Uints64,
    lying: Uints64,
    first: Number,
    firsts: Number,
    second: Number,
    seconds: Number,
    live: Uints64,
) -> None:
    """Write the ranks of opponents' possible cards into *live* [suit], for a run-out of a kind."""
    card = firsts & (ZERO - firsts)
    others = seconds & ~card if first == second else seconds
    other = others & (ZERO - others)
    for suit in range(NO_SUIT):
        river = lying[suit] | (card >> suit & ONE) << first | (other >> suit & ONE) << second
        live[suit] = ALL_RANKS & ~(own[suit] | river)


@kernel
def _all_without_flush(num_suited: Number, num_suited_live: Number) -> Number:
    """Return twice the number of opponents without a flush.

    *num_suited* cards of a suit are on the river, *num_suited_live* are live.
    """
    if num_suited == FIVE:
        return ZERO
    if num_suited == FOUR:
        return (NUM_LIVE - num_suited_live) * (NUM_LIVE - num_suited_live - ONE)
    return NUM_LIVE * (NUM_LIVE - ONE) - num_suited_live * (num_suited_live - ONE)


@kernel
def _twofold(ranks: Number) -> Number:
    """Return *ranks* as both halves of a row."""
    return ranks | ranks << NO_STRONGER


@kernel
def _count_pairs(live: Uints64, rows: Uints64) -> Number:
    """Return twice the wins plus the ties among opponents with two *live* cards, by ranks alone."""
    # Two suits in one word, so that one count serves four sets.
    some = _twofold(live[0]) | _twofold(live[1]) << np.uint64(32)
    others = _twofold(live[2]) | _twofold(live[3]) << np.uint64(32)
    wins = ZERO
    for high in range(NUM_RANKS):
        row, below = rows[high], _twofold((ONE << high) - ONE)
        num_high = (
            (live[0] >> high & ONE)
            + (live[1] >> high & ONE)
            + (live[2] >> high & ONE)
            + (live[3] >> high & ONE)
        )
        lower = row & below
        lower |= lower << np.uint64(32)
        wins += num_high * (_size(lower & some) + _size(lower & others))
        equal = (row >> high & ONE) + (row >> (high + NO_STRONGER) & ONE)
        wins += (num_high * (num_high - ONE) >> ONE) * equal if num_high else ZERO
    return wins


@kernel
def _count_suited(suited: Number, rows: Uints64) -> Number:
    """Return the same among opponents with two of the *suited* cards, which are of one suit."""
    wins = ZERO
    for high in range(NUM_RANKS):
        # All ones or none: which ranks are live cannot be guessed, and a branch on it costs more
        # than the count.
        if_live = ZERO - (suited >> high & ONE)
        wins += _size(rows[high] & _twofold(suited & ((ONE << high) - ONE)) & if_live)
    return wins


@kernel
def _count_flushes(value: Number, board: Number, num_board: Number, suited: Number) -> Number:
    """Return the same among opponents with a flush.

    *board* are the ranks on the river in the suit, *num_board* in number; the live ones are
    *suited*.
    """
    wins, highs, num_others = ZERO, suited, NUM_LIVE - _size(suited)
    while highs:
        # Set bit after set bit: a branch on each rank would be guessed wrong half of the time.
        high = highs & (ZERO - highs)
        highs ^= high
        lows = suited & (high - ONE)
        while lows:
            low = lows & (ZERO - lows)
            lows ^= low
            wins += _won(value, board | high | low)
        if num_board > THREE:
            wins += num_others * _won(value, board | high)
    if num_board == FIVE:
        wins += (num_others * (num_others - ONE) >> ONE) * _won(value, board)
    return wins


@kernel
def _won(value: Number, ranks: Number) -> Number:
    """Return 2, 1 or 0 for a win, a tie or a loss against the flush of *ranks*."""
    opponent = np.uint64(FLUSH_STRENGTHS[ranks])
    return np.uint64(opponent < value) + np.uint64(opponent <= value)
