"""How often a hand beats every other one if nobody bets any more.

Equities are float32 [combo]: the share of the boards still possible on which the hand wins,
ties half; 0 for combos that share a card with it or with the board. From the flop on all
boards are gone through, before it so many drawn ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.cards.combos import NUM_COMBOS, combo_index
from acpcbot.cards.deck import NUM_CARDS
from acpcbot.cards.strength import Cards, Strengths, fill_board_strengths
from acpcbot.jit import kernel

Equities = NDArray[np.float32]
# A number in a kernel: what numba makes of numpy's numbers is beyond mypy.
Word: TypeAlias = Any

BOARD_CARDS = 5
NUM_DRAWN = 20_000


def hand_equities(hole_cards: Sequence[int], board: Sequence[int]) -> Equities:
    """The equities of a hand on *board*, which is empty or has three to five cards."""
    high, low = sorted(hole_cards, reverse=True)
    if not board:
        return _before_the_flop(high, low)
    rest = [card for card in range(NUM_CARDS) if card not in (high, low, *board)]
    ways = [(*board, *way) for way in combinations(rest, BOARD_CARDS - len(board))]
    return _equities((high, low), np.array(ways, np.uint8))


@cache
def _before_the_flop(high: int, low: int) -> Equities:
    """From boards that are drawn anew for every hand, always the same ones."""
    draw = np.random.default_rng((high, low))
    rest = np.array([card for card in range(NUM_CARDS) if card not in (high, low)], np.uint8)
    places = np.argpartition(draw.random((NUM_DRAWN, len(rest))), BOARD_CARDS, axis=1)[:, :BOARD_CARDS]
    equities = _equities((high, low), rest[places])
    equities.flags.writeable = False
    return equities


def _equities(hole_cards: tuple[int, int], boards: Cards) -> Equities:
    shares = np.zeros(NUM_COMBOS, np.float32)
    _fill_shares(combo_index(*hole_cards), boards, shares)
    own = set(hole_cards)
    shares[[combo_index(card, other) for card in own for other in range(NUM_CARDS) if other != card]] = 0
    return shares


@kernel
def _fill_shares(own: int, boards: Cards, shares: Equities) -> None:
    """Write the share of *boards* that the combo *own* wins against each other one, ties half, into *shares*."""
    strengths = np.empty(NUM_COMBOS, np.uint16)
    counts = np.zeros(NUM_COMBOS, np.float32)
    for board in range(len(boards)):
        fill_board_strengths(boards[board], strengths)
        _compare(strengths, np.int32(strengths[own]), shares, counts)
    for combo in range(NUM_COMBOS):
        shares[combo] /= max(np.float32(2) * counts[combo], np.float32(1))


@kernel(inline=True)
def _compare(strengths: Strengths, own: Word, shares: Equities, counts: Equities) -> None:
    """Count a board: to *shares* 2 for a win and 1 for a tie, to *counts* 1; combos of strength 0 are blocked."""
    for combo in range(np.uint64(NUM_COMBOS)):
        other = np.int32(strengths[combo])
        is_free = np.float32(other > 0)
        counts[combo] += is_free
        shares[combo] += is_free * (np.float32(own > other) + np.float32(own >= other))
