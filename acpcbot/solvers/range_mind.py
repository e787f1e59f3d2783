"""What range sweeps ask of whoever uses them: a mind that says what both seats do, and room to work in."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import AnyArray
from acpcbot.jit import shared_methods
from acpcbot.solvers.range_game import Betting, RangeGame
from acpcbot.trees.betting_record import BLOCK_END, NUM_ACTIONS, SLOT
from acpcbot.trees.board_tree import BoardArrays

# float32 or float64 throughout.

NUM_SEATS = 2


@shared_methods
class Mind(Protocol):
    """What both seats do, and what becomes of the traverser's values."""

    def own_seat(self) -> int:
        """The traverser."""
        ...

    def fill_strategy(
        self, betting: Betting, boards: BoardArrays, first: int, board: int, room: AnyArray, strategy: AnyArray
    ) -> None:
        """The *strategy* [slot, hand] of the block that begins with node *first*; *room* [hand] is scratch."""
        ...

    def take_values(
        self,
        betting: Betting,
        boards: BoardArrays,
        node: int,
        board: int,
        reach: AnyArray,
        gains: AnyArray,
        strategy: AnyArray,
        total: AnyArray,
    ) -> None:
        """The *total* [hand] of a node of the traverser from his *gains* [action, hand].

        *reach* [hand] is his own, *strategy* [action, hand] what he does there.
        """
        ...

    def see_block(self, first: int, board: int, reaches: AnyArray, values: AnyArray) -> None:
        """Hear of a block that is done: *reaches* [seat, node, hand] and the traverser's *values* [node, hand]."""
        ...


class Scratch(NamedTuple):
    """Room for one block on one board, for one thread; allotted anew it would cost a fifth of the time.

    In the mind's precision and flat: ``strategy`` for a slot's hands, ``reaches`` for those of
    two seats and ``values`` for those of one at every node, ``gains`` for every action of a
    node, ``hands`` for one vector. ``card_sums`` is float64 [card].
    """

    strategy: AnyArray
    reaches: AnyArray
    values: AnyArray
    gains: AnyArray
    hands: AnyArray
    card_sums: NDArray[np.float64]
    most_actions: int


def make_scratch(game: RangeGame, dtype: type[np.floating[Any]]) -> Scratch:
    """Room for the largest block on the root's board, which leaves the most hands."""
    nodes, num_hands = game.tree.nodes, game.ranges.shape[1]
    firsts = np.flatnonzero(nodes[:, BLOCK_END])
    slots = [block_slots(nodes, first) for first in firsts.tolist()]
    num_slots, num_nodes = max(own.stop - own.start for own in slots), int((nodes[firsts, BLOCK_END] - firsts).max())
    most_actions = int(nodes[:, NUM_ACTIONS].max())

    def room(num_vectors: int) -> AnyArray:
        return np.empty(num_vectors * num_hands, dtype)

    return Scratch(
        strategy=room(num_slots),
        reaches=room(NUM_SEATS * num_nodes),
        values=room(num_nodes),
        gains=room(most_actions),
        hands=room(1),
        card_sums=np.empty(52 + num_hands),
        most_actions=most_actions,
    )


def block_slots(nodes: NDArray[np.int32], first: int) -> slice:
    """The slots of the block that begins with node *first* in the row of its street."""
    last = nodes[first, BLOCK_END] - 1
    return slice(int(nodes[first, SLOT]), int(nodes[last, SLOT] + nodes[last, NUM_ACTIONS]))
