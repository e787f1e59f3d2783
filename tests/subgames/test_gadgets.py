"""Gadgets: the coin of the papers by hand, and subgames of Leduc solved anew, measured exactly."""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from typing import Any

import numpy as np
import pytest

from acpcbot.arrays import Floats, Floats32
from acpcbot.errors import UsageError
from acpcbot.games.best_response_result import BestResponse
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.strategies.range_play import (
    PlayStrategy,
    node_states,
    state_range,
    tabulate_solution,
    tabulate_strategy,
)
from acpcbot.subgames.best_response import (
    TabularStrategy,
    Walker,
    best_response_traversal,
    hand_values,
    response_values,
)
from acpcbot.subgames.gadgets import Gadget, MaxMargin, Resolve, Unsafe, make_gadget
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solver import RangeCFR
from acpcbot.trees.betting_tree import NODE_NUM_ACTIONS, NODE_SLOT, NODE_STREET
from tests.support.games import LEDUC, definition_of
from tests.support.range_games import TURN_MENU, spot

RULES = BettingRules(definition_of(LEDUC))
FLOPS = ("cc/", "crc/", "crrc/", "rc/", "rrc/")


def guesses_heads(gadget: Gadget, weight: float = 1.0) -> float:
    """Return how often a guesser, who wins a coin by guessing right, says heads.

    The gadget's hands are heads and tails.

    The opponent, beside whose hands the guesser has the same *weight*, wins 1 from a wrong guess
    and loses 1 to a right one.
    """
    regrets, total, heads = np.zeros(2), 0.0, 0.0
    for iteration in range(6000):
        guess = regrets[0] / regrets.sum() if regrets.any() else 0.5
        reach = gadget.reach()
        won = np.array([reach[0] - reach[1], reach[1] - reach[0]])
        regrets = np.maximum(regrets + won - (guess * won[0] + (1 - guess) * won[1]), 0)
        gadget.observe(weight * np.array([1 - 2 * guess, 2 * guess - 1]))
        total, heads = total + iteration, heads + iteration * guess
    return heads / total


def test_the_smallest_margin_is_as_large_as_it_can_be_and_gifts_move_it() -> None:
    """Heads gains 2q from a guess of heads with probability q, tails as much from the other: 5/8.

    With a gift 3/4.
    """
    weights, alternatives, gifts = np.ones(2), np.array([0.0, 0.5]), np.array([0.0, 0.5])
    assert guesses_heads(MaxMargin(weights, alternatives)) == pytest.approx(5 / 8, abs=5e-3)
    assert guesses_heads(MaxMargin(weights, alternatives + gifts)) == pytest.approx(3 / 4, abs=5e-3)
    assert guesses_heads(MaxMargin(2 * weights, 2 * alternatives), 2.0) == pytest.approx(
        5 / 8, abs=5e-3
    )


def test_selling_the_coin_makes_its_owner_no_worse_off() -> None:
    """With heads worth 0.5 and tails -0.5 to who does not play, only a guess of heads one time
    in four is safe.
    """
    alternatives = np.array([0.5, -0.5])
    for gadget in (MaxMargin(np.ones(2), alternatives), Resolve(np.ones(2), alternatives)):
        assert guesses_heads(gadget) == pytest.approx(0.25, abs=0.02)
    assert guesses_heads(Unsafe(np.array([1.0, 0.9]))) > 0.99


def plain_resolve(
    weights: list[float], alternatives: list[float]
) -> Generator[list[float], list[float], None]:
    """Yield the reach of the re-solving gadget, hand by hand, and take values in return."""
    regrets = [[0.0, 0.0] for _ in weights]
    while True:
        enters = [
            (own[0] / sum(own) if sum(own) > 0 else 0.5) if weight > 0 else 0.0
            for own, weight in zip(regrets, weights, strict=True)
        ]
        values = yield enters
        for own, share, inside, outside in zip(regrets, enters, values, alternatives, strict=True):
            kept = share * inside + (1 - share) * outside
            own[:] = max(0.0, own[0] + inside - kept), max(0.0, own[1] + outside - kept)


def plain_maxmargin(
    weights: list[float], alternatives: list[float]
) -> Generator[list[float], list[float], None]:
    """Yield the reach of the maxmargin gadget, as above."""
    hands = [hand for hand, weight in enumerate(weights) if weight > 0]
    regrets = dict.fromkeys(hands, 0.0)
    while True:
        total = sum(regrets.values())
        chosen = {hand: regrets[hand] / total if total > 0 else 1 / len(hands) for hand in hands}
        values = yield [chosen.get(hand, 0) / (weights[hand] or 1) for hand in range(len(weights))]
        gains = {hand: (values[hand] - alternatives[hand]) / weights[hand] for hand in hands}
        mean = sum(chosen[hand] * gains[hand] for hand in hands)
        for hand in hands:
            regrets[hand] = max(0.0, regrets[hand] + gains[hand] - mean)


@pytest.mark.parametrize(
    ("name", "plain"), [("resolve", plain_resolve), ("maxmargin", plain_maxmargin)]
)
def test_gadgets_choose_as_plain_python_does(name: str, plain: Any) -> None:
    draw = np.random.default_rng(3)
    weights, alternatives = draw.random(9) * (np.arange(9) % 4 > 0), draw.normal(size=9)
    gadget = make_gadget(name, weights, weights, alternatives)
    other = plain(weights.tolist(), alternatives.tolist())
    expected = next(other)
    for _ in range(20):
        assert gadget.reach() == pytest.approx(np.array(expected), abs=1e-12)
        values = draw.normal(size=9)
        gadget.observe(values)
        expected = other.send(values.tolist())


