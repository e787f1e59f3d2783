"""Storage of the information sets of a tree with buckets.

An information set is a decision node and the bucket of the cards that its actor holds on that
street. Each of its legal actions has a slot. All slots of a street form a matrix [bucket, slot of
the bucket's row], and the matrices of all streets lie one after another in a flat array: the slots
that one hand visits on one street lie close together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.trees.bet_menu import BetMenu
from acpcbot.trees.subtree_sizes import TreeSize


class BucketTree(Protocol):
    """A tree as the layout of its information sets needs it."""

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""

    @property
    def size(self) -> TreeSize:
        """Its size, street by street."""

    def street_nodes(self, street: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the first slots and the numbers of actions of *street*'s nodes, both [node]."""


class Place(Protocol):
    """A decision node: the place of its information sets in storage, and its actions."""

    def __hash__(self) -> int:
        """Return a hash: places are values."""

    @property
    def node(self) -> int:
        """Its number in the tree."""

    @property
    def street(self) -> int:
        """Its street."""

    @property
    def street_node(self) -> int:
        """Its number among those of the street."""

    @property
    def slot(self) -> int:
        """Its first slot in the row of a bucket."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """Its actions, in the order of their slots."""

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kind of each action: fold, call or raise."""


class Places(Protocol):
    """The places of all decisions of a game."""

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""

    @property
    def menu(self) -> BetMenu | None:
        """The bets of its tree where both seats have the same; None in a limit game."""

    def whole(self) -> TreeSize:
        """Return the size of the whole tree."""

    def place_after(self, betting: BettingState) -> Place:
        """Return the decision after *betting*."""


@dataclass(frozen=True, slots=True)
class InfosetLayout:
    """Rows of buckets: *row_starts* and *row_widths* int64 [street], *num_buckets* by street."""

    num_buckets: tuple[int, ...]
    row_starts: NDArray[np.int64]
    row_widths: NDArray[np.int64]
    num_slots: int
    num_infosets: int

    def street_rows(self, flat: NDArray[Any], street: int) -> NDArray[Any]:
        """Return the part of *flat* [slot] of *street*, as a view [bucket, slot of the row]."""
        start, width = int(self.row_starts[street]), int(self.row_widths[street])
        return flat[start : start + self.num_buckets[street] * width].reshape(
            self.num_buckets[street], width
        )


def infoset_layout(size: TreeSize, num_buckets: tuple[int, ...]) -> InfosetLayout:
    """Return the layout for a tree of *size* with so many buckets on each street."""
    assert len(num_buckets) == len(size.num_slots), (num_buckets, size)
    widths = np.array(size.num_slots, np.int64)
    lengths = widths * np.array(num_buckets, np.int64)
    ends = np.cumsum(lengths)
    num_infosets = sum(
        nodes * buckets for nodes, buckets in zip(size.num_nodes, num_buckets, strict=True)
    )
    return InfosetLayout(tuple(num_buckets), ends - lengths, widths, int(ends[-1]), num_infosets)
