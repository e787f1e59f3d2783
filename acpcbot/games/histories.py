"""All histories of a game, in one walk: every move of a seat, and every end.

Moves are listed in the order of a walk that goes deep first, so that what leads to a move
stands before it. A *step* is one action of one move, ``move * max_actions + action``; -1
stands for the beginning, before any move of that seat.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, Game, State
from acpcbot.jit import kernel

BEGINNING = -1


class Histories(NamedTuple):
    """The histories of a game.

    ``move_keys``     int64 [move], what the seat that moves has seen
    ``move_seats``    int64 [move]
    ``move_counts``   int64 [move], the actions it has
    ``move_steps``    int64 [move], the step before of the same seat
    ``end_chances``   float64 [end], the probability of chance's moves
    ``end_payoffs``   float64 [end, seat]
    ``end_steps``     int64 [end, seat], the last step of each seat
    """

    move_keys: Ints
    move_seats: Ints
    move_counts: Ints
    move_steps: Ints
    end_chances: Floats
    end_payoffs: Floats
    end_steps: Ints


class _Path(NamedTuple):
    """The way from the root to where the walk is, by depth.

    ``states`` [depth, word], ``steps`` [depth, seat], ``chances`` [depth]; ``actions``
    [depth], the one to be tried next; ``moves`` [depth], the number of the move.
    """

    states: Ints
    steps: Ints
    chances: Floats
    actions: Ints
    moves: Ints


def all_histories(game: Game, root: State, max_ends: int) -> Histories:
    """All histories of *game* from the state *root* on.

    Raises UsageError if more than *max_ends* of them are ends.
    """
    num_moves, num_ends = _walk(game, _path_from(game, root), _room_for(game, 0, 0), max_ends)
    if num_ends > max_ends:
        raise UsageError(f"{game} has more than {max_ends:,} endings", "smaller parameters, or a later state of it")
    histories = _room_for(game, num_moves, num_ends)
    _walk(game, _path_from(game, root), histories, max_ends)
    return histories


def _room_for(game: Game, num_moves: int, num_ends: int) -> Histories:
    keys, seats, counts, steps = np.empty((4, num_moves), np.int64)
    chances, payoffs = np.empty(num_ends), np.empty((num_ends, game.num_seats()))
    return Histories(keys, seats, counts, steps, chances, payoffs, np.empty(payoffs.shape, np.int64))


def _path_from(game: Game, root: State) -> _Path:
    depth = game.max_moves() + 1
    path = _Path(
        states=np.empty((depth, len(root)), np.int64),
        steps=np.full((depth, game.num_seats()), BEGINNING),
        chances=np.ones(depth),
        actions=np.zeros(depth, np.int64),
        moves=np.zeros(depth, np.int64),
    )
    path.states[0] = root
    return path


@kernel
def _walk(game: Game, path: _Path, histories: Histories, max_ends: int) -> tuple[int, int]:
    """Walk through everything below the beginning of *path*; return how many moves and ends there are.

    They are written down as far as there is room in *histories*. The walk stops at one end more than *max_ends*.
    """
    num_moves, num_ends, depth = 0, 0, 0
    while depth >= 0 and num_ends <= max_ends:
        state = path.states[depth]
        actor, action = game.actor(state), path.actions[depth]
        if actor == OVER:
            if num_ends < len(histories.end_chances):
                _write_end(game, path, depth, histories, num_ends)
            num_ends += 1
            depth -= 1
            continue
        if action == 0 and actor != CHANCE:
            if num_moves < len(histories.move_keys):
                _write_move(game, path, depth, histories, num_moves)
            path.moves[depth] = num_moves
            num_moves += 1
        if action == game.num_actions(state):
            depth -= 1
            continue
        path.actions[depth] += 1
        depth += 1
        _descend(game, path, depth, action)
    return num_moves, num_ends


@kernel
def _descend(game: Game, path: _Path, depth: int, action: int) -> None:
    """Write the path at *depth*: what follows from *action* one higher up."""
    state = path.states[depth - 1]
    actor = game.actor(state)
    path.states[depth] = state
    path.steps[depth] = path.steps[depth - 1]
    path.chances[depth] = path.chances[depth - 1]
    path.actions[depth] = 0
    if actor == CHANCE:
        path.chances[depth] *= game.chance(state, action)
    else:
        path.steps[depth, actor] = path.moves[depth - 1] * game.max_actions() + action
    game.apply(path.states[depth], action)


@kernel
def _write_move(game: Game, path: _Path, depth: int, histories: Histories, move: int) -> None:
    state = path.states[depth]
    seat = game.actor(state)
    histories.move_keys[move] = state[seat]
    histories.move_seats[move] = seat
    histories.move_counts[move] = game.num_actions(state)
    histories.move_steps[move] = path.steps[depth, seat]


@kernel
def _write_end(game: Game, path: _Path, depth: int, histories: Histories, end: int) -> None:
    histories.end_chances[end] = path.chances[depth]
    for seat in range(game.num_seats()):
        histories.end_payoffs[end, seat] = game.payoff(path.states[depth], seat)
        histories.end_steps[end, seat] = path.steps[depth, seat]
