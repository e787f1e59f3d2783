"""The sequence form of a game: all that solvers need of it, once it has been enumerated.

A *slot* is one action at one information set, and so stands for a sequence: with perfect recall the
actions that its seat took before are given by the information set. The first num_seats slots are
the empty sequences, one for each seat; the slots of one information set lie together. Information
sets are numbered so that each stands after all that lead to it.

Policies are float64 [slot], 1 at the empty sequences. The probability with which a history is
reached is that of its chance nodes times, for each seat, that of its last slot.

``all_histories`` lists a game in one walk: every move of a seat, and every end. Moves are in the
order of a walk that goes deep first, so that what leads to a move stands before it. A *step* is one
action of one move, ``move * max_actions + action``; -1 stands for the beginning, before any move of
that seat.

Source: von Stengel (1996), Efficient computation of behavior strategies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, Game, State, new_state
from acpcbot.jit import kernel
from acpcbot.uncounted_arrays import uncounted

BEGINNING = -1

MAX_ENDS = 20_000_000


class SequenceForm(NamedTuple):
    """The sequence form of a game.

    ``infoset_keys``    int64 [infoset], all that the seat has observed, see games/game.py
    ``infoset_seats``   int64 [infoset]
    ``first_slots``     int64 [infoset + 1]; the actions of an information set are
                        first_slots[infoset] .. first_slots[infoset + 1] - 1
    ``parent_slots``    int64 [infoset], the slot of the same seat that leads there
    ``end_chances``     float64 [end], the probability of chance's moves
    ``end_payoffs``     float64 [end, seat]
    ``end_slots``       int64 [end, seat], the last slot of each seat
    """

    infoset_keys: Ints
    infoset_seats: Ints
    first_slots: Ints
    parent_slots: Ints
    end_chances: Floats
    end_payoffs: Floats
    end_slots: Ints

    @property
    def num_seats(self) -> int:
        """The number of players."""
        return int(self.end_slots.shape[1])

    @property
    def num_slots(self) -> int:
        """The length of a policy."""
        return int(self.first_slots[-1])

    def slots_by_key(self) -> dict[int, slice]:
        """Return the slots of the information set with each key."""
        firsts = self.first_slots.tolist()
        return {
            key: slice(*firsts[index : index + 2])
            for index, key in enumerate(self.infoset_keys.tolist())
        }

    def normalised(self, weights: Floats) -> Floats:
        """Return the policy in proportion to *weights* [slot].

        Uniform where an information set has none.
        """
        policy = np.ones(self.num_slots)
        _normalise(self.first_slots, weights, policy)
        return policy


def sequence_form(game: Game, root: State | None = None, max_ends: int = MAX_ENDS) -> SequenceForm:
    """Return the sequence form of *game*, or of the rest of it from *root* on.

    All seats know that the game begins at *root*. With two seats an end of the game takes 40 bytes,
    twice that while the form is made, and a move 32. Raises UsageError if the game has more than
    *max_ends*.
    """
    histories = all_histories(game, new_state(game) if root is None else root, max_ends)
    keys, moves, infosets = np.unique(histories.move_keys, return_index=True, return_inverse=True)
    order = np.argsort(moves)
    place = np.argsort(order)
    return _numbered(game, histories, keys[order], moves[order], place[infosets])


def _numbered(
    game: Game, histories: Histories, keys: Ints, moves: Ints, infosets: Ints
) -> SequenceForm:
    """Return the form of *histories*, whose *infosets* [move] have *keys* and *moves* [infoset].

    *moves* are the first move of each information set.
    """
    num_seats = game.num_seats()
    first_slots = num_seats + np.append(0, np.cumsum(histories.move_counts[moves]))
    begins, width = first_slots[infosets], game.max_actions()

    def slots(steps: Ints, seats: Ints) -> Ints:
        """Return the slots of *steps* of *seats*."""
        return np.where(steps == BEGINNING, seats, begins[steps // width] + steps % width)

    parents = slots(histories.move_steps, histories.move_seats)
    for facts in (parents, histories.move_seats, histories.move_counts):
        assert (facts == facts[moves][infosets]).all(), (
            "a seat's key does not determine its own earlier actions: no perfect recall"
        )
    return SequenceForm(
        infoset_keys=keys,
        infoset_seats=histories.move_seats[moves],
        first_slots=first_slots,
        parent_slots=parents[moves],
        end_chances=histories.end_chances,
        end_payoffs=histories.end_payoffs,
        end_slots=slots(histories.end_steps, np.arange(num_seats)),
    )


@kernel
def _normalise(first_slots: Ints, weights: Floats, policy: Floats) -> None:
    # The slots of an information set lie together, so this is one pass over the policy.
    for infoset in range(len(first_slots) - 1):
        first, end = first_slots[infoset], first_slots[infoset + 1]
        total = weights[first:end].sum()
        for slot in range(first, end):
            policy[slot] = weights[slot] / total if total > 0 else 1 / (end - first)


class Histories(NamedTuple):
    """The histories of a game.

    ``move_keys``     int64 [move], all that the moving seat has observed
    ``move_seats``    int64 [move]
    ``move_counts``   int64 [move], the number of its actions
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
    """The path from the root to the state that the walk is at, by depth.

    ``states`` [depth, word], ``steps`` [depth, seat], ``chance_reaches`` [depth]; ``actions``
    [depth], the one to be tried next; ``moves`` [depth], the number of the move.
    """

    states: Ints
    steps: Ints
    chance_reaches: Floats
    actions: Ints
    moves: Ints


