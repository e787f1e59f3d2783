"""Equities of hands at decisions of a solved game: shares of the pot if nobody bets any more.

The opponent's hands are weighted by how often it gets to the decision with them, and the rest of
the board is averaged over all cards that can fall. Hands of a whole board are sorted once for all
decisions there, so that a showdown takes time linear in their number (``terminal_values.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.poker.hands import hand_strengths, hands_without
from acpcbot.subgames.block_rows import NUM_SEATS
from acpcbot.subgames.solution import Decision, Place
from acpcbot.subgames.terminal_values import fold_values, showdown_values
from acpcbot.trees.board_tree import hand_cards

MAX_BOARDS = 2000
"""Those behind a flop of hold'em are 1,176, those before it two million."""


def has_equities(place: Place) -> bool:
    """Return whether the boards that can follow *place* are few enough to try them all."""
    definition = place.betting.game.definition
    num_lacking = definition.board_size(definition.num_streets - 1) - len(place.board)
    return comb(len(definition.deck) - len(place.board), num_lacking) <= MAX_BOARDS


def hand_equities(decisions: Sequence[Decision]) -> list[Floats]:
    """Return the equities [seat, hand] at each of *decisions*, which are on one board.

    They are NaN where no hand of the opponent is compatible with one's own.
    """
    if not decisions:
        return []
    place, hands = decisions[0].place, decisions[0].hands
    definition = place.betting.game.definition
    rest = sorted(set(definition.deck) - set(place.board))
    num_lacking = definition.board_size(definition.num_streets - 1) - len(place.board)
    shape = (len(decisions), NUM_SEATS, len(hands))
    margins, weights = np.zeros(shape), np.zeros(shape)
    for cards in combinations(rest, num_lacking):
        board = (*place.board, *cards)
        free = np.flatnonzero(hands_without(definition, board)[hands])
        strengths = hand_strengths(definition, board)[hands[free]]
        order = free[np.argsort(strengths, kind="stable")]
        showdown = _Showdown(hand_cards(definition, hands[order]), np.sort(strengths))
        for number, decision in enumerate(decisions):
            for seat in range(NUM_SEATS):
                margin, weight = showdown.values(decision.reaches[1 - seat, order])
                margins[number, seat, order] += margin
                weights[number, seat, order] += weight
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(weights > 1e-12, (1 + margins / weights) / 2, np.nan)
    return list(found)


class _Showdown:
    """A whole board's hands, given by their *cards*, in the rising order of their *strengths*."""

    def __init__(self, cards: NDArray[np.uint16], strengths: NDArray[np.int64]) -> None:
        self._cards = cards
        self._ranks = np.unique(strengths, return_inverse=True)[1].astype(np.uint16)
        self._card_sums = np.empty(52 + len(cards))

    def values(self, reach: Floats) -> tuple[Floats, Floats]:
        """Return for each hand by how much more *reach* it beats than loses to, and meets."""
        margin, weight = np.empty(len(reach)), np.empty(len(reach))
        showdown_values(reach, self._cards, self._ranks, 1.0, self._card_sums, margin)
        fold_values(reach, self._cards, 1.0, self._card_sums, weight)
        return margin, weight
