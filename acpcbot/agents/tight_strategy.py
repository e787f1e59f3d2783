"""The tight player's probabilities for every hand it may hold, as evaluation asks for them.

What it does with a hand is settled by the hand's percentile alone, and its bluffs are a share of
all hands. So a match against it, or one that it plays, can be evaluated with its whole range.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from acpcbot.agents.tight import TightSettings, hand_percentile
from acpcbot.arrays import Floats
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_masks, hand_strengths, hands_without
from acpcbot.strategies.public_strategy import ActionTable

NUM_HOLE_CARDS, BOARD_SIZES = 2, range(3, 6)
KEPT_BOARDS = 1024
"""Percentiles of all hands on a board take 10 kB."""


class TightStrategy:
    """The strategy of ``TightAgent`` in one game, with any seed."""

    def __init__(self, definition: GameDefinition, settings: TightSettings | None = None) -> None:
        self.definition = definition
        self.settings = settings or TightSettings()

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the probabilities of the actor after *betting* with every hand.

        Hands that share a card with *board* have those of the weakest one.
        """
        percentiles = hand_percentiles(self.definition, tuple(board))
        distinct, places = np.unique(percentiles, return_inverse=True)
        played = [self.settings.action(betting, share) for share in distinct.tolist()]
        bluff_share = self.settings.bluff_share_after(betting)
        bluff = self.settings.raise_after(betting)
        actions = tuple(dict.fromkeys([*played, bluff] if bluff_share else played))
        columns = np.array([actions.index(action) for action in played])[places]
        probabilities = np.zeros((len(percentiles), len(actions)))
        probabilities[np.arange(len(percentiles)), columns] = 1 - bluff_share
        if bluff_share:
            probabilities[:, actions.index(bluff)] += bluff_share
        return ActionTable(actions, probabilities)


@lru_cache(KEPT_BOARDS)
def hand_percentiles(definition: GameDefinition, board: tuple[int, ...]) -> Floats:
    """Return ``hand_percentile`` of every hand on *board*, float64 [hand], read-only.

    It is 0 for hands that share a card with the board.
    """
    free = hands_without(definition, board)
    found = np.zeros(len(free))
    if definition.num_hole_cards == NUM_HOLE_CARDS and len(board) in BOARD_SIZES:
        strengths, masks = hand_strengths(definition, board)[free], hand_masks(definition)[free]
        is_met = (masks[:, None] & masks) == 0
        num_beaten = (is_met & (strengths < strengths[:, None])).sum(axis=1)
        num_tied = (is_met & (strengths == strengths[:, None])).sum(axis=1)
        found[free] = (num_beaten + num_tied / 2) / is_met.sum(axis=1)
    else:
        hands = all_hands(definition)[free].tolist()
        found[free] = [hand_percentile(definition, hand, board) for hand in hands]
    found.flags.writeable = False
    return found
