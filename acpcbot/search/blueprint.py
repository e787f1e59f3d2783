"""What hands are worth against the blueprint: what the opponent is promised in a hand's first
subgame.

The blueprint is put into a solver in place of what that would have learnt, which then says what a
best response wins from it. It plays on its own tree. Where the betting is seen as another one
there, values are those of the likeliest view, in shares of the pot.

The blueprint at the table: what it does with every hand, after any betting, fast enough to be asked
often.
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

MOST_BOARDS, MOST_TABLES = 64, 512


class Recent(OrderedDict[Hashable, T]):
    """The last *most* values by their keys."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def find(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of *key*, made where it is not known any more."""
        if key not in self:
            self.keep(key, make())
        self.move_to_end(key)
        return self[key]

    def keep(self, key: Hashable, value: T) -> None:
        """Remember *value*, and forget what was asked for least recently."""
        self[key] = value
        while len(self) > self._most:
            self.popitem(last=False)


class BlueprintPlay(SnapshotStrategy):
    """What a snapshot does, remembered by state.

    Where a hand can be seen in more ways than can be mixed, one is drawn by *seed*: the same
    from its first action to its last, whoever asks.
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
        self._boards = Recent[NDArray[Any]](MOST_BOARDS)
        self._asked = Recent[ActionTable](MOST_TABLES)

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """What the actor after *betting* does with every hand."""
        return self._asked.find((betting.text, tuple(board)), lambda: self._table(betting, board))

    def buckets(self, street: int, board: Sequence[int]) -> NDArray[Any]:
        """The bucket of every hand, [hand]."""
        return self._boards.find(
            (street, tuple(board)), lambda: super(BlueprintPlay, self).buckets(street, board)
        )

    def _table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        try:
            return super().table(betting, board)
        except UsageError:
            return self._drawn_table(betting, board)

    def _drawn_table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """What is done in one view of the hand."""
        seen = drawn_translation(
            self.snapshot.place, betting, lambda index: self._draw(betting, index)
        )
        played = self.translated.in_view(betting, seen, board)
        return ActionTable(tuple(played), np.stack(list(played.values()), axis=1))

    def _draw(self, betting: BettingState, index: int) -> float:
        """A number in [0, 1) for the action after *index* others, by the betting up to it."""
        before = [state.text for state, _ in betting.decisions()]
        following = [*before[1:], betting.text][index]
        return Stream(self._seed, crc32(following.encode()), index).unit()


def blueprint_values(
    blueprint: BlueprintPlay,
    root: Spot,
    ranges: Floats,
    seat: int,
    most_cells: float,
    leaves: Callable[[RangeGame], LeafValues | None] | None = None,
) -> Floats | None:
    """What a best response to the blueprint brings the hands of *seat* at *root*, [hand],
    counterfactual, in chips.

    Both come in with *ranges*. With *leaves* these say what lies beyond the root's street. None
    where the blueprint's tree has no decision there, or is larger than *most_cells*.
    """
    is_one_street = leaves is not None
    seen = _likeliest_view(blueprint, root.betting)
    menu = blueprint.snapshot.menu or LIMIT_MENU
    if blueprint.snapshot.menu is not None and is_one_street:
        menu = without_later(blueprint.snapshot.menu, root.betting.street)
    if seen is None or num_cells(seen, root.board, menu, one_street=is_one_street) > most_cells:
        return None
    game = make_range_game(seen, root.board, menu, ranges, one_street=is_one_street)
    solver = told_solver(game, blueprint, leaves(game) if leaves else None)
    _, values = solver.block_values(0, 0, responds=True)
    found = np.zeros(ranges.shape[1])
    found[game.boards.arrays.hands[game.boards.rows(0)]] = values[seat, 0]
    return found * (root.betting.pot / seen.pot)


def told_solver(
    game: RangeGame, blueprint: BlueprintPlay, leaves: LeafValues | None = None
) -> RangeCFR:
    """A solver of *game*, which lies in the blueprint's tree, whose average strategy is the
    blueprint's.

    With *leaves* the game ends with its root's street.
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
    """What the blueprint does on each street of *game*, [bucket, slot of the game's row]."""
    snapshot, counts = blueprint.snapshot, blueprint.snapshot.abstraction.num_buckets
    policies = {
        street: np.zeros((counts[street], int(game.tree.row_widths[street])), np.float32)
        for street in _streets(game)
    }
    for slot, betting in _decisions(game):
        place = snapshot.place(betting)
        played = snapshot.probabilities(place, np.arange(counts[place.street]), blueprint.settings)
        policies[place.street][:, slot : slot + played.shape[1]] = played
    return policies


def _streets(game: RangeGame) -> range:
    """The streets on which *game* has boards."""
    first = game.boards.street
    return range(first, first + len(game.boards.first_boards) - 1)


def _decisions(game: RangeGame) -> Iterator[tuple[int, BettingState]]:
    """The decisions on the streets of *game*, with their first slots."""
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
    """How the blueprint is likeliest to see *betting*.

    None if as the end of a hand, or in too many ways.
    """
    if betting.game.definition.is_limit:
        return betting
    try:
        ways = translations(blueprint.snapshot.place, betting)
    except UsageError:
        return None
    return max(ways, key=lambda way: way.probability).seen[-1]