def all_histories(game: Game, root: State, max_ends: int) -> Histories:
    """Return all histories of *game* from the state *root* on.

    Raises UsageError if more than *max_ends* of them are ends.
    """
    num_moves, num_ends = _walk(game, _path_from(game, root), _room_for(game, 0, 0), max_ends)
    if num_ends > max_ends:
        raise UsageError(
            f"{game} has more than {max_ends:,} endings",
            "smaller parameters, or a later state of it",
        )
    histories = _room_for(game, num_moves, num_ends)
    _walk(game, _path_from(game, root), histories, max_ends)
    return histories


def _room_for(game: Game, num_moves: int, num_ends: int) -> Histories:
    keys, seats, counts, steps = np.empty((4, num_moves), np.int64)
    end_chances, payoffs = np.empty(num_ends), np.empty((num_ends, game.num_seats()))
    return Histories(
        keys, seats, counts, steps, end_chances, payoffs, np.empty(payoffs.shape, np.int64)
    )


def _path_from(game: Game, root: State) -> _Path:
    depth = game.max_moves() + 1
    path = _Path(
        states=np.empty((depth, len(root)), np.int64),
        steps=np.full((depth, game.num_seats()), BEGINNING),
        chance_reaches=np.ones(depth),
        actions=np.zeros(depth, np.int64),
        moves=np.zeros(depth, np.int64),
    )
    path.states[0] = root
    return path


@kernel
def _walk(game: Game, path: _Path, histories: Histories, max_ends: int) -> tuple[int, int]:
    """Walk through everything below the beginning of *path*; return the numbers of moves and ends.

    They are written as far as there is room in *histories*. The walk stops at one end more than
    *max_ends*.
    """
    # Depth first without recursion: the path is an array by depth, and its entry keeps the next
    # action. Called twice, to count and to write, so that arrays have the right length at once.
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
        # A move is numbered when it is met for the first time, so parents come before children.
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
    """Write the path at *depth*: the state after *action* one higher up."""
    # States are copied, not undone: rules need no way back, and a state is a few words.
    state = path.states[depth - 1]
    actor = game.actor(state)
    path.states[depth] = state
    path.steps[depth] = path.steps[depth - 1]
    path.chance_reaches[depth] = path.chance_reaches[depth - 1]
    path.actions[depth] = 0
    if actor == CHANCE:
        path.chance_reaches[depth] *= game.chance(state, action)
    else:
        path.steps[depth, actor] = path.moves[depth - 1] * game.max_actions() + action
    game.apply(uncounted(path.states[depth]), action)


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
    histories.end_chances[end] = path.chance_reaches[depth]
    for seat in range(game.num_seats()):
        histories.end_payoffs[end, seat] = game.payoff(path.states[depth], seat)
        histories.end_steps[end, seat] = path.steps[depth, seat]
