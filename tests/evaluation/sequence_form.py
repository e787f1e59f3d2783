"""An equilibrium of a small game for two by a linear programme over sequences of actions.

A sequence is a slot of the policy, with everything that its player did before, or ``ROOT``: nothing
yet. A plan has the probability that its player plays each sequence, [sequence]; what it wins at
least is linear in it. Games have many equilibria, of one value: which one comes out depends on the
method and on the order of the sequences, here that of the betting's length, then that of the cards,
call before fold before raise.

Source: Koller, Megiddo & von Stengel (1996), Efficient computation of equilibria for extensive
two-person games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, hstack

from acpcbot.poker.actions import LETTERS
from acpcbot.trees.node_record import CHILD, INFO, action_kind, info_kinds, info_seat, info_street
from tests.support.small_games import SmallGame

Floats = NDArray[np.float64]
ROOT = -1
LEAST = 1e-9
"""What a plan reaches less often it never reaches; actions are even there."""


@dataclass(frozen=True, slots=True)
class Infoset:
    """What one player knows at a decision *depth* actions deep: his last sequence, and those that he can go on with."""

    depth: int
    last: int
    sequences: tuple[int, ...]


@dataclass(slots=True)
class SequenceForm:
    """The information sets of both seats, and what the first one wins for each pair of last sequences."""

    small: SmallGame
    infosets: tuple[dict[int, Infoset], dict[int, Infoset]] = field(default_factory=lambda: ({}, {}))
    payoffs: dict[tuple[int, int], float] = field(default_factory=lambda: defaultdict(float))

    def __post_init__(self) -> None:
        for lane in range(len(self.small.rows)):
            self._walk(0, lane, (ROOT, ROOT), 0)
        first, second = ({slot: own[slot] for slot in sorted(own, key=lambda s: own[s].depth)} for own in self.infosets)
        self.infosets = first, second

    def _walk(self, node: int, lane: int, last: tuple[int, int], depth: int) -> None:
        tree, row = self.small.game.tree, self.small.rows[lane]
        if node < 0:
            self.payoffs[last] += self.small.weights[lane] * tree.payoffs[~node][row[-1], 0]
            return
        info = tree.nodes[node, INFO]
        seat, kinds = int(info_seat(info)), info_kinds(info)
        slots = self.small.slots(node, int(row[info_street(info) * 2 + seat]))
        actions = sorted(range(slots.stop - slots.start), key=lambda action: LETTERS[action_kind(kinds, action)])
        sequences = tuple([slots.start + action for action in actions])
        self.infosets[seat].setdefault(slots.start, Infoset(depth, last[seat], sequences))
        for action, sequence in zip(actions, sequences, strict=True):
            after = (sequence, last[1]) if seat == 0 else (last[0], sequence)
            self._walk(int(tree.nodes[node, CHILD + action]), lane, after, depth + 1)


def equilibrium(small: SmallGame, method: str) -> tuple[Floats, float]:
    """A policy [slot] for both seats, and what the first one wins, in big blinds; *method* is one of scipy's."""
    form = SequenceForm(small)
    numbers = [_numbers(own.values()) for own in form.infosets]
    pairs = [[numbers[seat][pair[seat]] for pair in form.payoffs] for seat in range(2)]
    won = csr_matrix((list(form.payoffs.values()), tuple(pairs)), shape=tuple(map(len, numbers)))
    rules = [_rules(own.values(), number) for own, number in zip(form.infosets, numbers, strict=True)]
    policy, values = np.zeros(small.game.layout.num_slots), []
    for seat, own_won in enumerate((won, -won.T)):
        plan, value = _best_plan(own_won, rules[seat], rules[1 - seat], method)
        values.append(value)
        for infoset in form.infosets[seat].values():
            shares = np.array([max(plan[numbers[seat][sequence]], 0.0) for sequence in infoset.sequences])
            policy[list(infoset.sequences)] = shares / shares.sum() if shares.sum() > LEAST else 1 / len(shares)
    assert abs(values[0] + values[1]) < 1e-9
    return policy, values[0]


def _numbers(infosets: Collection[Infoset]) -> dict[int, int]:
    sequences = [sequence for infoset in infosets for sequence in infoset.sequences]
    return {sequence: number for number, sequence in enumerate((ROOT, *sequences))}


def _rules(infosets: Collection[Infoset], numbers: Mapping[int, int]) -> csr_matrix:
    """What a plan must obey, [rule, sequence]: the root is 1, and what goes on is as much as came."""
    entries = [(0, numbers[ROOT], 1.0)]
    for rule, infoset in enumerate(infosets, 1):
        entries.append((rule, numbers[infoset.last], -1.0))
        entries += [(rule, numbers[sequence], 1.0) for sequence in infoset.sequences]
    rows, columns, weights = zip(*entries, strict=True)
    return csr_matrix((weights, (rows, columns)), shape=(len(infosets) + 1, len(numbers)))


def _best_plan(won: csr_matrix, own: csr_matrix, other: csr_matrix, method: str) -> tuple[Floats, float]:
    """The plan that wins most against its best response, and how much: the value of the other's root rule.

    Unknown are the plan, and a value for each of the other's rules: none of his sequences gives him less than
    the plan leaves.
    """
    num_sequences, num_rules = own.shape[1], other.shape[0]
    total = np.zeros(num_sequences + num_rules)
    total[num_sequences] = -1.0
    root = np.zeros(own.shape[0])
    root[0] = 1.0
    found = linprog(
        total,
        A_ub=hstack([-won.T, other.T]),
        b_ub=np.zeros(other.shape[1]),
        A_eq=hstack([own, csr_matrix((own.shape[0], num_rules))]),
        b_eq=root,
        bounds=[(0, None)] * num_sequences + [(None, None)] * num_rules,
        method=method,
    )
    assert found.status == 0, found.message
    return found.x[:num_sequences], -float(found.fun)
