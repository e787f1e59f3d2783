"""What strategies do in a ``RangeGame``: stored ones by their buckets, any others hand by hand.

A stored strategy is worked out for whole streets; of one that has to be asked, every
decision on every board is, so that games should be small.
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
from acpcbot.trees.betting_tree import NUM_ACTIONS, SLOT
from acpcbot.trees.infosets import InfosetLayout

if TYPE_CHECKING:
    from acpcbot.subgames.solver import RangeCFR

FindBuckets = Callable[[int, Sequence[int]], NDArray[Any]]
"""From a street and a board to the bucket of every hand of ``poker/hands.py``, [hand]."""


def stored_play(game: RangeGame, strategy: SnapshotStrategy) -> TabularStrategy:
    """What a stored strategy does: by its buckets where its tree has all bets of *game*, else
    asked everywhere.
    """
    menu = strategy.snapshot.menu
    if menu is None:
        return snapshot_play(game, strategy)
    try:
        strategy.snapshot.place(game.tree.root)
    except UsageError:
        return told_play(game, strategy)
    asked = game.tree.menu
    is_own = isinstance(asked, BetMenu) and asked.for_streets(game.definition.num_streets) == menu
    return snapshot_play(game, strategy) if is_own else told_play(game, strategy)


class TreeDecision(NamedTuple):
    """What can be done at a decision of a betting tree."""

    actions: tuple[Action, ...]


class PlayStrategy:
    """A *play* with a row for every hand on every board as a ``PublicStrategy``."""

    def __init__(self, game: RangeGame, play: TabularStrategy) -> None:
        self._game, self._play = game, play
        self._nodes = {betting.text: node for node, betting in node_states(game)}
        self._boards = {frozenset(cards): board for board, cards in enumerate(game.boards.boards)}

    def has(self, betting: BettingState) -> bool:
        """Whether its tree has *betting*."""
        return betting.text in self._nodes

    def place(self, betting: BettingState) -> TreeDecision:
        """The decision after *betting*; raises KeyError where there is none."""
        return TreeDecision(tuple(self._game.tree.children(self._nodes[betting.text])))

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """What the actor after *betting* does with every hand."""
        node, rows = (
            self._nodes[betting.text],
            self._game.boards.rows(self._boards[frozenset(board)]),
        )
        play, record = self._play, self._game.tree.nodes[node]
        first = (
            play.row_starts[betting.street]
            + play.rows[rows] * play.row_widths[betting.street]
            + record[SLOT]
        )
        table = np.zeros((len(all_hands(self._game.definition)), int(record[NUM_ACTIONS])))
        table[self._game.boards.arrays.hands[rows]] = play.policy[
            first[:, None] + np.arange(record[NUM_ACTIONS])
        ]
        return ActionTable(tuple(self._game.tree.children(node)), table)


def snapshot_play(game: RangeGame, strategy: SnapshotStrategy) -> TabularStrategy:
    """What a stored strategy does, whose tree has all bets of *game*; its rows are its buckets."""
    snapshot = strategy.snapshot
    widths = np.array(game.tree.row_widths)
    sizes = widths * np.array(snapshot.abstraction.num_buckets, np.int64)
    starts = np.cumsum(sizes) - sizes
    policy = np.zeros(int(sizes.sum()))
    for node, betting in node_states(game):
        place = snapshot.place(betting)
        buckets = np.arange(snapshot.abstraction.num_buckets[place.street])
        first = starts[place.street] + buckets * widths[place.street] + game.tree.nodes[node, SLOT]
        played = snapshot.probabilities(place, buckets, strategy.settings)
        policy[first[:, None] + np.arange(len(place.actions))] = played
    return TabularStrategy(policy, starts, widths, _rows(game, strategy.buckets))


def policy_play(
    game: RangeGame, layout: InfosetLayout, policy: Floats, buckets: FindBuckets
) -> TabularStrategy:
    """What a *policy* [slot] does on the betting tree of *game*; its rows are its *buckets*."""
    return TabularStrategy(policy, layout.row_starts, layout.row_widths, _rows(game, buckets))


def solved_play(solver: RangeCFR) -> TabularStrategy:
    """The average strategy of a solver; its rows are hands on boards."""
    game = solver.game
    play = _hand_rows(game)
    for board in range(len(game.boards.boards)):
        street, own = game.boards.street_of(board), game.boards.rows(board)
        first = play.row_starts[street] + play.rows[own] * play.row_widths[street]
        places = first[:, None] + np.arange(play.row_widths[street])
        play.policy[places] = solver.average_strategy(board).T
    return play


def blind_play(game: RangeGame, strategy: PublicStrategy) -> TabularStrategy:
    """What a strategy does that never looks at its cards: one row for all hands."""
    widths = np.array(game.tree.row_widths)
    play = TabularStrategy(
        np.zeros(int(widths.sum())),
        np.cumsum(widths) - widths,
        widths,
        np.zeros(_num_rows(game), np.int64),
    )
    for node, betting in node_states(game):
        board = game.boards.street_boards(betting.street)[0]
        _ask(game, strategy, node, betting, board, play)
    return play


def told_play(
    game: RangeGame,
    strategy: PublicStrategy,
    is_asked: Callable[[BettingState], bool] = lambda _: True,
) -> TabularStrategy:
    """What a strategy does that is asked at every node and on every board.

    Its rows are hands on boards.

    Where it is not asked it does nothing.
    """
    play = _hand_rows(game)
    for node, betting in node_states(game):
        if not is_asked(betting):
            continue
        for board in game.boards.street_boards(betting.street):
            _ask(game, strategy, node, betting, board, play)
    return play


def _hand_rows(game: RangeGame) -> TabularStrategy:
    """A play with a row for every hand on every board, all of it empty."""
    boards, widths = game.boards, np.array(game.tree.row_widths)
    first_rows = boards.arrays.first_row[list(boards.first_boards)]
    sizes = np.zeros(len(widths), np.int64)
    sizes[boards.street :] = np.diff(first_rows) * widths[boards.street :]
    rows = np.arange(_num_rows(game)) - np.repeat(first_rows[:-1], np.diff(first_rows))
    return TabularStrategy(np.zeros(int(sizes.sum())), np.cumsum(sizes) - sizes, widths, rows)


def node_states(game: RangeGame) -> Iterator[tuple[int, BettingState]]:
    """All nodes of the betting tree with their states."""
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
    """How likely *seat* played up to *betting* as it did with each of its hands, [hand]."""
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


def _ask(
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
        + game.tree.nodes[node, SLOT]
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
    """The rows of all hands, from their buckets on every board."""
    boards = game.boards
    own = [
        buckets(street, boards.boards[board])[boards.arrays.hands[boards.rows(board)]]
        for street in range(boards.street, game.definition.num_streets)
        for board in boards.street_boards(street)
    ]
    return np.concatenate(own).astype(np.int64)
