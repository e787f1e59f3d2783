"""Liar's dice for two: bids on the dice of both players, until one calls the other a liar.

Both roll their dice in secret. A bid names a number of dice and a face, and has to be higher than
the last: more dice, or as many of a higher face. After a bid the action that comes last is to call
it a lie: the player who is wrong then loses 1, the other wins it. The highest face counts as every
face.

state  [key by viewer, ACTOR, NUM_ROLLED, BID: the last one's number from one, or 0, CALLER
        (seat + 1, or 0), OWN by seat: its dice as a number that forgets their order, FACES: dice of
        both by face]

Source: Lisy, Lanctot & Bowling (2015), Online Monte Carlo counterfactual regret minimization for
search in imperfect information games, LD(D1, D2).
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.games.game import (
    CHANCE,
    OVER,
    State,
    Target,
    all_actions,
    clear,
    observe,
    observe_all,
)
from acpcbot.jit import shared

ACTOR, NUM_ROLLED, BID, CALLER, OWN, FACES = 3, 4, 5, 6, 7, 9


class LiarsDice(NamedTuple):
    """The game with *num_dice* for each player, of *num_sides*."""

    num_dice: int = 1
    num_sides: int = 6

    def num_seats(self) -> int:
        return 2

    def state_length(self) -> int:
        return FACES + self.num_sides

    def max_moves(self) -> int:
        return 2 * self.num_dice * (self.num_sides + 1) + 1

    def max_actions(self) -> int:
        return 2 * self.num_dice * self.num_sides

    def start(self, state: State) -> None:
        clear(state, 2)
        state[ACTOR] = CHANCE

    def actor(self, state: State) -> int:
        return int(state[ACTOR])

    def num_actions(self, state: State) -> int:
        if state[ACTOR] == CHANCE:
            return self.num_sides
        return int(2 * self.num_dice * self.num_sides - state[BID] + (state[BID] > 0))

    def chance(self, state: State, action: int) -> float:
        return 1 / float(self.num_sides)

    def has_uniform_chance(self) -> bool:
        return True

    def apply(self, state: State, action: int) -> None:
        if state[ACTOR] == CHANCE:
            _roll(state, action, self.num_dice)
            return
        observe_all(state, 2, action)
        seat = state[ACTOR]
        if state[BID] + action == 2 * self.num_dice * self.num_sides:
            state[CALLER] = seat + 1
            state[ACTOR] = OVER
        else:
            state[BID] += action + 1
            state[ACTOR] = 1 - seat

    def payoff(self, state: State, seat: int) -> float:
        count, face = (state[BID] - 1) // self.num_sides + 1, (state[BID] - 1) % self.num_sides
        shown = state[FACES + self.num_sides - 1]
        if face < self.num_sides - 1:
            shown += state[FACES + face]
        return 1.0 if (shown < count) == (state[CALLER] == seat + 1) else -1.0

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        if state[ACTOR] == CHANCE:
            return _faces_towards(self, state, target)
        # All bids are public.
        return 1 << int(target.actions[num_moves])


@shared
def _roll(state: State, face: int, num_dice: int) -> None:
    """Roll the next die, seat 0's first; a seat sees its dice when it has rolled them all."""
    seat = 1 if state[NUM_ROLLED] >= num_dice else 0
    state[FACES + face] += 1
    state[OWN + seat] += (2 * num_dice + 1) ** face
    state[NUM_ROLLED] += 1
    if state[NUM_ROLLED] == (seat + 1) * num_dice:
        observe(state, seat, state[OWN + seat])
        state[ACTOR] = 0 if seat else CHANCE


@shared
def _faces_towards(game: LiarsDice, state: State, target: Target) -> int:
    """Return the faces that the next die may show on the way to *target*."""
    seat = state[NUM_ROLLED] // game.num_dice
    if seat != target.viewer:
        return all_actions(game.num_sides)
    # The viewer knows its dice, not their order: a face may fall as often as it still has to.
    before, after = seat * game.num_dice, (seat + 1) * game.num_dice
    actions = 0
    for face in range(game.num_sides):
        wanted = target.states[after, FACES + face] - target.states[before, FACES + face]
        rolled = state[OWN + seat] // (2 * game.num_dice + 1) ** face % (2 * game.num_dice + 1)
        actions += (1 << face) if rolled < wanted else 0
    return actions
