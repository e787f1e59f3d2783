"""Equities of pairs of hands: the share of run-outs won less that lost if nobody bets any more.

Equities are float32 [hand, hand], in [-1, 1]: of the first hand against the second, over all boards
that can follow the known one and hold no card of either; 0 for two hands that share a card. The
hands are those that the board leaves, rising, as in ``poker/hands.py``.

Before the flop of hold'em, where two million boards can follow, the pairs of the 169 classes are
gone through, which takes half a minute once; every pair of hands has the mean of the pairs of its
classes there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.table_cache import cached_table
from acpcbot.cards.combos import NUM_COMBOS, all_combos, combo_index
from acpcbot.cards.deck import NUM_CARDS
from acpcbot.cards.strength import Cards, board_strengths, fill_board_strengths
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hand_masks, hand_strengths, hands_without
from acpcbot.worker_threads import worker_threads

Equities = NDArray[np.float32]
Ranks = NDArray[np.int16]

MAX_RUN_OUTS = 30_000
KEPT_BOARDS = 8
ROWS_AT_ONCE = 8
NUM_CLASSES = Lossless169.num_buckets
# Before any rank, and behind any.
LOWEST, HIGHEST = -1, 32_767
_CLASS_RECIPE = b"pairs of the 169 classes over all rivers, version 1"


def can_compare(definition: GameDefinition, board: Sequence[int]) -> bool:
    """Return True if ``pair_equities`` can be computed on *board*.

    Run-outs must be few, or it is hold'em before the flop.
    """
    return _num_run_outs(definition, board, 0) <= MAX_RUN_OUTS or (
        not board and _is_holdem(definition)
    )


@lru_cache(KEPT_BOARDS)
def pair_equities(
    definition: GameDefinition, board: tuple[int, ...], num_threads: int = 1
) -> Equities:
    """Return the equities of all pairs of hands on *board*, read-only.

    Raises UsageError where there are too many run-outs.
    """
    beside = _beside(hand_masks(definition)[hands_without(definition, board)])
    if _num_run_outs(definition, board, 0) <= MAX_RUN_OUTS:
        num_each = _num_run_outs(definition, board, 2 * definition.num_hole_cards)
        differences = _differences(run_out_ranks(definition, board), num_threads)
        # A whole number of 32 bits divided by float32 is float64.
        shares = (differences / max(1, num_each)).astype(np.float32)
        equities = np.where(beside, shares, np.float32(0))
    elif can_compare(definition, board):
        classes = Lossless169().board_buckets()
        equities = np.where(beside, _class_equities()[classes[:, None], classes], np.float32(0))
    else:
        raise UsageError(
            f"{_num_run_outs(definition, board, 0):,} boards can follow, "
            f"more than {MAX_RUN_OUTS:,}",
            "begin on a later street",
        )
    equities.flags.writeable = False
    return equities


def _num_run_outs(definition: GameDefinition, board: Sequence[int], num_held: int) -> int:
    """Return the number of ways to complete *board* while *num_held* other cards are held."""
    num_free = len(definition.deck) - len(board) - num_held
    return comb(num_free, sum(definition.num_board_cards) - len(board))


def _is_holdem(definition: GameDefinition) -> bool:
    shape = (definition.num_hole_cards, len(definition.deck), sum(definition.num_board_cards))
    return shape == (2, NUM_CARDS, 5)


def _beside(masks: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which hands share no card, bool [hand, hand]."""
    beside: NDArray[np.bool_] = masks[:, None] & masks == 0
    return beside


@lru_cache(KEPT_BOARDS)
def run_out_ranks(definition: GameDefinition, board: tuple[int, ...]) -> Ranks:
    """Return the strength of every hand on every board that can follow, int16 [run-out, hand].

    LOWEST where it cannot be held. Read-only, hands as in ``pair_equities``. There are no run-outs
    where they are too many to go through.
    """
    held = hands_without(definition, board)
    if _num_run_outs(definition, board, 0) > MAX_RUN_OUTS:
        return np.empty((0, int(held.sum())), np.int16)
    ranks = np.array(
        [full_ranks(definition, full)[held] for full in _run_outs(definition, board)], np.int16
    )
    ranks.flags.writeable = False
    return ranks


