"""A small game for two from a game file as its sequences, and an equilibrium of it by a linear
programme.

Information sets are in the order of the betting's length, then of the cards; their actions are
call, fold, raise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.poker.actions import LETTERS
from acpcbot.trees.public_tree import (
    LIMIT_CHILD,
    LIMIT_INFO,
    action_kind,
    info_kinds,
    info_seat,
    info_street,
)
from tests.support.sequence_lp import plan_by_lp
from tests.support.small_games import SmallGame

LEAST = 1e-9
"""What a plan reaches less often it never reaches."""
BEGINNINGS = {-1: 0, -2: 1}
"""Slots before the first actions of the seats, and their numbers in the form."""


def equilibrium(small: SmallGame, method: str) -> tuple[Floats, float]:
    """A policy [slot] for both seats, even where it never comes, and what the first one wins,
    in big blinds.
    """
    form, slots = small_sequence_form(small)
    (first, won), (second, lost) = (plan_by_lp(form, seat, method) for seat in range(2))
    assert abs(won + lost) < 1e-9
    plans, policy = first + second, np.zeros(small.game.layout.num_slots)
    policy[slots] = form.normalised(np.where(plans > LEAST, plans, 0.0))[len(BEGINNINGS) :]
    return policy, won


def small_sequence_form(small: SmallGame) -> tuple[SequenceForm, Ints]:
    """The game, and the slots of its policies in the order of the form's."""
    walk = _Walk(small)
    for lane in range(len(small.rows)):
        walk.go(0, lane, tuple(BEGINNINGS), 0)
    infosets = sorted(walk.infosets.values(), key=lambda infoset: infoset.depth)
    slots = [slot for infoset in infosets for slot in infoset.slots]
    number = BEGINNINGS | {slot: place for place, slot in enumerate(slots, len(BEGINNINGS))}
    form = SequenceForm(
        infoset_keys=np.array([infoset.slots[0] for infoset in infosets]),
        infoset_seats=np.array([infoset.seat for infoset in infosets]),
        first_slots=np.cumsum([len(BEGINNINGS), *[len(infoset.slots) for infoset in infosets]]),
        parent_slots=np.array([number[infoset.last] for infoset in infosets]),
        end_chances=np.array([small.weights[end.lane] for end in walk.ends]),
        end_payoffs=np.array([end.payoffs for end in walk.ends]),
        end_slots=np.array([[number[slot] for slot in end.last] for end in walk.ends]),
    )
    return form, np.array(slots)


class Infoset(NamedTuple):
    """A decision of *seat* after *depth* actions, the *last* slot of its own, and the slots
    that it can go on with.
    """

    depth: int
    seat: int
    last: int
    slots: tuple[int, ...]


class End(NamedTuple):
    """The end of a hand of *lane*: what it pays, and the last slot of each seat."""

    lane: int
    payoffs: Floats
    last: tuple[int, ...]


@dataclass(slots=True)
class _Walk:
    """Through all that can happen, lane by lane."""

    small: SmallGame
    infosets: dict[int, Infoset] = field(default_factory=dict)
    ends: list[End] = field(default_factory=list)

    def go(self, node: int, lane: int, last: tuple[int, ...], depth: int) -> None:
        tree, row = self.small.game.tree, self.small.rows[lane]
        if node < 0:
            self.ends.append(End(lane, tree.payoffs[~node][row[-1]], last))
            return
        info = tree.nodes[node, LIMIT_INFO]
        seat, kinds = int(info_seat(info)), info_kinds(info)
        place = self.small.slots(node, int(row[info_street(info) * 2 + seat]))
        actions = sorted(
            range(place.stop - place.start), key=lambda action: LETTERS[action_kind(kinds, action)]
        )
        slots = tuple([place.start + action for action in actions])
        self.infosets.setdefault(place.start, Infoset(depth, seat, last[seat], slots))
        for action, slot in zip(actions, slots, strict=True):
            after = tuple([slot if one == seat else other for one, other in enumerate(last)])
            self.go(int(tree.nodes[node, LIMIT_CHILD + action]), lane, after, depth + 1)
