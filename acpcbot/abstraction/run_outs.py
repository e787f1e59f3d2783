"""The strengths of one hand on all rivers that can still come, without meeting opponents one by one.

A strength (``equity.py``) counts 990 opponents on each of up to 1,081 rivers. Without a flush a
hand is worth what its ranks are: opponents come as 91 pairs of ranks, each with so many hands as
live cards make, and all run-outs of one pair of ranks give one strength. Suits matter only where
a river has three cards or more of one; then run-outs of a pair of ranks differ in which of their
cards are of that suit, and opponents with a flush are counted apart, by their cards of the suit.
So a flop takes 100 to 400 counts instead of a million comparisons, and the numbers are the same.

Cards come as masks. Sets of ranks are bits of an uint64; a *row* of them says of one rank with
which lower or equal ranks it makes hands that are weaker than ours, from bit 0, and no stronger,
from bit ``NO_STRONGER``. A card that does not come any more is of rank 13 and suit 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.equity import DENOMINATORS
from acpcbot.cards.deck import format_cards, mask_of
from acpcbot.cards.hand_keys import CARD_KEYS, START_KEYS
from acpcbot.cards.strength import BEST_OF_CLASS, FLUSH_STRENGTHS, rank_strength
from acpcbot.errors import BadCards
from acpcbot.jit import kernel

Numbers: TypeAlias = NDArray[np.int64]
Sets: TypeAlias = NDArray[np.uint64]
# A number in a kernel: what numba makes of numpy's numbers is beyond mypy.
Word: TypeAlias = Any

ZERO, ONE, TWO, THREE, FOUR, FIVE = (np.uint64(number) for number in range(6))
NUM_RANKS, NO_RANK, NO_SUIT = np.uint64(13), np.uint64(13), FOUR
ALL_RANKS, ANY_SUIT = np.uint64(0x1FFF), np.uint64(0b11111)
NO_STRONGER = np.uint64(16)
# Every flush is above all straights, and below all full houses but for straight flushes.
BEST_STRAIGHT, BEST_FLUSH = np.uint64(BEST_OF_CLASS[4]), np.uint64(BEST_OF_CLASS[5])
# Kinds of run-outs of two ranks: no suit matters, or one of four does, and the first, the second or both are of it.
NUM_KINDS = 17
# A flop's run-outs have 91 pairs of ranks of up to five kinds.
MAX_GROUPS = 455


def hand_masks(hole_cards: Sequence[int], board: Sequence[int]) -> tuple[int, int]:
    """The masks of both; raises BadCards unless they are two cards and three to five others."""
    own, lying = mask_of(hole_cards), mask_of(board)
    num_cards = len(hole_cards) + len(board)
    if len(hole_cards) != 2 or len(board) not in DENOMINATORS or (own | lying).bit_count() != num_cards:
        raise BadCards(format_cards([*hole_cards, *board]), "not two hole cards and three to five others")
    return own, lying


def run_out_total(hole_cards: Sequence[int], board: Sequence[int]) -> int:
    """The same as ``equity.total``, in a thirtieth of the time on a flop; raises BadCards.

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
def fill_run_outs(hole_cards: int, board: int, strengths: Numbers, counts: Numbers) -> Word:
    """The strengths of a hand on the rivers that *board*, of three to five cards, can become; how many there are.

    *counts* has how many run-outs give each; a strength may be there several times.
    """
    own, lying, river = np.empty(5, np.uint64), np.empty(5, np.uint64), np.empty(5, np.uint64)
    own_key, _ = split_suits(np.uint64(hole_cards), own)
    key, num_known = split_suits(np.uint64(board), lying)
    kinds = np.empty((NUM_KINDS, 3), np.uint64)
    num_kinds = _fill_kinds(lying, kinds)
    rows, live = np.empty(NUM_RANKS, np.uint64), np.empty(4, np.uint64)
    num_groups = 0
    # Each loop goes through all ranks, or has nothing but the card that does not come.
    for first in range(ZERO if num_known < FIVE else NO_RANK, NUM_RANKS if num_known < FIVE else NO_RANK + ONE):
        first_live = _live_suits(np.uint64(hole_cards | board), first)
        for second in range(ZERO if num_known == THREE else NO_RANK, (first if num_known == THREE else NO_RANK) + ONE):
            second_live = _live_suits(np.uint64(hole_cards | board), second)
            is_pair = first == second and first != NO_RANK
            num_left = _num_ways(first_live, second_live, is_pair)
            full_key = START_KEYS[7] + key + _rank_key(first) + _rank_key(second)
            rank_value, value_of_rows, among_all = rank_strength(full_key + own_key), ZERO, ZERO
            for kind in range(num_kinds):
                suit, firsts, seconds = kinds[kind, 0], first_live & kinds[kind, 1], second_live & kinds[kind, 2]
                # In a pair it does not matter which of the two is of the suit. Where no suit matters is the rest.
                is_twin = is_pair and kinds[kind, 1] > kinds[kind, 2]
                num_ways = num_left if suit == NO_SUIT else _num_ways(firsts, seconds, is_pair)
                if num_ways == ZERO or is_twin:
                    continue
                num_left -= num_ways
                # One run-out of the kind stands for all.
                card = firsts & (ZERO - firsts)
                others = seconds & ~card if is_pair else seconds
                other = others & (ZERO - others)
                for each in range(NO_SUIT):
                    river[each] = lying[each] | (card >> each & ONE) << first | (other >> each & ONE) << second
                    live[each] = ALL_RANKS & ~(own[each] | river[each])
                value = _own_value(rank_value, suit, own, river)
                among_ranks = _among_ranks(value)
                if among_ranks != value_of_rows:
                    _fill_rows(full_key, among_ranks, river, rows)
                    value_of_rows = among_ranks
                    # The same for all suits of these two ranks, of which as many cards are live.
                    among_all = _count_pairs(live, rows)
                wins = among_all
                if suit != NO_SUIT:
                    wins = _suited_strength(value, among_all, suit, river, live, rows)
                strengths[num_groups] = wins
                counts[num_groups] = num_ways
                num_groups += 1
    return num_groups


