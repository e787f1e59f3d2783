"""Figure 1 of Heinrich & Silver (2015), Smooth UCT Search in Computer Poker, again: Kuhn poker.

Smooth UCT and UCT with the paper's constants: how far their average policies are from the
nearest equilibrium (the paper's measure) and what can be won against them (NashConv).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from acpcbot.evaluation.exploitability.kuhn_distance import KUHN, mean_squared_distance
from acpcbot.evaluation.exploitability.small_games import nash_conv
from acpcbot.learning.uct import UCTLearner, UCTSettings
from benchmarks.figure import Figure
from benchmarks.paper_curves import Curve, learning_curves, log_points, save
from benchmarks.small_games import solvable

ONLY_BY_NAME = True

NUM_SEEDS = 50
LAST = 20_000_000
DECADE_BEFORE = LAST // 10
ERROR, GAIN = "mean_squared_error", "nash_conv"
SMOOTH_UCT = UCTSettings(exploration=1.75, d=0.001)
UCT = UCTSettings(exploration=2.0, gamma=1.0, eta=1.0)
PAPER_LEAD = 600


def figures() -> Iterator[Figure]:
    game, rows, weights = solvable(KUHN)
    learners = {
        "Smooth UCT": lambda: UCTLearner(game, SMOOTH_UCT),
        "UCT": lambda: UCTLearner(game, UCT),
    }
    measures = {
        ERROR: lambda policy: mean_squared_distance(game, policy),
        GAIN: lambda policy: nash_conv(game, rows, weights, policy),
    }
    points = log_points(20, LAST, 10)
    smooth_uct, uct = learning_curves(game, learners, measures, points, NUM_SEEDS)
    yield save(
        "smooth_uct_kuhn",
        f"Kuhn poker, {NUM_SEEDS} seeds: medians and quartiles",
        [smooth_uct, uct],
    )
    yield lower(
        f"NashConv of Smooth UCT, {LAST:,}", smooth_uct.at(LAST, GAIN), 0.0015, smooth_uct.note
    )
    times = uct.at(LAST, GAIN) / smooth_uct.at(LAST, GAIN)
    yield Figure(
        name="NashConv of UCT over Smooth UCT's",
        value=times,
        unit="times",
        target=20,
        note=uct.note,
    )
    for curve in (smooth_uct, uct):
        yield from slopes(curve)
    yield lower(
        "mean error of Smooth UCT is the lower one from",
        lead(smooth_uct, uct),
        None,
        f"the paper: {PAPER_LEAD}",
    )


def slopes(curve: Curve) -> Iterator[Figure]:
    """Return the curve's ratio over the last tenfold of episodes: below one, it still falls."""
    for measure in (ERROR, GAIN):
        share = curve.at(LAST, measure) / curve.at(DECADE_BEFORE, measure)
        note = f"{curve.at(DECADE_BEFORE, measure):.3g} to {curve.at(LAST, measure):.3g}"
        name = f"{measure} of {curve.label}, last tenfold"
        yield Figure(name=name, value=share, unit="times", note=note, higher_is_better=False)


def lead(ours: Curve, theirs: Curve) -> int:
    """Return the point from which on our mean error over seeds is the lower one."""
    behind = np.flatnonzero(ours.values[ERROR].mean(axis=0) >= theirs.values[ERROR].mean(axis=0))
    return ours.points[behind[-1] + 1] if len(behind) else ours.points[0]


def lower(name: str, value: float, target: float | None, note: str) -> Figure:
    """Return a figure that should be low."""
    return Figure(name=name, value=value, unit="", target=target, note=note, higher_is_better=False)
