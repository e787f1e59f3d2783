"""The learning curve: a CSV file that grows a line at each point, and its picture.

Columns are ``count`` (episodes or iterations), ``seconds`` of training, and the measured
values by name; a value's 95 % interval, where it has one, is in the column NAME_ci.

The picture of a learning curve, where matplotlib is installed (the extra ``plots``).

What a learning curve shows: exact values in small games and with bets, mbb/hand against opponents
elsewhere.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.abstraction.table_lookup import table_row
from acpcbot.evaluation.arena import play
from acpcbot.evaluation.exploitability.kuhn_distance import mean_squared_distance
from acpcbot.evaluation.exploitability.small_games import best_response_values
from acpcbot.games.best_response_result import BestResponse
from acpcbot.learning.abstract_game import AbstractGame, MenuGame
from acpcbot.learning.policies import greedy_probabilities
from acpcbot.learning.sampling import Deals
from acpcbot.learning.uct import UCTLearner
from acpcbot.poker.shipped import recognise
from acpcbot.strategies.by_name import find_entrant
from acpcbot.strategies.policy import parse_play_settings
from acpcbot.strategies.public_play import all_buckets
from acpcbot.strategies.range_play import policy_play
from acpcbot.strategies.whole_policy import TablePolicy, sharpened_policy
from acpcbot.subgames.best_response import Walker, response_values
from acpcbot.subgames.game import make_range_game
from acpcbot.training.preparation import GREEDY, TrainingSession
from acpcbot.training.recipe import CurveSettings
from acpcbot.trees.public_tree import PublicTree

INTERVAL = "_ci"


def draw_curve(rows: list[dict[str, str]], path: Path, title: str) -> bool:
    """Draw every measured value over the count, with its interval where there is one.

    False without matplotlib.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    names = [
        name
        for name in rows[-1]
        if name not in ("count", "seconds") and not name.endswith(INTERVAL)
    ]
    for name in names:
        points = [(int(row["count"]), float(row[name])) for row in rows if row.get(name)]
        spreads = [float(row.get(name + INTERVAL) or 0) for row in rows if row.get(name)]
        counts, values = zip(*points, strict=True)
        axes.errorbar(
            counts,
            values,
            yerr=spreads if any(spreads) else None,
            label=name,
            marker=".",
            capsize=2,
        )
    axes.set_xscale("log")
    if all(float(row[name]) > 0 for row in rows for name in names if row.get(name)):
        axes.set_yscale("log")
    axes.set(xlabel="episodes or iterations", title=title)
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=120)
    return True


def next_point(settings: CurveSettings, done: int) -> int | None:
    """The first point of the curve after *done*; None where none is asked for."""
    points = (
        [_next_log_point(settings.points_per_decade, done)] if settings.points_per_decade else []
    )
    points += [done - done % settings.every + settings.every] if settings.every else []
    return min(points) if points else None


def _next_log_point(per_decade: int, done: int) -> int:
    """The least round(10 ** (k / per_decade)) above *done*."""
    step = 0
    while round(10 ** (step / per_decade)) <= done:
        step += 1
    return round(10 ** (step / per_decade))


