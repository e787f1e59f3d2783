"""What a strategy does with every hand that its player may hold, by classes of hands.

In hold'em a class is a cell of the usual chart ("AKs", "AKo", "AA"); in small games it is
the ranks of the hole cards. Each of its hands that the board leaves counts as one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.cards.deck import RANKS
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.snapshots.policy import PlaySettings, Probabilities
from acpcbot.snapshots.public_play import all_buckets
from acpcbot.snapshots.snapshot import Snapshot
from acpcbot.trees.subtree_sizes import NodePlace

Range = dict[str, Probabilities]
"""By class: how likely each legal action is in the mean of the class's hands, float64 [action]."""


def hand_range(
    snapshot: Snapshot, place: NodePlace, board: Sequence[int], settings: PlaySettings | None = None
) -> Range:
    """What *snapshot* does at *place* with each class of hands that *board* leaves; high cards first."""
    definition = snapshot.definition
    free = np.flatnonzero(hands_without(definition, board))[::-1]
    rows = snapshot.probabilities(place, all_buckets(snapshot, place.street, board)[free], settings)
    by_class: dict[str, list[Probabilities]] = {}
    for hand, row in zip(all_hands(definition)[free].tolist(), rows, strict=True):
        by_class.setdefault(_class_of(hand, has_suits=has_chart(snapshot)), []).append(row)
    return {name: np.mean(rows, axis=0) for name, rows in by_class.items()}


def has_chart(snapshot: Snapshot) -> bool:
    """Whether the classes are those of hold'em's chart."""
    return isinstance(snapshot.abstraction, HoldemAbstraction)


def _class_of(hand: Sequence[int], *, has_suits: bool) -> str:
    """The class of *hand*, its cards from the highest down."""
    ranks = "".join([RANKS[card >> 2] for card in hand])
    if not has_suits or ranks[0] == ranks[1]:
        return ranks
    return ranks + ("s" if hand[0] & 3 == hand[1] & 3 else "o")
