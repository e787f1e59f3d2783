"""Warm starts: a solver of a later subgame takes over what an earlier solution has learnt there.

Regrets and strategy sums are copied, for the betting and the boards that both games have. They are
in the same units: counterfactual values in chips, weighted with the reach of the opponent. So the
ranges have to be those with which the earlier solution arrives, ``ranges_at``, and the bets those
of its menu. What this gains is in docs/methods/range_solver.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.poker.hands import all_hands, hand_numbers
from acpcbot.subgames.block_rows import NUM_SEATS
from acpcbot.subgames.game import RangeGame
from acpcbot.subgames.solution import BoardFinder, Place, block_of, find_board
from acpcbot.subgames.solver import RangeCFR
from acpcbot.trees.betting_tree import NODE_STREET, BettingTree

MOST_COUNTED = 20
"""Iterations of the earlier solution that discounts count. With one its regrets are soon lost."""


def ranges_at(last: RangeCFR, place: Place) -> Floats:
    """Return the ranges with which *last*'s average strategy enters the street of *place*.

    They are [seat, hand of ``poker/hands.py``], and not normalised.
    """
    definition = last.game.definition
    board, change = find_board(last.game, place.board)
    reaches, _ = last.block_values(board, block_of(last.game, place.node))
    held = all_hands(definition)[last.game.boards.arrays.hands[last.game.boards.rows(board)]]
    ranges = np.zeros((NUM_SEATS, len(all_hands(definition))))
    ranges[:, hand_numbers(definition, np.argsort(change)[held])] = reaches[:, 0]
    return ranges


def start_from(solver: RangeCFR, last: RangeCFR, place: Place) -> None:
    """Give *solver*, whose game begins at *place* of *last*'s game, what *last* has learnt there.

    The place is the first decision of a street. The game has the ranges of ``ranges_at``. Raises
    UsageError where the bets or the boards of the games differ, or where one of the solvers is in
    16 bits and the other is not.
    """
    game = solver.game
    if solver.arrays.keys() != last.arrays.keys():
        raise UsageError("one solver is in 16 bits, the other is not", "make them of one kind")
    slots = _same_slots(game.tree, last.game.tree, block_of(last.game, place.node))
    finder = BoardFinder(last.game)
    for board in range(len(game.boards.boards)):
        number, hands = _same_hands(game, board, last.game, finder)
        rows = slots[game.boards.street_of(board)]
        _copy_board(solver, board, last, number, rows[rows >= 0], hands)
    solver.num_iterations = min(last.num_iterations, MOST_COUNTED)


def _same_slots(own: BettingTree, last: BettingTree, root: int) -> Ints:
    """Return *last*'s slot for each slot of *own*, which begins with *last*'s node *root*.

    They are [street, slot], and -1 behind the slots of a street. Raises UsageError where actions
    differ.
    """
    slots = np.full((len(own.row_widths), int(own.row_widths.max())), -1)
    waiting = [(0, root)]
    while waiting:
        node, other = waiting.pop()
        children, others = own.children(node), last.children(other)
        if children.keys() != others.keys():
            raise UsageError("the games have other bets", "make both with the same menu")
        first, count = own.first_slot(node), len(children)
        slots[own.nodes[node, NODE_STREET], first : first + count] = last.first_slot(
            other
        ) + np.arange(count)
        waiting += [(child, others[action]) for action, child in children.items() if child >= 0]
    return slots


def _same_hands(
    own: RangeGame, board: int, last: RangeGame, finder: BoardFinder
) -> tuple[int, Ints]:
    """Return *last*'s board for a *board* of *own*, and the place there of each hand, [hand]."""
    definition = own.definition
    number, change = finder.find(own.boards.boards[board])
    places = np.zeros(len(all_hands(definition)), np.int64)
    hands = last.boards.arrays.hands[last.boards.rows(number)]
    places[hands] = np.arange(len(hands))
    held = all_hands(definition)[own.boards.arrays.hands[own.boards.rows(board)]]
    return number, places[hand_numbers(definition, change[held])]


def _copy_board(
    solver: RangeCFR, board: int, last: RangeCFR, number: int, slots: Ints, hands: Ints
) -> None:
    """Copy the cells of *last*'s board *number*, its *slots* and *hands*, to *solver*'s *board*."""
    own, learnt = solver.arrays, last.arrays
    for name in ("regrets", "strategies"):
        cells = _board_cells(last, name, number)[slots]
        _board_cells(solver, name, board)[:] = cells[:, hands]
    for name in own.keys() & {"regret_scales", "strategy_scales"}:
        first = int(own["first_scales"][board])
        scales = learnt[name][learnt["first_scales"][number] + slots]
        own[name][first : first + len(slots)] = scales


def _board_cells(solver: RangeCFR, name: str, board: int) -> NDArray[Any]:
    """Return a view of the cells of a board, [slot, hand]; *name* is that of their array."""
    game, arrays = solver.game, solver.arrays
    rows, width = game.boards.rows(board), int(game.tree.row_widths[game.boards.street_of(board)])
    first, num_hands = int(arrays["starts"][board]), rows.stop - rows.start
    return arrays[name][first : first + width * num_hands].reshape(width, num_hands)