def full_ranks(definition: GameDefinition, board: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the strength of every hand of ``poker/hands.py`` on a full *board*, below HIGHEST.

    LOWEST if it cannot be held.
    """
    if _is_holdem(definition):
        # Strengths are below 7,463, and 0 where a hand is blocked.
        return board_strengths(board).astype(np.int64) - 1
    strengths = np.where(
        hands_without(definition, board), hand_strengths(definition, board), LOWEST
    )
    found, ranks = np.unique(strengths, return_inverse=True)
    return ranks - int(found[0] == LOWEST)


@kernel
def fill_percentiles(ranks: Ranks, percentiles: Equities) -> None:
    """Write the share of all hands that each hand beats, ties counting half, into *percentiles*.

    *ranks* are [board, hand]; the share is 0 where the rank is LOWEST.
    """
    # Two passes over a board's ranks: a histogram, then each hand's place in its running sum.
    counts = np.zeros(ranks.max() + 1, np.int64)
    for board in range(len(ranks)):
        counts[:] = 0
        total = 0
        for rank in ranks[board]:
            if rank != LOWEST:
                counts[rank] += 1
                total += 1
        below = 0
        for rank in range(len(counts)):
            # Twice the share is whole.
            below, counts[rank] = below + counts[rank], 2 * below + counts[rank]
        for hand in range(ranks.shape[1]):
            rank = ranks[board, hand]
            percentiles[board, hand] = counts[rank] / (2 * total) if rank != LOWEST else 0.0


def _run_outs(definition: GameDefinition, board: Sequence[int]) -> Iterator[tuple[int, ...]]:
    free = [card for card in definition.deck if card not in board]
    for rest in combinations(free, sum(definition.num_board_cards) - len(board)):
        yield (*board, *rest)


def _differences(ranks: Ranks, num_threads: int) -> NDArray[np.int32]:
    """Return the run-outs that each hand wins of each other less those it loses, [hand, hand]."""
    # What cannot be held is beaten by nobody and beats nobody: in either place it gets the harmless
    # extreme.
    own = np.ascontiguousarray(ranks.T)
    others = np.ascontiguousarray(np.where(ranks == LOWEST, HIGHEST, ranks).astype(np.int16))
    wins = np.zeros((ranks.shape[1], ranks.shape[1]), np.int16)
    edges = np.linspace(0, len(wins), max(1, num_threads) + 1).astype(int)
    with worker_threads(max(1, num_threads)) as threads:
        list(
            threads.map(
                lambda part: _count_wins(own, others, part[0], part[1], wins),
                pairwise(edges.tolist()),
            )
        )
    return wins.astype(np.int32) - wins.T


@kernel
def _count_wins(own: Ranks, others: Ranks, first: int, last: int, wins: Ranks) -> None:
    """Count the run-outs in which the hands *first* to *last* of *own* beat *others*.

    *own* is [hand, run-out], *others* [run-out, hand].
    """
    for start in range(first, last, ROWS_AT_ONCE):
        # Some rows together, so that a run-out is fetched once for all of them.
        for run_out in range(len(others)):
            theirs = others[run_out]
            for hand in range(start, min(start + ROWS_AT_ONCE, last)):
                # Without a branch, int16 against int16, so that the loop can become vectors.
                mine, row = own[hand, run_out], wins[hand]
                for other in range(len(row)):
                    row[other] += np.int16(mine > theirs[other])


@cache
def _class_equities() -> Equities:
    """Return the equities of the 169 classes before the flop, [class, class]; kept on disk."""
    table = cached_table("preflop_pair_equities", _CLASS_RECIPE, _make_class_equities)
    equities: Equities = np.asarray(table, np.float32)
    return equities


def _make_class_equities() -> NDArray[np.float64]:
    """Return the equities of pairs of classes: pairs won less lost, in shares of all pairs.

    They are pairs of hands of the two classes, over all boards that leave both.
    """
    rivers, classes = canonical_boards(5), Lossless169().board_buckets().astype(np.int64)
    won, met = np.zeros((NUM_CLASSES, NUM_CLASSES)), np.zeros((NUM_CLASSES, NUM_CLASSES))
    _count_classes(
        rivers.boards.copy(), rivers.weights.copy(), classes, all_combos().copy(), won, met
    )
    return (won - won.T) / met


@kernel
def _count_classes(
    boards: Cards,
    weights: NDArray[np.int64],
    classes: NDArray[np.int64],
    combos: Cards,
    won: NDArray[np.float64],
    met: NDArray[np.float64],
) -> None:
    """Add up how often hands of each class beat those of each other, and how often they meet."""
    strengths = np.empty(NUM_COMBOS, np.uint16)
    counts = np.zeros((2, NUM_CLASSES), np.int64)
    for number in range(len(boards)):
        fill_board_strengths(boards[number], strengths)
        order = np.argsort(strengths)
        first_free = 0
        while strengths[order[first_free]] == 0:
            first_free += 1
        # Classes in place of hands: 169 counters serve 1,326 opponents.
        counts[:] = 0
        for hand in order[first_free:]:
            counts[1, classes[hand]] += 1
        first = first_free
        while first < NUM_COMBOS:
            end = first
            while end < NUM_COMBOS and strengths[order[end]] == strengths[order[first]]:
                end += 1
            for place in range(first, end):
                _count_hand(
                    order[place], weights[number], strengths, classes, combos, counts, won, met
                )
            for place in range(first, end):
                counts[0, classes[order[place]]] += 1
            first = end


@kernel
def _count_hand(
    hand: int,
    weight: int,
    strengths: NDArray[np.uint16],
    classes: NDArray[np.int64],
    combos: Cards,
    counts: NDArray[np.int64],
    won: NDArray[np.float64],
    met: NDArray[np.float64],
) -> None:
    """Count a hand on a board against all weaker ones, counts[0], and against all, counts[1].

    Those with one of its cards are taken off again.
    """
    own = classes[hand]
    for other in range(NUM_CLASSES):
        won[own, other] += weight * counts[0, other]
        met[own, other] += weight * counts[1, other]
    for place in range(2):
        card = combos[hand, place]
        for other_card in range(NUM_CARDS):
            # The hand itself is met twice here, once with each card; its second card counts in the
            # first round alone.
            if other_card != card and (place == 0 or other_card != combos[hand, 0]):
                other = combo_index(int(card), other_card)
                if strengths[other]:
                    won[own, classes[other]] -= weight * (strengths[other] < strengths[hand])
                    met[own, classes[other]] -= weight
