"""Deals of the cards that one player does not see: the others' hands, and the board to come.

Every other player has a range, a weight for each hand (``poker/hands.py``). Given the ranges, a
deal is as probable as the product of the weights of its hands, if no card is in it twice; all boards
that are left are equally probable. A small number of deals is listed whole, with their
probabilities. Otherwise deals are drawn: hands from the ranges, all of them anew where two share a
card, which leaves the right joint distribution, and then a board.

Each hand and each card of the board is a dimension of a Latin hypercube (``latin_hypercube.py``).
Hands and cards are in the order of their ranks, so that those drawn are spread evenly over ranges
and ranks. What the hand, the turn or the river by themselves do to a cost is thus nearly exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, prod

import numpy as np

from acpcbot.arrays import Bytes, Floats, Ints, Uints64
from acpcbot.errors import UsageError
from acpcbot.evaluation.decisions.latin_hypercube import latin_hypercube
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_masks

MAX_LISTED = 2000
"""Most deals that are listed instead of drawn."""
MAX_DRAWS = 1000
"""Most times that hands are drawn anew because players would share cards."""


@dataclass(frozen=True, slots=True)
class SeenCards:
    """The cards that the player in the seat *hero* sees: *hand*, by its number, and the *board*."""

    definition: GameDefinition
    hero: int
    hand: int
    board: tuple[int, ...]

    @property
    def cards(self) -> tuple[int, ...]:
        """All of them."""
        return (*map(int, all_hands(self.definition)[self.hand]), *self.board)


@dataclass(frozen=True, slots=True, eq=False)
class HiddenCards:
    """Deals with their probabilities, *weights* float64 [deal], which sum to 1.

    hands     int64 [deal, seat]: number of each seat's hand, the hero's own included
    boards    uint8 [deal, card]: all board cards of the game, known ones first
    is_whole  true if all deals are listed, false if they are drawn
    """

    definition: GameDefinition
    hero: int
    hands: Ints
    boards: Bytes
    weights: Floats
    is_whole: bool

    def drawn(self, num_deals: int, generator: np.random.Generator) -> HiddenCards:
        """Return *num_deals* of these deals, drawn with their probabilities."""
        places = _drawn_places(self.weights, num_deals, generator)
        return HiddenCards(
            self.definition,
            self.hero,
            self.hands[places],
            self.boards[places],
            np.full(num_deals, 1 / num_deals),
            is_whole=False,
        )


def hidden_cards(
    seen: SeenCards, ranges: Sequence[Floats], num_deals: int, generator: np.random.Generator
) -> HiddenCards:
    """Return all deals if they are at most MAX_LISTED, else *num_deals* drawn ones.

    *ranges* are by seat, [hand]; the hero's is not read. Raises UsageError if no deal is possible.
    """
    ranges = [_free(seen, weights) for weights in ranges]
    if _num_deals(seen, ranges) <= MAX_LISTED:
        return _listed(seen, ranges)
    return _drawn(seen, ranges, num_deals, generator)


def _free(seen: SeenCards, weights: Floats) -> Floats:
    """Return *weights* without the hands that share a card with those seen."""
    blocked = np.bitwise_or.reduce(np.uint64(1) << np.array(seen.cards, np.uint64))
    return np.where(hand_masks(seen.definition) & blocked == 0, weights, 0.0)


def _missing(seen: SeenCards) -> list[int]:
    """Return the number of cards that each later street deals."""
    definition, size = seen.definition, len(seen.board)
    sizes = [definition.board_size(street) for street in range(definition.num_streets)]
    return [
        later - max(before, size)
        for before, later in zip([0, *sizes[:-1]], sizes, strict=True)
        if later > size
    ]


def _num_deals(seen: SeenCards, ranges: Sequence[Floats]) -> int:
    """Return an upper bound of the number of deals."""
    definition = seen.definition
    others = [weights for seat, weights in enumerate(ranges) if seat != seen.hero]
    left = len(definition.deck) - len(seen.cards) - len(others) * definition.num_hole_cards
    boards = 1
    for count in _missing(seen):
        boards *= comb(left, count)
        left -= count
    return boards * prod(int(np.count_nonzero(weights)) for weights in others)


def _listed(seen: SeenCards, ranges: Sequence[Floats]) -> HiddenCards:
    definition, masks = seen.definition, hand_masks(seen.definition).tolist()
    choices = [
        [seen.hand] if seat == seen.hero else np.flatnonzero(weights).tolist()
        for seat, weights in enumerate(ranges)
    ]
    hands, boards, weights = [], [], []
    for held in product(*choices):
        taken = [masks[number] for number in held]
        if sum(taken) != int(np.bitwise_or.reduce(np.array(taken, np.uint64))):
            continue
        weight = prod(
            float(ranges[seat][number]) for seat, number in enumerate(held) if seat != seen.hero
        )
        dead = sum(taken) | sum(1 << card for card in seen.board)
        rest = [card for card in definition.deck if not dead >> card & 1]
        for board in _boards(rest, _missing(seen)):
            hands.append(held)
            boards.append((*seen.board, *board))
            weights.append(weight)
    if not hands:
        raise _impossible()
    probabilities = np.array(weights)
    return HiddenCards(
        definition,
        seen.hero,
        np.array(hands, np.int64),
        np.array(boards, np.uint8).reshape(len(boards), -1),
        probabilities / probabilities.sum(),
        is_whole=True,
    )


def _boards(rest: Sequence[int], counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the cards of all ways to deal *counts* cards of *rest*, street by street."""
    if not counts:
        yield ()
        return
    for dealt in combinations(rest, counts[0]):
        left = [card for card in rest if card not in dealt]
        for later in _boards(left, counts[1:]):
            yield (*dealt, *later)


