"""Views of the cards: what the seats of a poker game see of them, exactly or as buckets.

With ``ExactCards`` a seat sees its hole cards, and everyone sees the board. With buckets each seat
sees the bucket of its hand on each street and nothing else of the cards, so nobody observes the
board: histories are put together as in a stored strategy, and public states are the betting alone.

A view is a NamedTuple, so kernels are compiled for each kind of view. Its arrays are those that
the abstraction has already: views copy nothing.
"""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Buckets
from acpcbot.abstraction.canonical_boards import (
    PERMUTATION_BITS,
    PERMUTATION_MASK,
    Places,
    board_place,
    canonical_boards,
    combo_under,
)
from acpcbot.abstraction.card_abstraction import Abstraction, ExactAbstraction
from acpcbot.arrays import Ints, KernelArray
from acpcbot.cards.combos import NUM_COMBOS, combo_index
from acpcbot.cards.deck import NUM_CARDS
from acpcbot.jit import shared_methods
from acpcbot.poker.definition import GameDefinition
from acpcbot.uncounted_arrays import static
from acpcbot.worker_threads import Progress

MAX_STREETS = 4
FLOP, TURN = 1, 2


@shared_methods
class CardView(Protocol):
    """The view that the seats have of the cards."""

    def sees_cards(self) -> bool:
        """Return whether cards are seen as they are; if not, buckets are seen."""
        ...

    def bucket(self, street: int, hole_cards: KernelArray, board: KernelArray) -> int:
        """Return the bucket of a hand on *street*, whose board is *board*."""
        ...


class ExactCards(NamedTuple):
    """Cards as they are; suits count, even where they never decide."""

    num_cards: int = NUM_CARDS

    def sees_cards(self) -> bool:
        return True

    def bucket(self, street: int, hole_cards: KernelArray, board: KernelArray) -> int:
        return 0


class SmallGameBuckets(NamedTuple):
    """The buckets of a game with few cards, written down for all hands.

    ``places``   int64 [card], the place of each card in the deck
    ``starts``   int64 [street], where a street's table begins
    ``buckets``  int64, by the places of the cards as digits to the base of *deck_size*
    """

    deck_size: int
    places: Ints
    starts: Ints
    buckets: Ints

    def sees_cards(self) -> bool:
        return False

    def bucket(self, street: int, hole_cards: KernelArray, board: KernelArray) -> int:
        number = 0
        for card in hole_cards:
            number = number * self.deck_size + self.places[card]
        for card in board:
            number = number * self.deck_size + self.places[card]
        return int(self.buckets[self.starts[street] + number])


class HoldemBuckets(NamedTuple):
    """The tables of a hold'em abstraction, [canonical board, combo] for each street.

    Streets that a game lacks have empty tables. Boards are found by ``canonical_boards.py``.
    """

    preflop: Buckets
    flop: Buckets
    turn: Buckets
    river: Buckets
    flop_places: Places
    turn_places: Places
    river_places: Places
    changes: NDArray[np.uint16]

    def sees_cards(self) -> bool:
        return False

    def bucket(self, street: int, hole_cards: KernelArray, board: KernelArray) -> int:
        combo = combo_index(hole_cards[0], hole_cards[1])
        if street == 0:
            return int(self.preflop[0, combo])
        # One place for all boards that differ only in suits, then the combo that the same change
        # of suits makes of this one: two dependent loads, the second one from a table larger than
        # the caches.
        if street == FLOP:
            place = int(board_place(board, self.flop_places))
        elif street == TURN:
            place = int(board_place(board, self.turn_places))
        else:
            place = int(board_place(board, self.river_places))
        row, changed = place >> PERMUTATION_BITS, self.changes[place & PERMUTATION_MASK, combo]
        if street == FLOP:
            return int(self.flop[row, changed])
        return int(self.turn[row, changed] if street == TURN else self.river[row, changed])


AnyView: TypeAlias = ExactCards | SmallGameBuckets | HoldemBuckets


def make_view(
    definition: GameDefinition, abstraction: Abstraction | None, on_progress: Progress | None = None
) -> AnyView:
    """Return the view of the cards through *abstraction*, or of the cards themselves if None.

    Tables of a hold'em abstraction are made, which takes a while and up to 400 MB.
    """
    if abstraction is None:
        return ExactCards()
    if isinstance(abstraction, ExactAbstraction):
        return _small_game_buckets(definition, abstraction)
    abstraction.verify_fits(definition)
    none = np.zeros((1, NUM_COMBOS), np.uint8)
    tables = [*abstraction.tables(on_progress), none, none, none][:MAX_STREETS]
    places = [canonical_boards(size).places for size in (3, 4, 5)]
    return HoldemBuckets(*map(static, [*tables, *places, combo_under()]))


def _small_game_buckets(
    definition: GameDefinition, abstraction: ExactAbstraction
) -> SmallGameBuckets:
    deck, parts, starts = sorted(definition.deck), [], [0]
    places = np.zeros(NUM_CARDS, np.int64)
    places[deck] = np.arange(len(deck))
    for street in range(definition.num_streets):
        count = definition.num_hole_cards + definition.board_size(street)
        table = np.zeros((len(deck),) * count, np.int64)
        for cards in permutations(range(len(deck)), count):
            known = [deck[place] for place in cards]
            table[cards] = abstraction.bucket(
                street, known[: definition.num_hole_cards], known[definition.num_hole_cards :]
            )
        parts.append(table.reshape(-1))
        starts.append(starts[-1] + table.size)
    arrays = places, np.array(starts[:-1]), np.concatenate(parts)
    return SmallGameBuckets(len(deck), *map(static, arrays))
