"""Costs of decisions in hold'em by rollouts: coverage of their 95 % intervals, error and time.

A spot is a decision before the river in a hand that a strategy plays against itself, with a fifth
of the actions drawn uniformly, and the action taken there. Its cost is estimated by 32 runs of 500
deals with seeds of their own, and the interval of each is held against the mean of the 31 others, a
rollout of 15,500 deals. That one's own error adds 1.6 % to the error of the difference, so that
exact intervals of 95 % would hold it in 94.6 of 100 cases. Runs of a spot share what is hard about
it: the uncertainty of the rate is that of the spots' own rates. Width and time are those of the
usual number of deals. DECISION_SPOTS is the number of spots of each strategy [100], DECISION_SEED a
text that draws other spots and other deals [none].
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from zlib import crc32

import numpy as np

from acpcbot.agents.blueprint import find_blueprint
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.evaluation.decisions.judged_hands import NUM_DEALS, Judge, JudgedAction
from acpcbot.poker.hands import hand_number
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.public_play import SnapshotStrategy
from benchmarks.figure import Figure
from tests.evaluation.decisions.plain_values import drawn_hand

ONLY_BY_NAME = True
STRATEGIES = (
    "holdem.limit.2p.reverse_blinds/external_sampling",
    "holdem.nolimit.2p.reverse_blinds/cfr_br",
)
NUM_SPOTS = 100
NUM_SHORT, NUM_RUNS = 500, 32
LEAST_HELD = 95.0


def figures() -> Iterator[Figure]:
    """Measure each strategy."""
    num_spots = int(os.environ.get("DECISION_SPOTS", NUM_SPOTS))
    seed = os.environ.get("DECISION_SEED", "")
    for name in STRATEGIES:
        snapshot = load_snapshot(find_blueprint(f"strategies/{name}").folder)
        yield from _figures(name.partition("/")[0], SnapshotStrategy(snapshot), num_spots, seed)


def _figures(game: str, strategy: SnapshotStrategy, num_spots: int, seed: str) -> Iterator[Figure]:
    first = NUM_RUNS * crc32(seed.encode())
    usual = Judge(strategy, seed=first)
    judges = [Judge(strategy, NUM_SHORT, seed=first + run) for run in range(NUM_RUNS)]
    rates, half_widths, seconds = [], [], []
    for hand, place in islice(_spots(strategy, Random(game + seed)), num_spots):
        taken = list(hand.betting.decisions())[place][1]
        began_s = time.perf_counter()
        half_widths.append(usual.judge_action(hand, place, taken).half_width_bb)
        seconds.append(time.perf_counter() - began_s)
        rates.append(_share_held([judge.judge_action(hand, place, taken) for judge in judges]))
    error = 1.96 * float(np.std(rates, ddof=1)) / num_spots**0.5
    yield Figure(
        name=f"{game}, intervals hold",
        value=100 * float(np.mean(rates)),
        unit="%",
        target=LEAST_HELD,
        note=f"± {100 * error:.1f}; {num_spots} spots, {NUM_RUNS} intervals of {NUM_SHORT} deals each",
    )
    deals = f"{NUM_DEALS:,} deals"
    width, time_s = float(np.median(half_widths)), float(np.median(seconds))
    yield Figure(name="half width, median", value=width, unit="bb", note=deals)
    yield Figure(name="a decision, median", value=time_s, unit="s", note=deals)


def _share_held(runs: Sequence[JudgedAction]) -> float:
    """Return the share of *runs* whose interval holds the mean cost of the others."""
    costs = np.array([run.cost_bb for run in runs])
    widths = np.array([run.half_width_bb for run in runs])
    others = (costs.sum() - costs) / (len(runs) - 1)
    return float(np.mean(np.abs(costs - others) <= widths))


def _spots(strategy: SnapshotStrategy, random: Random) -> Iterator[tuple[PlayedHand, int]]:
    """Yield hands and the places of decisions there whose cost is uncertain, one of each hand."""
    judge = Judge(strategy, num_deals=20)
    last = strategy.definition.num_streets - 1
    while True:
        hand = drawn_hand(strategy, strategy.definition, random)
        decisions = list(hand.betting.decisions())
        place = random.randrange(len(decisions))
        betting, taken = decisions[place]
        if betting.street == last or _is_only_action(strategy, hand, place):
            continue
        if judge.judge_action(hand, place, taken).half_width_bb:
            yield hand, place


def _is_only_action(strategy: SnapshotStrategy, hand: PlayedHand, place: int) -> bool:
    """Return true if the strategy always takes the action taken: it costs nothing."""
    betting, taken = list(hand.betting.decisions())[place]
    definition = strategy.definition
    table = strategy.table(betting, hand.board[: definition.board_size(betting.street)])
    own = table.probabilities[hand_number(definition, hand.hole_cards[betting.actor])]
    return taken in table.actions and float(own[table.actions.index(taken)]) == 1.0
