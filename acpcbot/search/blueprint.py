"""The blueprint during search: cached action tables, and best-response values against it.

``BlueprintPlay`` answers what the blueprint does with every hand, after any betting, from caches,
since search asks often. ``blueprint_values`` returns what a best response to the blueprint wins in
a subgame: the alternative values of a hand's first subgame. The blueprint plays on its own tree;
where the betting is seen as another one there, values are those of the likeliest view, in shares of
the pot.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Buckets
from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingState
from acpcbot.rng import Stream
from acpcbot.search.subgame import Spot, num_cells, without_later
from acpcbot.strategies.policy import PlaySettings
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.strategies.translation import drawn_translation, translations
from acpcbot.subgames.accumulators import FloatAccumulators
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.leaf_values import LeafValues
from acpcbot.subgames.solver import RangeCFR
from acpcbot.trees.bet_menu import LIMIT_MENU
from acpcbot.trees.betting_tree import STREET

T = TypeVar("T")

MAX_BOARDS, MAX_TABLES = 64, 512


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

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the actor's action probabilities for every hand after *betting*."""
        return self._asked.get_or_make(
            (betting.text, tuple(board)), lambda: self._table(betting, board)
        )

    def buckets(self, street: int, board: Sequence[int]) -> NDArray[Any]:
        """Return the bucket of every hand, [hand]."""
        return self._boards.get_or_make(
            (street, tuple(board)), lambda: super(BlueprintPlay, self).buckets(street, board)
        )

    def _table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        try:
            return super().table(betting, board)
        except UsageError:
            return self._drawn_table(betting, board)

    def _drawn_table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the action table of one drawn view of the hand."""
        seen = drawn_translation(
            self.snapshot.place, betting, lambda index: self._draw(betting, index)
        )
        probabilities = self.translated.in_view(betting, seen, board)
        return ActionTable(tuple(probabilities), np.stack(list(probabilities.values()), axis=1))

    def _draw(self, betting: BettingState, index: int) -> float:
        """Return a number in [0, 1) for one action, drawn by the betting up to it.

        The action follows *index* others.
        """
        before = [state.text for state, _ in betting.decisions()]
        following = [*before[1:], betting.text][index]
        return Stream(self._seed, crc32(following.encode()), index).unit()


def blueprint_values(
    blueprint: BlueprintPlay,
    root: Spot,
    ranges: Floats,
    seat: int,
    max_cells: float,
    leaves: Callable[[RangeGame], LeafValues | None] | None = None,
) -> Floats | None:
    """Return best-response values of *seat* against the blueprint at *root*, [hand].

    They are counterfactual, in chips; both seats enter with *ranges*. With *leaves* these are the
    values beyond the root's street. None where the blueprint's tree has no decision there, or is
    larger than *max_cells*.
    """
    is_one_street = leaves is not None
    seen = _likeliest_view(blueprint, root.betting)
    menu = blueprint.snapshot.menu or LIMIT_MENU
    if blueprint.snapshot.menu is not None and is_one_street:
        menu = without_later(blueprint.snapshot.menu, root.betting.street)
    if seen is None or num_cells(seen, root.board, menu, one_street=is_one_street) > max_cells:
        return None
    game = make_range_game(seen, root.board, menu, ranges, one_street=is_one_street)
    solver = blueprint_solver(game, blueprint, leaves(game) if leaves else None)
    _, values = solver.block_values(0, 0, responds=True)
    found = np.zeros(ranges.shape[1])
    found[game.boards.arrays.hands[game.boards.rows(0)]] = values[seat, 0]
    return found * (root.betting.pot / seen.pot)


def blueprint_solver(
    game: RangeGame, blueprint: BlueprintPlay, leaves: LeafValues | None = None
) -> RangeCFR:
    """Return a solver of *game* whose average strategy is the blueprint's.

    *game* must lie in the blueprint's tree. With *leaves* it ends with its root's street.
    """
    solver = RangeCFR(game, leaves=leaves)
    assert isinstance(solver.accumulators, FloatAccumulators)
    policies = _street_policies(game, blueprint)
    for board, cards in enumerate(game.boards.boards):
        street, hands = (
            game.boards.street_of(board),
            game.boards.arrays.hands[game.boards.rows(board)],
        )
        cells = policies[street][blueprint.buckets(street, cards)[hands]].T
        start = int(solver.accumulators.starts[board])
        solver.accumulators.strategies[start : start + cells.size] = cells.ravel()
    return solver


def _street_policies(game: RangeGame, blueprint: BlueprintPlay) -> dict[int, NDArray[np.float32]]:
    """Return the blueprint's probabilities on each street of *game*.

    They are [bucket, slot of the game's row].
    """
    snapshot, counts = blueprint.snapshot, blueprint.snapshot.abstraction.num_buckets
    policies = {
        street: np.zeros((counts[street], int(game.tree.row_widths[street])), np.float32)
        for street in _streets(game)
    }
    for slot, betting in _decisions(game):
        place = snapshot.place(betting)
        probabilities = snapshot.probabilities(
            place, np.arange(counts[place.street]), blueprint.settings
        )
        policies[place.street][:, slot : slot + probabilities.shape[1]] = probabilities
    return policies


def _streets(game: RangeGame) -> range:
    """Return the streets on which *game* has boards."""
    first = game.boards.street
    return range(first, first + len(game.boards.first_boards) - 1)


def _decisions(game: RangeGame) -> Iterator[tuple[int, BettingState]]:
    """Return the decisions on the streets of *game*, with their first slots."""
    waiting, streets = [(0, game.tree.root)], _streets(game)
    while waiting:
        node, betting = waiting.pop()
        yield game.tree.first_slot(node), betting
        children = game.tree.children(node).items()
        waiting += [
            (child, betting.apply(action))
            for action, child in children
            if child >= 0 and int(game.tree.nodes[child, STREET]) in streets
        ]


def _likeliest_view(blueprint: BlueprintPlay, betting: BettingState) -> BettingState | None:
    """Return the likeliest view of *betting* in the blueprint's tree.

    None if that is the end of a hand, or if there are too many views.
    """
    if betting.game.definition.is_limit:
        return betting
    try:
        views = translations(blueprint.snapshot.place, betting)
    except UsageError:
        return None
    return max(views, key=lambda view: view.probability).seen[-1]
