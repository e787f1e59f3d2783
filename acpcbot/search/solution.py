"""A solved subgame as its player asks about it: by betting and board, for all hands.

Bets of the opponent that its tree lacks are translated (``strategies/translation.py``), if they are
near to two sizes of the tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hand_classes import game_classes
from acpcbot.poker.hands import all_hands, hand_numbers
from acpcbot.poker.rules import RAISE
from acpcbot.search.subgame import pot_ratio
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.translation import (
    TranslatedPlay,
    Translation,
    real_action,
    translations,
)
from acpcbot.subgames.game import RangeGame
from acpcbot.subgames.solution import block_of, find_board
from acpcbot.subgames.solver import RangeCFR
from acpcbot.trees.bet_menu import pot_share
from acpcbot.trees.betting_tree import NODE_NUM_ACTIONS, NODE_SLOT

NOT_IN_TREE = -1


class Step(NamedTuple):
    """A decision on the way: the betting before it, its node (or NOT_IN_TREE), and its action."""

    before: BettingState
    node: int
    action: Action


class TreeDecision(NamedTuple):
    """A decision of a subgame's tree, with its *actions*."""

    actions: tuple[Action, ...]


class Block(NamedTuple):
    """Strategy, reaches and values of a block of betting on a board.

    ``hands`` [hand of the board] are their numbers. Hands that are alike may share a column:
    ``columns`` [hand of the board]. ``strategy`` is [slot of the row, column], ``reaches`` and
    ``values`` are [seat, node of the block, column]; the values are those of best responses.
    """

    first: int
    hands: NDArray[np.int64]
    columns: NDArray[np.int64]
    strategy: NDArray[np.float32]
    reaches: NDArray[np.float32]
    values: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The solution of *game*, whose root's *board* both seats reached with *ranges* [seat, hand].

    The *solver* is asked when a block is first needed; there is none where all blocks are read.
    Bets of the other seat than *searcher* are translated up to *max_pot_ratio*
    (``StreetSettings``).
    """

    game: RangeGame
    solver: RangeCFR | None
    board: tuple[int, ...]
    ranges: Floats
    is_one_street: bool
    searcher: int = 0
    max_pot_ratio: float = 1.0
    _blocks: dict[tuple[int, tuple[int, ...]], Block] = field(default_factory=dict)

    @property
    def root(self) -> BettingState:
        """The state with which the subgame begins."""
        return self.game.tree.root

    def steps(self, betting: BettingState) -> Iterator[Step]:
        """Return the decisions from the root to *betting*."""
        node = 0
        for before, action in betting.decisions():
            if len(before.text) >= len(self.root.text):
                current = node if self._is_solved(before) else NOT_IN_TREE
                yield Step(before, current, action)
                node = (
                    self.game.tree.children(current).get(action, NOT_IN_TREE)
                    if current >= 0
                    else NOT_IN_TREE
                )

    def node(self, betting: BettingState) -> int:
        """Return the node of *betting*, or NOT_IN_TREE."""
        node = 0
        for step in self.steps(betting):
            node = (
                self.game.tree.children(step.node).get(step.action, NOT_IN_TREE)
                if step.node >= 0
                else NOT_IN_TREE
            )
        return max(node, NOT_IN_TREE) if self._is_solved(betting) else NOT_IN_TREE

    def holds(self, betting: BettingState) -> bool:
        """Return whether there is a strategy after *betting*, if need be translated."""
        return self.node(betting) != NOT_IN_TREE or bool(self.views(betting))

    def views(self, betting: BettingState) -> list[tuple[float, BettingState]]:
        """Return the tree's betting as which *betting* is seen, each with its probability.

        Empty where it is not of the tree's streets, or has a bet that is not near to two sizes.
        Views in which the searcher would not have acted so, or has no decision left, are left out:
        the probabilities then sum to less than 1.
        """
        if self.node(betting) != NOT_IN_TREE:
            return [(1.0, betting)]
        if self.max_pot_ratio <= 1 or not self._is_solved(betting):
            return []
        try:
            ways = translations(self.place, betting)
        except UsageError:
            return []
        likely = [way for way in ways if self._is_played(way, betting)]
        if not likely or not all(self._is_near(way, betting) for way in likely):
            return []
        seen = [(way.probability, way.seen[-1]) for way in likely]
        return [(probability, state) for probability, state in seen if state is not None]

    def place(self, betting: BettingState) -> TreeDecision:
        """Return the tree's decision after *betting*; raises UsageError if there is none.

        Before the root that is the action that led there.
        """
        if betting.text in self._path:
            return TreeDecision((self._path[betting.text],))
        node = self.node(betting)
        if node == NOT_IN_TREE:
            raise UsageError(
                f"{betting.text!r} is not in the subgame", "ask about betting that its tree has"
            )
        return TreeDecision(tuple(self.game.tree.children(node)))

    @property
    def _path(self) -> dict[str, Action]:
        return {before.text: action for before, action in self.root.decisions()}

    def _is_played(self, way: Translation, betting: BettingState) -> bool:
        """Return whether the searcher could have acted as it did in the tree that *way* sees."""
        return all(
            seen is None or any(real_action(before, seen, own) == action for own in actions)
            for before, action, seen, actions in self._steps_of(way, betting)
            if before.actor == self.searcher
        )

    def _is_near(self, way: Translation, betting: BettingState) -> bool:
        """Return whether each bet of the opponent that *way* translates is near to two sizes."""
        for before, action, seen, actions in self._steps_of(way, betting):
            if before.actor == self.searcher or action.kind != RAISE:
                continue
            if seen is None:
                return False
            raises = [own for own in actions if own.kind == RAISE]
            if any(real_action(before, seen, own) == action for own in raises):
                continue
            sizes = [pot_share(seen.game.vector, seen.vector, own.raise_to) for own in raises]
            share = pot_share(before.game.vector, before.vector, action.raise_to)
            if pot_ratio(sizes, share) > self.max_pot_ratio:
                return False
        return True

    def _steps_of(
        self, way: Translation, betting: BettingState
    ) -> Iterator[tuple[BettingState, Action, BettingState | None, tuple[Action, ...]]]:
        """Yield each decision since the root, its action, and the tree's, with its actions."""
        for (before, action), seen in zip(betting.decisions(), way.seen, strict=False):
            if len(before.text) >= len(self.root.text):
                yield before, action, seen, () if seen is None else self.place(seen).actions

    def table_after(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the strategy after *betting*, which it must hold, with all hands of *board*."""
        node = self.node(betting)
        if node != NOT_IN_TREE:
            return self.table(node, board)
        return TranslatedPlay(self.game.definition, self.place, self._probabilities).table(
            betting, board
        )

    def _probabilities(self, betting: BettingState, board: Sequence[int]) -> Floats:
        """Return the strategy after *betting* of the tree, or of its path, [hand, action]."""
        if betting.text in self._path:
            return np.ones((len(all_hands(self.game.definition)), 1))
        return self.table(self.node(betting), board).probabilities

    def table(self, node: int, board: Sequence[int]) -> ActionTable:
        """Return the average strategy at *node*, with all hands that *board* leaves."""
        tree, block = self.game.tree, self._block(node, board)
        slot, count = tree.nodes[node, NODE_SLOT], tree.nodes[node, NODE_NUM_ACTIONS]
        played = block.strategy[slot : slot + count, block.columns].T.astype(np.float64)
        probabilities = np.zeros((len(all_hands(tree.definition)), count))
        probabilities[block.hands] = played / played.sum(axis=1, keepdims=True)
        return ActionTable(tuple(tree.children(node)), probabilities)

    def by_classes(self) -> Solution:
        """Return the same without its solver, a column for each class of hands.

        It must be of a single street before the first board card.
        """
        if self.solver is None:
            return self
        block, classes = self._block(0, self.board), game_classes(self.game.definition)
        # Any hand of a class stands for all of them.
        _, firsts = np.unique(classes[block.hands], return_index=True)
        arrays = (array[..., firsts] for array in (block.strategy, block.reaches, block.values))
        merged = Block(block.first, block.hands, classes[block.hands], *arrays)
        return replace(self, solver=None, _blocks={(block.first, self.board): merged})

    def values(self, node: int, board: Sequence[int], seat: int) -> Floats:
        """Return the best-response values of *seat* at *node*, [hand], counterfactual, in chips."""
        block = self._block(node, board)
        return self._spread(block, block.values[seat, node - block.first])

    def reach(self, node: int, board: Sequence[int], seat: int) -> Floats:
        """Return the reach of *seat* at *node*, with the range that entered, [hand]."""
        block = self._block(node, board)
        return self._spread(block, block.reaches[seat, node - block.first])

    def _is_solved(self, betting: BettingState) -> bool:
        return not betting.is_over and (
            not self.is_one_street or betting.street == self.root.street
        )

    def _spread(self, block: Block, vector: NDArray[np.float32]) -> Floats:
        spread = np.zeros(self.ranges.shape[1])
        spread[block.hands] = vector[block.columns]
        return spread

    def _block(self, node: int, board: Sequence[int]) -> Block:
        first = block_of(self.game, node)
        key = first, tuple(board)
        if key not in self._blocks:
            self._blocks[key] = self._read_block(first, key[1])
        return self._blocks[key]

    def _read_block(self, first: int, cards: tuple[int, ...]) -> Block:
        game, board = self.game, 0
        hands = game.boards.arrays.hands[game.boards.rows(0)].astype(np.int64)
        if cards != self.board:
            board, change = find_board(game, cards)
            held = all_hands(game.definition)[game.boards.arrays.hands[game.boards.rows(board)]]
            hands = hand_numbers(game.definition, np.argsort(change)[held])
        assert self.solver is not None, "all blocks of a solution without its solver are read"
        reaches, values = self.solver.block_values(board, first, responds=True)
        columns = np.arange(len(hands))
        return Block(first, hands, columns, self.solver.average_strategy(board), reaches, values)
