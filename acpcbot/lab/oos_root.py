"""``acpcbot lab oos-root``: exploitability of OOS and IS-MCTS that search games from the root.

Figure 3 of the OOS paper, on the left: in II-GS(6), LD(1,1) and GP(3,3,2,2), and in Leduc besides,
the strategy of a search at all information sets is measured exactly while the search goes on. OOS
converges. The visits of IS-MCTS by UCT come close to an equilibrium at first, and then leave it.

By default searches get a number of samples, and equal seeds give equal rows. With the paper's
budgets they get seconds of one core, up to half an hour each; what is measured does not count, and
checkpoints are kept.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from math import exp, log
from pathlib import Path

import numpy as np

from acpcbot.evaluation.searches.whole_strategy import WholeStrategy
from acpcbot.games.game import Game
from acpcbot.games.generic_poker import LEDUC, GenericPoker
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.sequence_form import sequence_form
from acpcbot.lab.checkpoints import Position, load_search, save_search
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
from acpcbot.lab.results import where
from acpcbot.tree_search.is_mcts import InfosetSearch
from acpcbot.tree_search.oos import OOSSearch, OOSSettings
from acpcbot.tree_search.selection.infoset_regrets import InfosetRegrets
from acpcbot.tree_search.selection.uct import UCT

GAMES: dict[str, Game] = {
    "II-GS(6)": Goofspiel(6, hides_bids=True, is_ascending=True, lowest_point=0),
    "LD(1,1)": LiarsDice(1, 6),
    "GP(3,3,2,2)": GenericPoker(3, 3, 2, 2),
    "Leduc": LEDUC,
}
SEARCHES = ("OOS", "UCT", "RM")
# The paper has a gamma of 0.01, with which the end of its curve of II-GS(6) is not reached.
OOS_SETTINGS = OOSSettings(delta=0.0, epsilon=0.6, gamma=0.001)
RM_EXPLORATION = 0.2

SAMPLES = 30_000_000
FIRST_POINT, POINTS_A_DECADE = 1_000, 4
SECONDS = (4, 33, 246, 1829)
"""The budgets of the paper that are compared; its curves have 45 points up to the last."""
FORM_SECONDS = {"II-GS(6)": 6.0, "LD(1,1)": 3.0, "GP(3,3,2,2)": 1.0, "Leduc": 0.5}
SAMPLES_A_SECOND = {
    "II-GS(6)": 1_200_000,
    "LD(1,1)": 2_000_000,
    "GP(3,3,2,2)": 2_000_000,
    "Leduc": 2_500_000,
}

BATCH_SECONDS, CHECKPOINT_SECONDS = 2.0, 30.0
FIRST_BATCH = 1_000
# The seed of the one action at each information set where no search has been: the same for all.
COMPLETION_SEED = 1


class OOSRootExperiment:
    """Exploitability over samples, or over seconds, beside the digitised curves."""

    name = "oos-root"
    title = "searches from the root: which one converges"
    source = "OOS 2015, figure 3, left"
    options: Sequence[Option] = ("simulations",)

    def estimate(self, budget: Budget) -> Estimate:
        seconds = 0.0
        for unit in self.units(budget):
            game = unit.text("game")
            search_seconds = float(SECONDS[-1])
            if not counts_seconds(budget):
                search_seconds = budget.num_simulations(SAMPLES, 0) / rate(game)
            seconds += FORM_SECONDS[game] + search_seconds
        return Estimate(seconds, 400_000_000)

    def units(self, budget: Budget) -> list[Unit]:
        # OOS in every game first: what is interrupted after hours has the paper's curves of it.
        return [
            Unit(
                f"{game}, {search}",
                (("game", game), ("search", search)),
                1.0 if counts_seconds(budget) else 1e6 / rate(game),
            )
            for search in SEARCHES
            for game in GAMES
        ]

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        yield Note("listing the game")
        game = GAMES[unit.text("game")]
        form = sequence_form(game)
        strategy = WholeStrategy(game, form, "one-action", COMPLETION_SEED)
        search = make_search(
            game, unit.text("search"), float(form.end_payoffs.max()), unit_seed(budget, unit)
        )
        position = load_search(folder, search)
        yield from position.rows
        if counts_seconds(budget):
            points = paper_seconds()[len(position.rows) :]
            for point in points:
                yield from _search_seconds(search, position, point, folder)
                row = _measured(strategy, search, position)
                yield _kept(
                    {"point": point, "seconds": round(position.seconds, 3), **row}, position
                )
        else:
            for point in sample_points(budget)[len(position.rows) :]:
                yield from _search_samples(search, position, point, folder)
                yield _kept(_measured(strategy, search, position), position)

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        lines: list[Compared] = []
        for game in GAMES:
            for search in SEARCHES:
                lines += _compared(where(rows, game=game, search=search), game, search, budget)
            lines += _turns(where(rows, game=game, search="UCT"), game)
        return Comparison("mean gain of both seats", lines, _notes(budget))

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        panels = []
        for game in GAMES:
            lines = []
            for color, search in enumerate(SEARCHES):
                found = where(rows, game=game, search=search)
                seconds = [_seconds(row, game) for row in found]
                values = [float(row["exploitability"]) for row in found]
                lines.append(Line(label=search, xs=seconds, ys=values, color=color))
                curve = paper_curve(game, search)
                if curve is not None:
                    lines.append(
                        Line(
                            label=f"{search}, paper",
                            xs=curve[:, 0].tolist(),
                            ys=curve[:, 1].tolist(),
                            is_paper=True,
                            color=color,
                        )
                    )
            axis = "seconds of one core" if counts_seconds(budget) else "samples, in seconds"
            panels.append(
                Panel(
                    title=game, x_label=axis, y_label="exploitability", lines=lines, is_log_y=True
                )
            )
        return Chart(self.title, panels)


EXPERIMENT = OOSRootExperiment()


def make_search(game: Game, name: str, max_payoff: float, seed: int) -> OOSSearch | InfosetSearch:
    """Return a search of *game* from its start, with the paper's parameters but for gamma."""
    if name == "OOS":
        return OOSSearch(game, OOS_SETTINGS, seed)
    policy = UCT(2.0 * max_payoff) if name == "UCT" else InfosetRegrets(RM_EXPLORATION)
    return InfosetSearch(game, policy, seed)


