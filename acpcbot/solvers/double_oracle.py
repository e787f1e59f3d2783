"""The double oracle for generic poker: a small restricted game that grows until its equilibrium is one of all.

In the restricted game the seats have their open actions alone (see poker_responses.py). It
is solved as sequences, by whatever solver; a best response in the whole game to what was
found bounds the value from either side, and opens what it gains by. The bounds are certain, up to
rounding, however well or ill the restricted game was solved.

Source: Bosansky, Kiekintveld, Lisy & Pechoucek (2014), An exact double-oracle algorithm for
zero-sum extensive-form games with imperfect information. Departures: actions are opened
wherever the open ones lead, not only on a best response's own way; who has opened nothing checks or calls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Ints
from acpcbot.errors import UsageError
from acpcbot.games.generic_poker import GenericPoker
from acpcbot.games.poker_streets import NUM_SEATS, poker_streets
from acpcbot.solvers.poker_responses import MOST_ACTIONS, Question, Strategy, best_response, make_scratch
from acpcbot.solvers.restricted_poker import restricted_form


@dataclass(frozen=True, slots=True)
class Bounds:
    """What seat 0 wins in equilibrium, in chips: at least *lower* and at most *upper*."""

    lower: float
    upper: float

    @property
    def gap(self) -> float:
        """How far the bounds are apart."""
        return self.upper - self.lower


class DoubleOracle:
    """The growing part of *game*.

    ``masks``       uint16 [public decision, hand], see poker_responses.py
    ``form``        the restricted game as sequences, another one after each ``respond``
    ``slot_names``  int64 [slot], a number for each slot that it keeps while the game grows
    ``policy``      float64 [slot], how both seats play it; assign to it what a solver found
    ``bounds``      the narrowest of all that are certain

    Six bytes stand for each public decision and hand, most of which the system never hands
    out: parts of the game that were not opened take no memory. Raises UsageError for more than 16 actions.
    """

    def __init__(self, game: GenericPoker) -> None:
        if game.max_actions() > MOST_ACTIONS:
            raise UsageError(f"{game} has up to {game.max_actions()} actions", f"at most {MOST_ACTIONS} are counted")
        self.game, self.bounds = poker_streets(game), Bounds(-np.inf, np.inf)
        shape = self.game.num_public_decisions, game.num_ranks
        self.masks, self._slots = np.zeros(shape, np.uint16), np.zeros(shape, np.int32)
        self._scratches = [make_scratch(street, game.num_ranks) for street in (self.game.first, self.game.second)]
        self._grow(np.empty(0, np.int64))

    def respond(self, least_gain: float = 0.0) -> Bounds:
        """Meet the policy with best responses in the whole game; what they gain by becomes part of the restricted one.

        Actions are opened that gain more than *least_gain*, counterfactual and in chips. Slots are numbered
        anew, and the policy is uniform again. Returns the bounds that the policy gave.
        """
        strategy = Strategy(self.masks, self._slots, self.policy)
        values, found = [], []
        for seat in range(NUM_SEATS):
            value, actions = best_response(self.game, strategy, Question(seat, least_gain), *self._scratches)
            values.append(value)
            found.append(actions)
        bounds = Bounds(-values[1], values[0])
        self.bounds = Bounds(max(self.bounds.lower, bounds.lower), min(self.bounds.upper, bounds.upper))
        self._grow(np.concatenate(found))
        return bounds

    def _grow(self, actions: Ints) -> None:
        """Open *actions*, as best_response gives them, and number the slots anew."""
        infosets, bits = actions // MOST_ACTIONS, (1 << actions % MOST_ACTIONS).astype(np.uint16)
        np.bitwise_or.at(self.masks.reshape(-1), infosets, bits)
        self.form, self.slot_names = restricted_form(self.game, Strategy(self.masks, self._slots, np.empty(0)))
        self.policy = self.form.normalised(np.zeros(self.form.num_slots))
