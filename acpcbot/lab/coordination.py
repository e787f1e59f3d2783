"""``acpcbot lab coordination``: the example that search from the present alone cannot be sound.

What seat 1 should do at its only information set depends on a payoff elsewhere in the game
(``games.coordination``). OOS finds it, from the root and targeted at the information set. IS-MCTS
starts in the information set, where that payoff does not exist, so it plays the same in both games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from acpcbot.errors import UsageError
from acpcbot.games.coordination import Coordination
from acpcbot.games.game import make_target
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
from acpcbot.lab.results import mean_and_half_width, mean_line, numbers, where
from acpcbot.tree_search.is_mcts import InfosetSearch
from acpcbot.tree_search.oos import OOSSearch, OOSSettings
from acpcbot.tree_search.selection.infoset_regrets import InfosetRegrets
from acpcbot.tree_search.selection.policy import InfosetPolicy
from acpcbot.tree_search.selection.uct import UCT

LEFT_LEAVES = (1, 2)
SEARCHING_SEAT = 1
# Chance goes right, seat 0 goes left: a history of the information set I.
ACTIONS = (1, 0)
OOS_SETTINGS = OOSSettings(delta=0.9, epsilon=0.4)
SEARCHES = ("OOS from the root", "OOS targeted at I", "IS-MCTS, UCT", "IS-MCTS, regret matching")
POLICIES: dict[str, InfosetPolicy] = {
    SEARCHES[2]: UCT(2.0 * 3.0),
    SEARCHES[3]: InfosetRegrets(0.2),
}
POINTS_A_DECADE = 3
FIRST_POINT = 1000
SAMPLES_A_SECOND = 3_000_000


class CoordinationExperiment:
    """Probability of left at I after a growing number of samples, in both games."""

    name = "coordination"
    title = "coordination game: play depends on elsewhere"
    source = "OOS 2015, figure 1"
    options: Sequence[Option] = ("games", "simulations")

    def estimate(self, budget: Budget) -> Estimate:
        num_samples = len(self.units(budget)) * _num_runs(budget) * _points(budget)[-1]
        return Estimate(3.0 + num_samples / SAMPLES_A_SECOND, 250_000_000)

    def units(self, budget: Budget) -> list[Unit]:
        return [
            Unit(f"{search}, left leaf {leaf}", (("search", search), ("left_leaf", leaf)))
            for search in SEARCHES
            for leaf in LEFT_LEAVES
        ]

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        for run in range(_num_runs(budget)):
            # The searches of the two games draw the same numbers, so that IS-MCTS can be seen not
            # to move at all.
            seed = unit_seed(budget, Unit(unit.text("search"), ()), run)
            search = _Search(unit.text("search"), unit.whole("left_leaf"), seed)
            for samples in _points(budget):
                search.go_on(samples)
                yield {"run": run + 1, "samples": samples, "left": search.left()}

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        last = _points(budget)[-1]
        lines = []
        for search in SEARCHES:
            for leaf in LEFT_LEAVES:
                found = where(rows, search=search, left_leaf=leaf, samples=last)
                mean, half_width = mean_and_half_width(numbers(found, "left"))
                is_sound = search not in POLICIES
                lines.append(
                    Compared(
                        f"{search}, left leaf {leaf}",
                        mean,
                        half_width,
                        equilibrium(leaf) if is_sound else 0.5,
                        "" if is_sound else "the paper: no preference at I",
                    )
                )
        moves = _largest_move(rows, last)
        notes = [f"samples a run: {last:,}; runs: {_num_runs(budget)}"]
        if moves is not None:
            notes.append(f"IS-MCTS moves by at most {moves:g} when the leaf changes")
        return Comparison("probability of left at I", lines, notes)

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        panels = []
        for leaf in LEFT_LEAVES:
            lines = [
                Line(
                    label="equilibrium",
                    xs=[_points(budget)[0], _points(budget)[-1]],
                    ys=[equilibrium(leaf)] * 2,
                    is_paper=True,
                    color=len(SEARCHES),
                )
            ]
            for color, search in enumerate(SEARCHES):
                found = where(rows, search=search, left_leaf=leaf)
                lines.append(mean_line(found, "left", "samples", search, color))
            panels.append(
                Panel(
                    title=f"left leaf {leaf}",
                    x_label="samples",
                    y_label="probability of left at I",
                    lines=lines,
                )
            )
        return Chart(self.title, panels)


EXPERIMENT = CoordinationExperiment()


class _Search:
    """A search of the game with a *left_leaf*, at I."""

    def __init__(self, name: str, left_leaf: int, seed: int) -> None:
        game = Coordination(float(left_leaf))
        target = make_target(game, ACTIONS, SEARCHING_SEAT)
        self._key, self._num_done = target.key, 0
        self._oos: OOSSearch | None = None
        self._is_mcts: InfosetSearch | None = None
        if name in POLICIES:
            self._is_mcts = InfosetSearch(game, POLICIES[name], seed)
            self._is_mcts.begin(target)
        else:
            self._oos = OOSSearch(game, OOS_SETTINGS, seed)
            if name == SEARCHES[1]:
                self._oos.aim(list(ACTIONS), SEARCHING_SEAT)

    def go_on(self, num_samples: int) -> None:
        """Search until there are *num_samples*."""
        more = num_samples - self._num_done
        if self._oos is not None:
            self._oos.sample(more)
        elif self._is_mcts is not None:
            self._is_mcts.simulate(more)
        self._num_done = num_samples

    def left(self) -> float:
        """Return the probability of left."""
        if self._oos is not None:
            strategy = self._oos.strategy(self._key)
        else:
            assert self._is_mcts is not None
            strategy = self._is_mcts.strategy(self._key)
        if strategy is None:
            raise UsageError("I was never reached", "ask for more --simulations")
        return float(strategy[0])


def equilibrium(left_leaf: int) -> float:
    """Return the probability of left at I in equilibrium."""
    return (3 - left_leaf) / 6


def _num_runs(budget: Budget) -> int:
    return budget.num_games(10, 30)


def _points(budget: Budget) -> list[int]:
    last = budget.num_simulations(1_000_000, 10_000_000)
    points, number = [], 0
    while (point := round(FIRST_POINT * 10 ** (number / POINTS_A_DECADE))) < last:
        points.append(point)
        number += 1
    return [*points, last]


def _largest_move(rows: list[Row], samples: int) -> float | None:
    """Return how far IS-MCTS moves, in any run, from one game to the other."""
    moves = []
    for search in POLICIES:
        found = where(rows, search=search, samples=samples)
        one, other = (numbers(where(found, left_leaf=leaf), "left") for leaf in LEFT_LEAVES)
        moves += [abs(x - y) for x, y in zip(one, other, strict=False)]
    return max(moves, default=None)
