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
ENTERS, LEAVES, CHOSEN = 0, 1, 0
"""Rows of regrets: ENTERS and LEAVES of EACH_HAND, CHOSEN of ONE_OF_HANDS."""


class GadgetState(NamedTuple):
    """A gadget in the form of kernels.

    ``kind``          NO_CHOICE, EACH_HAND or ONE_OF_HANDS
    ``shares``        float64 [hand]: the reach that choosing a hand stands for, 0 where it cannot
                      come; of NO_CHOICE the given range
    ``alternatives``  float64 [hand]: the alternative values
    ``regrets``       float64 [ENTERS and LEAVES, or CHOSEN; hand]
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
    if state.kind == ONE_OF_HANDS:
        total, number = choice_sums(state)
        for hand in range(len(state.shares)):
            reach[hand] = chosen(state, hand, total, number) * state.shares[hand]
    elif state.kind == EACH_HAND:
        for hand in range(len(state.shares)):
            reach[hand] = enters(state, hand) * state.shares[hand]
    else:
        for hand in range(len(state.shares)):
            reach[hand] = state.shares[hand]


@kernel
def learn_choice(state: GadgetState, values: AnyArray) -> None:
    """Add the regrets of the choice of this iteration; *values* [hand] as in ``observe``."""
    # Regret matching+: R(a) = max(0, R(a) + v(a) - v), v being what the present choice is worth. A
    # solver's values may be float32; regrets are added up in float64.
    alternatives, regrets = state.alternatives, state.regrets
    if state.kind == EACH_HAND:
        # Two actions of each hand: inside it is worth its value, outside its alternative. A hand
        # that cannot come stays outside, and its reach is 0 whatever its regrets say.
        for hand in range(len(state.shares)):
            inside, outside = np.float64(values[hand]), alternatives[hand]
            share = enters(state, hand) * state.shares[hand]
            kept = share * inside + (1.0 - share) * outside
            regrets[ENTERS, hand] = max(0.0, regrets[ENTERS, hand] + inside - kept)
            regrets[LEAVES, hand] = max(0.0, regrets[LEAVES, hand] + outside - kept)
    elif state.kind == ONE_OF_HANDS:
        # The hands are the actions, each worth its margin over the alternative by its share. Hands
        # that cannot come have the share 0: their margin would be 0, above that of others.
        (total, number), mean = choice_sums(state), 0.0
        for hand in range(len(state.shares)):
            mean += chosen(state, hand, total, number) * margin(state, hand, values)
        for hand in range(len(state.shares)):
            if state.shares[hand] > 0:
                gain = margin(state, hand, values) - mean
                regrets[CHOSEN, hand] = max(0.0, regrets[CHOSEN, hand] + gain)


@kernel(inline=True)
def enters(state: GadgetState, hand: int) -> float:
    """Return the probability of entering with *hand*; one half at first."""
    total = state.regrets[ENTERS, hand] + state.regrets[LEAVES, hand]
    return state.regrets[ENTERS, hand] / total if total > 0 else 0.5


@kernel
def choice_sums(state: GadgetState) -> tuple[float, int]:
    """Return the sum of all hands' regrets, and the number of hands that can come."""
    total, number = 0.0, 0
    for hand in range(len(state.shares)):
        total += state.regrets[CHOSEN, hand]
        number += state.shares[hand] > 0
    return total, number


@kernel(inline=True)
def chosen(state: GadgetState, hand: int, total: float, number: int) -> float:
    """Return the probability of choosing *hand*, for ``choice_sums``; at first all are alike."""
    evenly = 1.0 / number if state.shares[hand] > 0 else 0.0
    return state.regrets[CHOSEN, hand] / total if total > 0 else evenly


@kernel(inline=True)
def margin(state: GadgetState, hand: int, values: AnyArray) -> float:
    """Return what *hand* gains beyond its alternative value, by its share."""
    gain = np.float64(values[hand]) - state.alternatives[hand]
    return gain * state.shares[hand]  # type: ignore[no-any-return]
