"""Deals as learners see them: every seat's bucket on every street, and the showdown's ordering.

Deals are uint16 [deal, column]: the bucket of a seat on a street at column ``street * num_seats +
seat``, and in the last column the number of the showdown's ordering (``cards/orderings.py``). A
deal source fills such a pool with random deals; what is drawn depends on the random state alone
(``random_kernels.py``).

Hold'em is dealt board by board: some hands in a row share a board, whose rows of the big tables are
fetched once. Each single deal is as random as any; neighbours are not independent.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.canonical_boards import BOARD_SIZES
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.abstraction.table_lookup import combos_of, look_up
from acpcbot.cards.orderings import MAX_SEATS, ordering_code, ordering_numbers
from acpcbot.cards.strength import Cards, fill_strengths
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.poker.definition import GameDefinition
from acpcbot.random_kernels import RandomState, below
from acpcbot.worker_threads import Progress

Deals = NDArray[np.uint16]

BLOCK = 4096
HANDS_PER_BOARD = 16


class HoldemDeals:
    """Deals of hold'em for two to seven seats, with the tables of one abstraction.

    Drawing cards and looking up their buckets are apart, so that two sources can look at
    the same cards through different abstractions. Cards are uint8 [deal, card]: two a
    seat, and then the whole board. Raises ``UsageError`` for games that are not hold'em
    with the streets of *abstraction*, or end before the flop.
    """

    def __init__(
        self,
        definition: GameDefinition,
        abstraction: HoldemAbstraction,
        *,
        hands_per_board: int = HANDS_PER_BOARD,
        on_progress: Progress | None = None,
    ) -> None:
        abstraction.verify_fits(definition)
        if definition.num_streets < 2 or definition.num_players > MAX_SEATS:
            raise UsageError(
                f"no deals for {definition.num_players} players, {definition.num_streets} streets:"
                f" hold'em with a flop for at most {MAX_SEATS} players is needed"
            )
        self.num_seats = definition.num_players
        self.num_buckets = abstraction.num_buckets
        self.num_cards = definition.cards_per_hand
        self.width = len(self.num_buckets) * self.num_seats + 1
        self._hands_per_board = hands_per_board
        self.tables = abstraction.tables(on_progress)

    def fill(self, deals: Deals, random_state: RandomState) -> None:
        """Fill every row of *deals*; rows in a run of ``hands_per_board`` share a board."""
        cards = np.empty((min(BLOCK, len(deals)), self.num_cards), np.uint8)
        for start in range(0, len(deals), BLOCK):
            block = deals[start : start + BLOCK]
            self.draw_cards(cards[: len(block)], random_state)
            self.fill_buckets(cards[: len(block)], block)

    def draw_cards(self, cards: Cards, random_state: RandomState) -> None:
        """Fill every row of *cards* with a random deal."""
        _draw_cards(cards, 2 * self.num_seats, self._hands_per_board, random_state)

    def fill_buckets(self, cards: Cards, deals: Deals) -> None:
        """Write into *deals* the deal of each row of *cards*."""
        hole_cards, boards = cards[:, : 2 * self.num_seats], cards[:, 2 * self.num_seats :]
        combos = combos_of(hole_cards)
        for street, table in enumerate(self.tables):
            columns = deals[:, street * self.num_seats : (street + 1) * self.num_seats]
            look_up(combos, boards[:, : BOARD_SIZES[street]], table, columns)
        _fill_orderings(hole_cards, boards, ordering_numbers(self.num_seats), deals[:, -1])


@kernel
def draw_rows(rows: Deals, random_state: RandomState, deals: Deals) -> None:
    """Fill every row of *deals* with one of *rows*, each as likely as any other."""
    for deal in range(len(deals)):
        deals[deal] = rows[below(random_state, len(rows))]


@kernel
def _draw_cards(
    cards: Cards, num_hole_cards: int, hands_per_board: int, random_state: RandomState
) -> None:
    """Draw every deal from a deck that is shuffled only as far as cards are needed."""
    # The board stands first in the deck, so that it stays while only the places behind it are
    # shuffled again for the next hands on the same board. (Cards of a deal begin with the hands.)
    deck = np.arange(52).astype(np.uint8)
    num_board = cards.shape[1] - num_hole_cards
    for deal in range(len(cards)):
        if deal % hands_per_board == 0:
            _shuffle(deck, 0, num_board, random_state)
        _shuffle(deck, num_board, num_board + num_hole_cards, random_state)
        for card in range(num_hole_cards):
            cards[deal, card] = deck[num_board + card]
        for card in range(num_board):
            cards[deal, num_hole_cards + card] = deck[card]


@kernel
def _shuffle(deck: Cards, start: int, end: int, random_state: RandomState) -> None:
    """Draw the places from *start* to *end* of *deck* from all places from *start* on."""
    # Fisher-Yates, stopped early: any order of the deck before gives the same distribution.
    for place in range(start, end):
        other = np.int64(place) + np.int64(below(random_state, len(deck) - place))
        deck[place], deck[other] = deck[other], deck[place]


@kernel
def _fill_orderings(
    hole_cards: Cards, boards: Cards, numbers: NDArray[np.uint16], column: Deals
) -> None:
    """Write the ordering of the seats at the showdown of every deal into *column* [deal]."""
    num_seats = hole_cards.shape[1] // 2
    # All hands of the block are rated in one loop, whose table look-ups overlap.
    hands = np.empty((len(column) * num_seats, 2 + boards.shape[1]), np.uint8)
    _gather_hands(hole_cards, boards, hands)
    values = np.empty(len(hands), np.uint16)
    fill_strengths(hands, values)
    strengths: Any = np.empty(num_seats, np.uint16)
    for deal in range(len(column)):
        for seat in range(num_seats):
            strengths[seat] = values[deal * num_seats + seat]
        column[deal] = numbers[ordering_code(strengths, num_seats)]


@kernel
def _gather_hands(hole_cards: Cards, boards: Cards, hands: Cards) -> None:
    """Write the hole cards of one seat and the board into each row of *hands*.

    The seats of a deal follow each other.
    """
    two, hand = np.uint64(2), np.uint64(0)
    for deal in range(np.uint64(len(boards))):
        for first in range(np.uint64(0), np.uint64(hole_cards.shape[1]), two):
            hands[hand, np.uint64(0)] = hole_cards[deal, first]
            hands[hand, np.uint64(1)] = hole_cards[deal, first + np.uint64(1)]
            for slot in range(np.uint64(boards.shape[1])):
                hands[hand, two + slot] = boards[deal, slot]
            hand += np.uint64(1)