@kernel
def split_suits(cards: Word, sets: Sets) -> tuple[Word, Word]:
    """The ranks of each suit of *cards* into *sets* [suit]; what the cards add to a key, and how many they are."""
    key, count = ZERO, ZERO
    sets[:] = ZERO
    for card in range(np.uint64(52)):
        if cards >> card & ONE:
            key += CARD_KEYS[card]
            count += ONE
            sets[card & THREE] |= ONE << (card >> TWO)
    return key, count


@kernel
def _fill_kinds(lying: Sets, kinds: Sets) -> Word:
    """The kinds of run-outs: the suit that matters, and the suits that the first and the second card may have.

    Where none matters comes last. Returns how many there are.
    """
    count = ZERO
    for suit in range(NO_SUIT):
        for code in range(FOUR):
            is_first, is_second = code & ONE, code >> ONE
            if _size(lying[suit]) + is_first + is_second >= THREE:
                kinds[count, 0] = suit
                kinds[count, 1] = ONE << suit if is_first else ANY_SUIT & ~(ONE << suit)
                kinds[count, 2] = ONE << suit if is_second else ANY_SUIT & ~(ONE << suit)
                count += ONE
    kinds[count, 0], kinds[count, 1], kinds[count, 2] = NO_SUIT, ANY_SUIT, ANY_SUIT
    return count + ONE


@kernel
def _live_suits(dead: Word, rank: Word) -> Word:
    """The suits of the live cards of *rank*; of rank 13 there is one card, of suit 4."""
    return ONE << NO_SUIT if rank == NO_RANK else ~(dead >> (rank << TWO)) & np.uint64(15)


@kernel
def _num_ways(firsts: Word, seconds: Word, is_pair: Word) -> Word:
    """How many run-outs have cards of these suits; of one rank, two different ones in either order."""
    num_firsts = _size(firsts)
    if is_pair and firsts == seconds:
        return num_firsts * (num_firsts - ONE) >> ONE if num_firsts else ZERO
    return num_firsts * _size(seconds)


@kernel
def _size(bits: Word) -> Word:
    """How many bits are set; compilers know this loop and make one instruction of it."""
    count = ZERO
    while bits:
        bits &= bits - ONE
        count += ONE
    return count


@kernel
def _rank_key(rank: Word) -> Word:
    return ZERO if rank == NO_RANK else CARD_KEYS[rank << TWO]


@kernel
def _own_value(rank_value: Word, suit: Word, own: Sets, river: Sets) -> Word:
    """The showdown strength of our hand, which is *rank_value* unless it has a flush."""
    if suit != NO_SUIT:
        ranks = own[suit] | river[suit]
        if _size(ranks) >= FIVE:
            return np.uint64(FLUSH_STRENGTHS[ranks])
    return np.uint64(rank_value)


