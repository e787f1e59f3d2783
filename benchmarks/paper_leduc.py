"""Figure 2 of Heinrich & Silver (2015), Smooth UCT Search in Computer Poker, again: Leduc hold'em.

Smooth UCT, UCT and outcome sampling with the paper's constants: what can be won against
their average policies (NashConv, which the paper calls exploitability).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from acpcbot.evaluation.exploitability.small_games import nash_conv
from acpcbot.learning.outcome_sampling import OutcomeSamplingLearner, OutcomeSamplingSettings
from acpcbot.learning.sampling import Learner
from acpcbot.learning.uct import UCTLearner, UCTSettings
from benchmarks.figure import Figure
from benchmarks.paper_curves import Curve, crossing, learning_curves, log_points, save
from benchmarks.small_games import LEDUC, solvable

ONLY_BY_NAME = True

NUM_SEEDS = 5
LAST = 500_000_000
EARLIER = 85_000_000
GAIN = "nash_conv"
SMOOTH_UCT = UCTSettings(exploration=18.0, d=0.002)
UCT = UCTSettings(exploration=20.0, gamma=1.0, eta=1.0)
ALTERNATING = OutcomeSamplingSettings(epsilon=0.5, alternating=True)
PARALLEL = OutcomeSamplingSettings(epsilon=0.5)
# Where outcome sampling, alternating and parallel, overtakes Smooth UCT in the paper.
PAPER_CROSSINGS = ((85e6, 0.036), (170e6, 0.028))


def figures() -> Iterator[Figure]:
    game, rows, weights = solvable(LEDUC)
    learners: dict[str, Callable[[], Learner]] = {
        "Smooth UCT": lambda: UCTLearner(game, SMOOTH_UCT),
        "UCT": lambda: UCTLearner(game, UCT),
        "alternating outcome sampling": lambda: OutcomeSamplingLearner(game, ALTERNATING),
        "parallel outcome sampling": lambda: OutcomeSamplingLearner(game, PARALLEL),
    }
    measures = {GAIN: lambda policy: nash_conv(game, rows, weights, policy)}
    points = log_points(5_000, LAST, 10, EARLIER)
    curves = learning_curves(game, learners, measures, points, NUM_SEEDS)
    title = f"Leduc hold'em, {NUM_SEEDS} seeds: medians and quartiles"
    yield save("smooth_uct_leduc", title, curves, PAPER_CROSSINGS)
    smooth_uct, uct, *outcome_sampling = curves
    for episodes, target in ((EARLIER, 0.040), (LAST, 0.025)):
        value = smooth_uct.at(episodes, GAIN)
        name = f"NashConv of Smooth UCT, {episodes:,}"
        yield Figure(
            name=name,
            value=value,
            unit="",
            target=target,
            note=smooth_uct.note,
            higher_is_better=False,
        )
    yield Figure(
        name=f"NashConv of UCT, {LAST:,}",
        value=uct.at(LAST, GAIN),
        unit="",
        target=0.5,
        note=uct.note,
    )
    for curve, paper in zip(outcome_sampling, PAPER_CROSSINGS, strict=True):
        yield from overtaking(smooth_uct, curve, paper)


def overtaking(ours: Curve, theirs: Curve, paper: tuple[float, float]) -> Iterator[Figure]:
    """Return the end of *theirs* and the point where it falls below *ours*, beside the paper's."""
    yield Figure(
        name=f"NashConv, {theirs.label}", value=theirs.at(LAST, GAIN), unit="", note=theirs.note
    )
    name, where = f"below Smooth UCT: {theirs.label}", f"the paper: {paper[0]:,.0f}, at {paper[1]}"
    found = crossing(ours, theirs, GAIN)
    if found is None:
        yield Figure(name=name, value=LAST, unit="episodes", note=f"not even then; {where}")
    else:
        yield Figure(
            name=name, value=round(found[0]), unit="episodes", note=f"at {found[1]:.2g}; {where}"
        )
