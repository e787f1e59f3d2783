"""What the opponent may do instead of entering a subgame: what makes solving it anew safe or not.

A subgame is solved for one seat, whose range is known; which hands the opponent holds is
his choice as far as the gadget lets him. *Alternatives* [hand] are what he is promised
elsewhere, counterfactual values against that range: those of his best response to the
strategy that was to be played here. A gadget asks for nothing but the values of his
hands, iteration after iteration, and answers with his reach.

    unsafe       his range is taken as known
    re-solve     with every hand he may leave and take what he is promised
    maxmargin    he comes with the hands that gain most (or lose least) beyond what they are promised

The *gifts* of reach solving, what he gave away with a hand on the way here, are added to
what is promised: he may win them back.

Sources: Burch, Johanson & Bowling (2014), Solving imperfect information games using
decomposition (re-solve); Moravcik et al. (2016), Refining subgames in large imperfect
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
    """How the opponent gets into a subgame."""

    def reach(self) -> Floats:
        """How he comes in the iteration at hand, [hand]."""
        ...

    def observe(self, values: Floats) -> None:
        """Learn from the counterfactual *values* [hand] of his hands, where he comes."""
        ...


def make_gadget(name: str, hand_range: Floats, weights: Floats, alternatives: Floats) -> Gadget:
    """The gadget called *name*.

    *hand_range* [hand] is what the opponent is believed to hold, *weights* [hand] how much of
    the known range can be held beside each of his hands, and *alternatives* [hand] what he
    is promised. Raises UsageError.
    """
    if name == "unsafe":
        return Unsafe(hand_range)
    if name == "resolve":
        return Resolve(weights, alternatives)
    if name == "maxmargin":
        return MaxMargin(weights, alternatives)
    raise UsageError(
        f"no way to solve a subgame is called {name!r}", f"there are {', '.join(GADGETS)}"
    )


class Unsafe:
    """He holds *hand_range*, whatever happens."""

    def __init__(self, hand_range: Floats) -> None:
        self._reach = hand_range

    def reach(self) -> Floats:
        """The same always."""
        return self._reach

    def observe(self, values: Floats) -> None:
        """Nothing: he has no choice."""


class Resolve:
    """With every hand he enters, or leaves and has its alternative: a regret matching for each.

    Regrets are kept as in CFR+, none below zero.
    """

    def __init__(self, weights: Floats, alternatives: Floats) -> None:
        self._can_come, self._alternatives = weights > 0, alternatives
        self._regrets = np.zeros((2, len(weights)))

    def reach(self) -> Floats:
        """How often he enters with each hand; half the time at first."""
        total = self._regrets.sum(axis=0)
        enters = np.divide(self._regrets[0], total, out=np.full(len(total), 0.5), where=total > 0)
        return np.where(self._can_come, enters, 0.0)

    def observe(self, values: Floats) -> None:
        """Regret not to have entered, or not to have left."""
        enters = self.reach()
        kept = enters * values + (1 - enters) * self._alternatives
        self._regrets += np.stack([values, self._alternatives]) - kept
        np.maximum(self._regrets, 0.0, out=self._regrets)


class MaxMargin:
    """He chooses the hands with which he comes, and wins with each what is above its alternative.

    What a hand gains is divided by its weight, so that hands which the other range blocks
    often count as much as any.
    """

    def __init__(self, weights: Floats, alternatives: Floats) -> None:
        self._can_come, self._alternatives = weights > 0, alternatives
        self._shares = np.divide(1.0, weights, out=np.zeros(len(weights)), where=self._can_come)
        self._regrets = np.zeros(len(weights))

    def reach(self) -> Floats:
        """In proportion to the regrets; all hands alike at first."""
        return self._strategy() * self._shares

    def observe(self, values: Floats) -> None:
        """Regret not to have come with the hands that gain most."""
        gains = (values - self._alternatives) * self._shares
        self._regrets += np.where(self._can_come, gains - self._strategy() @ gains, 0.0)
        np.maximum(self._regrets, 0.0, out=self._regrets)

    def _strategy(self) -> Floats:
        chosen = self._regrets if self._regrets.any() else self._can_come.astype(np.float64)
        return chosen / chosen.sum()  # type: ignore[no-any-return]