class NothingBehind:
    """Leaf values of a river, which has nothing behind it: they make the solver sweep in Python."""

    def values(self, seat: int, above: Floats32, *, learns: bool) -> Floats32:
        raise AssertionError(f"seat {seat} asked for leaves of a river")


@pytest.mark.parametrize("name", ["resolve", "maxmargin"])
def test_runs_meet_gadgets_as_sweeps_one_by_one_do(name: str) -> None:
    """Catches a gadget that learns from the other seat's values, or chooses too late."""
    game = spot("cc/cc/cc/", "KsTd9h4s2c", TURN_MENU)
    weights = np.ones(game.ranges.shape[1])
    alternatives = np.linspace(-1000, 1000, len(weights))
    gadgets = [make_gadget(name, weights, weights, alternatives) for _ in range(3)]
    at_once = RangeCFR(game, gadgets={1: gadgets[0]})
    at_once.step(7)
    by_sweeps = RangeCFR(game, gadgets={1: gadgets[1]}, leaves=NothingBehind())
    by_sweeps.step(7)
    assert gadgets[0].reach().tolist() == gadgets[1].reach().tolist()
    assert gadgets[0].reach().tolist() != gadgets[2].reach().tolist()
    for kind, array in at_once.arrays.items():
        assert np.array_equal(array, by_sweeps.arrays[kind]), kind


def test_hands_that_cannot_be_held_do_not_come() -> None:
    weights = np.array([1.0, 0.0, 2.0])
    for name in ("resolve", "maxmargin"):
        gadget = make_gadget(name, weights, weights, np.zeros(3))
        for _ in range(3):
            assert gadget.reach()[1] == 0
            assert gadget.reach().sum() > 0
            gadget.observe(np.array([1.0, 50.0, -1.0]))
    with pytest.raises(UsageError):
        make_gadget("safe", weights, weights, weights)


@cache
def blueprint() -> tuple[RangeGame, TabularStrategy]:
    """Half-learnt before the flop, and without a thought on it."""
    game = make_range_game(RULES.start, suits_alike=False)
    solver = RangeCFR(game)
    solver.step(60)
    play = tabulate_solution(solver)
    start = play.row_starts[1]
    for node in np.flatnonzero(game.tree.nodes[:, NODE_STREET] == 1):
        slot, count = game.tree.nodes[node, NODE_SLOT], game.tree.nodes[node, NODE_NUM_ACTIONS]
        for row in range(int(play.rows.max()) + 1):
            first = start + row * play.row_widths[1] + slot
            play.policy[first : first + count] = 1 / count
    return game, play


def solved_anew(name: str) -> BestResponse:
    """The blueprint with every flop solved anew for either seat, behind the gadget *name*."""
    game, play = blueprint()
    strategy = PlayStrategy(game, play)
    composed = play._replace(policy=play.policy.copy())
    for text in FLOPS:
        state = RULES.parse(text)
        for card in RULES.definition.deck:
            ranges = np.stack([state_range(strategy, state, (card,), seat) for seat in range(2)])
            for seat in range(2):
                put_subgame(composed, strategy, state, card, ranges, seat, name)
    return response_values(game, (composed, composed))


def put_subgame(
    composed: TabularStrategy,
    strategy: PlayStrategy,
    state: BettingState,
    card: int,
    ranges: Floats,
    seat: int,
    name: str,
) -> None:
    """Put the *seat*'s part of the subgame's solution into the *composed* play."""
    part = make_range_game(state, (card,), ranges=ranges, suits_alike=False)
    other = 1 - seat
    promised = hand_values(
        part, best_response_traversal(other, tabulate_strategy(part, strategy)), Walker()
    )
    cards = part.boards.arrays.cards[part.boards.rows(0)]
    weights = np.array([part.ranges[seat][(cards[:, 0] != held)].sum() for held in cards[:, 0]])
    solver = RangeCFR(
        part, gadgets={other: make_gadget(name, part.ranges[other], weights, promised)}
    )
    solver.step(400)
    put_solution(composed, solver, seat)


def put_solution(composed: TabularStrategy, solver: RangeCFR, seat: int) -> None:
    """Put the *seat*'s part of a flop's solution into the *composed* play."""
    game, part = blueprint()[0], PlayStrategy(solver.game, tabulate_solution(solver))
    nodes = {betting.text: node for node, betting in node_states(game)}
    board = solver.game.boards.boards[0]
    rows = game.boards.rows(game.boards.boards.index(board))
    first = composed.row_starts[1] + composed.rows[rows] * composed.row_widths[1]
    for _, betting in node_states(solver.game):
        if betting.actor == seat:
            table = part.table(betting, board).probabilities[game.boards.arrays.hands[rows]]
            slot = int(game.tree.nodes[nodes[betting.text], NODE_SLOT])
            composed.policy[first[:, None] + slot + np.arange(table.shape[1])] = table


@pytest.mark.parametrize(
    ("name", "most"),
    [
        pytest.param("unsafe", 0.2, marks=pytest.mark.slow),
        pytest.param("resolve", 2.2, marks=pytest.mark.slow),
        ("maxmargin", 1.6),
    ],
)
def test_flops_solved_anew_make_leduc_harder_to_exploit(name: str, most: float) -> None:
    """NashConv 4.42 without a thought on the flop. Behind a gadget the promises are those of so
    poor a strategy.
    """
    game, play = blueprint()
    assert response_values(game, (play, play)).nash_conv > 4.0
    assert solved_anew(name).nash_conv < most
