"""A strategy put together of what was solved piece by piece, so that the whole can be measured exactly.

Whole strategies are ``Play``s with a row for every hand on every board, as ``told_play`` makes
them; pieces are solvers of what is left of the game from some state on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.cards.deck import NUM_CARDS
from acpcbot.evaluation.known_mind import Play
from acpcbot.evaluation.range_response import playing
from acpcbot.poker.betting import BettingState
from acpcbot.solvers.range_cfr import RangeCFR
from acpcbot.solvers.range_game import RangeGame
from acpcbot.solvers.range_mind import make_scratch
from acpcbot.solvers.range_sweeps import average_orbits, open_part, sweep_boards
from acpcbot.trees.betting_record import NUM_ACTIONS, SEAT, SLOT, STREET


def state_node(game: RangeGame, betting: BettingState) -> int:
    """The node of *game* after *betting*, which begins with that of its root."""
    node = 0
    for before, action in betting.decisions():
        if len(before.text) >= len(game.tree.root.text):
            node = game.tree.children(node)[action]
    return node


def put_solution(whole: RangeGame, play: Play, solver: RangeCFR, seats: Sequence[int]) -> None:
    """Write into *play* what the *seats* do in the *solver*'s part of the *whole* game."""
    part = solver.game
    numbers = {frozenset(cards): number for number, cards in enumerate(whole.boards.boards)}
    pairs = list(_same_nodes(whole, part, state_node(whole, part.tree.root)))
    for board, cards in enumerate(part.boards.boards):
        strategy, street = solver.average_strategy(board), part.boards.street_of(board)
        rows = _whole_rows(whole, numbers[frozenset(cards)])[part.boards.arrays.hands[part.boards.rows(board)]]
        first = play.row_starts[street] + play.rows[rows] * play.row_widths[street]
        for node, own in pairs:
            record = part.tree.nodes[own]
            if record[STREET] == street and record[SEAT] in seats:
                slots = np.arange(record[NUM_ACTIONS])
                found = strategy[record[SLOT] + slots].T
                play.policy[first[:, None] + whole.tree.nodes[node, SLOT] + slots] = found


def copy_play(play: Play) -> Play:
    """A play of its own, to be written into."""
    return play._replace(policy=play.policy.copy())


def held_together(game: RangeGame) -> Floats:
    """Which hands of the root's board share no card, 1 or 0, [hand, hand]."""
    cards = game.boards.arrays.cards[game.boards.rows(0)]
    real = np.where(cards < NUM_CARDS, cards, NUM_CARDS)
    holds = (real[:, :, None] == np.arange(NUM_CARDS)).any(axis=1).astype(np.float64)
    beside: Floats = (holds @ holds.T == 0).astype(np.float64)
    return beside


def pair_values(game: RangeGame, own: Play, continuations: Sequence[Play], chooser: int) -> Floats:
    """What the other seat wins beyond the root's street by *own*, if the *chooser* plays on by each continuation.

    Chips, [part, continuation, hand of the other, hand of the chooser], as ``PairValues``
    wants them. Every hand of the chooser is gone through by itself, so that games should be small;
    where suits are alike hands that differ in suits only are gone through together, and a pair's
    value is the mean over them.
    """
    boards, betting, num_hands = game.boards.arrays, game.betting, game.ranges.shape[1]
    num_parts = int(betting.first_parts[1] - betting.first_parts[0])
    values = np.zeros((num_parts, len(continuations), num_hands, num_hands))
    scratch = make_scratch(game, np.float64)
    children = (int(boards.first_child[0]), int(boards.first_child[1]))
    orbits = boards.orbits[game.boards.rows(0)]
    for choice, continuation in enumerate(continuations):
        question = playing(1 - chooser, own, continuation)
        for orbit in np.unique(orbits).tolist():
            above = np.ones((num_parts, 2, num_hands))
            above[:, chooser] = (orbits == orbit) / np.count_nonzero(orbits == orbit)
            found = np.zeros((num_parts, num_hands))
            sweep_boards(betting, boards, question, scratch, children, above, found)
            average_orbits(boards, 0, found)
            values[:, choice, :, orbits == orbit] = found
    return values


def street_reaches(game: RangeGame, plays: tuple[Play, Play]) -> Floats:
    """How both get to what follows the root's street, float64 [part, seat, hand]."""
    num_parts = int(game.betting.first_parts[1] - game.betting.first_parts[0])
    above = np.empty((num_parts, *game.ranges.shape))
    question = playing(0, *plays)
    scratch = make_scratch(game, np.float64)
    open_part(game.betting, game.boards.arrays, question, scratch, 0, 0, game.ranges, above)
    return above


def _same_nodes(whole: RangeGame, part: RangeGame, first: int) -> Iterator[tuple[int, int]]:
    """The nodes of *part* with those of *whole*, where it begins with node *first*."""
    waiting = [(first, 0)]
    while waiting:
        node, own = waiting.pop()
        yield node, own
        for child, own_child in zip(whole.tree.children(node).values(), part.tree.children(own).values(), strict=True):
            if own_child >= 0:
                waiting.append((child, own_child))


def _whole_rows(whole: RangeGame, board: int) -> NDArray[np.int64]:
    """The row of every hand of ``poker/hands.py`` on *board*."""
    rows = whole.boards.rows(board)
    found = np.full(int(whole.boards.arrays.hands.max()) + 1, -1)
    found[whole.boards.arrays.hands[rows]] = np.arange(rows.start, rows.stop)
    return found
