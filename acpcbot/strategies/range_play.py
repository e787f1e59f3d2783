"""Tabulating strategies of a ``RangeGame``: tables with a row for each bucket or hand.

Stored strategies are tabulated a whole street at a time, by bucket. Any other ``PublicStrategy`` is
queried at every decision on every board, so games should be small. ``PlayStrategy`` is the way
back, from a ``TabularStrategy`` to a ``PublicStrategy``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from acpcbot.subgames.best_response import TabularStrategy
from acpcbot.subgames.game import RangeGame
from acpcbot.trees.bet_menu import BetMenu
from acpcbot.trees.betting_tree import NODE_NUM_ACTIONS, NODE_SLOT
from acpcbot.trees.infosets import InfosetLayout

if TYPE_CHECKING:
    from acpcbot.subgames.solver import RangeCFR

FindBuckets = Callable[[int, Sequence[int]], NDArray[Any]]
"""From a street and a board to the buckets of all hands of ``poker/hands.py``, [hand]."""


def tabulate_stored(game: RangeGame, strategy: SnapshotStrategy) -> TabularStrategy:
    """Return a stored strategy as a table.

    Rows are its buckets if its tree has exactly the bets and stacks of *game*, else hands on
    boards, queried everywhere.
    """
    menu = strategy.snapshot.menu
    if menu is None:
        return tabulate_snapshot(game, strategy)
    try:
        strategy.snapshot.place(game.tree.root)
    except UsageError:
        return tabulate_strategy(game, strategy)
    asked = game.tree.menu
    is_own = (
        game.definition == strategy.definition
        and isinstance(asked, BetMenu)
        and asked.for_streets(game.definition.num_streets) == menu
    )
    return tabulate_snapshot(game, strategy) if is_own else tabulate_strategy(game, strategy)


class TreeDecision(NamedTuple):
    """Legal actions at a decision of a betting tree."""

    actions: tuple[Action, ...]


class PlayStrategy:
    """A *play* with a row for every hand on every board, as a ``PublicStrategy``."""

    def __init__(self, game: RangeGame, play: TabularStrategy) -> None:
        self.game, self._play = game, play
        self._nodes = {betting.text: node for node, betting in node_states(game)}
        self._boards = {frozenset(cards): board for board, cards in enumerate(game.boards.boards)}

    def has(self, betting: BettingState) -> bool:
        """Return True if its tree has *betting*."""
        return betting.text in self._nodes

    def place(self, betting: BettingState) -> TreeDecision:
        """Return the decision after *betting*; raises UsageError where there is none."""
        if not self.has(betting):
            raise UsageError(
                f"after {betting.text!r} there is no decision in the tree", "choose other bets"
            )
        return TreeDecision(tuple(self.game.tree.children(self._nodes[betting.text])))

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the probabilities of the actor after *betting* with every hand."""
        node, rows = (
            self._nodes[betting.text],
            self.game.boards.rows(self._boards[frozenset(board)]),
        )
        play, record = self._play, self.game.tree.nodes[node]
        first = (
            play.row_starts[betting.street]
            + play.rows[rows] * play.row_widths[betting.street]
            + record[NODE_SLOT]
        )
        table = np.zeros((len(all_hands(self.game.definition)), int(record[NODE_NUM_ACTIONS])))
        table[self.game.boards.arrays.hands[rows]] = play.policy[
            first[:, None] + np.arange(record[NODE_NUM_ACTIONS])
        ]
        return ActionTable(tuple(self.game.tree.children(node)), table)


def tabulate_snapshot(game: RangeGame, strategy: SnapshotStrategy) -> TabularStrategy:
    """Return a stored strategy whose tree has all bets of *game*; rows are its buckets."""
    snapshot = strategy.snapshot
    widths = np.array(game.tree.row_widths)
    sizes = widths * np.array(snapshot.abstraction.num_buckets, np.int64)
    starts = np.cumsum(sizes) - sizes
    policy = np.zeros(int(sizes.sum()))
    for node, betting in node_states(game):
        place = snapshot.place(betting)
        buckets = np.arange(snapshot.abstraction.num_buckets[place.street])
        first = (
            starts[place.street] + buckets * widths[place.street] + game.tree.nodes[node, NODE_SLOT]
        )
        played = snapshot.probabilities(place, buckets, strategy.settings)
        policy[first[:, None] + np.arange(len(place.actions))] = played
    return TabularStrategy(policy, starts, widths, _rows(game, strategy.buckets))


def tabulate_policy(
    game: RangeGame, layout: InfosetLayout, policy: Floats, buckets: FindBuckets
) -> TabularStrategy:
    """Return a *policy* [slot] on the betting tree of *game*; rows are its *buckets*."""
    return TabularStrategy(policy, layout.row_starts, layout.row_widths, _rows(game, buckets))