def counts_seconds(budget: Budget) -> bool:
    """Return whether searches get the paper's seconds, and not a number of samples."""
    return budget.is_full and budget.simulations is None


def rate(game: str) -> int:
    """Return about how many samples a second a search of *game* takes on a core of ours."""
    return SAMPLES_A_SECOND[game]


def sample_points(budget: Budget) -> list[int]:
    """Return the numbers of samples after which strategies are measured; all are even."""
    last = max(2, budget.num_simulations(SAMPLES, SAMPLES) // 2 * 2)
    points: list[int] = []
    while (point := 2 * round(FIRST_POINT / 2 * 10 ** (len(points) / POINTS_A_DECADE))) < last:
        points.append(point)
    return [*points, last]


def paper_curve(game: str, search: str) -> np.ndarray | None:
    """Return the paper's curve [point, (seconds, exploitability)], or None where it has none."""
    curves = read("oos_2015_root")["root"]["curves"]
    return np.array(curves[game][search]) if game in curves else None


def paper_seconds() -> list[float]:
    """Return the points of the paper's curves, in seconds, with those that are compared."""
    first = paper_curve("II-GS(6)", "OOS")
    assert first is not None
    apart = [
        point for point in first[:, 0].tolist() if all(abs(point / s - 1) > 0.02 for s in SECONDS)
    ]
    return sorted({*apart, *map(float, SECONDS)})


def paper_value(game: str, search: str, seconds: float) -> float | None:
    """Return the paper's exploitability after *seconds*, on straight lines in logarithms."""
    curve = paper_curve(game, search)
    if curve is None or not curve[0, 0] <= seconds <= 1.01 * curve[-1, 0]:
        return None
    return exp(float(np.interp(log(seconds), np.log(curve[:, 0]), np.log(curve[:, 1]))))


def _search_samples(
    search: OOSSearch | InfosetSearch, position: Position, point: int, folder: Path
) -> Iterator[Note]:
    """Search until *point* samples are done, with checkpoints."""
    saved_s = time.thread_time()
    while position.samples < point:
        # Batches of a size that does not depend on the clock would do as well: a search draws the
        # same numbers however its samples are cut.
        _search_batch(search, position, point - position.samples)
        yield Note(f"{position.samples:,} samples")
        if time.thread_time() - saved_s >= CHECKPOINT_SECONDS:
            save_search(folder, search, position)
            saved_s = time.thread_time()


def _search_seconds(
    search: OOSSearch | InfosetSearch, position: Position, point: float, folder: Path
) -> Iterator[Note]:
    """Search until *point* seconds of CPU are spent, with checkpoints."""
    saved_s = time.thread_time()
    while position.seconds < point:
        _search_batch(search, position, None, point - position.seconds)
        yield Note(f"{position.seconds:,.0f} s, {position.samples:,} samples")
        if time.thread_time() - saved_s >= CHECKPOINT_SECONDS:
            save_search(folder, search, position)
            saved_s = time.thread_time()
    if point >= CHECKPOINT_SECONDS:
        save_search(folder, search, position)


def _search_batch(
    search: OOSSearch | InfosetSearch,
    position: Position,
    most: int | None,
    seconds: float = BATCH_SECONDS,
) -> None:
    """Add a batch of samples: at most *most*, and about as many as fit into *seconds*."""
    batch = FIRST_BATCH
    if position.seconds > 0:
        speed = position.samples / position.seconds
        batch = max(FIRST_BATCH, int(min(seconds, BATCH_SECONDS) * speed))
    if most is not None:
        batch = min(batch, most)
    batch += batch % 2
    start_s = time.thread_time()
    if isinstance(search, OOSSearch):
        search.sample(batch)
    else:
        search.simulate(batch)
    position.seconds += time.thread_time() - start_s
    position.samples += batch


def _measured(
    strategy: WholeStrategy, search: OOSSearch | InfosetSearch, position: Position
) -> Row:
    nash_conv = strategy.nash_conv(search)
    return {
        "infosets": search.num_infosets,
        "exploitability": nash_conv / strategy.form.num_seats,
        "samples": position.samples,
        "nash_conv": nash_conv,
    }


def _kept(row: Row, position: Position) -> Row:
    """Return *row*, which checkpoints from now on have too."""
    position.rows.append(row)
    return row


def _seconds(row: Row, game: str) -> float:
    """Return the seconds of *row*: measured ones, or those that its samples take about."""
    return float(row["point"]) if "point" in row else float(row["samples"]) / rate(game)


def _compared(rows: list[Row], game: str, search: str, budget: Budget) -> list[Compared]:
    """Return the lines of one search in one game."""
    if counts_seconds(budget):
        wanted = [
            (f"{game}, {search}, {point} s", where(rows, point=float(point))) for point in SECONDS
        ]
    else:
        points = sample_points(budget)
        shown = dict.fromkeys((points[max(0, len(points) - 1 - POINTS_A_DECADE)], points[-1]))
        wanted = [
            (f"{game}, {search}, {point:,} samples", where(rows, samples=point)) for point in shown
        ]
    lines = []
    for what, found in wanted:
        ours = float(found[0]["exploitability"]) if found else None
        paper = paper_value(game, search, _seconds(found[0], game)) if found else None
        lines.append(Compared(what, ours, None, paper, _words(ours, paper)))
    return lines


def _words(ours: float | None, paper: float | None) -> str:
    """Return words about *ours* beside the *paper*'s figure."""
    if ours is None or paper is None:
        return ""
    return "below the curve" if ours <= paper else "above the curve"


def _turns(rows: list[Row], game: str) -> list[Compared]:
    """Return a line about the rise of UCT after its lowest point."""
    values = [float(row["nash_conv"]) for row in rows]
    curve = paper_curve(game, "UCT")
    paper = None if curve is None else float(curve[-1, 1] / curve[:, 1].min())
    ours = values[-1] / min(values) if values else None
    words = ""
    if ours is not None:
        words = "turns upwards" if ours > 1 else "has not turned yet"
    return [Compared(f"{game}, UCT: last over lowest", ours, None, paper, words)]


def _notes(budget: Budget) -> list[str]:
    budget_words = (
        "seconds are of one core of ours; the paper's are of one of 2014"
        if counts_seconds(budget)
        else "the paper's figure stands where its curve is after the seconds that our samples take"
    )
    return [
        budget_words,
        "Where a search has not been, one random action is taken, the same for all searches. With"
        " that alone the sum of both seats' gains is 2.0 in II-GS(6), and the paper's curves begin"
        " at 1.0: so they are taken for the mean. NashConv, the sum, is a column of the table.",
        f"OOS has a gamma of {OOS_SETTINGS.gamma:g}, where the paper has 0.01: docs/guides/lab.md.",
    ]