@kernel
def _among_ranks(value: Word) -> Word:
    """A strength that compares to hands without a flush as *value* does, the same for nearly all flushes."""
    return BEST_FLUSH if BEST_STRAIGHT < value < BEST_FLUSH else value


@kernel
def _fill_rows(key: Word, value: Word, river: Sets, rows: Sets) -> None:
    """The rows of all ranks, by ranks alone, for a *river* with *key* and our *value*."""
    if value > BEST_STRAIGHT and _size(river[0] | river[1] | river[2] | river[3]) == FIVE:
        # A flush where no two cards are of one rank: there is no full house to beat it.
        for high in range(NUM_RANKS):
            rows[high] = _twofold((TWO << high) - ONE)
        return
    for high in range(NUM_RANKS):
        high_key, weaker, no_stronger = key + CARD_KEYS[high << TWO], ZERO, ZERO
        for step in range(high + ONE):
            # From the highest down: to double a word and add a bit is one step, to shift each bit to its place two.
            opponent = np.uint64(rank_strength(high_key + CARD_KEYS[(high - step) << TWO]))
            weaker = weaker + weaker + np.uint64(opponent < value)
            no_stronger = no_stronger + no_stronger + np.uint64(opponent <= value)
        rows[high] = weaker | no_stronger << NO_STRONGER


@kernel
def _suited_strength(value: Word, among_all: Word, suit: Word, river: Sets, live: Sets, rows: Sets) -> Word:
    """The strength of our hand of *value* on a *river* where *suit* matters; *live*, by suit, is changed.

    *among_all* is what it would be by ranks alone.
    """
    suited, board = live[suit], river[suit]
    num_board = _size(board)
    wins = ZERO
    live[suit] = ZERO
    if num_board == THREE:
        wins = among_all - _count_suited(suited, rows)
    elif num_board == FOUR:
        wins = _count_pairs(live, rows)
    if value > BEST_STRAIGHT:
        num_others = _size(live[0]) + _size(live[1]) + _size(live[2]) + _size(live[3])
        wins += _count_flushes(value, board, num_board, suited, num_others)
    return wins


@kernel
def _twofold(ranks: Word) -> Word:
    """*ranks* as both halves of a row."""
    return ranks | ranks << NO_STRONGER


@kernel
def _count_pairs(live: Sets, rows: Sets) -> Word:
    """Wins, twice, and ties among opponents with two of the *live* cards, by ranks alone."""
    # Two suits in one word, so that one count serves four sets.
    some = _twofold(live[0]) | _twofold(live[1]) << np.uint64(32)
    others = _twofold(live[2]) | _twofold(live[3]) << np.uint64(32)
    wins = ZERO
    for high in range(NUM_RANKS):
        row, below = rows[high], _twofold((ONE << high) - ONE)
        num_high = (live[0] >> high & ONE) + (live[1] >> high & ONE) + (live[2] >> high & ONE) + (live[3] >> high & ONE)
        lower = row & below
        lower |= lower << np.uint64(32)
        wins += num_high * (_size(lower & some) + _size(lower & others))
        equal = (row >> high & ONE) + (row >> (high + NO_STRONGER) & ONE)
        wins += (num_high * (num_high - ONE) >> ONE) * equal if num_high else ZERO
    return wins


@kernel
def _count_suited(suited: Word, rows: Sets) -> Word:
    """The same among those with two of the *suited* cards, which are of one suit."""
    wins = ZERO
    for high in range(NUM_RANKS):
        # All ones or none: which ranks are live cannot be guessed, and a branch on it costs more than the count.
        if_live = ZERO - (suited >> high & ONE)
        wins += _size(rows[high] & _twofold(suited & ((ONE << high) - ONE)) & if_live)
    return wins


@kernel
def _count_flushes(value: Word, board: Word, num_board: Word, suited: Word, num_others: Word) -> Word:
    """The same among opponents with a flush, with *board* in its suit, live cards *suited* and so many others."""
    wins, highs = ZERO, suited
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
def _won(value: Word, ranks: Word) -> Word:
    """2, 1 or 0 against the flush of *ranks*."""
    opponent = np.uint64(FLUSH_STRENGTHS[ranks])
    return np.uint64(opponent < value) + np.uint64(opponent <= value)
