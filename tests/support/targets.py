"""Targets of research games: what enumeration says of the actions that lead to them."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Ints
from acpcbot.games.game import CHANCE, OVER, Game, Target, is_reached, make_target, new_state
from acpcbot.jit import kernel

# How many histories of a target are taken for its representative, at most.
MOST_HISTORIES = 6


class Histories(NamedTuple):
    """All histories of a game, parents before children: states, parents, actions, depths."""

    states: Ints
    parents: Ints
    actions: Ints
    depths: Ints

    def path(self, node: int) -> list[int]:
        """The actions that lead to *node*."""
        path = []
        while node:
            path.append(int(self.actions[node]))
            node = int(self.parents[node])
        return path[::-1]


def histories_of(game: Game) -> Histories:
    states, parents, actions, depths = [new_state(game)], [-1], [-1], [0]
    for node, state in enumerate(states):
        for action in range(0 if game.actor(state) == OVER else game.num_actions(state)):
            if game.actor(state) == CHANCE and not game.chance(state, action):
                continue
            after = state.copy()
            game.apply(after, action)
            states.append(after)
            parents.append(node)
            actions.append(action)
            depths.append(depths[node] + 1)
    return Histories(*[np.array(column) for column in (states, parents, actions, depths)])


def targets_of(game: Game, histories: Histories) -> dict[tuple[int, int], list[int]]:
    """The histories of every information set and of every public state, by viewer and key."""
    targets = defaultdict(list)
    for node, state in enumerate(histories.states):
        actor, everyone = game.actor(state), game.num_seats()
        targets[everyone, int(state[everyone])].append(node)
        if actor >= 0:
            targets[actor, int(state[actor])].append(node)
    return targets


def actions_by_enumeration(histories: Histories, members: list[int]) -> dict[int, int]:
    """The sets of actions that lead to *members*, by the histories on the way."""
    found: dict[int, int] = {}
    inside = set(members)
    for member in members:
        # A later history of a public state adds nothing: the first is met before.
        node, way = member, []
        while node:
            parent = int(histories.parents[node])
            way.append((parent, 1 << int(histories.actions[node])))
            node = parent
        if not any(parent in inside for parent, _ in way):
            for parent, action in way:
                found[parent] = found.get(parent, 0) | action
    return found


@kernel
def answers(game: Game, target: Target, states: Ints, depths: Ints, sets: Ints) -> None:
    for number in range(len(states)):
        sets[number] = game.actions_towards(states[number], depths[number], target)


def check_every_target(game: Game) -> int:
    """Compare a game's answers with enumeration at all targets; return how many there are."""
    histories, random = histories_of(game), Random(7)
    targets = targets_of(game, histories)
    for (viewer, _), members in targets.items():
        expected = actions_by_enumeration(histories, members)
        nodes = np.array(sorted(expected), np.int64)
        count = min(len(members), MOST_HISTORIES)
        for member in {members[0], members[-1], *random.sample(members, count)}:
            target = make_target(game, histories.path(member), viewer)
            assert is_reached(game, target, histories.states[member])
            sets = np.empty(len(nodes), np.int64)
            answers(game, target, histories.states[nodes], histories.depths[nodes], sets)
            assert sets.tolist() == [expected[node] for node in nodes.tolist()]
    return len(targets)
