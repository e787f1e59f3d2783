"""Cards as small numbers, their text, and sets of them as bit masks.

A card is ``4 * rank + suit``, in 0..51: rank 0..12 for 2 to A, suit 0..3 for clubs,
diamonds, hearts and spades. A mask is a 52-bit number whose bit number is the card.
Text that names no card, or one card twice, raises ``BadCards``.
"""

from __future__ import annotations

from collections.abc import Iterable

from acpcbot.errors import BadCards

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NUM_RANKS = len(RANKS)
NUM_SUITS = len(SUITS)
NUM_CARDS = NUM_RANKS * NUM_SUITS

_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARD_OF_NAME = {
    spelling: card
    for card, name in enumerate(_NAMES)
    for spelling in (name, name.upper(), name.lower(), name[0].lower() + name[1].upper())
}


def parse_card(text: str) -> int:
    """Return the card that *text* names, in either case.

    >>> parse_card("2c"), parse_card("aS")
    (0, 51)
    """
    try:
        return _CARD_OF_NAME[text]
    except KeyError:
        raise BadCards(text, "not a card") from None


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the different cards of *text*, which names them without anything between.

    >>> parse_cards("AsKd2c")
    (51, 45, 0)
    """
    try:
        cards = tuple([_CARD_OF_NAME[text[start : start + 2]] for start in range(0, len(text), 2)])
    except KeyError:
        raise BadCards(text, "not a list of cards") from None
    if len(set(cards)) < len(cards):
        raise BadCards(text, "a card occurs twice")
    return cards


def format_card(card: int) -> str:
    """Return the name of *card*: rank in upper case, suit in lower case."""
    return _NAMES[card]


def format_cards(cards: Iterable[int]) -> str:
    """Return the names of *cards*, in their order, with nothing between."""
    return "".join([_NAMES[card] for card in cards])


def mask_of(cards: Iterable[int]) -> int:
    """Return the set of *cards* as a mask.

    >>> bin(mask_of([0, 3]))
    '0b1001'
    """
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> tuple[int, ...]:
    """Return the cards in *mask*, lowest first."""
    return tuple([card for card in range(NUM_CARDS) if mask >> card & 1])


def deck_cards(num_suits: int, num_ranks: int, *, lowest: bool = False) -> tuple[int, ...]:
    """Return a deck of *num_suits* suits and *num_ranks* ranks, in the official dealer's order.

    It goes suit by suit (c, d, h, s), each from its lowest rank up. A small deck has the
    highest suits and ranks, or with *lowest* the lowest ones.

    >>> format_cards(deck_cards(2, 3))
    'QhKhAhQsKsAs'
    """
    first_suit = 0 if lowest else NUM_SUITS - num_suits
    first_rank = 0 if lowest else NUM_RANKS - num_ranks
    suits = range(first_suit, first_suit + num_suits)
    ranks = range(first_rank, first_rank + num_ranks)
    return tuple([4 * rank + suit for suit in suits for rank in ranks])
