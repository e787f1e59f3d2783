"""What is won beyond a depth limit, where one seat chooses among continuations.

A street is solved alone; behind each action that ends it the *chooser* takes, with each of
his hands, one of some continuations, strategies by which he would play on, while the
other seat plays on by one that is given. Who assumes a single continuation takes him for
a fool who never adapts.

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32


class LeafValues(Protocol):
    """The values of the parts of the game that follow a street."""

    def values(self, seat: int, above: Floats32, *, learns: bool) -> Floats32:
        """The *seat*'s counterfactual values [part, hand], where both come as in *above* [part, seat, hand]."""
        ...


class Continuations(Protocol):
    """What the two seats win beyond a street, in chips, by the continuation that the chooser takes."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of parts, of continuations, and of the chooser's hands."""
        ...

    def won_by_other(self, reaches: Floats32) -> Floats32:
        """The other seat's values [part, hand] against the chooser's *reaches* [part, continuation, hand]."""
        ...

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """The chooser's values [part, continuation, hand] against the other's *reach* [part, hand]."""
        ...


class PairValues:
    """Continuations of small games: what is won with every pair of hands.

    *pair_values* [part, continuation, hand of the other, hand of the chooser] are what the
    other seat wins, in chips, summed over the boards with their chances; 0 where two hands
    share a card.
    """

    def __init__(self, pair_values: NDArray[np.floating[Any]]) -> None:
        self._won = pair_values.astype(np.float32)
        num_parts, num_choices, _, num_hands = pair_values.shape
        self.shape = num_parts, num_choices, num_hands

    def won_by_other(self, reaches: Floats32) -> Floats32:
        """The other seat's values, see ``Continuations``."""
        found: Floats32 = np.einsum("pkoc,pkc->po", self._won, reaches)
        return found

    def won_by_chooser(self, reach: Floats32) -> Floats32:
        """The chooser's values, see ``Continuations``."""
        found: Floats32 = -np.einsum("pkoc,po->pkc", self._won, reach)
        return found


class ChosenContinuations:
    """The *chooser* takes continuations by regret matching; the average choice is what others respond to."""

    def __init__(self, continuations: Continuations, chooser: int) -> None:
        self.continuations = continuations
        self._chooser = chooser
        self._regrets = np.zeros(continuations.shape, np.float32)
        self._chosen = np.zeros_like(self._regrets)

    def values(self, seat: int, above: Floats32, *, learns: bool) -> Floats32:
        """The chooser learns from his own values, weighted as in CFR+; a response takes the best choice."""
        if seat != self._chooser:
            choices = _shares(self._regrets if learns else self._chosen)
            return self.continuations.won_by_other(choices * above[:, None, self._chooser])
        gains = self.continuations.won_by_chooser(above[:, 1 - seat])
        if not learns:
            best: Floats32 = gains.max(axis=1)
            return best
        choices = _shares(self._regrets)
        values: Floats32 = np.sum(choices * gains, axis=1)
        self._chosen += choices * above[:, None, seat]
        np.maximum(self._regrets + gains - values[:, None], 0, out=self._regrets)
        return values

    @property
    def num_continuations(self) -> int:
        """How many there are to choose from."""
        return self._regrets.shape[1]


def levelled(pair_values: NDArray[np.float64], reach: NDArray[np.float64], beside: NDArray[np.float64]) -> Any:
    """*pair_values* in which no continuation wins more than the first one does, with any hand of the chooser.

    What wins more against the strategy that is played now, where the other seat comes with *reach*
    [part, hand], is not worth more when he adapts. *beside* [hand of the other, hand of the chooser]
    is 1 where two can be held together, else 0.
    """
    won = -np.einsum("pkoc,po->pkc", pair_values, reach)
    excess = np.maximum(won - won[:, :1], 0.0)
    weights = (reach @ beside)[:, None]
    taken = np.divide(excess, weights, out=np.zeros_like(excess), where=weights > 0)
    return pair_values + taken[:, :, None] * beside


def _shares(sums: Floats32) -> Floats32:
    """In proportion to *sums* [part, continuation, hand]; all alike where there are none."""
    total = sums.sum(axis=1, keepdims=True)
    shares: Floats32 = np.divide(sums, total, out=np.full_like(sums, 1 / sums.shape[1]), where=total > 0)
    return shares
