"""Rock, paper, scissors, where a game with scissors in it may count more (RPS+ of 2: twice).

Seat 1 moves after seat 0 and does not see its move. Actions: 0 rock, 1 paper, 2 scissors.

state  [key by viewer, MOVES, CHOICE by seat]

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games.
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.games.game import OVER, State, Target, clear, observe

MOVES, CHOICE = 3, 4
STATE_LENGTH = 6
SCISSORS = 2


class RockPaperScissors(NamedTuple):
    """The game in which a win with scissors on either side counts *scissors_stake*."""

    scissors_stake: float = 1.0

    def num_seats(self) -> int:
        return 2

    def state_length(self) -> int:
        return STATE_LENGTH

    def max_moves(self) -> int:
        return 2

    def max_actions(self) -> int:
        return 3

    def start(self, state: State) -> None:
        clear(state, 2)

    def actor(self, state: State) -> int:
        return int(state[MOVES]) if state[MOVES] < 2 else OVER

    def num_actions(self, state: State) -> int:
        return 3

    def chance(self, state: State, action: int) -> float:
        return 0.0

    def has_uniform_chance(self) -> bool:
        return True

    def apply(self, state: State, action: int) -> None:
        seat = state[MOVES]
        state[CHOICE + seat] = action
        state[MOVES] += 1
        observe(state, seat, action)

    def payoff(self, state: State, seat: int) -> float:
        own, others = state[CHOICE + seat], state[CHOICE + 1 - seat]
        # Each beats what comes before it, in a circle.
        won = float((own - others + 1) % 3 - 1)
        return won * (self.scissors_stake if SCISSORS in (own, others) else 1.0)

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        # Asked about the first move alone, of which seat 1 sees nothing.
        return 0b111


RPS_PLUS = RockPaperScissors(scissors_stake=2.0)
