"""The blueprint during search: its action tables, and best-response values against it.

Search asks a ``Blueprint``: what it does with every hand after any betting, and its strategy in a
game with ranges. ``BlueprintPlay`` is a stored strategy with caches, since search asks often;
``SolvedBlueprint`` is the solution of a whole small game, for exact measures of the agent.
``blueprint_values`` returns what a best response to the blueprint wins in a subgame: the
alternative values of a hand's first subgame. Betting that the blueprint's tree lacks is translated,
decision by decision; where that leads to actions that the subgame lacks, values are those of the
likeliest view in the tree, in shares of the pot.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Buckets
from acpcbot.arrays import Floats, Floats32
from acpcbot.errors import UsageError
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.search.subgame import Spot, is_off_tree, num_cells, without_later
from acpcbot.strategies.policy import PlaySettings
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from acpcbot.strategies.range_play import PlayStrategy
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.strategies.translation import (
    Decision,
    TranslatedPlay,
    has_same_stacks,
    translations,
)
from acpcbot.subgames.accumulators import FloatCells, float_cells
from acpcbot.subgames.best_response import TabularStrategy, Walker, cells_traversal, hand_values
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.leaf_values import LeafValues
from acpcbot.trees.bet_menu import LIMIT_MENU, BetMenu
from acpcbot.trees.betting_tree import NODE_STREET

T = TypeVar("T")

MAX_BOARDS, MAX_TABLES = 64, 512


class Blueprint(PublicStrategy, Protocol):
    """The strategy that search starts from, with a betting tree of its own."""

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        ...

    @property
    def start(self) -> BettingState:
        """The start of a hand in its tree, whose stacks may be others than those at the table."""
        ...

    @property
    def menu(self) -> BetMenu:
        """The bets of its tree."""
        ...

    def place(self, betting: BettingState) -> Decision:
        """Return the decision of its tree after *betting*; raises UsageError if there is none."""
        ...

    def cells(self, game: RangeGame) -> FloatCells:
        """Return its probabilities in *game*; raises UsageError where that lacks its actions."""
        ...


class LruCache(OrderedDict[Hashable, T]):
    """The last *max_size* values by their keys."""

    def __init__(self, max_size: int) -> None:
        super().__init__()
        self._max_size = max_size

    def get_or_make(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of *key*, made by *make* if it is not cached."""
        if key not in self:
            self.put(key, make())
        self.move_to_end(key)
        return self[key]

    def put(self, key: Hashable, value: T) -> None:
        """Cache *value*, and evict what was used least recently."""
        self[key] = value
        while len(self) > self._max_size:
            self.popitem(last=False)


class DistinctLruCache(LruCache[T]):
    """The last *max_size* different values by their keys, of which several may have the same value."""

    def put(self, key: Hashable, value: T) -> None:
        """Cache *value*, and evict with all of its keys what was used least recently."""
        self[key] = value
        self.move_to_end(key)
        last_uses = dict.fromkeys(map(id, reversed(self.values())))
        for unused in list(last_uses)[self._max_size :]:
            for own in [own for own, cached in self.items() if id(cached) == unused]:
                del self[own]


class BlueprintPlay(SnapshotStrategy):
    """A snapshot's strategy with cached action tables.

    Where a hand can be seen in more ways than can be mixed, one is drawn by *seed*: the same from
    its first action to its last, for every caller.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        settings: PlaySettings | None = None,
        tables: Sequence[Buckets] = (),
        seed: int = 0,
    ) -> None:
        super().__init__(snapshot, settings, tables)
        self._seed = seed
        self._boards = LruCache[NDArray[Any]](MAX_BOARDS)
        self._asked = LruCache[ActionTable](MAX_TABLES)

    @property
    def menu(self) -> BetMenu:
        """The bets of its tree."""
        return self.snapshot.menu or LIMIT_MENU

    def place(self, betting: BettingState) -> Decision:
        """Return the decision of its tree after *betting*; raises UsageError if there is none."""
        return self.snapshot.place(betting)

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the actor's action probabilities for every hand after *betting*."""
        return self._asked.get_or_make(
            (betting.game.definition.stacks, betting.text, tuple(board)),
            lambda: self._table(betting, board),
        )

    def buckets(self, street: int, board: Sequence[int]) -> NDArray[Any]:
        """Return the bucket of every hand, [hand]."""
        return self._boards.get_or_make(
            (street, tuple(board)), lambda: super(BlueprintPlay, self).buckets(street, board)
        )

    def cells(self, game: RangeGame) -> FloatCells:
        """Return its probabilities in *game*; raises UsageError where that lacks its actions."""
        if game.definition != self.definition or is_off_tree(game.tree.root, self.place):
            return _tabulated_cells(self, game)
        policies = self._street_policies(game)

        def probabilities(board: int, hands: NDArray[Any]) -> Floats32:
            street = game.boards.street_of(board)
            buckets = self.buckets(street, game.boards.boards[board])[hands]
            found: Floats32 = policies[street][buckets].T
            return found

        return _filled_cells(game, probabilities)

    def _street_policies(self, game: RangeGame) -> dict[int, Floats32]:
        """Return the probabilities on each street of *game*, [bucket, slot of the game's row]."""
        counts = self.snapshot.abstraction.num_buckets
        policies = {
            street: np.zeros((counts[street], int(game.tree.row_widths[street])), np.float32)
            for street in _streets(game)
        }
        for slot, _, betting in game_decisions(game):
            found = self.every_bucket(betting)
            policies[betting.street][:, slot : slot + found.shape[1]] = found
        return policies

    def _table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        try:
            return super().table(betting, board)
        except UsageError:
            return self.translated.drawn_table(betting, board, self._seed)


