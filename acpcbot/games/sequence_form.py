"""A game as its sequences: what solvers need of it once everything has been enumerated.

A *slot* is one action at one information set, and so stands for a sequence: with perfect
recall the actions that its seat took before are given by the information set. The first
num_seats slots are the empty sequences, one for each seat; the slots of one information
set lie together. Information sets are numbered so that each stands after all that lead to it.

Policies are float64 [slot], 1 at the empty sequences. The probability with which a history
is reached is chance's times, for each seat, that of its last slot.

Source: von Stengel (1996), Efficient computation of behavior strategies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.games.game import Game, State, new_state
from acpcbot.games.histories import BEGINNING, Histories, all_histories
from acpcbot.jit import kernel

MAX_ENDS = 20_000_000


class SequenceForm(NamedTuple):
    """A game, enumerated.

    ``infoset_keys``    int64 [infoset], what the seat has seen, see games/game.py
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
        """How many play."""
        return int(self.end_slots.shape[1])

    @property
    def num_slots(self) -> int:
        """The length of a policy."""
        return int(self.first_slots[-1])

    def slots_by_key(self) -> dict[int, slice]:
        """Where the actions of the information set with each key are."""
        firsts = self.first_slots.tolist()
        return {key: slice(*firsts[index : index + 2]) for index, key in enumerate(self.infoset_keys.tolist())}

    def normalised(self, weights: Floats) -> Floats:
        """The policy in proportion to *weights* [slot]; uniform where an information set has none."""
        policy = np.ones(self.num_slots)
        _normalise(self.first_slots, weights, policy)
        return policy


def sequence_form(game: Game, root: State | None = None, max_ends: int = MAX_ENDS) -> SequenceForm:
    """The sequences of *game*, or of what is left of it from *root* on, if all seats know to be there.

    With two seats an end of the game takes 40 bytes, twice that while the form is made, and a move 32.
    Raises UsageError if the game has more than *max_ends*.
    """
    histories = all_histories(game, new_state(game) if root is None else root, max_ends)
    keys, moves, infosets = np.unique(histories.move_keys, return_index=True, return_inverse=True)
    order = np.argsort(moves)
    place = np.argsort(order)
    return _numbered(game, histories, keys[order], moves[order], place[infosets])


def _numbered(game: Game, histories: Histories, keys: Ints, moves: Ints, infosets: Ints) -> SequenceForm:
    """The form of *histories* whose *infosets* [move] have *keys* and begin with *moves* [infoset]."""
    num_seats = game.num_seats()
    first_slots = num_seats + np.append(0, np.cumsum(histories.move_counts[moves]))
    begins, width = first_slots[infosets], game.max_actions()

    def slots(steps: Ints, seats: Ints) -> Ints:
        """What *steps* of *seats* are as slots."""
        return np.where(steps == BEGINNING, seats, begins[steps // width] + steps % width)

    parents = slots(histories.move_steps, histories.move_seats)
    for facts in (parents, histories.move_seats, histories.move_counts):
        assert (facts == facts[moves][infosets]).all(), "what a seat has seen does not tell what it has done"
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
    for infoset in range(len(first_slots) - 1):
        first, end = first_slots[infoset], first_slots[infoset + 1]
        total = weights[first:end].sum()
        for slot in range(first, end):
            policy[slot] = weights[slot] / total if total > 0 else 1 / (end - first)
