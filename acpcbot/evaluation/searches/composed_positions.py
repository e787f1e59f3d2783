"""Strategies composed of searches at every position of a game that hides nothing.

Where nothing is hidden and no two seats move at once, the rest of a game depends on its position
alone, not on how it was reached. So a search may begin at the position: it needs neither ranges nor
a gadget, and all courses that come to one position share a search, whose seed is the position's
number. The exploitability of the composed strategy is exact, over all courses.

Source: Schmid et al. (2023), Student of Games, section "Modified Continual Re-solving" (what
perfect information makes simple).
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.composed_resolving import ComposedSearch
from acpcbot.games.game import Game, State, new_state
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.rng import Stream
from acpcbot.tree_search.growing_cfr import GrowingCFRSettings
from acpcbot.tree_search.leaf_evaluators import LeafValues
from acpcbot.tree_search.position_search import PositionResult, PositionSearch
from acpcbot.tree_search.public_tree import successors


class ComposedPositions:
    """Composition of growing-tree CFR at the positions of *game*, whose sequence form is *form*.

    Raises UsageError where seats that are to move have more than one position for an information
    set, or a seat knows what the public does not.
    """

    def __init__(self, game: Game, form: SequenceForm) -> None:
        self.game, self.form = game, form
        self._greatest_payoff = float(np.abs(form.end_payoffs).max()) or 1.0
        self._places: dict[bytes, int] = {}
        self.positions: list[State] = []
        """One state of each position in which a seat is to move."""
        self._position_of: Ints = np.full(len(form.infoset_keys), -1)
        numbers = {key: number for number, key in enumerate(form.infoset_keys.tolist())}
        states = new_state(game)[None]
        while len(states):
            for state in states:
                self._add(state, numbers)
            states = successors(game, states).states

    def _add(self, state: State, numbers: dict[int, int]) -> None:
        """Number the position of *state*, and note it for the information set."""
        actor = self.game.actor(state)
        if actor < 0:
            return
        words = state[self.game.num_seats() + 1 :].tobytes()
        place = self._places.setdefault(words, len(self.positions))
        if place == len(self.positions):
            self.positions.append(state)
        number = numbers[int(state[actor])]
        if self._position_of[number] not in (-1, place):
            raise UsageError(
                f"{self.game} has an information set with several positions",
                "compose re-solving searches where something is hidden",
            )
        self._position_of[number] = place

    def compose(
        self,
        settings: GrowingCFRSettings,
        seed: int,
        leaf_values: LeafValues | None = None,
    ) -> ComposedSearch:
        """Return the strategy of the searches with *settings* and *seed*."""
        first_slots, policies = self.form.first_slots, []
        results: list[PositionResult] = []
        searcher = PositionSearch(self.game, settings, leaf_values, self._greatest_payoff)
        for number, state in enumerate(self.positions):
            if self.game.num_actions(state) == 1:
                policies.append(np.ones(1))
                continue
            results.append(searcher.search(state, Stream(seed, number).bits()))
            policies.append(results[-1].policy)
        policy = np.ones(self.form.num_slots)
        for infoset, place in enumerate(self._position_of.tolist()):
            policy[first_slots[infoset] : first_slots[infoset + 1]] = policies[place]
        return ComposedSearch(
            policy,
            len(results),
            len(results) * settings.num_updates,
            sum(result.num_queries for result in results),
        )


def greedy_policy(form: SequenceForm, policy: Floats) -> Floats:
    """Return the pure policy [slot] of the most probable actions, the first of equal ones."""
    result = np.ones(form.num_slots)
    result[form.first_slots[0] :] = 0.0
    sizes = np.diff(form.first_slots)
    own = policy[form.first_slots[0] :]
    greatest = np.maximum.reduceat(own, form.first_slots[:-1] - form.first_slots[0])
    places = np.flatnonzero(own == np.repeat(greatest, sizes))
    infosets = np.repeat(np.arange(len(sizes)), sizes)[places]
    _, firsts = np.unique(infosets, return_index=True)
    result[form.first_slots[0] + places[firsts]] = 1.0
    return result
