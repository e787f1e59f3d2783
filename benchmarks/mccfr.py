"""Speed of external and outcome sampling on one core, dealing included, with peers.

Rates are by CPU time. An iteration of external sampling is one deal, traversed for every
seat; an episode of outcome sampling is one hand.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from acpcbot.abstraction.card_abstraction import (
    ExactAbstraction,
    SmallGameDeals,
    all_deals,
    merge_deals,
)
from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.evaluation.exploitability.small_games import nash_conv
from acpcbot.learning.external_sampling import ExternalSamplingLearner, ExternalSamplingSettings
from acpcbot.learning.outcome_sampling import OutcomeSamplingLearner, OutcomeSamplingSettings
from acpcbot.learning.sampling import Learner, SamplingSolver
from acpcbot.poker.shipped import shipped_definition
from acpcbot.trees.bet_menu import parse_menu
from acpcbot.trees.public_tree import AbstractGame, build_tree, make_game
from benchmarks.figure import RUNS, Figure

SEED = 1
LEDUC, NO_LIMIT_LEDUC = "leduc.limit.2p", "leduc.nolimit.2p"
LIMIT_HOLDEM = "holdem.limit.2p.reverse_blinds"
GRIDS = {
    "preflop": "lossless",
    "flop": {"grid": 1000},
    "turn": {"grid": 500},
    "river": {"grid": 200},
}
LEDUC_COUNT, HOLDEM_COUNT, PEER_COUNT = 1 << 20, 1 << 16, 20_000
LEARNING_S = 10


def figures() -> Iterator[Figure]:
    external = SamplingSolver(ExternalSamplingLearner(leduc()), leduc_deals(), seed=SEED)
    external_rate = rate_of(external, LEDUC_COUNT)
    yield Figure(
        name="external sampling in Leduc",
        value=external_rate,
        unit="iterations/s",
        target=1_200_000,
    )
    yield learnt_in_leduc()
    yield limit_holdem()
    yield no_limit_leduc()
    outcome_rates = {}
    for kind, alternating in (("parallel", False), ("alternating", True)):
        learner = OutcomeSamplingLearner(leduc(), OutcomeSamplingSettings(alternating=alternating))
        outcome_rates[kind] = rate_of(
            SamplingSolver(learner, leduc_deals(), seed=SEED), LEDUC_COUNT
        )
        name = f"outcome sampling in Leduc, {kind}"
        yield Figure(name=name, value=outcome_rates[kind], unit="episodes/s", target=2_000_000)
    if find_spec("pyspiel"):
        yield from open_spiel(external_rate, outcome_rates["alternating"])
    if find_spec("donksolver"):
        yield donksolver(external_rate)


def learnt_in_leduc() -> Figure:
    """NashConv after some seconds of CPU."""
    learner = ExternalSamplingLearner(leduc())
    solver = SamplingSolver(learner, leduc_deals(), seed=SEED)
    start = time.process_time()
    while time.process_time() - start < LEARNING_S:
        solver.step(solver.round_length)
    definition = shipped_definition(LEDUC)
    lanes = merge_deals(all_deals(definition, ExactAbstraction(definition)))
    value = nash_conv(leduc(), *lanes, learner.average_strategy())
    name, note = (
        f"its NashConv after {LEARNING_S} s of CPU",
        f"{solver.num_done / 1e6:.0f} million iterations",
    )
    return Figure(
        name=name, value=value, unit="big blinds", target=0.017, note=note, higher_is_better=False
    )


def limit_holdem() -> Figure:
    definition = shipped_definition(LIMIT_HOLDEM)
    abstraction = HoldemAbstraction.from_settings(GRIDS)
    game = AbstractGame(build_tree(definition), abstraction.num_buckets)
    learner: Learner = ExternalSamplingLearner(game, ExternalSamplingSettings(storage="float32"))
    rate = rate_of(
        SamplingSolver(learner, HoldemDeals(definition, abstraction), seed=SEED), HOLDEM_COUNT
    )
    buckets = "/".join(map(str, abstraction.num_buckets))
    note = f"buckets {buckets}, {learner.arrays['sums'].nbytes / 1e6:.0f} MB"
    name = "external sampling in 2-player limit hold'em"
    return Figure(name=name, value=rate, unit="iterations/s", target=30_000, note=note)


def open_spiel(external_rate: float, outcome_rate: float) -> Iterator[Figure]:
    """OpenSpiel's solvers in C++, on its plain game and on the tree that it keeps in memory."""
    import pyspiel

    for game in (
        pyspiel.load_game("leduc_poker"),
        pyspiel.load_game("cached_tree(game=leduc_poker())"),
    ):
        kind = game.get_type().short_name
        rate = peer_rate(pyspiel.ExternalSamplingMCCFRSolver(game, seed=SEED))
        note = f"ours is {external_rate / rate:,.0f} times as fast"
        yield Figure(
            name=f"OpenSpiel's external sampling, {kind}",
            value=rate,
            unit="iterations/s",
            note=note,
        )
        # An iteration is an episode for each of the two seats.
        rate = 2 * peer_rate(pyspiel.OutcomeSamplingMCCFRSolver(game, seed=SEED))
        note = f"ours, alternating, is {outcome_rate / rate:,.0f} times as fast"
        yield Figure(
            name=f"OpenSpiel's outcome sampling, {kind}", value=rate, unit="episodes/s", note=note
        )


def peer_rate(solver: Any) -> float:
    def iterate() -> None:
        for _ in range(PEER_COUNT):
            solver.run_iteration()

    return PEER_COUNT / cpu_seconds(iterate)


def donksolver(external_rate: float) -> Figure:
    peer: Any = import_module("donksolver")
    solver = peer.Solver(peer.toy("leduc", 2, algo="es", avg_mode="weighted", p_avg=1.0, seed=SEED))
    rate = LEDUC_COUNT / cpu_seconds(lambda: solver.run(LEDUC_COUNT, 1))
    note = f"ours is {external_rate / rate:.1f} times as fast"
    return Figure(
        name="donksolver's external sampling in Leduc", value=rate, unit="iterations/s", note=note
    )


def no_limit_leduc() -> Figure:
    definition = shipped_definition(NO_LIMIT_LEDUC)
    abstraction = ExactAbstraction(definition)
    game = make_game(definition, parse_menu("0.5,1,all-in"), abstraction.num_buckets)
    solver = SamplingSolver(
        ExternalSamplingLearner(game), SmallGameDeals(definition, abstraction), seed=SEED
    )
    rate, note = rate_of(solver, LEDUC_COUNT), "bets of half a pot, a pot and all-in"
    return Figure(
        name="external sampling in no-limit Leduc",
        value=rate,
        unit="iterations/s",
        target=800_000,
        note=note,
    )


def leduc() -> AbstractGame:
    definition = shipped_definition(LEDUC)
    return AbstractGame(build_tree(definition), ExactAbstraction(definition).num_buckets)


def leduc_deals() -> SmallGameDeals:
    definition = shipped_definition(LEDUC)
    return SmallGameDeals(definition, ExactAbstraction(definition))


def rate_of(solver: SamplingSolver, count: int) -> float:
    return count / cpu_seconds(lambda: solver.step(count))


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of *work*: the median of some runs, after one that may compile."""
    work()
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)
