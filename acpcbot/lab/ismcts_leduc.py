"""``acpcbot lab ismcts-leduc``: exploitability of IS-MCTS in Leduc, for a grid of parameters.

Table S5 of Student of Games: a search of its own at each information set, whose final moves
together are a strategy; its exploitability is exact. Strategies are composed several times, and
their mean is compared: 4 numbers of simulations, 7 exploration constants, 3 final moves.

Information sets tell suits apart, as in the paper's Leduc, though suits never decide: there are 936
of them. With the 288 that are left without suits each search meets the same information sets more
often, and is some 10 % less exploitable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.composed import ComposedISMCTS
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
from acpcbot.lab.published import read
from acpcbot.lab.results import mean_and_half_width, numbers, where
from acpcbot.poker.shipped import shipped_definition
from acpcbot.poker_games.poker_game import make_poker_game
from acpcbot.tree_search.is_mcts import FinalMove
from acpcbot.tree_search.selection.uct import UCT

FINALS: tuple[FinalMove, ...] = ("visits", "most-visits", "best-value")
LEDUC = "leduc.limit.2p"
NUM_INFOSETS = 936
SIMULATIONS_A_SECOND = 3_000_000
STRATEGIES, FULL_STRATEGIES = 5, 50
MBB = 1000.0
TOLERANCE = 0.2


class ISMCTSLeducExperiment:
    """Exploitability in mbb/h, by simulations, exploration constant and final move."""

    name = "ismcts-leduc"
    title = "IS-MCTS in Leduc, 84 settings"
    source = "Student of Games, table S5"
    options: Sequence[Option] = ("games", "simulations")

    def estimate(self, budget: Budget) -> Estimate:
        simulations = sum(unit.whole("simulations") for unit in self.units(budget))
        total = NUM_INFOSETS * simulations * num_strategies(budget)
        return Estimate(4.0 + total / SIMULATIONS_A_SECOND, 250_000_000)

    def units(self, budget: Budget) -> list[Unit]:
        # The largest first, so that processes end at about the same time.
        units = [
            Unit(
                f"{simulations:,} simulations, C {constant:g}",
                (("simulations", simulations), ("constant", constant)),
                float(simulations),
            )
            for simulations, constant in sorted(cells(budget), key=lambda cell: -cell[0])
        ]
        if not units:
            raise UsageError(
                f"--simulations {budget.simulations}: the smallest searches of the table have 10",
                "give at least 10, or omit --simulations",
            )
        return units

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        game = make_poker_game(shipped_definition(LEDUC))
        form = sequence_form(game)
        composed = ComposedISMCTS(game, form)
        policy = UCT(unit.number("constant"))
        for number in range(num_strategies(budget)):
            found = composed.policies(
                policy, unit.whole("simulations"), unit_seed(budget, unit, number)
            )
            for final in FINALS:
                value = sequence_best_response(form, found[final]).exploitability
                yield {"strategy": number + 1, "final": final, "mbb": MBB * value}

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        lines, num_near, num_held = [], 0, 0
        for (simulations, constant), papers in cells(budget).items():
            for final in FINALS:
                found = where(rows, simulations=simulations, constant=constant, final=final)
                mean, half_width = mean_and_half_width(numbers(found, "mbb"))
                paper = papers[final]
                near = mean is not None and abs(mean / paper - 1) <= TOLERANCE
                lines.append(
                    Compared(
                        f"{simulations:,}, C {constant:g}, {final}",
                        mean,
                        half_width,
                        paper,
                        "" if mean is None else _words(final, mean, paper, half_width),
                    )
                )
                if simulations >= 1000 and constant >= 5:
                    num_held += 1
                    num_near += near
        notes = [f"means of {num_strategies(budget)} composed strategies a cell"]
        if num_held:
            notes.append(
                f"from 1,000 simulations and C 5 on, {num_near} of {num_held} cells are within"
                f" {100 * TOLERANCE:.0f} % of the paper's"
            )
        known = [line for line in lines if line.ours is not None]
        if known:
            best = min(known, key=lambda line: line.ours or 0.0)
            notes.append(f"best cell: {best.what}, {best.ours:.0f} mbb/h (the paper's: 465)")
        return Comparison("mbb/h, by simulations, C and final move", lines, notes)

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        panels = []
        for final in FINALS:
            lines = []
            for color, simulations in enumerate(sorted({cell[0] for cell in cells(budget)})):
                own = {c: papers for (s, c), papers in cells(budget).items() if s == simulations}
                found = where(rows, simulations=simulations, final=final)
                means = {
                    constant: mean_and_half_width(numbers(where(found, constant=constant), "mbb"))
                    for constant in own
                }
                known = [(c, mean, half) for c, (mean, half) in means.items() if mean is not None]
                lines += [
                    Line(
                        label=f"{simulations:,} simulations",
                        xs=[constant for constant, _, _ in known],
                        ys=[mean for _, mean, _ in known],
                        half_widths=[half or 0.0 for _, _, half in known],
                        color=color,
                    ),
                    Line(
                        label=f"{simulations:,}, paper",
                        xs=list(own),
                        ys=[papers[final] for papers in own.values()],
                        is_paper=True,
                        color=color,
                    ),
                ]
            panels.append(
                Panel(
                    title=f"final move by {final}",
                    x_label="exploration constant C",
                    y_label="exploitability, mbb/h",
                    lines=lines,
                    is_log_y=True,
                )
            )
        return Chart(self.title, panels)


EXPERIMENT = ISMCTSLeducExperiment()


def num_strategies(budget: Budget) -> int:
    """Return how many strategies are composed for each cell."""
    return budget.num_games(STRATEGIES, FULL_STRATEGIES)


def cells(budget: Budget) -> dict[tuple[int, float], dict[FinalMove, float]]:
    """Return the paper's figures by simulations and constant, and then by final move.

    Without those of more simulations than the budget allows.
    """
    found: dict[tuple[int, float], dict[FinalMove, float]] = {}
    for simulations, constant, *values in read("student_of_games_2023")["infoset_search"]["rows"]:
        if budget.simulations is None or simulations <= budget.simulations:
            found[simulations, float(constant)] = dict(zip(FINALS, values, strict=True))
    return found


def _words(final: FinalMove, mean: float, paper: float, half_width: float | None) -> str:
    """Return words about a cell whose *mean* is not the *paper*'s."""
    if half_width is not None and abs(mean - paper) <= half_width:
        return ""
    off = f"{100 * (mean / paper - 1):+.0f} %"
    return off if final == "visits" else f"{off}; of equal actions ours takes the first"
