"""External sampling with many bets: against the same sweeps over a limit tree, a plain recursion,
and exact best responses.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

import numpy as np
import pytest

from acpcbot.abstraction.card_abstraction import SmallGameDeals
from acpcbot.cards.orderings import orderings
from acpcbot.learning.external_sampling import (
    ExternalSamplingLearner,
    ExternalSamplingSettings,
    most_visits,
)
from acpcbot.learning.sampling import SamplingSolver
from acpcbot.learning.tree_formats import tree_arrays
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import fill_values
from acpcbot.random_kernels import seed_state
from acpcbot.trees.bet_menu import LIMIT_MENU, parse_menu
from acpcbot.trees.betting_tree import NODE_SLOT, NODE_STREET, BettingPlaces, MenuGame
from acpcbot.trees.public_tree import AbstractGame, make_game
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT, definition_of
from tests.support.menu_games import SIDE_POTS, MenuSmallGame, menu_game, silly_menu_policies
from tests.support.plain_random import PlainRandom
from tests.support.small_games import KUHN_3P, shipped_small_game

Floats = np.ndarray
PRUNING = {"regret_floor": -9.0, "prune_below": -3.0, "prune_share": 0.5}


def pool(small: MenuSmallGame, count: int, seed: int) -> Any:
    source = SmallGameDeals(small.definition, small.abstraction)
    deals = np.zeros((count, source.width), np.uint16)
    source.fill(deals, seed_state(seed))
    return deals


@pytest.mark.parametrize("name", [KUHN, LEDUC, KUHN_3P])
@pytest.mark.parametrize(
    "settings", [{}, {"regret_floor": 0.0}, PRUNING], ids=["plain", "floor", "pruning"]
)
def test_a_limit_game_is_learnt_as_from_its_public_tree(
    name: str, settings: dict[str, Any]
) -> None:
    small = shipped_small_game(name)
    wide = make_game(small.definition, LIMIT_MENU, small.game.num_buckets)
    source = SmallGameDeals(small.definition, small.abstraction)
    deals = np.zeros((2000, source.width), np.uint16)
    source.fill(deals, seed_state(3))
    sums = []
    for game in (small.game, wide):
        learner = ExternalSamplingLearner(game, ExternalSamplingSettings(**settings))
        learner.walk(deals, seed_state(5))
        sums.append(learner.sums)
    assert isinstance(small.game, AbstractGame)
    assert isinstance(wide, MenuGame)
    assert np.abs(sums[0] - sums[1]).max() < 1e-9
    assert sums[0].any()


class PlainSampling:
    """The paper's recursion over states of the betting. The other's actions are drawn in the
    order of the kernel.
    """

    def __init__(
        self, small: MenuSmallGame, seed: int, floor: float, prune_below: float, prune_share: float
    ) -> None:
        self.places, self.start = BettingPlaces(small.game.tree), small.game.tree.root
        self.num_seats = small.definition.num_players
        self.regrets: dict[tuple[int, int], Floats] = {}
        self.averages: dict[tuple[int, int], Floats] = defaultdict(lambda: np.zeros(1))
        self.random, self.floor = PlainRandom(seed), floor
        self.prune_below, self.prune_share = prune_below, prune_share

    def draw(self) -> float:
        return (self.random.bits() >> 11) / 2**53

    def iterate(self, deal: list[int]) -> None:
        prunes = self.prune_share > 0 and self.draw() < self.prune_share
        self.threshold = self.prune_below if prunes else -np.inf
        for traverser in range(self.num_seats):
            self.value(self.start, deal, traverser, self.drawn(deal, traverser))

    def infoset(self, betting: BettingState, deal: list[int]) -> tuple[int, int]:
        place = self.places.place_after(betting)
        key = (place.node, deal[self.num_seats * betting.street + betting.actor])
        self.regrets.setdefault(key, np.zeros(len(place.actions)))
        return key

    def strategy(self, key: tuple[int, int]) -> Floats:
        positive = np.maximum(self.regrets[key], 0)
        return (
            positive / positive.sum()
            if positive.sum() > 0
            else np.full(len(positive), 1 / len(positive))
        )

    def tried(self, betting: BettingState, key: tuple[int, int]) -> list[int]:
        regrets, children = self.regrets[key], self.children(betting)
        prunes = betting.street == 0 and regrets.max() > 0
        return [
            index
            for index, child in enumerate(children)
            if not (prunes and not child.is_over and regrets[index] < self.threshold)
        ]

    def children(self, betting: BettingState) -> list[BettingState]:
        return [betting.apply(action) for action in self.places.place_after(betting).actions]

    def drawn(self, deal: list[int], traverser: int) -> dict[str, int]:
        drawn: dict[str, int] = {}
        waiting = deque([self.start])
        while waiting:
            betting = waiting.popleft()
            while not betting.is_over and betting.actor != traverser:
                strategy = self.strategy(self.infoset(betting, deal))
                draw, ends = self.draw(), np.cumsum(strategy)
                drawn[betting.text] = min(
                    int(np.searchsorted(ends, draw, "right")), int(np.flatnonzero(strategy)[-1])
                )
                betting = self.children(betting)[drawn[betting.text]]
            if not betting.is_over:
                children = self.children(betting)
                waiting.extend(
                    children[index] for index in self.tried(betting, self.infoset(betting, deal))
                )
        return drawn

    def value(
        self, betting: BettingState, deal: list[int], traverser: int, drawn: dict[str, int]
    ) -> float:
        if betting.is_over:
            strengths, chips = orderings(self.num_seats)[deal[-1]].tolist(), [0.0] * self.num_seats
            fill_values(betting.game.vector, betting.vector, strengths, chips)
            return chips[traverser] / betting.game.definition.big_blind
        key, children = self.infoset(betting, deal), self.children(betting)
        strategy = self.strategy(key)
        if betting.actor != traverser:
            self.averages[key] = self.averages[key] + strategy
            return self.value(children[drawn[betting.text]], deal, traverser, drawn)
        values = {
            i: self.value(children[i], deal, traverser, drawn) for i in self.tried(betting, key)
        }
        mean = float(sum(strategy[index] * value for index, value in values.items()))
        for index, value in values.items():
            self.regrets[key][index] = max(self.regrets[key][index] + value - mean, self.floor)
        return mean


@pytest.mark.parametrize("settings", [{}, PRUNING], ids=["plain", "pruning"])
@pytest.mark.parametrize(
    ("game", "bets"),
    [
        (LEDUC_NOLIMIT, "min,1,2,all-in;0.5,1,all-in/0.75,all-in"),
        (SIDE_POTS, "1,all-in;all-in;/all-in"),
    ],
    ids=["two", "three"],
)
def test_many_bets_are_learnt_as_by_the_papers_recursion(
    game: str | GameDefinition, bets: str, settings: dict[str, float]
) -> None:
    """Of three players with unequal stacks, it catches a side pot that goes to the wrong seat."""
    small = menu_game(game, parse_menu(bets))
    deals = pool(small, 60, seed=2)
    learner = ExternalSamplingLearner(small.game, ExternalSamplingSettings(**settings))  # type: ignore[arg-type]
    learner.walk(deals, seed_state(5))
    limits = (settings.get("regret_floor", -np.inf), settings.get("prune_below", -np.inf))
    twin = PlainSampling(small, 5, *limits, settings.get("prune_share", 0.0))
    for deal in deals.tolist():
        twin.iterate(deal)
    expected = np.zeros_like(learner.sums)
    layout, tree = small.game.layout, small.game.tree
    for column, kept in enumerate((twin.regrets, twin.averages)):
        for (node, bucket), values in kept.items():
            street = int(tree.nodes[node, NODE_STREET])
            first = (
                tree.nodes[node, NODE_SLOT]
                + layout.row_starts[street]
                + bucket * layout.row_widths[street]
            )
            expected[first : first + len(values), column] = values
    assert np.abs(learner.sums - expected).max() < 1e-9
    assert learner.sums.any()


@pytest.mark.parametrize(
    ("settings", "bound"),
    [
        ({}, 0.1),
        ({"storage": "float32"}, 0.1),
        ({"prune_below": -100.0, "regret_floor": -110.0}, 0.1),
    ],
    ids=["plain", "float32", "pruning"],
)
def test_menu_sampling_comes_close_to_equilibrium(settings: dict[str, Any], bound: float) -> None:
    small = menu_game()
    learner = ExternalSamplingLearner(
        small.game, ExternalSamplingSettings(discount_interval=1 << 14, **settings)
    )
    solver = SamplingSolver(learner, SmallGameDeals(small.definition, small.abstraction), seed=6)
    solver.step(4000)
    assert small.respond(learner.average_strategy()).nash_conv > bound
    solver.step(300_000)
    assert small.respond(learner.average_strategy()).nash_conv < bound
    assert all(
        small.respond(policy).nash_conv > 2 * bound
        for policy in silly_menu_policies(small).values()
    )


def test_threads_that_share_the_arrays_learn_what_one_would() -> None:
    small = menu_game()
    source, learner = (
        SmallGameDeals(small.definition, small.abstraction),
        ExternalSamplingLearner(small.game),
    )
    SamplingSolver(learner, source, seed=6, num_threads=2).step(300_000)
    assert small.respond(learner.average_strategy()).nash_conv < 0.1


@pytest.mark.parametrize("cut", [1, 17, 999])
def test_a_cut_pool_of_deals_teaches_the_same(cut: int) -> None:
    small = menu_game()
    deals = pool(small, 1000, seed=1)
    sums = []
    for place in (0, cut):
        learner, state = (
            ExternalSamplingLearner(small.game, ExternalSamplingSettings(prune_below=-2.0)),
            seed_state(1),
        )
        for part in (deals[:place], deals[place:]):
            learner.walk(part, state)
        sums.append(learner.sums)
    assert np.array_equal(sums[0], sums[1])


def test_room_for_visits_is_neither_short_nor_wasted() -> None:
    tree, (nodes, actions, _) = tree_arrays(make_game(definition_of(KUHN), LIMIT_MENU, (3,)))
    # Seat 0: the root and its two actions, and two more where it checks and faces a bet.
    assert most_visits(tree, nodes, actions, 0) == 5
    # Seat 1: either action of seat 0 leads to the first visit, and on to two more.
    assert most_visits(tree, nodes, actions, 1) == 3
