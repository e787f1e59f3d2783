"""``acpcbot lab goofspiel-convergence``: exact exploitability of SM-MCTS in Goofspiel(4).

A search runs on and on from the first bids; again and again its whole tree is taken as a strategy
and met by an exact best response, in WL-Goof(4) and in PD-Goof(4). Payoffs are -1, 0 and 1 in
WL-Goof(4).

The paper does not say whether the first upcard is drawn by each simulation or dealt before the
search, in which units exploitability is, nor which constants it took for four cards. Its statements
fit together with the first upcard dealt, as in its table 2, and with payoffs of -1 to 1: so it is
here, with as many runs for each upcard. Exploitability is that of the strategy of seat 0, as in the
paper; NashConv is that of both.

Source: Lanctot, Lisy & Winands (2013), Monte Carlo tree search in simultaneous move games with
applications to Goofspiel, section 4.3 and figure 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.whole_strategy import WholeStrategy
from acpcbot.games.sequence_form import sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.lab.experiment import (
    Budget,
    Chart,
    Compared,
    Comparison,
    Estimate,
    Line,
    Note,
    Option,
    Panel,
    Row,
    Unit,
    unit_seed,
)
from acpcbot.lab.goofspiel import (
    ALGORITHMS,
    PAPER,
    VARIANTS,
    game_name,
    game_of,
    policy_of,
    root_of,
    tree_bytes,
)
from acpcbot.lab.published import read
from acpcbot.lab.results import mean_and_half_width, numbers, where
from acpcbot.tree_search.simultaneous import PAYOFFS, SimultaneousSearch

NUM_CARDS = 4
THRESHOLDS = (0.3, 0.1)
PAPER_SIMULATIONS = 100_000
EARLY = 30_000
EARLY_ON = "Exp3 in WL, % below 0.3 after 30,000"
AT_THE_END = "Exp3 in WL, % below 0.1 at the end"
SIMULATIONS_A_SECOND, POINT_SECONDS = 1_300_000, 0.001


class GoofspielConvergence:
    """Exploitability after a growing number of simulations, in many runs."""

    name = "goofspiel-convergence"
    title = "Goofspiel(4): exploitability of SM-MCTS"
    source = "SM-MCTS 2013, figure 4"
    options: Sequence[Option] = ("games", "simulations")

    def estimate(self, budget: Budget) -> Estimate:
        points = _points(budget)
        num_runs = len(VARIANTS) * len(ALGORITHMS) * NUM_CARDS * _runs_an_upcard(budget)
        a_run = points[-1] / SIMULATIONS_A_SECOND + len(points) * POINT_SECONDS
        memory_bytes = 250_000_000 + tree_bytes(NUM_CARDS, points[-1])
        return Estimate(20.0 + num_runs * a_run, memory_bytes)

    def units(self, budget: Budget) -> list[Unit]:
        return [
            Unit(
                f"{game_name(variant, NUM_CARDS)}, {algorithm}, upcard {upcard}",
                (("game", variant), ("algorithm", algorithm), ("upcard", upcard)),
            )
            for variant in VARIANTS
            for algorithm in ALGORITHMS
            for upcard in range(1, NUM_CARDS + 1)
        ]

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        variant, points = unit.text("game"), _points(budget)
        game, root = game_of(variant, NUM_CARDS), root_of(variant, NUM_CARDS, unit.whole("upcard"))
        form = sequence_form(game, root)
        whole = WholeStrategy(game, form, root=root)
        for run in range(_runs_an_upcard(budget)):
            search = SimultaneousSearch(
                game,
                policy_of(unit.text("algorithm"), variant),
                unit_seed(budget, unit, run),
                PAYOFFS,
                tree_bytes(NUM_CARDS, points[-1]),
            )
            search.begin(root)
            done = 0
            for point in points:
                search.simulate(point - done)
                done = point
                best = sequence_best_response(form, whole.policy(search))
                # The value of the game is 0 for any first upcard: seats are alike.
                yield {
                    "run": run + 1,
                    "simulations": point,
                    "nash_conv": best.nash_conv,
                    "exploitability": best.values[1],
                }

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        points = _points(budget)
        lines = [
            line
            for variant in VARIANTS
            for algorithm in ALGORITHMS
            for line in _lines_of(rows, variant, algorithm, points)
        ]
        notes = [
            f"runs: {NUM_CARDS * _runs_an_upcard(budget)}, as many for each first upcard;"
            f" simulations: {points[-1]:,}, measured every {points[0]:,}",
            "DUCT: the mean's rise from its lowest point to the end, and where that point lies",
            "other figures the paper does not give in words: Exp3, OOS+ and RM converge, and in"
            " PD-Goof(4) RM is lowest after 20,000",
        ]
        return Comparison("payoffs, or % of runs", lines, notes)

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        points = _points(budget)
        panels = [
            _panel(rows, variant, f"{game_name(variant, NUM_CARDS)}: mean", "exploitability", None)
            for variant in VARIANTS
        ]
        panels += [
            _panel(
                rows,
                "WL",
                f"{game_name('WL', NUM_CARDS)}: below {threshold}",
                "% of runs",
                threshold,
            )
            for threshold in THRESHOLDS
        ]
        figures = read(PAPER)["figure_4"]
        if points[-1] == PAPER_SIMULATIONS:
            known = (
                ((EARLY, PAPER_SIMULATIONS), figures[EARLY_ON]),
                ((0.95 * PAPER_SIMULATIONS, PAPER_SIMULATIONS), figures[AT_THE_END]),
            )
            for number, (xs, y) in enumerate(known, start=len(VARIANTS)):
                paper = Line(label="Exp3, paper", xs=xs, ys=[y, y], is_paper=True, color=2)
                panels[number] = replace(panels[number], lines=[*panels[number].lines, paper])
        return Chart(self.title, panels)


EXPERIMENT = GoofspielConvergence()


def shares_below(rows: list[Row], threshold: float) -> list[float]:
    """Return 100 for each row whose exploitability is below *threshold*, 0 for the others."""
    return [100.0 * (value < threshold) for value in numbers(rows, "exploitability")]


def mean_curve(rows: list[Row]) -> list[tuple[int, float, float]]:
    """Return points (simulations, mean exploitability, half width of its interval)."""
    curve = []
    for point in sorted({int(row["simulations"]) for row in rows}):
        mean, half_width = mean_and_half_width(
            numbers(where(rows, simulations=point), "exploitability")
        )
        if mean is not None:
            curve.append((point, mean, half_width or 0.0))
    return curve


def rise_from_lowest(rows: list[Row]) -> tuple[int, float, float | None] | None:
    """Return the simulations of the lowest mean, the rise from there to the end, its half width."""
    curve = mean_curve(rows)
    if not curve:
        return None
    lowest, last = min(curve, key=lambda point: point[1])[0], curve[-1][0]
    # Run by run: what a run has early it keeps for long, so differences scatter less than means.
    before, after = (
        {(row["upcard"], row["run"]): float(row["exploitability"]) for row in found}
        for found in (where(rows, simulations=lowest), where(rows, simulations=last))
    )
    rise, half_width = mean_and_half_width([after[run] - before[run] for run in after])
    assert rise is not None
    return lowest, rise, half_width


def _lines_of(
    rows: list[Row], variant: str, algorithm: str, points: Sequence[int]
) -> Iterator[Compared]:
    """Yield the lines of the table for one algorithm in one game."""
    figures = read(PAPER)["figure_4"]
    found = where(rows, game=variant, algorithm=algorithm)
    last = where(found, simulations=points[-1])
    name, is_exp3 = f"{variant}-Goof(4), {algorithm}", (variant, algorithm) == ("WL", "Exp3")
    is_long = points[-1] == PAPER_SIMULATIONS
    yield Compared(
        f"{name}: mean at the end", *mean_and_half_width(numbers(last, "exploitability"))
    )
    if is_exp3 and EARLY in points:
        yield Compared(
            f"{name}: % below 0.3 after {EARLY:,}",
            *mean_and_half_width(shares_below(where(found, simulations=EARLY), THRESHOLDS[0])),
            paper=figures[EARLY_ON],
        )
    if algorithm.startswith("DUCT"):
        rise = rise_from_lowest(found)
        yield Compared(
            f"{name}: rise since its lowest",
            None if rise is None else rise[1],
            None if rise is None else rise[2],
            f"after {figures['DUCT rises after']:,}",
            "" if rise is None else f"lowest after {rise[0]:,}",
        )
        return
    for threshold in THRESHOLDS:
        yield Compared(
            f"{name}: % below {threshold} at the end",
            *mean_and_half_width(shares_below(last, threshold)),
            paper=figures[AT_THE_END]
            if is_exp3 and is_long and threshold == THRESHOLDS[1]
            else None,
        )


def _panel(
    rows: list[Row], variant: str, title: str, y_label: str, threshold: float | None
) -> Panel:
    """Return the plot of all algorithms: mean exploitability, or the runs below a threshold."""
    lines = []
    for color, algorithm in enumerate(ALGORITHMS):
        found = where(rows, game=variant, algorithm=algorithm)
        curve = mean_curve(found)
        if threshold is not None:
            curve = [
                (point, float(np.mean(shares_below(where(found, simulations=point), threshold))), 0)
                for point, _, _ in curve
            ]
        lines.append(
            Line(
                label=algorithm,
                xs=[x for x, _, _ in curve],
                ys=[y for _, y, _ in curve],
                half_widths=[half for _, _, half in curve] if threshold is None else (),
                color=color,
            )
        )
    return Panel(title=title, x_label="simulations", y_label=y_label, lines=lines, is_log_x=False)


def _runs_an_upcard(budget: Budget) -> int:
    """Return the runs for each first upcard; --games counts those of all four."""
    num_runs = budget.num_games(20, 100)
    if num_runs % NUM_CARDS:
        raise UsageError(
            f"--games {num_runs}: expected a multiple of {NUM_CARDS}",
            "each first upcard has as many runs",
        )
    return num_runs // NUM_CARDS


def _points(budget: Budget) -> list[int]:
    last = budget.num_simulations(PAPER_SIMULATIONS, PAPER_SIMULATIONS)
    num_points = 100 if budget.is_full else 20
    step = max(1, last // num_points)
    return [*range(step, last, step), last]
