"""``acpcbot lab oos-parameters``: targeting, exploration and the weighting factor w_T of OOS.

Figure 3 of the OOS paper, on the right: exploitability by the aggregate method over the amount of
targeting (delta) and of exploration (epsilon), for both ways of targeting. Each is measured with
the weighting factor w_T and without it, which the paper does not show.

The paper's plots have a legend that its text does not repeat, and no numbers; the grid here is of
the values that the text names. What it says of the plots is what the figures are compared with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from acpcbot.evaluation.searches.players import Targeting
from acpcbot.lab.aggregated import RUNS, aggregated, cpu_seconds
from acpcbot.lab.experiment import (
    Budget,
    Chart,
    Compared,
    Comparison,
    Estimate,
    Note,
    Option,
    Panel,
    Row,
    Unit,
    Value,
)
from acpcbot.lab.oos_players import OOS, SIMULATIONS_A_SECOND, make_player, settings
from acpcbot.lab.results import mean_and_half_width, mean_line, numbers, where

DELTAS = (0.5, 0.9, 1.0)
EPSILONS = (0.4, 0.6, 0.8)
GOOFSPIEL, LIARS_DICE, POKER = "II-GS(6)", "LD(1,1)", "GP(3,3,2,2)"
PUBLIC: Targeting = "public"
INFOSET: Targeting = "infoset"
# Goofspiel with hidden bids has no public subgame of interest: only who won is public.
CASES: tuple[tuple[str, Targeting], ...] = (
    (GOOFSPIEL, INFOSET),
    (LIARS_DICE, INFOSET),
    (LIARS_DICE, PUBLIC),
    (POKER, INFOSET),
    (POKER, PUBLIC),
)
# The paper's points are 0.1 to 1.6 seconds a move.
SECONDS = (0.1, 0.4, 1.6)
DEFAULT_SIMULATIONS = (1_000, 5_000)
MATCHES, FULL_MATCHES = 30, 500
WEIGHED = {True: "with w_T", False: "without"}


class OOSParametersExperiment:
    """Exploitability over simulations a move, for a grid of settings."""

    name = "oos-parameters"
    title = "targeting, exploration and w_T of OOS"
    source = "OOS 2015, figure 3, right"
    options: Sequence[Option] = ("games", "simulations")

    def estimate(self, budget: Budget) -> Estimate:
        return Estimate(sum(unit.weight for unit in self.units(budget)), 500_000_000)

    def units(self, budget: Budget) -> list[Unit]:
        return [
            Unit(
                f"{game}, {targeting}, delta {delta:g}, epsilon {epsilon:g}, {word},"
                f" {simulations:,} simulations, run {run}",
                (
                    ("game", game),
                    ("targeting", targeting),
                    ("delta", delta),
                    ("epsilon", epsilon),
                    ("w_T", word),
                    ("simulations", simulations),
                    ("run", run),
                ),
                cpu_seconds(game, num_matches(budget), simulations),
            )
            for simulations in points(budget)
            for run in range(1, RUNS + 1)
            for game, targeting in CASES
            for delta in DELTAS
            for epsilon in EPSILONS
            for word in WEIGHED.values()
        ]

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        game = unit.text("game")
        chosen = settings(
            unit.number("delta"),
            unit.number("epsilon"),
            weighs_targets=unit.text("w_T") == WEIGHED[True],
        )
        targeting = PUBLIC if unit.text("targeting") == PUBLIC else INFOSET
        player = make_player(game, OOS, chosen, targeting, is_match=True)
        yield from aggregated(
            unit, budget, folder, game, player, unit.whole("simulations"), num_matches(budget)
        )

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        rows = where(rows, matches=num_matches(budget))
        lines: list[Compared] = []
        for game, targeting in CASES:
            found = where(rows, game=game, targeting=targeting)
            lines += _of_case(found, f"{game}, {targeting}", game, targeting, points(budget))
        notes = [
            f"matches a run: {num_matches(budget)} a seat; runs: {RUNS}; simulations a move:"
            f" {', '.join(f'{point:,}' for point in points(budget))}; a second of the paper stands"
            f" for {SIMULATIONS_A_SECOND:,}",
            "a line is a mean over epsilon (and delta, where none is named); differences are paired"
            " by epsilon and run; table.csv has all settings",
        ]
        return Comparison("mean gain of both seats", lines, notes)

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        rows = where(rows, matches=num_matches(budget), w_T=WEIGHED[True])
        panels = []
        for game, targeting in CASES:
            lines = []
            for color, delta in enumerate(DELTAS):
                for epsilon in EPSILONS:
                    chosen = where(
                        rows, game=game, targeting=targeting, delta=delta, epsilon=epsilon
                    )
                    label = f"delta {delta:g}, epsilon {epsilon:g}"
                    line = mean_line(chosen, "exploitability", "simulations", label, color)
                    # Nine bands would hide the lines.
                    lines.append(replace(line, half_widths=()))
            panels.append(
                Panel(
                    title=f"{game}, {targeting}",
                    x_label="simulations a move",
                    y_label="exploitability, with w_T",
                    lines=lines,
                )
            )
        return Chart(self.title, panels)


EXPERIMENT = OOSParametersExperiment()


def num_matches(budget: Budget) -> int:
    """Return the matches of a run, at each seat."""
    return budget.num_games(MATCHES, FULL_MATCHES)


def points(budget: Budget) -> tuple[int, ...]:
    """Return the simulations a move that are measured, the fewest first."""
    if budget.simulations is not None:
        return (budget.simulations,)
    if budget.is_full:
        return tuple(round(second * SIMULATIONS_A_SECOND) for second in SECONDS)
    return DEFAULT_SIMULATIONS


def _of_case(
    rows: list[Row], name: str, game: str, targeting: Targeting, simulations: Sequence[int]
) -> list[Compared]:
    """Return the lines of a game and a way of targeting."""
    weighed = where(rows, w_T=WEIGHED[True])
    lines = [
        _level(
            where(weighed, delta=delta, simulations=point), f"{name}, delta {delta:g}, {point:,}"
        )
        for point in simulations
        for delta in DELTAS
    ]
    first, last = simulations[0], simulations[-1]
    if first != last:
        for delta in DELTAS:
            is_stuck = game == LIARS_DICE and targeting == INFOSET and delta == 1
            lines.append(
                _difference(
                    where(weighed, delta=delta, simulations=first),
                    where(weighed, delta=delta, simulations=last),
                    f"{name}, delta {delta:g}: {last:,} less {first:,}",
                    "no better" if is_stuck else "falls",
                )
            )
    lines.append(
        _difference(
            where(weighed, delta=DELTAS[0], simulations=first),
            where(weighed, delta=DELTAS[-1], simulations=first),
            f"{name}, {first:,}: delta {DELTAS[-1]:g} less {DELTAS[0]:g}",
            None if game == LIARS_DICE else "falls",
        )
    )
    lines.append(
        _difference(
            where(weighed, simulations=last),
            where(rows, w_T=WEIGHED[False], simulations=last),
            f"{name}, {last:,}: without w_T less with",
            None,
        )
    )
    return lines


def _level(rows: list[Row], what: str) -> Compared:
    """Return the mean over epsilons, with the interval of the means of runs."""
    means = [
        mean
        for run in range(1, RUNS + 1)
        if (mean := mean_and_half_width(numbers(where(rows, run=run), "exploitability"))[0])
        is not None
    ]
    mean, half = mean_and_half_width(means)
    return Compared(what, mean, half)


def _difference(before: list[Row], after: list[Row], what: str, paper: str | None) -> Compared:
    """Return the mean of *after* less *before*, paired by the settings that they share."""
    shared = ("epsilon", "run")
    pairs: dict[tuple[Value, ...], tuple[list[float], list[float]]] = {}
    for rows, place in ((before, 0), (after, 1)):
        for row in rows:
            key = tuple(row[name] for name in shared)
            pairs.setdefault(key, ([], []))[place].append(float(row["exploitability"]))
    differences = [
        sum(later) / len(later) - sum(earlier) / len(earlier)
        for earlier, later in pairs.values()
        if earlier and later
    ]
    mean, half = mean_and_half_width(differences)
    return Compared(what, mean, half, paper, _word(mean, half))


def _word(mean: float | None, half_width: float | None) -> str:
    if mean is None or half_width is None or abs(mean) <= half_width:
        return "not decided"
    return "rises" if mean > 0 else "falls"
