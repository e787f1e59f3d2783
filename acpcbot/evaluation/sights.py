"""All of one player's hands against those that the others hold, on some boards of one street.

Arrays are [way, hand], a way being a board, or where hands make no difference [way, 1].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.cards.combos import combo_index
from acpcbot.evaluation.aivat import View
from acpcbot.evaluation.strength_values import hand_shares, pot_of, rivals_of
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What *view* is of on *boards* of *street*: *buckets* and *strengths* of all combos, [way, combo].

    On the last street there are no strengths. ``known`` keeps what was worked out, by betting.
    """

    definition: GameDefinition
    view: View
    street: int
    boards: tuple[tuple[int, ...], ...]
    buckets: Ints
    strengths: Floats | None
    known: dict[str, Floats] = field(default_factory=dict)
    _shares: dict[tuple[tuple[int, ...], ...], Floats] = field(default_factory=dict)

    def buckets_of(self, seat: int) -> Ints:
        """The buckets of the hero's hands, or of the one that another *seat* holds."""
        return self.buckets if seat == self.view.hero else self.buckets[:, self._held(seat)]

    def strengths_of(self, seats: Sequence[int]) -> tuple[Floats, Floats]:
        """E[HS2] of the hero's hands, and the mean of that of the others of *seats*."""
        assert self.strengths is not None, self.street
        others = [self.strengths[:, self._held(seat)] for seat in seats if seat != self.view.hero]
        return self.strengths, np.mean(others, axis=0)

    def shares(self, betting: BettingState) -> Floats:
        """The share of the pot that each of the hero's hands wins if those who are in after *betting* check down."""
        rivals = rivals_of(self.view, betting)
        if rivals not in self._shares:
            self._shares[rivals] = np.stack(
                [hand_shares(self.definition, self.view, rivals, board) for board in self.boards]
            )
        return self._shares[rivals]

    def checked_down(self, betting: BettingState) -> Floats:
        """What the hero's hands are worth if nobody bets any more after *betting*; exact where the hand is over."""
        if betting.folded[self.view.hero]:
            return np.full((1, 1), -float(betting.spent[self.view.hero]))
        pot = pot_of(betting, self.view.hero)
        return pot.chips * self.shares(betting) - pot.paid

    def filled(self, values: Floats) -> Floats:
        """*values* with all ways and hands spelt out."""
        return np.broadcast_to(values, self.buckets.shape)

    def _held(self, seat: int) -> slice:
        """Where the hand that *seat* holds is among all combos."""
        combo = combo_index(*self.view.hole_cards[seat])
        return slice(combo, combo + 1)
