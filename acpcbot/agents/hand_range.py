"""What a strategy does with every hand that its player may hold, by classes of hands.

Classes are those of ``poker/hand_classes.py``. Each of a class's hands that the board leaves
counts as one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from acpcbot.matches.public_strategy import ActionTable
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import class_name, class_numbers
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.snapshots.policy import Probabilities

Range = dict[str, Probabilities]
"""By class: how likely each action is in the mean of the class's hands, float64 [action]."""


def hand_range(definition: GameDefinition, table: ActionTable, board: Sequence[int]) -> Range:
    """What is done by *table* with each class of hands that *board* leaves; high cards first."""
    free = np.flatnonzero(hands_without(definition, board))[::-1]
    by_class: dict[str, list[Probabilities]] = {}
    for number, row in zip(class_numbers(all_hands(definition)[free]).tolist(), table.probabilities[free], strict=True):
        by_class.setdefault(class_name(number, definition.num_hole_cards), []).append(row)
    return {name: np.mean(rows, axis=0) for name, rows in by_class.items()}
