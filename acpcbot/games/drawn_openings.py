"""A game whose first moves are drawn at random, so that matches begin in many positions."""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.games.game import CHANCE, Game, State, Target

LAST = -1
"""The word of a state, behind those of the game, that counts the moves so far."""


class DrawnOpenings(NamedTuple):
    """*game*, of whose moves chance makes the first *num_drawn*, all of them equally likely."""

    game: Game
    num_drawn: int

    def num_seats(self) -> int:
        return self.game.num_seats()

    def state_length(self) -> int:
        return self.game.state_length() + 1

    def max_moves(self) -> int:
        return self.game.max_moves()

    def max_actions(self) -> int:
        return self.game.max_actions()

    def start(self, state: State) -> None:
        self.game.start(state)
        state[LAST] = 0

    def actor(self, state: State) -> int:
        actor = self.game.actor(state)
        return CHANCE if actor >= 0 and state[LAST] < self.num_drawn else actor

    def num_actions(self, state: State) -> int:
        return self.game.num_actions(state)

    def chance(self, state: State, action: int) -> float:
        if state[LAST] < self.num_drawn:
            return 1.0 / self.game.num_actions(state)
        return self.game.chance(state, action)

    def has_uniform_chance(self) -> bool:
        return self.game.has_uniform_chance()

    def apply(self, state: State, action: int) -> None:
        self.game.apply(state, action)
        state[LAST] += 1

    def payoff(self, state: State, seat: int) -> float:
        return self.game.payoff(state, seat)

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        return self.game.actions_towards(state, num_moves, target)