class Curve:
    """The curve in the file *path*."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, count: int, seconds: float, values: Mapping[str, float]) -> None:
        """Append a point.

        A curve whose columns have changed keeps what it had and leaves blanks.
        """
        rows = [*self.rows(), {"count": str(count), "seconds": f"{seconds:.1f}", **_texts(values)}]
        self._write(rows)

    def forget_after(self, count: int) -> None:
        """Drop the points beyond *count*, which a killed run measured after its last checkpoint."""
        rows = self.rows()
        kept = [row for row in rows if int(row["count"]) <= count]
        if len(kept) < len(rows):
            self._write(kept)

    def rows(self) -> list[dict[str, str]]:
        """The points so far."""
        if not self.path.exists():
            return []
        with self.path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def draw(self, title: str) -> bool:
        """Draw the picture beside the file; False where there is nothing to draw with or from."""
        rows = self.rows()
        return bool(rows) and draw_curve(rows, self.path.with_suffix(".png"), title)

    def _write(self, rows: list[dict[str, str]]) -> None:
        columns = list(dict.fromkeys(name for row in rows for name in row))
        text = io.StringIO()
        writer = csv.DictWriter(
            text, columns or ["count", "seconds"], restval="", lineterminator="\n"
        )
        writer.writeheader()
        writer.writerows(rows)
        draft = self.path.with_suffix(".csv.new")
        draft.write_text(text.getvalue(), encoding="utf-8")
        draft.replace(self.path)


def _texts(values: Mapping[str, float]) -> dict[str, str]:
    return {name: f"{value:.9g}" for name, value in values.items()}


Measure = Callable[[], dict[str, float]]
KUHN = "kuhn.limit.2p"


def make_measure(workplace: TrainingSession) -> Measure:
    """What measures the learner of *workplace* as it is when called."""
    game = workplace.game
    if isinstance(game, MenuGame):
        return _menu_measure(workplace, game)
    if workplace.lanes is not None:
        return _exact_measure(workplace, game, *workplace.lanes)
    return _arena_measure(workplace, game.tree)


def _exact_measure(
    workplace: TrainingSession, game: AbstractGame, rows: Deals, weights: NDArray[np.float64]
) -> Measure:
    """Best responses, and in Kuhn poker the distance to the nearest equilibrium."""
    is_kuhn = recognise(game.definition) == KUHN

    def measure() -> dict[str, float]:
        policy = workplace.solver.learner.average_strategy()
        values = _gains(best_response_values(game, rows, weights, policy))
        return (
            {**values, "squared_distance": mean_squared_distance(game, policy)}
            if is_kuhn
            else values
        )

    return measure


def _menu_measure(workplace: TrainingSession, game: MenuGame) -> Measure:
    """Best responses with the bets of the tree, by players who see all of their cards."""
    ranges, source = make_range_game(game.tree.root, menu=game.tree.menu), workplace.source

    def buckets(street: int, board: Sequence[int]) -> NDArray[Any]:
        if isinstance(source, HoldemDeals):
            return table_row(source.tables[street], board)
        return all_buckets(game.definition, workplace.abstraction, street, board)

    def measure() -> dict[str, float]:
        policy = workplace.solver.learner.average_strategy()
        play = policy_play(ranges, game.layout, policy, buckets)
        return _gains(response_values(ranges, (play, play), Walker(workplace.recipe.threads)))

    return measure


def _gains(found: BestResponse) -> dict[str, float]:
    return {
        "nash_conv": found.nash_conv,
        "exploitability": found.exploitability,
        "largest_gain": max(found.gains),
    }


def _arena_measure(workplace: TrainingSession, tree: PublicTree) -> Measure:
    """Matches with every opponent in turn, on the same cards at every point."""
    settings = workplace.recipe.curve
    opponents = {name: find_entrant(name, tree) for name in settings.opponents}
    dealer = DealSources(tree.definition)
    dealer.adopt(workplace.abstraction, workplace.source)

    def measure() -> dict[str, float]:
        learner = learner_policy(workplace, workplace.recipe.play)
        values = {}
        for name, opponent in opponents.items():
            seats = [learner, *[opponent] * (tree.num_seats - 1)]
            result = play(tree, seats, settings.deals, settings.seed, dealer=dealer).results[0]
            values[f"{name}_mbb"] = result.mean_mbb
            values[f"{name}_mbb{INTERVAL}"] = result.half_width_mbb
        return values

    return measure


def learner_policy(workplace: TrainingSession, play_as: str) -> TablePolicy:
    """What the learner of *workplace* has learnt, played as a snapshot of it can be."""
    learner, game = workplace.solver.learner, workplace.game
    settings = parse_play_settings(play_as)
    if settings.mode == GREEDY:
        assert isinstance(learner, UCTLearner), "verify_recipe let it through"
        assert isinstance(game, AbstractGame), "verify_recipe let it through"
        probabilities = greedy_probabilities(learner.visits, learner.means, game)
    else:
        probabilities = sharpened_policy(game, learner.average_strategy(), settings)
    return TablePolicy("learner", game.num_buckets, probabilities, workplace.abstraction)
