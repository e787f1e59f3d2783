"""Costs of decisions in hold'em by rollouts: coverage of their 95 % intervals, error and time.

A spot is a decision before the river in a hand that a strategy plays against itself, with a fifth
of the actions drawn uniformly, and the action taken there. Its cost from 500 deals is compared with
that of a run of 64 times as many. The longer run's own error, an eighth of the shorter one's, adds
less than 1 % to the error of the difference, so that an exact interval of 95 % would hold the
longer run's cost in 94.8 of 100 spots. The same is counted without a target for the usual number of
deals, against which the longer run is 16 times as long. Width and time are those of the usual
number. DECISION_SPOTS is the number of spots of each strategy [100], DECISION_SEED a text that
draws other spots and other deals [none].
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
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
    "holdem.nolimit.2p.reverse_blinds/external_sampling",
)
NUM_SPOTS = 100
NUM_SHORT = 500
LONGER = 64
LEAST_HELD = 0.95


def figures() -> Iterator[Figure]:
    """Measure each strategy."""
    num_spots = int(os.environ.get("DECISION_SPOTS", NUM_SPOTS))
    seed = os.environ.get("DECISION_SEED", "")
    for name in STRATEGIES:
        snapshot = load_snapshot(find_blueprint(f"strategies/{name}").folder)
        yield from _figures(name.partition("/")[0], SnapshotStrategy(snapshot), num_spots, seed)


def _figures(game: str, strategy: SnapshotStrategy, num_spots: int, seed: str) -> Iterator[Figure]:
    first = 2 * crc32(seed.encode())
    usual, short = Judge(strategy, seed=first), Judge(strategy, NUM_SHORT, seed=first)
    long = Judge(strategy, LONGER * NUM_SHORT, seed=first + 1)
    num_held, num_usual_held, half_widths, seconds = 0, 0, [], []
    for hand, place in islice(_spots(strategy, Random(game + seed)), num_spots):
        taken = list(hand.betting.decisions())[place][1]
        began_s = time.perf_counter()
        one = usual.judge_action(hand, place, taken)
        seconds.append(time.perf_counter() - began_s)
        half_widths.append(one.half_width_bb)
        true = long.judge_action(hand, place, taken)
        num_usual_held += _holds(one, true)
        num_held += _holds(short.judge_action(hand, place, taken), true)
    yield Figure(
        name=f"{game}, interval holds",
        value=num_held,
        unit=f"of {num_spots}",
        target=LEAST_HELD * num_spots,
        note=f"{NUM_SHORT} deals, against {LONGER * NUM_SHORT:,}",
    )
    deals = f"{NUM_DEALS:,} deals"
    yield Figure(
        name="interval holds",
        value=num_usual_held,
        unit=f"of {num_spots}",
        note=f"{deals}, against the same",
    )
    width, time_s = float(np.median(half_widths)), float(np.median(seconds))
    yield Figure(name="half width, median", value=width, unit="bb", note=deals)
    yield Figure(name="a decision, median", value=time_s, unit="s", note=deals)


def _holds(one: JudgedAction, true: JudgedAction) -> bool:
    return abs(one.cost_bb - true.cost_bb) <= one.half_width_bb


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
