"""``acpcbot lab oos-aggregate``: exploitability of OOS and IS-MCTS in matches.

Figure 3 of the OOS paper, in the middle: the aggregate method in II-GS(6), LD(1,1) and GP(3,3,2,2)
for 0.1 to 1.6 seconds a move. OOS targets information sets, with delta 0.5 and epsilon 0.4.

The paper's order: OOS is below both kinds of IS-MCTS in II-GS(6) and LD(1,1), and above them in
GP(3,3,2,2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from acpcbot.lab.aggregated import RUNS, aggregated, cpu_seconds
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
)
from acpcbot.lab.oos_players import (
    OOS,
    SEARCHES,
    SIMULATIONS_A_SECOND,
    SMALL_GAMES,
    UCT_SEARCH,
    make_player,
    settings,
)
from acpcbot.lab.published import read
from acpcbot.lab.results import mean_and_half_width, numbers, where

OOS_SETTINGS = settings(0.5, 0.4)
SECONDS = (0.1, 0.2, 0.4, 0.8, 1.6)
DEFAULT_SECONDS = SECONDS[:1]
MATCHES, FULL_MATCHES = {"II-GS(6)": 120, "LD(1,1)": 500, "GP(3,3,2,2)": 300}, 500
"""Matches at each seat. Fewer decide nothing in liar's dice and poker: one fixed action is played
wherever no search has been."""
POKER = "GP(3,3,2,2)"


class OOSAggregateExperiment:
    """Exploitability over seconds a move, beside the digitised curves."""

    name = "oos-aggregate"
    title = "exploitability of searches in matches"
    source = "OOS 2015, figure 3, middle"
    options: Sequence[Option] = ("games", "simulations")

    def estimate(self, budget: Budget) -> Estimate:
        seconds = sum(unit.weight for unit in self.units(budget))
        return Estimate(seconds, 500_000_000)

    def units(self, budget: Budget) -> list[Unit]:
        # The points of the paper, from the shortest on: what is interrupted has whole columns.
        return [
            Unit(
                f"{game}, {search}, {simulations:,} simulations, run {run}",
                (("game", game), ("search", search), ("simulations", simulations), ("run", run)),
                cpu_seconds(game, num_matches(game, budget), simulations),
            )
            for simulations in points(budget)
            for run in range(1, RUNS + 1)
            for game in SMALL_GAMES
            for search in SEARCHES
        ]

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        game, search = unit.text("game"), unit.text("search")
        player = make_player(game, search, OOS_SETTINGS, "infoset", is_match=True)
        yield from aggregated(
            unit, budget, folder, game, player, unit.whole("simulations"), num_matches(game, budget)
        )

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        lines: list[Compared] = []
        for game in SMALL_GAMES:
            for simulations in points(budget):
                found = where(
                    rows, game=game, simulations=simulations, matches=num_matches(game, budget)
                )
                lines += _point(found, game, simulations)
        notes = [
            "matches a run and seat: "
            + ", ".join(f"{num_matches(game, budget)} in {game}" for game in SMALL_GAMES)
            + f"; runs: {RUNS}; a second of the paper stands for {SIMULATIONS_A_SECOND:,}"
            " simulations",
            "differences: how far IS-MCTS is above OOS; the paper has OOS lowest in II-GS(6) and"
            " LD(1,1), and highest in GP(3,3,2,2)",
        ]
        return Comparison("mean gain of both seats", lines, notes)

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        panels = []
        for game in SMALL_GAMES:
            lines = []
            for color, search in enumerate(SEARCHES):
                curve = []
                for simulations in points(budget):
                    found = where(
                        rows,
                        game=game,
                        search=search,
                        simulations=simulations,
                        matches=num_matches(game, budget),
                    )
                    mean, half = mean_and_half_width(numbers(found, "exploitability"))
                    if mean is not None:
                        curve.append((simulations / SIMULATIONS_A_SECOND, mean, half or 0.0))
                paper = paper_curve(game, search)
                lines += [
                    Line(
                        label=search,
                        xs=[x for x, _, _ in curve],
                        ys=[y for _, y, _ in curve],
                        half_widths=[half for _, _, half in curve],
                        color=color,
                    ),
                    Line(
                        label=f"{search}, paper",
                        xs=[x for x, _ in paper],
                        ys=[y for _, y in paper],
                        is_paper=True,
                        color=color,
                    ),
                ]
            panels.append(
                Panel(
                    title=game,
                    x_label="seconds a move, 2014",
                    y_label="exploitability",
                    lines=lines,
                )
            )
        return Chart(self.title, panels)


EXPERIMENT = OOSAggregateExperiment()


def num_matches(game: str, budget: Budget) -> int:
    """Return the matches of a run of *game*, at each seat."""
    return budget.num_games(MATCHES[game], FULL_MATCHES)


def points(budget: Budget) -> list[int]:
    """Return the simulations a move that are measured."""
    if budget.simulations is not None:
        return [budget.simulations]
    seconds = SECONDS if budget.is_full else DEFAULT_SECONDS
    return [round(second * SIMULATIONS_A_SECOND) for second in seconds]


def budget_text(simulations: int) -> str:
    """Return the paper's seconds that so many simulations stand for, or their number."""
    for seconds in SECONDS:
        if round(seconds * SIMULATIONS_A_SECOND) == simulations:
            return f"{seconds:g} s"
    return f"{simulations:,}"


def paper_curve(game: str, search: str) -> list[tuple[float, float]]:
    """Return the paper's points, seconds and exploitability."""
    return [(x, y) for x, y in read("oos_2015_aggregate")["curves"][game][search]]


def paper_value(game: str, search: str, simulations: int) -> float | None:
    """Return the paper's exploitability at so many simulations a move, where it has it."""
    for seconds, value in paper_curve(game, search):
        if round(seconds * SIMULATIONS_A_SECOND) == simulations:
            return value
    return None


def _point(rows: list[Row], game: str, simulations: int) -> list[Compared]:
    """Return the lines of a game and a number of simulations: three searches, two differences."""
    lines, ours, paper = list[Compared](), {}, {}
    where_it_is = f"{game}, {budget_text(simulations)}"
    for search in SEARCHES:
        values = numbers(where(rows, search=search), "exploitability")
        mean, half = mean_and_half_width(values)
        ours[search], paper[search] = (mean, half), paper_value(game, search, simulations)
        lines.append(Compared(f"{where_it_is}, {search}", mean, half, paper[search]))
    # The paper adds visits, whose shares are near to uniform where C is large for the simulations.
    mean, half = mean_and_half_width(
        numbers(where(rows, search=UCT_SEARCH), "greedy_exploitability")
    )
    lines.append(Compared(f"{where_it_is}, {UCT_SEARCH}, most visits", mean, half, None))
    for search in SEARCHES[1:]:
        (mean, half), (oos_mean, oos_half) = ours[search], ours[OOS]
        if mean is None or oos_mean is None:
            continue
        width = None if half is None or oos_half is None else (half**2 + oos_half**2) ** 0.5
        theirs, oos_theirs = paper[search], paper[OOS]
        lines.append(
            Compared(
                f"{where_it_is}, {search} - OOS",
                mean - oos_mean,
                width,
                None if theirs is None or oos_theirs is None else theirs - oos_theirs,
                _verdict(game, mean - oos_mean, width),
            )
        )
    return lines


def _verdict(game: str, difference: float, half_width: float | None) -> str:
    """Return words for a *difference* from OOS, and whether it has the paper's sign."""
    if half_width is None or abs(difference) <= half_width:
        return "order not decided by these matches"
    return "the paper's order" if (difference < 0) == (game == POKER) else "the other order"