def _drawn(
    seen: SeenCards, ranges: Sequence[Floats], num_deals: int, generator: np.random.Generator
) -> HiddenCards:
    definition, masks = seen.definition, hand_masks(seen.definition)
    hands = np.full((num_deals, len(ranges)), seen.hand, np.int64)
    taken = np.zeros(num_deals, np.uint64)
    wanted = np.arange(num_deals)
    for _ in range(MAX_DRAWS):
        held = np.zeros(len(wanted), np.uint64)
        is_apart = np.ones(len(wanted), np.bool_)
        for seat, weights in enumerate(ranges):
            if seat != seen.hero:
                hands[wanted, seat] = _drawn_places(weights, len(wanted), generator)
                own = masks[hands[wanted, seat]]
                is_apart &= held & own == 0
                held |= own
        taken[wanted] = held
        wanted = wanted[~is_apart]
        if not len(wanted):
            break
    else:
        raise _impossible()
    boards = _drawn_boards(seen, taken, generator)
    return HiddenCards(
        definition, seen.hero, hands, boards, np.full(num_deals, 1 / num_deals), is_whole=False
    )


def _drawn_places(weights: Floats, count: int, generator: np.random.Generator) -> Ints:
    """Return *count* places of *weights*, drawn in proportion to these."""
    total = np.cumsum(weights)
    if not total[-1] > 0:
        raise _impossible()
    draws = latin_hypercube(count, 1, generator)[:, 0]
    places = np.searchsorted(total, draws * total[-1], side="right")
    # A draw next to the total may be rounded to it.
    return np.asarray(np.minimum(places, np.flatnonzero(weights)[-1]), np.int64)


def _drawn_boards(seen: SeenCards, taken: Uints64, generator: np.random.Generator) -> Bytes:
    deck = np.array(sorted(seen.definition.deck), np.uint64)
    dead = taken | np.bitwise_or.reduce(np.uint64(1) << np.array(seen.cards, np.uint64))
    is_left = dead[:, None] >> deck & np.uint64(1) == 0
    everything, count = np.arange(len(taken)), sum(_missing(seen))
    drawn = np.zeros((len(taken), count), np.uint8)
    for place, draws in enumerate(latin_hypercube(len(taken), count, generator).T):
        # The number of cards that are left is the same in every deal; the draw picks one by place.
        number = is_left.cumsum(axis=1)
        picked = (number <= (draws * number[:, -1]).astype(np.int64)[:, None]).sum(axis=1)
        is_left[everything, picked] = False
        drawn[:, place] = deck[picked]
    known = np.tile(np.array(seen.board, np.uint8), (len(taken), 1))
    return np.concatenate([known, drawn], axis=1)


def _impossible() -> UsageError:
    return UsageError(
        "no cards of the other players fit the betting", "the strategy never plays like this"
    )
