"""What a searching agent does in a whole game of two streets, so that it can be measured exactly.

On the first street it solves to the end of the street, with values for some continuations of
the opponent beyond it. On the second it solves to the end of the game, behind a gadget that
promises the opponent what his best response to the blueprint wins. This is done for either
seat and for every state, and put together.

Continuations are found as the search needs them: the first is the blueprint, each further
one the best response to the first street's solution by those before it, levelled where
it beats the blueprint.

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games,
sections 4 and 5 (self-generative approach).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from acpcbot.cards.deck import NUM_CARDS
from acpcbot.evaluation.composed import pair_values, put_solution, street_reaches
from acpcbot.evaluation.known_mind import Floats, Play
from acpcbot.evaluation.range_plays import PlayStrategy, node_states, told_play
from acpcbot.evaluation.range_response import Walker, best_abstract_play, hand_values, responding
from acpcbot.poker.betting import BettingState
from acpcbot.solvers.gadgets import make_gadget
from acpcbot.solvers.leaf_values import ChosenContinuations, levelled
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
    """The searcher in *game*, which tells all suits apart, with *blueprint*, a play by hands of both seats."""

    def __init__(self, game: RangeGame, blueprint: Play, settings: SearchSettings | None = None) -> None:
        self.game, self.blueprint, self.settings = game, blueprint, settings or SearchSettings()
        tree = game.tree
        self._first = make_range_game(tree.root, menu=tree.menu, suits_alike=False, one_street=True)
        self._states = dict(node_states(game))
        self._strategy = PlayStrategy(game, blueprint)
        # By seat, the values of its continuations to the other, [part, 1, hand of the other, hand].
        self._continuations: tuple[list[Floats], list[Floats]] = ([], [])
        self._beside = _held_together(game)

    def play(self, num_values: int) -> Play:
        """All that it does if the opponent chooses among so many continuations."""
        composed = _copy(self.blueprint)
        for seat in range(NUM_SEATS):
            self._generate(seat, num_values)
            solver = self._solve_first(seat, num_values)
            put_solution(self.game, composed, solver, [seat])
            self._solve_second(composed, solver, seat)
        return composed

    def _generate(self, seat: int, num_values: int) -> None:
        """Find continuations of the other seat until there are enough."""
        found, num_rows = self._continuations[1 - seat], len(self.game.boards.arrays.hands)
        if not found:
            found.append(self._pair_values(self.blueprint, seat))
        while len(found) < num_values:
            own = _copy(self.blueprint)
            put_solution(self.game, own, self._solve_first(seat, len(found)), [seat])
            plays = (own, self.blueprint) if seat == 0 else (self.blueprint, own)
            counts = (num_rows,) * self.game.definition.num_streets
            response = best_abstract_play(self.game, plays, 1 - seat, counts, Walker())
            found.append(self._pair_values(response, seat))

    def _pair_values(self, continuation: Play, seat: int) -> Floats:
        """What *seat* wins by its blueprint beyond the first street if the other plays on by *continuation*."""
        return pair_values(self.game, self.blueprint, [continuation], 1 - seat)

    def _solve_first(self, seat: int, num_values: int) -> RangeCFR:
        other = 1 - seat
        values = np.concatenate(self._continuations[other][:num_values], axis=1)
        reach = street_reaches(self.game, (self.blueprint, self.blueprint))[:, seat]
        leaves = ChosenContinuations(levelled(values, reach, self._beside), other)
        solver = RangeCFR(self._first, leaves=leaves)
        solver.step(self.settings.first_iterations)
        return solver

    def _solve_second(self, composed: Play, solver: RangeCFR, seat: int) -> None:
        """Put the solutions of everything behind the first street into *composed*."""
        both = _copy(self.blueprint)
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
        other = 1 - seat
        promised = hand_values(part, responding(other, told_play(part, self._strategy)), Walker())
        weights = part.ranges[seat] @ _held_together(part)
        gadget = make_gadget(self.settings.gadget, part.ranges[other], weights, promised)
        solver = RangeCFR(part, gadgets={other: gadget})
        solver.step(self.settings.second_iterations)
        return solver


def _copy(play: Play) -> Play:
    return play._replace(policy=play.policy.copy())


def _held_together(game: RangeGame) -> Floats:
    """Which hands of the root's board share no card, 1 or 0, [hand, hand]."""
    cards = game.boards.arrays.cards[game.boards.rows(0)]
    real = np.where(cards < NUM_CARDS, cards, NUM_CARDS)
    holds = (real[:, :, None] == np.arange(NUM_CARDS)).any(axis=1).astype(np.float64)
    beside: Floats = (holds @ holds.T == 0).astype(np.float64)
    return beside
