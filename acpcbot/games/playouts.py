"""Games played on at random: chance as it is, all actions alike."""

from __future__ import annotations

from acpcbot.games.game import CHANCE, OVER, Game, State
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, below, unit


@kernel
def play_out(game: Game, state: State, random_state: RandomState) -> None:
    """Play on from *state* to the end, at random."""
    actor = game.actor(state)
    while actor != OVER:
        if actor == CHANCE:
            game.apply(state, chance_action(game, state, unit(random_state)))
        else:
            game.apply(state, below(random_state, game.num_actions(state)))
        actor = game.actor(state)


@kernel
def chance_action(game: Game, state: State, draw: float) -> int:
    """What chance does where *draw*, from [0, 1), decides."""
    last = game.num_actions(state) - 1
    action, left = 0, draw - game.chance(state, 0)
    while left >= 0 and action < last:
        action += 1
        left -= game.chance(state, action)
    return action
