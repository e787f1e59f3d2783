"""Where a hand stands among all hands that an opponent may hold.

Two hole cards are ranked as combos: on three to five board cards by their strength,
before any board card by Chen's points. Everything else (one or three hole cards, odd
boards) is ranked by the strength of the cards in view, hand by hand; where there are
very many hands, an even selection of them stands for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from math import comb

from acpcbot.agents.chen import chen_points
from acpcbot.cards.any_strength import strength
from acpcbot.cards.beaten_hands import standing
from acpcbot.poker.definition import GameDefinition

MAX_COUNTED_HANDS = 300


def hand_percentile(definition: GameDefinition, own_cards: Sequence[int], board: Sequence[int]) -> float:
    """The share of the opponent's possible hands that *own_cards* beat on *board* as it lies; ties count half."""
    if definition.num_hole_cards == 2 and _suits_combos(definition, len(board)):
        return _combo_percentile(definition, own_cards, board)
    return _counted_percentile(definition, own_cards, board)


def _suits_combos(definition: GameDefinition, board_size: int) -> bool:
    return 3 <= board_size <= 5 or (board_size == 0 and any(definition.num_board_cards))


def _combo_percentile(definition: GameDefinition, own_cards: Sequence[int], board: Sequence[int]) -> float:
    if board:
        return standing(own_cards, board, definition.deck).share
    high, low = max(own_cards), min(own_cards)
    return _first_percentile(definition.deck, high >> 2, low >> 2, is_suited=high & 3 == low & 3)


@cache
def _first_percentile(deck: tuple[int, ...], high: int, low: int, *, is_suited: bool) -> float:
    """The percentile by Chen's points of two cards of these ranks; a deck has the same ranks in each of its suits."""
    suit = deck[0] & 3
    own = (4 * high + suit, 4 * low + (suit if is_suited else deck[-1] & 3))
    points = chen_points(*own)
    rivals = [chen_points(*held) for held in combinations([card for card in deck if card not in own], 2)]
    beaten, tied = sum([rival < points for rival in rivals]), rivals.count(points)
    return (beaten + tied / 2) / len(rivals)


def _counted_percentile(definition: GameDefinition, own_cards: Sequence[int], board: Sequence[int]) -> float:
    unseen = [card for card in definition.deck if card not in own_cards and card not in board]
    rivals = [strength((*held, *board)) for held in _spread(unseen, definition.num_hole_cards)]
    own = strength((*own_cards, *board))
    points = sum([(rival < own) + (rival <= own) for rival in rivals])
    return points / (2 * len(rivals))


def _spread(cards: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Hands of *size* of the *cards*: all of them, or every n-th if there are too many."""
    step = -(-comb(len(cards), size) // MAX_COUNTED_HANDS)
    return islice(combinations(cards, size), 0, None, step)
