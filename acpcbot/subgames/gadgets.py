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

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import AnyArray, Floats
from acpcbot.errors import UsageError
from acpcbot.jit import kernel

GADGETS = ("unsafe", "resolve", "maxmargin")
NO_CHOICE, EACH_HAND, ONE_OF_HANDS = range(3)


class GadgetState(NamedTuple):
    """A gadget in the form of kernels.

    ``kind``          NO_CHOICE, EACH_HAND or ONE_OF_HANDS
    ``shares``        float64 [hand]: the reach that choosing a hand stands for, 0 where it cannot
                      come; of NO_CHOICE the given range
    ``alternatives``  float64 [hand]: the alternative values
    ``regrets``       float64 [choice, hand]: of entering and of leaving, or of choosing the hand
    """

    kind: int
    shares: Floats
    alternatives: Floats
    regrets: Floats


def no_gadget() -> GadgetState:
    """Return the state of a seat that has no gadget: it enters with the game's range."""
    return GadgetState(NO_CHOICE, np.zeros(0), np.zeros(0), np.zeros((0, 0)))


class Gadget:
    """The opponent's way into a subgame, by its *state*, which kernels and methods share."""

    def __init__(self, state: GadgetState) -> None:
        self.state = state

    def reach(self) -> Floats:
        """Return the opponent's reach in this iteration, [hand]."""
        found = np.zeros(len(self.state.shares))
        write_reach(self.state, found)
        return found

    def observe(self, values: Floats) -> None:
        """Learn from the counterfactual *values* [hand] of the opponent's hands in the subgame."""
        learn_choice(self.state, values)


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


class Unsafe(Gadget):
    """The opponent holds *hand_range*, in every iteration."""

    def __init__(self, hand_range: Floats) -> None:
        shares = np.array(hand_range, np.float64)
        super().__init__(GadgetState(NO_CHOICE, shares, np.zeros(0), np.zeros((0, 0))))


class Resolve(Gadget):
    """The re-solving gadget: enter or take the alternative value, with each hand on its own.

    Regrets are kept as in CFR+, none below zero.
    """

    def __init__(self, weights: Floats, alternatives: Floats) -> None:
        shares = (weights > 0).astype(np.float64)
        regrets = np.zeros((2, len(weights)))
        own = np.array(alternatives, np.float64)
        super().__init__(GadgetState(EACH_HAND, shares, own, regrets))


class MaxMargin(Gadget):
    """The maxmargin gadget: one choice of hands, each paid its margin over the alternative value.

    The margin of a hand is divided by its weight, so that hands which the known range often blocks
    count as much as any.
    """

    def __init__(self, weights: Floats, alternatives: Floats) -> None:
        shares = np.divide(1.0, weights, out=np.zeros(len(weights)), where=weights > 0)
        regrets = np.zeros((1, len(weights)))
        own = np.array(alternatives, np.float64)
        super().__init__(GadgetState(ONE_OF_HANDS, shares, own, regrets))


@kernel
def write_reach(state: GadgetState, reach: AnyArray) -> None:
    """Fill *reach* [hand] with the opponent's in this iteration; a seat without gadget keeps it."""
    shares, regrets = state.shares, state.regrets
    if state.kind == ONE_OF_HANDS:
        # Hands in proportion to their regrets; all alike at first.
        total, number = sum_of(regrets[0]), 0.0
        for hand in range(len(shares)):
            number += shares[hand] > 0
        for hand in range(len(shares)):
            chosen = regrets[0, hand] / total if total > 0 else 1.0 / number
            reach[hand] = chosen * shares[hand]
        return
    for hand in range(len(shares)):
        enters = 1.0
        if state.kind == EACH_HAND:
            total = regrets[0, hand] + regrets[1, hand]
            enters = regrets[0, hand] / total if total > 0 else 0.5
        reach[hand] = enters * shares[hand]


@kernel
def learn_choice(state: GadgetState, values: AnyArray) -> None:
    """Add the regrets of the choice of this iteration; *values* [hand] as in ``observe``."""
    shares, alternatives, regrets = state.shares, state.alternatives, state.regrets
    if state.kind == EACH_HAND:
        for hand in range(len(shares)):
            total = regrets[0, hand] + regrets[1, hand]
            enters = regrets[0, hand] / total if total > 0 else 0.5
            inside, outside = np.float64(values[hand]), alternatives[hand]
            # A hand that cannot come has the reach 0 whatever it would choose.
            kept = enters * shares[hand] * inside + (1.0 - enters * shares[hand]) * outside
            regrets[0, hand] = max(0.0, regrets[0, hand] + inside - kept)
            regrets[1, hand] = max(0.0, regrets[1, hand] + outside - kept)
    elif state.kind == ONE_OF_HANDS:
        total, number, mean = sum_of(regrets[0]), 0.0, 0.0
        for hand in range(len(shares)):
            number += shares[hand] > 0
        for hand in range(len(shares)):
            if shares[hand] > 0:
                chosen = regrets[0, hand] / total if total > 0 else 1.0 / number
                mean += chosen * (values[hand] - alternatives[hand]) * shares[hand]
        for hand in range(len(shares)):
            if shares[hand] > 0:
                gain = (values[hand] - alternatives[hand]) * shares[hand]
                regrets[0, hand] = max(0.0, regrets[0, hand] + gain - mean)


@kernel
def sum_of(numbers: Floats) -> float:
    """Return the sum of *numbers*."""
    total = 0.0
    for number in numbers:
        total += number
    return total
