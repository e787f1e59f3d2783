"""Places of decisions in a betting tree, found by following the betting from the root."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.errors import UsageError
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.trees.bet_menu import BetMenu
from acpcbot.trees.betting_tree import SLOT, STREET, BettingTree
from acpcbot.trees.infosets import TreeSize

MAX_KEPT_STEPS = 1 << 14


@dataclass(frozen=True, slots=True)
class BettingPlace:
    """A decision node: its numbers, its first slot and its actions.

    ``node`` counts in the tree, ``street_node`` on its street; ``slot`` is in the row of a bucket.
    """

    node: int
    street: int
    street_node: int
    slot: int
    actions: tuple[Action, ...]

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kind of each action: fold, call or raise."""
        return tuple([action.kind for action in self.actions])


class BettingPlaces:
    """The places of *tree*, which begins with the hand."""

    def __init__(self, tree: BettingTree) -> None:
        self.tree = tree
        self._known: dict[str, int] = {}
        self._first_nodes = np.cumsum(tree.size.num_nodes) - tree.size.num_nodes

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        return self.tree.definition

    @property
    def menu(self) -> BetMenu | None:
        """The bets of both seats, if they have the same."""
        return self.tree.menu if isinstance(self.tree.menu, BetMenu) else None

    def whole(self) -> TreeSize:
        """Return the size of the whole tree."""
        return self.tree.size

    def place_after(self, betting: BettingState) -> BettingPlace:
        """Return the decision after *betting*; raises UsageError if the tree does not have it."""
        node = 0
        for before, action in betting.decisions():
            node = self._child(node, before, action)
        if node < 0:
            raise UsageError(
                f"after {betting.text!r} there is no decision in the tree", "choose other bets"
            )
        street = int(self.tree.nodes[node, STREET])
        street_node = node - int(self._first_nodes[street])
        return BettingPlace(
            node,
            street,
            street_node,
            int(self.tree.nodes[node, SLOT]),
            tuple(self.tree.children(node)),
        )

    def _child(self, node: int, before: BettingState, action: Action) -> int:
        """Return the node that *action* leads to after *before*, which is at *node*.

        Below 0 if the tree has no decision there.
        """
        step = before.text + action.text
        child = self._known.get(step)
        if child is None:
            child = self.tree.children(node).get(action, -1) if node >= 0 else node
            if len(self._known) >= MAX_KEPT_STEPS:
                self._known.clear()
            self._known[step] = child
        return child
