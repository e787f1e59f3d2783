"""Plain twins of the sampling learners: shared parts, and the sampled values computed exactly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.poker.definition import parse_definition
from acpcbot.trees.public_tree import (
    LIMIT_CHILD,
    LIMIT_INFO,
    info_kinds,
    info_seat,
    info_street,
    num_actions,
)
from tests.support.plain_random import PlainRandom
from tests.support.small_games import SmallGame, random_policy, small_game, uniform_policy

Deals = NDArray[np.uint16]

ONE_CHOICE = """GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 1 0
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""


class PlainLearner:
    """Regrets and averages as numpy arrays [slot], and the tree as questions about node numbers."""

    def __init__(self, small: SmallGame, sums: Floats, *seeds: int) -> None:
        self.small, self.random = small, PlainRandom(*seeds)
        self.regrets, self.averages = sums[:, 0].copy(), sums[:, 1].copy()
        self.num_seats = small.game.tree.num_seats
        self.last_street = len(small.game.num_buckets) - 1

    def draw(self) -> float:
        return (self.random.bits() >> 11) / 2**53

    def actor(self, node: int) -> tuple[int, int]:
        """Seat and street."""
        info = int(self.small.game.tree.nodes[node, LIMIT_INFO])
        return info_seat(info), info_street(info)

    def children(self, node: int) -> list[int]:
        record = self.small.game.tree.nodes[node].tolist()
        return list(record[LIMIT_CHILD : LIMIT_CHILD + num_actions(info_kinds(record[LIMIT_INFO]))])

    def slots(self, node: int, deal: Sequence[int]) -> slice:
        seat, street = self.actor(node)
        return self.small.slots(node, deal[street * self.num_seats + seat])

    def payoffs(self, child: int, deal: Sequence[int]) -> list[float]:
        values: list[float] = self.small.game.tree.payoffs[~child, deal[-1]].tolist()
        return values

    def strategy(self, node: int, deal: Sequence[int]) -> Floats:
        positive = np.maximum(self.regrets[self.slots(node, deal)], 0)
        return (
            positive / positive.sum()
            if positive.sum() > 0
            else np.full(len(positive), 1 / len(positive))
        )


def choose(draw: float, probabilities: Floats) -> int:
    """The action in whose share of [0, 1) *draw* lies."""
    return int(np.searchsorted(np.cumsum(probabilities), draw, side="right"))


def small_game_with_single_actions() -> SmallGame:
    """Leduc without bets after the flop: a check is all that there is."""
    return small_game(parse_definition(ONE_CHOICE))


def random_pool(small: SmallGame, count: int, seed: int) -> Deals:
    """Deals as they come."""
    return small.rows[np.random.default_rng(seed).choice(len(small.rows), count, p=small.weights)]


def mixed_policy(small: SmallGame) -> Floats:
    """Any probabilities, none of them zero."""
    return (random_policy(small, seed=3) + uniform_policy(small)) / 2


def exact_sums(small: SmallGame, policy: Floats) -> tuple[Floats, Floats]:
    """By slot: the counterfactual regret of an action, and the probability of its being reached
    by its owner and taken.

    Chance is in both; the former leaves the owner's reach out, the latter that of the others.
    """
    regrets, averages = np.zeros_like(policy), np.zeros_like(policy)
    plain, num_seats = PlainLearner(small, np.zeros((len(policy), 2))), small.game.tree.num_seats

    def values(node: int, deal: list[int], weight: float, reaches: list[float]) -> Floats:
        if node < 0:
            return np.array(plain.payoffs(node, deal))
        seat, slots = plain.actor(node)[0], plain.slots(node, deal)
        results = []
        for child, probability in zip(plain.children(node), policy[slots], strict=True):
            below = [
                reach * (probability if owner == seat else 1) for owner, reach in enumerate(reaches)
            ]
            results.append(values(child, deal, weight, below))
        value = policy[slots] @ np.array(results)
        others = np.prod([reaches[other] for other in range(num_seats) if other != seat])
        regrets[slots] += weight * others * (np.array(results)[:, seat] - value[seat])
        averages[slots] += weight * reaches[seat] * policy[slots]
        return value

    for row, weight in zip(small.rows.tolist(), small.weights.tolist(), strict=True):
        values(0, row, weight, [1.0] * num_seats)
    return regrets, averages
