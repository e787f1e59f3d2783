"""How an opponent may play on beyond the first street, found by playing against the searcher.

The first continuation is the blueprint. Each further one is the best response to what the
searcher does on the first street if he reckons with those before it, levelled where one
beats the blueprint.

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games,
section 4 (self-generative approach).
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.evaluation.composed import copy_play, held_together, pair_values, put_solution, street_reaches
from acpcbot.evaluation.known_mind import Play
from acpcbot.evaluation.range_response import Walker, best_abstract_play
from acpcbot.solvers.leaf_values import ChosenContinuations, PairValues, levelled
from acpcbot.solvers.range_cfr import RangeCFR
from acpcbot.solvers.range_game import RangeGame, make_range_game


class SelfGenerated:
    """Continuations of both seats in *game*, where searchers take *num_iterations* for the first street.

    *blueprint* is a play by hands of both seats.
    """

    def __init__(self, game: RangeGame, blueprint: Play, num_iterations: int) -> None:
        self.game, self.blueprint, self.num_iterations = game, blueprint, num_iterations
        tree = game.tree
        self._street = make_range_game(tree.root, menu=tree.menu, suits_alike=False, one_street=True)
        # By seat, the values of its continuations to the other, [part, 1, hand of the other, hand].
        self._values: tuple[list[Floats], list[Floats]] = ([], [])

    def values(self, chooser: int, num_values: int) -> Floats:
        """What so many continuations of the *chooser* leave the other seat: levelled ``pair_values``."""
        self._find(chooser, num_values)
        found = np.concatenate(self._values[chooser][:num_values], axis=1)
        reach = street_reaches(self.game, (self.blueprint, self.blueprint))[:, 1 - chooser]
        known: Floats = levelled(found, reach, held_together(self.game))
        return known

    def solve(self, seat: int, num_values: int) -> RangeCFR:
        """The first street, solved by *seat* with so many continuations of the other."""
        leaves = ChosenContinuations(PairValues(self.values(1 - seat, num_values)), 1 - seat)
        solver = RangeCFR(self._street, leaves=leaves)
        solver.step(self.num_iterations)
        return solver

    def _find(self, chooser: int, num_values: int) -> None:
        """Add continuations until there are enough."""
        found = self._values[chooser]
        if not found:
            found.append(self._pair_values(self.blueprint, chooser))
        while len(found) < num_values:
            found.append(self._pair_values(self._response(chooser, len(found)), chooser))

    def _response(self, chooser: int, num_values: int) -> Play:
        """The best response to who solves the first street with so many values and plays on by the blueprint."""
        seat = 1 - chooser
        own = copy_play(self.blueprint)
        put_solution(self.game, own, self.solve(seat, num_values), [seat])
        plays = (own, self.blueprint) if seat == 0 else (self.blueprint, own)
        counts = (len(self.game.boards.arrays.hands),) * self.game.definition.num_streets
        return best_abstract_play(self.game, plays, chooser, counts, Walker())

    def _pair_values(self, continuation: Play, chooser: int) -> Floats:
        return pair_values(self.game, self.blueprint, [continuation], chooser)