class SolvedBlueprint(PlayStrategy):
    """A ``Blueprint`` of a whole *game*, with a row of *play* for every hand on each board.

    Bets that the game lacks are translated.
    """

    def __init__(self, game: RangeGame, play: TabularStrategy) -> None:
        super().__init__(game, play)
        in_tree = super().table
        self._translated = TranslatedPlay(
            game.definition, self.place, lambda *where: in_tree(*where).probabilities, self.start
        )

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        return self.game.definition

    @property
    def start(self) -> BettingState:
        """The start of a hand in its tree."""
        return self.game.tree.root.game.start

    @property
    def menu(self) -> BetMenu:
        """The bets of its tree."""
        assert isinstance(self.game.tree.menu, BetMenu)
        return self.game.tree.menu

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the probabilities of the actor after *betting* with every hand."""
        if self.has(betting):
            return super().table(betting, board)
        return self._translated.table(betting, board)

    def cells(self, game: RangeGame) -> FloatCells:
        """Return its probabilities in *game*; raises UsageError where that lacks its actions."""
        return _tabulated_cells(self, game)


def _tabulated_cells(blueprint: Blueprint, game: RangeGame) -> FloatCells:
    """Return the probabilities of *blueprint* in *game*, asked at every decision on every board.

    Raises UsageError where it has an action that the game lacks.
    """
    decisions = list(game_decisions(game))

    def probabilities(board: int, hands: NDArray[Any]) -> Floats32:
        street, cards = game.boards.street_of(board), game.boards.boards[board]
        found = np.zeros((int(game.tree.row_widths[street]), len(hands)), np.float32)
        for slot, actions, betting in decisions:
            if betting.street == street:
                table = blueprint.table(betting, cards)
                for action, column in zip(table.actions, table.probabilities.T, strict=True):
                    if action not in actions:
                        raise UsageError(
                            f"{action} after {betting.text!r} is not in the betting tree",
                            "name a menu that has it",
                        )
                    found[slot + actions.index(action)] = column[hands]
        return found

    return _filled_cells(game, probabilities)


def _filled_cells(
    game: RangeGame, probabilities: Callable[[int, NDArray[Any]], Floats32]
) -> FloatCells:
    """Return cells of *game* filled by *probabilities*.

    Called with a board and its hands, it returns them as [slot of the row, hand of the board].
    """
    cells = float_cells(game)
    for board in range(len(game.boards.boards)):
        found = probabilities(board, game.boards.arrays.hands[game.boards.rows(board)])
        start = int(cells.starts[board])
        cells.sums[start : start + found.size] = found.ravel()
    return cells


def blueprint_values(
    blueprint: Blueprint,
    root: Spot,
    ranges: Floats,
    seat: int,
    max_cells: float,
    leaves: Callable[[RangeGame], LeafValues | None] | None = None,
) -> Floats | None:
    """Return best-response values of *seat* against the blueprint at *root*, [hand].

    They are counterfactual, in chips; both seats enter with *ranges*. With *leaves* these are the
    values beyond the root's street. None where the blueprint has no decision there, or the subgame
    is larger than *max_cells*.
    """
    is_one_street = leaves is not None
    menu = blueprint.menu
    if is_one_street and not root.betting.game.definition.is_limit:
        menu = without_later(menu, root.betting.street)
    for seen in _views(blueprint, root.betting):
        if num_cells(seen, root.board, menu, one_street=is_one_street) > max_cells:
            continue
        game = make_range_game(seen, root.board, menu, ranges, one_street=is_one_street)
        try:
            response = cells_traversal(seat, blueprint.cells(game), responds=True)
        except UsageError:
            continue
        found = np.zeros(ranges.shape[1])
        found[game.boards.arrays.hands[game.boards.rows(0)]] = hand_values(
            game, response, Walker(), leaves(game) if leaves else None
        )
        return found * (root.betting.pot / seen.pot)
    return None


def _streets(game: RangeGame) -> range:
    """Return the streets on which *game* has boards."""
    first = game.boards.street
    return range(first, first + len(game.boards.first_boards) - 1)


def game_decisions(game: RangeGame) -> Iterator[tuple[int, list[Action], BettingState]]:
    """Return the decisions on the streets of *game*: first slot, actions, and betting before."""
    waiting, streets = [(0, game.tree.root)], _streets(game)
    while waiting:
        node, betting = waiting.pop()
        children = game.tree.children(node)
        yield game.tree.first_slot(node), list(children), betting
        waiting += [
            (child, betting.apply(action))
            for action, child in children.items()
            if child >= 0 and int(game.tree.nodes[child, NODE_STREET]) in streets
        ]


def _views(blueprint: Blueprint, betting: BettingState) -> Iterator[BettingState]:
    """Yield *betting* as it is, and its likeliest view in the blueprint's tree, if it has another.

    That has none if it is the end of a hand, or if there are too many views.
    """
    yield betting
    if has_same_stacks(betting, blueprint.start) and not is_off_tree(betting, blueprint.place):
        return
    try:
        views = translations(blueprint.place, betting, blueprint.start)
    except UsageError:
        return
    held = [view for view in views if view.seen[-1] is not None]
    if held:
        seen = max(held, key=lambda view: view.probability).seen[-1]
        assert seen is not None
        yield seen
