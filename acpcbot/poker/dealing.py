"""Dealing: the cards of every hand of a match from a seed, as the official dealer draws them.

Each hand starts from a fresh deck in the definition's order. A card is drawn at
the place *output mod cards left* and the last card left moves into its place.
Hole cards come seat by seat, then the whole board; every hand draws all of its
cards, so hand *k* can be dealt by passing over those before it.

Source: the ACPC server, release 1.0.42.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import mod

from acpcbot.poker.definition import GameDefinition
from acpcbot.rng import DealerNumbers


@dataclass(frozen=True, slots=True)
class Deal:
    """All cards of one hand: *hole_cards* by seat, *board* to the last street."""

    hole_cards: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]


class Dealing:
    """The deals of a match in order; the same seed and game give the same cards."""

    def __init__(self, definition: GameDefinition, seed: int) -> None:
        self.definition = definition
        self._numbers = DealerNumbers(seed)
        self._deck = definition.deck
        self._num_cards = definition.cards_per_hand
        size = definition.num_hole_cards
        held = definition.num_players * size
        self._hands = [slice(start, start + size) for start in range(0, held, size)]
        self._board = slice(held, self._num_cards)
        sizes = range(len(self._deck), len(self._deck) - self._num_cards, -1)
        self._sizes, self._lasts = tuple(sizes), tuple([size - 1 for size in sizes])

    def next_deal(self) -> Deal:
        """Return the cards of the next hand."""
        cards = self._draw()
        return Deal(tuple([tuple(cards[hand]) for hand in self._hands]), tuple(cards[self._board]))

    def _draw(self) -> list[int]:
        deck, cards = list(self._deck), []
        places = map(mod, self._numbers.take(self._num_cards), self._sizes)
        for place, last in zip(places, self._lasts, strict=True):
            cards.append(deck[place])
            deck[place] = deck[last]
        return cards

    def skip(self, num_hands: int) -> None:
        """Pass over the cards of the next *num_hands* hands."""
        self._numbers.skip(num_hands * self._num_cards)
