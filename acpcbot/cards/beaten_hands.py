"""Counts of the opponent's hands that two hole cards beat on a board, in plain Python.

Without a flush only the ranks count: the 91 pairs of ranks are looked up once for the ranks of a
board, and each stands for as many hands as can be made of its unseen cards. The few hands with a
flush are evaluated one by one. No kernel is compiled.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

from acpcbot.cards.deck import NUM_RANKS, NUM_SUITS
from acpcbot.cards.hand_sums import RANK_KEYS, START_KEYS
from acpcbot.cards.showdown import flush_strength, rank_strength, showdown_strength

FLUSH_SIZE, NUM_HOLE_CARDS = 5, 2
KEPT_BOARDS = 1024
"""Their strengths take a quarter of a megabyte: two bytes for each of 91 pairs of ranks."""

# The pair of ranks high >= low has the number high * (high + 1) / 2 + low.
_PAIRS = tuple([(high, low) for high in range(NUM_RANKS) for low in range(high + 1)])


class Standing(NamedTuple):
    """The numbers of an opponent's hands that are beaten, that tie, and of all of them."""

    num_beaten: int
    num_tied: int
    num_hands: int

    @property
    def share(self) -> float:
        """The share of the hands that are beaten; ties count half."""
        return (self.num_beaten + self.num_tied / 2) / self.num_hands


def standing(own_cards: Sequence[int], board: Sequence[int], deck: Sequence[int]) -> Standing:
    """Return the standing of two hole cards on a *board* of three to five cards of *deck*.

    The opponent may hold any two of the unseen cards.

    >>> standing([51, 47], [43, 39, 35, 0, 5], range(52))
    Standing(num_beaten=990, num_tied=0, num_hands=990)
    """
    assert len(own_cards) == NUM_HOLE_CARDS
    unseen = [card for card in deck if card not in own_cards and card not in board]
    strengths, counts = _opponent_hands(unseen, board)
    return count_standing(strengths, counts, showdown_strength((*own_cards, *board)))


def count_standing(strengths: Iterable[int], counts: Sequence[int], own: int) -> Standing:
    """Return the standing of a hand of strength *own* among *counts* hands of each strength."""
    num_beaten = num_tied = 0
    for strength, number in zip(strengths, counts, strict=True):
        if strength < own:
            num_beaten += number
        elif strength == own:
            num_tied += number
    return Standing(num_beaten, num_tied, sum(counts))


def _opponent_hands(unseen: Sequence[int], board: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return strengths of hands of *unseen* cards on *board*, and the number of hands with each.

    A strength may occur more than once.
    """
    strengths = _strengths_by_ranks(tuple(sorted([card >> 2 for card in board]))).tolist()
    suits = [card & 3 for card in board]
    suit = max(range(NUM_SUITS), key=suits.count)
    num_missing = FLUSH_SIZE - suits.count(suit)
    if num_missing > NUM_HOLE_CARDS:
        return strengths, _numbers_by_ranks(unseen)
    suited = [card >> 2 for card in unseen if card & 3 == suit]
    others = [card for card in unseen if card & 3 != suit]
    board_ranks = sum([1 << (card >> 2) for card in board if card & 3 == suit])
    pairs = [(max(pair), min(pair)) for pair in combinations(suited, 2)]
    flushes = [flush_strength(board_ranks | 1 << high | 1 << low) for high, low in pairs]
    flush_numbers = [1] * len(flushes)
    if num_missing == NUM_HOLE_CARDS:
        numbers = _numbers_by_ranks(unseen)
        for high, low in pairs:
            numbers[high * (high + 1) // 2 + low] -= 1
        return strengths + flushes, numbers + flush_numbers
    flushes += [flush_strength(board_ranks | 1 << rank) for rank in suited]
    flush_numbers += [len(others)] * len(suited)
    if num_missing:
        return strengths + flushes, _numbers_by_ranks(others) + flush_numbers
    return [*flushes, flush_strength(board_ranks)], [*flush_numbers, comb(len(others), 2)]


def _numbers_by_ranks(cards: Iterable[int]) -> list[int]:
    """Return the number of hands that *cards* make of each pair of ranks."""
    held = [0] * NUM_RANKS
    for card in cards:
        held[card >> 2] += 1
    return [held[high] * held[low] if low < high else comb(held[high], 2) for high, low in _PAIRS]


@lru_cache(KEPT_BOARDS)
def _strengths_by_ranks(ranks: tuple[int, ...]) -> array[int]:
    """Return the strength of each pair of ranks on a board of *ranks*, but for flushes."""
    start = START_KEYS[len(ranks) + NUM_HOLE_CARDS] + sum([RANK_KEYS[rank] for rank in ranks])
    found = [rank_strength(start + RANK_KEYS[high] + RANK_KEYS[low]) for high, low in _PAIRS]
    return array("H", found)  # a list of ints would take fifteen times as much, for every board
