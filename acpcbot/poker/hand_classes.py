"""Classes of hole cards: cells of the starting-hand chart, or ranks in games with one card.

A class is ranks from the highest down, with ``s`` or ``o`` behind two cards of different ranks.
Hands of more than two cards are told apart by their highest rank alone. A cell of the chart is
``row * NUM_RANKS + column``, ranks from 0: suited hands where the row is the higher one, offsuit
ones where the column is, pairs on the diagonal.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Ints
from acpcbot.cards.deck import NUM_RANKS, RANKS
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_masks

PAIR_SIZE = 2
NUM_CELLS = NUM_RANKS * NUM_RANKS


def has_chart(definition: GameDefinition) -> bool:
    """Return whether the game's hands fill the chart of 169 classes."""
    return (
        definition.num_hole_cards == PAIR_SIZE
        and definition.num_ranks == NUM_RANKS
        and definition.num_suits > 1
    )


def num_classes(num_hole_cards: int) -> int:
    """Return the number of classes for hands of so many cards."""
    return NUM_CELLS if num_hole_cards == PAIR_SIZE else NUM_RANKS


def class_numbers(hole_cards: NDArray[Any]) -> Ints:
    """Return the class of hands [..., card], a number for ``class_name``, [...]."""
    cards = np.sort(hole_cards.astype(np.int64), axis=-1)[..., ::-1]
    ranks, suits = cards >> 2, cards & 3
    if cards.shape[-1] != PAIR_SIZE:
        highest: Ints = ranks[..., 0]
        return highest
    high, low = ranks[..., 0], ranks[..., 1]
    numbers: Ints = np.where(
        suits[..., 0] == suits[..., 1],
        chart_cell(row=high, column=low),
        chart_cell(row=low, column=high),
    )
    return numbers


@cache
def game_classes(definition: GameDefinition) -> Ints:
    """Return the class of every hand of ``poker/hands.py``, read-only [hand].

    Only classes that occur in the game are counted, so that their numbers have no gaps.
    """
    classes = np.unique(class_numbers(all_hands(definition)), return_inverse=True)[1].astype(
        np.int64
    )
    classes.flags.writeable = False
    return classes


def sums_by_class(definition: GameDefinition, pairs: NDArray[Any]) -> Floats:
    """Return sums of *pairs* [..., hand, hand] over both hands' classes, [..., class, class]."""
    classes = game_classes(definition)
    belongs = (classes[:, None] == np.arange(classes.max() + 1)).astype(np.float64)
    sums: Floats = belongs.T @ pairs @ belongs
    return sums


@cache
def num_class_pairs(definition: GameDefinition) -> Floats:
    """Return the number of pairs of hands of two classes that share no card, [class, class].

    The array is read-only.
    """
    masks = hand_masks(definition)
    counts = sums_by_class(definition, masks[:, None] & masks == 0)
    counts.flags.writeable = False
    return counts


def chart_cell(*, row: Any, column: Any) -> Any:
    """Return the number of the class in the chart's *row* and *column*, ranks or arrays of them."""
    return row * NUM_RANKS + column


def class_name(number: int, num_hole_cards: int) -> str:
    """Return the class with this *number*.

    >>> class_name(12 * 13 + 11, 2), class_name(11 * 13 + 12, 2), class_name(0, 2)
    ('AKs', 'AKo', '22')
    >>> class_name(12, 1)
    'A'
    """
    if num_hole_cards == 1:
        return RANKS[number]
    if num_hole_cards != PAIR_SIZE:
        return f"{RANKS[number]} high"
    first, second = divmod(number, NUM_RANKS)
    kind = "" if first == second else "s" if first > second else "o"
    return f"{RANKS[max(first, second)]}{RANKS[min(first, second)]}{kind}"
