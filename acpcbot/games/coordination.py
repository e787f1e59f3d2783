"""A coordination game that shows non-locality: play here depends on a payoff out of reach.

Chance takes one of two sides, which seat 0 does not see before it goes left (action 0) or right
(1). On the left side that is the end: left pays seat 0 *left_leaf*, right nothing. On the right
side seat 1 guesses, without having seen it, what seat 0 did: seat 0 wins 3 where both went the same
way. Seat 1 loses what seat 0 wins. In equilibrium seat 1 goes left with probability (3 - left_leaf)
/ 6, where left_leaf is from 0 to 3; seat 0 goes either way alike.

state  [key by viewer, ACTOR, SIDE, CHOICE by seat]

Source: Lisy, Lanctot & Bowling (2015), Online Monte Carlo counterfactual regret minimization for
search in imperfect information games, figure 1.
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.games.game import CHANCE, OVER, State, Target, clear, observe

ACTOR, SIDE, CHOICE = 3, 4, 5
STATE_LENGTH = 7
PRIZE = 3.0


class Coordination(NamedTuple):
    """The game in which going left on the left side pays *left_leaf*."""

    left_leaf: float = 1.0

    def num_seats(self) -> int:
        return 2

    def state_length(self) -> int:
        return STATE_LENGTH

    def max_moves(self) -> int:
        return 3

    def max_actions(self) -> int:
        return 2

    def start(self, state: State) -> None:
        clear(state, 2)
        state[ACTOR] = CHANCE

    def actor(self, state: State) -> int:
        return int(state[ACTOR])

    def num_actions(self, state: State) -> int:
        return 2

    def chance(self, state: State, action: int) -> float:
        return 0.5

    def has_uniform_chance(self) -> bool:
        return True

    def apply(self, state: State, action: int) -> None:
        actor = state[ACTOR]
        if actor == CHANCE:
            state[SIDE] = action
            state[ACTOR] = 0
            return
        state[CHOICE + actor] = action
        observe(state, actor, action)
        state[ACTOR] = 1 if actor == 0 and state[SIDE] == 1 else OVER

    def payoff(self, state: State, seat: int) -> float:
        if state[SIDE] == 0:
            won = self.left_leaf if state[CHOICE] == 0 else 0.0
        else:
            won = PRIZE if state[CHOICE] == state[CHOICE + 1] else 0.0
        return -won if seat else won

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        # Seat 1 moves on the right side alone; its key, the same as at the start, does not say so.
        return 0b10 if state[ACTOR] == CHANCE and target.viewer == 1 else 0b11
