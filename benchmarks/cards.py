"""Speed of evaluating and numbering hands, one core."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import comb

import numpy as np
from numpy.typing import NDArray

from acpcbot.cards.any_strength_kernel import any_strength
from acpcbot.cards.combos import NUM_COMBOS
from acpcbot.cards.deck import mask_of
from acpcbot.cards.isomorphism import SuitIsomorphism
from acpcbot.cards.strength import fill_board_strengths, fill_strengths, mask_strength, strength7
from acpcbot.jit import kernel
from benchmarks.figure import Figure, seconds

SEED = 1
NUM_HANDS = 4_000_000
NUM_BOARDS = 50_000
NUM_CALLS = 200_000
NUM_STRENGTHS = 7463
ALL_HANDS = comb(52, 7)

Cards = NDArray[np.uint8]


def figures() -> Iterator[Figure]:
    yield random_hands()
    yield whole_boards()
    yield all_hands()
    yield from single_calls()
    yield any_number_of_cards()
    yield from isomorphism()
    yield disagreements()


def random_hands() -> Figure:
    cards = deal(NUM_HANDS, 7)
    values = np.empty(NUM_HANDS, np.uint16)
    rate = NUM_HANDS / seconds(lambda: fill_strengths(cards, values)) / 1e6
    return Figure(name="random 7-card hands in an array", value=rate, unit="M hands/s", target=200)


def whole_boards() -> Figure:
    boards = deal(NUM_BOARDS, 5)
    values = np.empty(NUM_COMBOS, np.uint16)
    rate = NUM_BOARDS * comb(47, 2) / seconds(lambda: _fill_boards(boards, values)) / 1e6
    note = "boards are different, so nothing stays from one to the next"
    return Figure(
        name="all 1,081 hands of random boards", value=rate, unit="M hands/s", target=400, note=note
    )


def all_hands() -> Figure:
    counts = np.zeros(NUM_STRENGTHS, np.int64)
    rate = ALL_HANDS / seconds(lambda: _count_strengths(counts)) / 1e6
    return Figure(name="all 133,784,560 7-card hands in turn", value=rate, unit="M hands/s")


def single_calls() -> Iterator[Figure]:
    hands = [tuple(hand) for hand in deal(NUM_CALLS, 7).tolist()]
    masks = [mask_of(hand) for hand in hands]

    def call_with_cards(evaluate: Callable[..., int] = strength7) -> None:
        for hand in hands:
            evaluate(*hand)

    def call_with_masks(evaluate: Callable[[int], int] = mask_strength) -> None:
        for mask in masks:
            evaluate(mask)

    rate = NUM_CALLS / seconds(call_with_cards) / 1e6
    yield Figure(
        name="strength7, one hand a call from Python", value=rate, unit="M calls/s", target=4
    )
    rate = NUM_CALLS / seconds(call_with_masks) / 1e6
    yield Figure(
        name="mask_strength, one hand a call from Python", value=rate, unit="M calls/s", target=4
    )


def any_number_of_cards() -> Figure:
    cards = deal(NUM_CALLS, 10)
    time = seconds(lambda: _sum_any_strengths(cards)) / NUM_CALLS * 1e9
    name = "any_strength, 10 cards, called by a kernel"
    return Figure(name=name, value=time, unit="ns", target=60, higher_is_better=False)


def isomorphism() -> Iterator[Figure]:
    for groups in ((2, 3), (2, 5), (2, 3, 1, 1)):
        numbering = SuitIsomorphism(groups)
        cards = deal(NUM_CALLS, sum(groups))
        numbers = numbering.indices(cards)
        time_s = seconds(lambda n=numbering, c=cards: n.indices(c))  # type: ignore[misc]
        time = time_s / NUM_CALLS * 1e9
        yield Figure(
            name=f"suit isomorphism {groups}, index", value=time, unit="ns", higher_is_better=False
        )
        time_s = seconds(lambda n=numbering, i=numbers: n.unindices(i))  # type: ignore[misc]
        time = time_s / NUM_CALLS * 1e9
        yield Figure(
            name=f"suit isomorphism {groups}, unindex",
            value=time,
            unit="ns",
            higher_is_better=False,
        )


def disagreements() -> Figure:
    """Of all 7-card hands, those that the tables and the arithmetic rank otherwise."""
    arithmetic = np.full(NUM_STRENGTHS, -1, np.int64)
    wrong = _compare_with_any_strength(arithmetic)
    known = arithmetic[arithmetic >= 0]
    value = wrong if (np.diff(known) > 0).all() else ALL_HANDS
    name = "7-card hands ranked otherwise by any_strength"
    note = "of all 133,784,560; cards_all_hands asks another project's evaluator"
    return Figure(name=name, value=value, unit="hands", target=0, note=note, higher_is_better=False)


def deal(num_hands: int, num_cards: int) -> Cards:
    """Random hands, uint8 [hand, card]."""
    random = np.random.default_rng(SEED)
    cards = np.empty((num_hands, num_cards), np.uint8)
    for part in np.array_split(cards, max(1, num_hands // 100_000)):
        deck_order = random.random((len(part), 52), dtype=np.float32)
        part[:] = np.argpartition(deck_order, num_cards, axis=1)[:, :num_cards]
    return cards


@kernel
def _fill_boards(boards: Cards, values: NDArray[np.uint16]) -> None:
    for board in boards:
        fill_board_strengths(board, values)


@kernel
def _sum_any_strengths(cards: Cards) -> int:
    total = 0
    for hand in cards:
        total += any_strength(hand, len(hand))
    return total


@kernel
def _count_strengths(counts: NDArray[np.int64]) -> None:
    """Count the strengths of all 7-card hands."""
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        for f in range(e):
                            for g in range(f):
                                counts[strength7(a, b, c, d, e, f, g)] += 1


@kernel
def _compare_with_any_strength(arithmetic: NDArray[np.int64]) -> int:
    """Note the arithmetic's strength for each of ours, and return the number that differ."""
    wrong = 0
    hand = np.zeros(7, np.uint8)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        for f in range(e):
                            hand[:6] = (a, b, c, d, e, f)
                            for g in range(f):
                                hand[6] = g
                                ours, theirs = strength7(a, b, c, d, e, f, g), any_strength(hand, 7)
                                if arithmetic[ours] < 0:
                                    arithmetic[ours] = theirs
                                wrong += arithmetic[ours] != theirs
    return wrong
