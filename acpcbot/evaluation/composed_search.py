"""What a searching agent does in a whole game of two streets, so that it can be measured exactly.

On the first street it solves to the end of the street, with values for some continuations of
the opponent beyond it. On the second it solves to the end of the game, behind a gadget that
promises the opponent what his best response to the blueprint wins. This is done for either
seat and for every state, and put together.

Continuations are found as the search needs them; see ``continuations.py``.

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games,
sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.evaluation.composed import copy_play, held_together, put_solution, street_reaches
from acpcbot.evaluation.continuations import SelfGenerated
from acpcbot.evaluation.known_mind import Play
from acpcbot.evaluation.range_plays import PlayStrategy, node_states, told_play
from acpcbot.evaluation.range_response import Walker, hand_values, responding
from acpcbot.poker.betting import BettingState
from acpcbot.solvers.gadgets import make_gadget
from acpcbot.solvers.leaf_values import LeafValues
from acpcbot.solvers.range_cfr import RangeCFR
from acpcbot.solvers.range_game import RangeGame, make_range_game
from acpcbot.solvers.range_mind import NUM_SEATS

LEAST_REACH = 1e-9
"""A hand that is never played so far may be held all the same."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """*gadget* of the second street, and how many iterations each street takes."""

    gadget: str = "resolve"
    first_iterations: int = 1000
    second_iterations: int = 300


class ComposedSearch:
    """The searcher in *game* with *blueprint*, a play by hands of both seats."""

    def __init__(self, game: RangeGame, blueprint: Play, settings: SearchSettings | None = None) -> None:
        self.game, self.blueprint, self.settings = game, blueprint, settings or SearchSettings()
        self._continuations = SelfGenerated(game, blueprint, self.settings.first_iterations)
        self._states = dict(node_states(game))
        self._strategy = PlayStrategy(game, blueprint)

    def play(self, num_values: int) -> Play:
        """All that it does if the opponent chooses among so many continuations."""
        composed = copy_play(self.blueprint)
        for seat in range(NUM_SEATS):
            solver = self._continuations.solve(seat, num_values)
            put_solution(self.game, composed, solver, [seat])
            self._solve_second(composed, solver, seat)
        return composed

    def _solve_second(self, composed: Play, solver: RangeCFR, seat: int) -> None:
        """Put the solutions of everything behind the first street into *composed*."""
        both = copy_play(self.blueprint)
        put_solution(self.game, both, solver, range(NUM_SEATS))
        reaches = street_reaches(self.game, (both, both))
        for place, betting in self._entries():
            ranges = np.maximum(reaches[place], LEAST_REACH)
            for board in self.game.boards.street_boards(1):
                part = make_range_game(
                    betting, self.game.boards.boards[board], self.game.tree.menu, ranges, suits_alike=False
                )
                put_solution(self.game, composed, self._solve_part(part, seat), [seat])

    def _entries(self) -> Iterator[tuple[int, BettingState]]:
        """The blocks of the second street, by their places among its parts."""
        betting = self.game.betting
        for part in range(int(betting.first_parts[0]), int(betting.first_parts[1])):
            if betting.parts[part] >= 0:
                yield part - int(betting.first_parts[0]), self._states[int(betting.parts[part])]

    def _solve_part(self, part: RangeGame, seat: int) -> RangeCFR:
        promised = hand_values(part, responding(1 - seat, told_play(part, self._strategy)), Walker())
        solver = behind_gadget(self.settings.gadget, part, seat, promised)
        solver.step(self.settings.second_iterations)
        return solver


def behind_gadget(
    name: str, part: RangeGame, seat: int, promised: Floats, leaves: LeafValues | None = None
) -> RangeCFR:
    """A solver of *part* for *seat*, whose opponent is *promised* so much [hand]; see ``solvers/gadgets.py``."""
    other = 1 - seat
    weights = part.ranges[seat] @ held_together(part)
    return RangeCFR(part, gadgets={other: make_gadget(name, part.ranges[other], weights, promised)}, leaves=leaves)
