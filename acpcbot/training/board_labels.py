"""Labels of a network at chance states: one board is drawn and solved to the end of the hand.

The network's output for a hand is what the hand wins beyond being checked down, in pots, given that
the other seat holds a hand beside it (``subgames/chance_encoding.py``); over boards that is an
expectation. A label has it on one board, times the constant that card removal asks for, for the
hands that the board leaves. A class has the mean over its hands that are left, with their share of
the class as the weight of its squared error. Where boards are drawn with their probabilities, the
output with the least expected squared error is then the true expectation.

Two control variates take away most of what one board differs from another, so that few labels go
as far as many. One is the showdown on the board, whose expectation is known. The other is the mean
of earlier labels of the same board behind the same betting, whatever their ranges were
(``BoardMemory``): known before the board is drawn, it has no effect on the expectation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Floats, Floats32
from acpcbot.poker.hands import hands_without
from acpcbot.subgames.chance_encoding import NUM_SEATS, ChanceEncoding
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solver import RangeCFR
from acpcbot.subgames.terminal_values import showdown_values
from acpcbot.trees.board_tree import first_boards

MIN_BELIEF = 1e-6
"""Least reach of a hand as a share of the largest: a hand that never comes learns to play, too."""

LEAST_STEP = 0.3
"""Weight of the newest label in what is known of a board."""


class BoardLabel(NamedTuple):
    """Targets of a query and their weights, both float32 [seat, class]."""

    values: Floats32
    weights: Floats32


class BoardSolver:
    """Solves boards for *encoding* by *num_iterations* of CFR each, and makes labels of them."""

    def __init__(self, encoding: ChanceEncoding, num_iterations: int) -> None:
        self.encoding, self.num_iterations = encoding, num_iterations
        drawn = first_boards(encoding.definition)
        self.boards = [board for board, _ in drawn]
        weights = np.array([weight for _, weight in drawn])
        self.probabilities = weights / weights.sum()
        """float64 [board]"""
        self._ends = np.cumsum(self.probabilities)
        shares = np.stack([_shares_left(encoding, board) for board in self.boards])
        # Weights are probabilities given two hands. Those of all boards that leave one hand add up
        # to more than one, for the boards that hold a card of the other hand are among them.
        left = weights[:, None] * shares
        self._scale = float(left[:, 0].sum())
        self.shares = left / left.sum(axis=0)
        """float64 [board, class]: the probability of a board given a hand of a class alone."""

    def board_at(self, share: float) -> int:
        """Return the number of the board at *share* of all probability, from 0 to below 1."""
        place = int(np.searchsorted(self._ends, share, side="right"))
        return min(place, len(self.boards) - 1)

    def label(self, pot: int, sums: Floats, board_number: int) -> BoardLabel:
        """Return the label of the root *pot* with reaches *sums* [seat, class] on a board."""
        encoding, board = self.encoding, self.boards[board_number]
        beliefs = floored(sums / encoding.sizes)
        ranges = beliefs[:, encoding.classes]
        game = make_range_game(encoding.roots[pot], board, ranges=ranges, suits_alike=False)
        solver = RangeCFR(game)
        solver.step(self.num_iterations)
        values = solver.block_values(0, 0)[1][:, 0].astype(np.float64)
        beyond = values - checked_down(game)
        held = encoding.classes[game.boards.arrays.hands[game.boards.rows(0)]]
        counts = np.bincount(held, minlength=encoding.num_classes)
        own_sums = np.stack([np.bincount(held, own, encoding.num_classes) for own in beyond])
        means = own_sums / np.maximum(counts, 1)
        masses = encoding.masses((beliefs * encoding.sizes)[::-1])
        units = NUM_SEATS * encoding.roots[pot].max_spent * masses
        targets = self._scale * means / units
        weights = np.broadcast_to(counts / encoding.sizes, targets.shape)
        return BoardLabel(targets.astype(np.float32), weights.astype(np.float32))


class BoardMemory:
    """Means of the last labels of each board by *num_parts* bettings: a control variate.

    A board that has none yet counts as zeros.
    """

    def __init__(self, solver: BoardSolver, num_parts: int) -> None:
        encoding = solver.encoding
        shape = num_parts, len(solver.boards), NUM_SEATS, encoding.num_classes
        self._shares = solver.shares
        self.known = np.zeros(shape, np.float32)
        self.counts = np.zeros(shape[:2], np.int64)
        self.means = np.zeros((shape[0], *shape[2:]))

    def corrected(self, part: int, board_number: int, label: BoardLabel) -> BoardLabel:
        """Return *label* with what is known of its board exchanged for the mean over boards.

        After that the label becomes a part of what is known.
        """
        known = self.known[part, board_number].astype(np.float64)
        values = label.values - known + self.means[part]
        self.counts[part, board_number] += 1
        # The first labels count alike; later ones push old ones out, as ranges move.
        step = (label.values - known) * max(1 / self.counts[part, board_number], LEAST_STEP)
        self.means[part] += self._shares[board_number] * step
        self.known[part, board_number] = known + step
        return label._replace(values=values.astype(np.float32))


def _shares_left(encoding: ChanceEncoding, board: tuple[int, ...]) -> Floats:
    """Return the share of each class that *board* leaves, [class]."""
    free = hands_without(encoding.definition, board)
    shares: Floats = np.bincount(encoding.classes, free, encoding.num_classes) / encoding.sizes
    return shares


def floored(beliefs: Floats) -> Floats:
    """Return *beliefs* [seat, row] scaled to a largest of 1, none below MIN_BELIEF.

    A seat without any gets ones.
    """
    most = beliefs.max(axis=1, keepdims=True)
    scaled = np.divide(beliefs, most, out=np.ones_like(beliefs), where=most > 0)
    found: Floats = np.maximum(scaled, MIN_BELIEF)
    return found


def checked_down(game: RangeGame) -> Floats:
    """Return the values of a showdown at the root of *game*, whose board is full, [seat, hand]."""
    rows = game.boards.rows(0)
    cards, ranks = game.boards.arrays.cards[rows], game.boards.arrays.ranks[rows]
    values, chips = np.empty_like(game.ranges), float(min(game.tree.root.spent))
    scratch = np.empty(52 + game.ranges.shape[1])
    for seat in range(NUM_SEATS):
        showdown_values(game.ranges[1 - seat], cards, ranks, chips, scratch, values[seat])
    return values
