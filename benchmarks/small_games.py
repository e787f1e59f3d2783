"""Speed of solving small games and measuring policies exactly, one core, with OpenSpiel."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import ExactAbstraction, all_deals, merge_deals
from acpcbot.evaluation.exploitability.small_games import best_response_values
from acpcbot.learning.vector_cfr import VectorCFR
from acpcbot.poker.shipped import shipped_definition
from acpcbot.regret_matching import CFR_PLUS, DCFR, DiscountSettings
from acpcbot.trees.public_tree import AbstractGame, build_tree
from benchmarks.figure import Figure, seconds

KUHN, LEDUC, KUHN_3P = "kuhn.limit.2p", "leduc.limit.2p", "kuhn.limit.3p"
NUM_ITERATIONS = 20_000
NUM_CALLS = 500
PEER_ITERATIONS = 100

Solvable = tuple[AbstractGame, NDArray[np.uint16], NDArray[np.float64]]


def figures() -> Iterator[Figure]:
    rate = iterations_a_second(LEDUC, CFR_PLUS)
    yield Figure(name="CFR+ in Leduc", value=rate, unit="iterations/s", target=40_000)
    for name in (LEDUC, KUHN, KUHN_3P):
        yield Figure(
            name=f"DCFR in {name}", value=iterations_a_second(name, DCFR), unit="iterations/s"
        )
    time_ms = nash_conv_ms(solvable(LEDUC))
    name = "NashConv and values of a Leduc policy"
    yield Figure(name=name, value=time_ms, unit="ms", target=0.1, higher_is_better=False)
    if find_spec("pyspiel"):
        yield from beside_open_spiel(rate, time_ms)
    for name, num_iterations, target in (
        (KUHN, 300_000, 1e-5),
        (LEDUC, 100_000, 1e-5),
        (KUHN_3P, 10_000, 1e-6),
    ):
        yield largest_gain(name, num_iterations, target)


def beside_open_spiel(rate: float, time_ms: float) -> Iterator[Figure]:
    """Yield OpenSpiel's solver and NashConv in C++, on its plain game and on its cached tree."""
    import pyspiel

    for game in (
        pyspiel.load_game("leduc_poker"),
        pyspiel.load_game("cached_tree(game=leduc_poker())"),
    ):
        kind = game.get_type().short_name
        solver = pyspiel.CFRPlusSolver(game)
        peer_s = seconds(lambda solver=solver: iterate(solver))  # type: ignore[misc]
        peer_rate = PEER_ITERATIONS / peer_s
        note = f"ours is {rate / peer_rate:,.0f} times as fast"
        yield Figure(
            name=f"OpenSpiel's CFR+, {kind}", value=peer_rate, unit="iterations/s", note=note
        )
        policy = pyspiel.UniformRandomPolicy(game)
        nash_conv = partial(pyspiel.nash_conv, game, policy)
        peer_ms = 1000 * seconds(nash_conv)
        note = f"ours is {peer_ms / time_ms:,.0f} times as fast"
        name = f"OpenSpiel's NashConv, {kind}"
        yield Figure(name=name, value=peer_ms, unit="ms", note=note, higher_is_better=False)


def iterate(solver: Any) -> None:
    for _ in range(PEER_ITERATIONS):
        solver.evaluate_and_update_policy()


def iterations_a_second(name: str, settings: DiscountSettings) -> float:
    """Iterations that update every seat."""
    solver = VectorCFR(*solvable(name), settings)
    return NUM_ITERATIONS / seconds(lambda: solver.step(NUM_ITERATIONS))


def nash_conv_ms(lanes: Solvable) -> float:
    """Return a call from Python that gives both best responses and the policy's own values."""
    game = lanes[0]
    policy = game.normalised(np.zeros(game.layout.num_slots))

    def measure() -> None:
        for _ in range(NUM_CALLS):
            assert best_response_values(*lanes, policy).nash_conv > 0

    return 1000 * seconds(measure) / NUM_CALLS


def largest_gain(name: str, num_iterations: int, target: float) -> Figure:
    lanes = solvable(name)
    solver = VectorCFR(*lanes, DCFR)
    solver.step(num_iterations)
    gain = max(best_response_values(*lanes, solver.average_strategy()).gains)
    title = f"gain against DCFR, {name}, {num_iterations // 1000}k iterations"
    note = "the largest of any seat"
    return Figure(
        name=title, value=gain, unit="big blinds", target=target, note=note, higher_is_better=False
    )


def solvable(name: str) -> Solvable:
    definition = shipped_definition(name)
    abstraction = ExactAbstraction(definition)
    game = AbstractGame(build_tree(definition), abstraction.num_buckets)
    return (game, *merge_deals(all_deals(definition, abstraction)))
