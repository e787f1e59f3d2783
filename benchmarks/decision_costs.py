"""Costs of decisions in hold'em by rollouts: coverage of their 95 % intervals, error and time.

A spot is a decision before the river in a hand that a strategy plays against itself, with a fifth
of the actions drawn uniformly, and the action taken there. Its cost from 500 deals is compared with
that of a run of 16 times as many. The longer run has a quarter of the error, so an interval of 95 %
should hold its cost in 94 of 100 spots. Width and time are those of the usual number of deals.
DECISION_SPOTS is the number of spots of each strategy [100].
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from random import Random

import numpy as np

from acpcbot.agents.blueprint import find_blueprint
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.evaluation.decisions.judged_hands import NUM_DEALS, Judge
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.public_play import SnapshotStrategy
from benchmarks.figure import Figure
from tests.evaluation.decisions.plain_values import drawn_hand

ONLY_BY_NAME = True
STRATEGIES = (
    "holdem.limit.2p.reverse_blinds/external_sampling",
    "holdem.nolimit.2p.reverse_blinds/external_sampling",
)
NUM_SPOTS = 100
NUM_SHORT = 500
LONGER = 16
LEAST_HELD = 0.9


def figures() -> Iterator[Figure]:
    """Measure each strategy."""
    num_spots = int(os.environ.get("DECISION_SPOTS", NUM_SPOTS))
    for name in STRATEGIES:
        snapshot = load_snapshot(find_blueprint(f"strategies/{name}").folder)
        yield from _figures(name.partition("/")[0], SnapshotStrategy(snapshot), num_spots)


def _figures(game: str, strategy: SnapshotStrategy, num_spots: int) -> Iterator[Figure]:
    usual, short = Judge(strategy), Judge(strategy, NUM_SHORT)
    long = Judge(strategy, LONGER * NUM_SHORT, seed=1)
    num_held, half_widths, seconds = 0, [], []
    for hand, place in _spots(strategy, num_spots, Random(game)):
        taken = list(hand.betting.decisions())[place][1]
        began_s = time.perf_counter()
        half_widths.append(usual.judge_action(hand, place, taken).half_width_bb)
        seconds.append(time.perf_counter() - began_s)
        one, true = [judge.judge_action(hand, place, taken) for judge in (short, long)]
        num_held += abs(one.cost_bb - true.cost_bb) <= one.half_width_bb
    yield Figure(
        name=f"{game}, interval holds",
        value=num_held,
        unit=f"of {num_spots}",
        target=LEAST_HELD * num_spots,
    )
    deals = f"{NUM_DEALS:,} deals"
    width, time_s = float(np.median(half_widths)), float(np.median(seconds))
    yield Figure(name="half width, median", value=width, unit="bb", note=deals)
    yield Figure(name="a decision, median", value=time_s, unit="s", note=deals)


def _spots(
    strategy: SnapshotStrategy, num_spots: int, random: Random
) -> Iterator[tuple[PlayedHand, int]]:
    """Yield hands and the places of decisions there whose cost is uncertain, one of each hand."""
    judge, num_found = Judge(strategy, num_deals=20), 0
    last = strategy.definition.num_streets - 1
    while num_found < num_spots:
        hand = drawn_hand(strategy, strategy.definition, random)
        decisions = list(hand.betting.decisions())
        place = random.randrange(len(decisions))
        betting, taken = decisions[place]
        if betting.street < last and judge.judge_action(hand, place, taken).half_width_bb:
            num_found += 1
            yield hand, place