def tabulate_solution(solver: RangeCFR) -> TabularStrategy:
    """Return the average strategy of a solver; rows are hands on boards."""
    game = solver.game
    play = _hand_rows(game)
    for board in range(len(game.boards.boards)):
        street, own = game.boards.street_of(board), game.boards.rows(board)
        first = play.row_starts[street] + play.rows[own] * play.row_widths[street]
        places = first[:, None] + np.arange(play.row_widths[street])
        play.policy[places] = solver.average_strategy(board).T
    return play


def tabulate_cardless(game: RangeGame, strategy: PublicStrategy) -> TabularStrategy:
    """Return a strategy that ignores its cards, with one row for all hands."""
    widths = np.array(game.tree.row_widths)
    play = TabularStrategy(
        np.zeros(int(widths.sum())),
        np.cumsum(widths) - widths,
        widths,
        np.zeros(_num_rows(game), np.int64),
    )
    for node, betting in node_states(game):
        board = game.boards.street_boards(betting.street)[0]
        _tabulate_decision(game, strategy, node, betting, board, play)
    return play


def tabulate_strategy(
    game: RangeGame,
    strategy: PublicStrategy,
    is_asked: Callable[[BettingState], bool] = lambda _: True,
    elsewhere: TabularStrategy | None = None,
) -> TabularStrategy:
    """Return a strategy queried at every node and on every board; rows are hands on boards.

    Nodes for which *is_asked* is false have the probabilities of *elsewhere*, a strategy with the
    same rows, or 0.
    """
    play = _hand_rows(game)
    if elsewhere is not None:
        play.policy[:] = elsewhere.policy
    for node, betting in node_states(game):
        if not is_asked(betting):
            continue
        for board in game.boards.street_boards(betting.street):
            _tabulate_decision(game, strategy, node, betting, board, play)
    return play


def _hand_rows(game: RangeGame) -> TabularStrategy:
    """Return an empty table with a row for every hand on every board."""
    boards, widths = game.boards, np.array(game.tree.row_widths)
    first_rows = boards.arrays.first_row[list(boards.first_boards)]
    sizes = np.zeros(len(widths), np.int64)
    sizes[boards.street :] = np.diff(first_rows) * widths[boards.street :]
    rows = np.arange(_num_rows(game)) - np.repeat(first_rows[:-1], np.diff(first_rows))
    return TabularStrategy(np.zeros(int(sizes.sum())), np.cumsum(sizes) - sizes, widths, rows)


def node_states(game: RangeGame) -> Iterator[tuple[int, BettingState]]:
    """Yield all nodes of the betting tree with their states."""
    waiting = [(0, game.tree.root)]
    while waiting:
        node, betting = waiting.pop()
        yield node, betting
        for action, child in game.tree.children(node).items():
            if child >= 0:
                waiting.append((child, betting.apply(action)))


def state_range(
    strategy: PublicStrategy, betting: BettingState, board: Sequence[int], seat: int
) -> Floats:
    """Return the reach of *betting* by the actions of *seat* with each hand, [hand]."""
    definition = betting.game.definition
    reach = np.ones(len(all_hands(definition)))
    for before, action in betting.decisions():
        if before.actor == seat:
            table = strategy.table(before, board[: definition.board_size(before.street)])
            reach *= (
                table.probabilities[:, table.actions.index(action)]
                if action in table.actions
                else 0.0
            )
    return reach


def _tabulate_decision(
    game: RangeGame,
    strategy: PublicStrategy,
    node: int,
    betting: BettingState,
    board: int,
    play: TabularStrategy,
) -> None:
    table = strategy.table(betting, game.boards.boards[board])
    own, street = game.boards.rows(board), betting.street
    places = {action: place for place, action in enumerate(game.tree.children(node))}
    first = (
        play.row_starts[street]
        + play.rows[own] * play.row_widths[street]
        + game.tree.nodes[node, NODE_SLOT]
    )
    for column, action in enumerate(table.actions):
        if action not in places:
            raise UsageError(
                f"{action} after {betting.text!r} is not in the betting tree",
                "name a menu that has it",
            )
        play.policy[first + places[action]] = table.probabilities[
            game.boards.arrays.hands[own], column
        ]


def _num_rows(game: RangeGame) -> int:
    return len(game.boards.arrays.hands)


def _rows(game: RangeGame, buckets: FindBuckets) -> NDArray[np.int64]:
    """Return the rows of all hands, from their buckets on every board."""
    boards = game.boards
    own = [
        buckets(street, boards.boards[board])[boards.arrays.hands[boards.rows(board)]]
        for street in range(boards.street, game.definition.num_streets)
        for board in boards.street_boards(street)
    ]
    return np.concatenate(own).astype(np.int64)
