"""Gadgets that make re-solving a subgame safe: the opponent's choice of hands at its root.

A subgame is solved for one seat, whose range is known; the hands with which the opponent enters
are its own choice as far as the gadget lets it. *Alternative values* [hand] are what it is
guaranteed elsewhere, counterfactual values against that range: those of its best response to the
strategy that was to be played here. A gadget is given nothing but the values of the opponent's
hands, iteration after iteration, and answers with the opponent's reach.

    unsafe       the opponent's range is taken as known
    resolve      with every hand it enters, or leaves and takes the alternative value
    maxmargin    it enters with the hands that gain most (or lose least) beyond their alternative

The *gifts* of reach subgame solving, what the opponent gave away with a hand on the way to the
subgame, are added to the alternative values by the caller: it may win them back.

Sources: Burch, Johanson & Bowling (2014), Solving imperfect information games using
decomposition (resolve); Moravcik et al. (2016), Refining subgames in large imperfect
information games (maxmargin); Brown & Sandholm (2017), Safe and nested subgame solving for
imperfect-information games (reach).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError

GADGETS = ("unsafe", "resolve", "maxmargin")


class Gadget(Protocol):
    """The opponent's way into a subgame."""

    def reach(self) -> Floats:
        """Return the opponent's reach in this iteration, [hand]."""
        ...

    def observe(self, values: Floats) -> None:
        """Learn from the counterfactual *values* [hand] of the opponent's hands in the subgame."""
        ...


def make_gadget(name: str, hand_range: Floats, weights: Floats, alternatives: Floats) -> Gadget:
    """Return the gadget called *name*.

    *hand_range* [hand] is the opponent's presumed range, *weights* [hand] how much of the known
    range is compatible with each of its hands, *alternatives* [hand] are the alternative values.
    Raises UsageError.
    """
    if name == "unsafe":
        return Unsafe(hand_range)
    if name == "resolve":
        return Resolve(weights, alternatives)
    if name == "maxmargin":
        return MaxMargin(weights, alternatives)
    raise UsageError(f"unknown gadget {name!r}", f"expected one of {', '.join(GADGETS)}")


class Unsafe:
    """The opponent holds *hand_range*, in every iteration."""

    def __init__(self, hand_range: Floats) -> None:
        self._reach = hand_range

    def reach(self) -> Floats:
        """Return the given range."""
        return self._reach

    def observe(self, values: Floats) -> None:
        """Do nothing: the opponent has no choice."""


class Resolve:
    """The re-solving gadget: enter or take the alternative value, with each hand on its own.

    Regrets are kept as in CFR+, none below zero.
    """

    def __init__(self, weights: Floats, alternatives: Floats) -> None:
        self._can_come, self._alternatives = weights > 0, alternatives
        self._regrets = np.zeros((2, len(weights)))

    def reach(self) -> Floats:
        """Return the probability of entering with each hand; one half at first."""
        total = self._regrets.sum(axis=0)
        enters = np.divide(self._regrets[0], total, out=np.full(len(total), 0.5), where=total > 0)
        return np.where(self._can_come, enters, 0.0)

    def observe(self, values: Floats) -> None:
        """Add the regrets of entering and of leaving."""
        enters = self.reach()
        kept = enters * values + (1 - enters) * self._alternatives
        self._regrets += np.stack([values, self._alternatives]) - kept
        np.maximum(self._regrets, 0.0, out=self._regrets)


class MaxMargin:
    """The maxmargin gadget: one choice of hands, each paid its margin over the alternative value.

    The margin of a hand is divided by its weight, so that hands which the known range often blocks
    count as much as any.
    """

    def __init__(self, weights: Floats, alternatives: Floats) -> None:
        self._can_come, self._alternatives = weights > 0, alternatives
        self._shares = np.divide(1.0, weights, out=np.zeros(len(weights)), where=self._can_come)
        self._regrets = np.zeros(len(weights))

    def reach(self) -> Floats:
        """Return hands in proportion to their regrets; all hands equally at first."""
        return self._strategy() * self._shares

    def observe(self, values: Floats) -> None:
        """Add the regrets of the hands that gain more than the current choice."""
        gains = (values - self._alternatives) * self._shares
        self._regrets += np.where(self._can_come, gains - self._strategy() @ gains, 0.0)
        np.maximum(self._regrets, 0.0, out=self._regrets)

    def _strategy(self) -> Floats:
        chosen = self._regrets if self._regrets.any() else self._can_come.astype(np.float64)
        return chosen / chosen.sum()  # type: ignore[no-any-return]
