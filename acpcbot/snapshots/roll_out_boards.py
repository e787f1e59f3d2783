"""The boards of roll-outs: some of those that can follow, or all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, prod
from typing import TypeVar

from acpcbot.poker.definition import GameDefinition
from acpcbot.rng import Stream

Board = tuple[int, ...]
Thing = TypeVar("Thing")


def draw_boards(definition: GameDefinition, board: Sequence[int], num_boards: int, stream: Stream) -> list[Board]:
    """*num_boards* full boards that can follow *board*, none twice; all of them if they are fewer.

    Cards are in the order of their streets. Each board is as likely as any. Where a single card falls on
    each of two streets to come, every card falls equally often on either, but for one; where more are
    to come, what falls on the next street comes in turns.
    """
    sizes = _street_sizes(definition, len(board))
    free = [card for card in definition.deck if card not in board]
    if _count(len(free), sizes) <= num_boards:
        return [(*board, *rest) for rest in _all_boards(free, sizes)]
    if sizes == [1, 1]:
        return [(*board, *pair) for pair in _pairs(shuffled(free, stream), num_boards, stream)]
    nexts = list(combinations(free, sizes[0]))
    drawn: dict[Board, None] = {}
    while len(drawn) < num_boards:
        nexts = shuffled(nexts, stream)
        for following in nexts[: num_boards - len(drawn)]:
            full = _completed((*board, *following), definition, stream)
            while full in drawn:
                full = _completed((*board, *following), definition, stream)
            drawn[full] = None
    return list(drawn)


def _pairs(cards: Sequence[int], count: int, stream: Stream) -> list[tuple[int, int]]:
    """So many ordered pairs of *cards*: each card with the one that is some places behind it, in a circle."""
    distances = shuffled(range(1, len(cards)), stream)
    return [
        (card, cards[(place + distance) % len(cards)])
        for distance in distances[: -(-count // len(cards))]
        for place, card in enumerate(cards)
    ][:count]


def shuffled(things: Sequence[Thing], stream: Stream) -> list[Thing]:
    """*things* in a random order."""
    order = list(things)
    for place in range(len(order) - 1, 0, -1):
        other = stream.below(place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def _street_sizes(definition: GameDefinition, num_known: int) -> list[int]:
    """How many cards fall on each of the streets to come."""
    street = next(number for number in range(definition.num_streets) if definition.board_size(number) == num_known)
    return list(definition.num_board_cards[street + 1 :])


def _count(num_free: int, sizes: Sequence[int]) -> int:
    """How many boards there are, told apart by what falls on which street."""
    gone = [sum(sizes[:street]) for street in range(len(sizes))]
    return prod(comb(num_free - before, size) for before, size in zip(gone, sizes, strict=True))


def _all_boards(free: Sequence[int], sizes: Sequence[int]) -> list[Board]:
    """All ways for cards to fall, in the order of the streets."""
    boards: list[Board] = [()]
    for size in sizes:
        boards = [
            (*board, *cards) for board in boards for cards in combinations([c for c in free if c not in board], size)
        ]
    return boards


def _completed(board: Board, definition: GameDefinition, stream: Stream) -> Board:
    """*board* and random cards to the end."""
    while len(board) < sum(definition.num_board_cards):
        card = definition.deck[stream.below(len(definition.deck))]
        if card not in board:
            board = (*board, card)
    return board
