"""Learning curve: measurements of a learner, a CSV file that grows by a line each, and a plot.

Columns are ``count`` (episodes or iterations), ``seconds`` of training, and the measured values by
name; the 95 % interval of a value is in the column NAME_ci.

Small games and games with a bet menu are measured exactly, by best responses; other games by
matches in the arena, in mbb a hand against each opponent. In hold'em for two both kinds can be
measured by bounds on the exploitability (``measure.flops``); with a menu the responder has its
bets. The plot needs matplotlib (the extra ``plots``).
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
from acpcbot.betting_lines.lines import betting_lines
from acpcbot.evaluation.arena import play
from acpcbot.evaluation.exploitability.board_responses.board_values import BucketPlay
from acpcbot.evaluation.exploitability.board_responses.policy_bounds import policy_bounds
from acpcbot.evaluation.exploitability.kuhn_distance import mean_squared_distance
from acpcbot.evaluation.exploitability.small_games import best_response_values
from acpcbot.games.best_response_result import BestResponse
from acpcbot.learning.policies import greedy_probabilities
from acpcbot.learning.sampling import Deals
from acpcbot.learning.uct import UCTLearner
from acpcbot.poker.shipped import recognise
from acpcbot.strategies.entrants import find_entrant
from acpcbot.strategies.policy import parse_play_settings
from acpcbot.strategies.public_play import all_buckets
from acpcbot.strategies.range_play import tabulate_policy
from acpcbot.strategies.whole_policy import TablePolicy, sharpened_policy
from acpcbot.subgames.best_response import Walker, response_values
from acpcbot.subgames.game import make_range_game
from acpcbot.training.board_learners import table_buckets
from acpcbot.training.recipe import CurveSettings
from acpcbot.training.session import GREEDY, TrainingSession
from acpcbot.trees.bet_menu import LIMIT_MENU
from acpcbot.trees.betting_tree import MenuGame
from acpcbot.trees.public_tree import AbstractGame, PublicTree

INTERVAL = "_ci"
Measure = Callable[[], dict[str, float]]
KUHN = "kuhn.limit.2p"
MBB = 1000.0


class Curve:
    """Learning curve in the file *path*."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, count: int, seconds: float, values: Mapping[str, float]) -> None:
        """Append a point.

        Where the columns have changed, older points keep theirs and leave the others blank.
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
        """Return the points so far."""
        if not self.path.exists():
            return []
        with self.path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def draw(self, title: str, names: Sequence[str] | None = None) -> bool:
        """Draw the plot beside the file; False without points or without matplotlib.

        Of all values, or of those called *names*.
        """
        rows = self.rows()
        return bool(rows) and draw_curve(rows, self.path.with_suffix(".png"), title, names)

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


def next_point(settings: CurveSettings, done: int) -> int | None:
    """Return the first point of the curve after *done*; None where none is asked for."""
    points = (
        [_next_log_point(settings.points_per_decade, done)] if settings.points_per_decade else []
    )
    points += [done - done % settings.every + settings.every] if settings.every else []
    return min(points) if points else None


def _next_log_point(per_decade: int, done: int) -> int:
    """Return the least round(10 ** (k / per_decade)) above *done*."""
    step = 0
    while round(10 ** (step / per_decade)) <= done:
        step += 1
    return round(10 ** (step / per_decade))


def make_measure(session: TrainingSession) -> Measure:
    """Return a function that measures the learner of *session* as it is when called."""
    game = session.game
    if isinstance(game, MenuGame):
        if session.recipe.curve.measure.flops:
            return _bounds_measure(session)
        return _menu_measure(session, game)
    if session.weighted_deals is not None:
        return _exact_measure(session, game, *session.weighted_deals)
    return _arena_measure(session, game.tree)


def _exact_measure(
    session: TrainingSession, game: AbstractGame, rows: Deals, weights: NDArray[np.float64]
) -> Measure:
    """Return a measure by best responses; in Kuhn poker also by the distance to equilibrium."""
    is_kuhn = recognise(game.definition) == KUHN

    def measure() -> dict[str, float]:
        policy = session.solver.learner.average_strategy()
        values = _gains(best_response_values(game, rows, weights, policy))
        return (
            {**values, "squared_distance": mean_squared_distance(game, policy)}
            if is_kuhn
            else values
        )

    return measure


def _menu_measure(session: TrainingSession, game: MenuGame) -> Measure:
    """Return a measure by best responses over ranges, with the bets of the tree.

    Responding players see all of their cards, not buckets.
    """
    ranges, source = make_range_game(game.tree.root, menu=game.tree.menu), session.source

    def buckets(street: int, board: Sequence[int]) -> NDArray[Any]:
        if isinstance(source, HoldemDeals):
            return table_row(source.tables[street], board)
        return all_buckets(game.definition, session.abstraction, street, board)

    def measure() -> dict[str, float]:
        policy = session.solver.learner.average_strategy()
        play = tabulate_policy(ranges, game.layout, policy, buckets)
        return _gains(response_values(ranges, (play, play), Walker(session.recipe.threads)))

    return measure


def _bounds_measure(session: TrainingSession) -> Measure:
    """Return a measure by bounds on the exploitability of the policy as it is played, in mbb."""
    recipe, game = session.recipe, session.game
    settings, source = recipe.curve, session.source
    lines = betting_lines(recipe.definition, recipe.menu or LIMIT_MENU)
    assert isinstance(source, HoldemDeals), "verify_recipe let it through"
    find = table_buckets(game.num_buckets, source.tables).find

    def measure() -> dict[str, float]:
        policy = learner_policy(session, recipe.play).probabilities
        streets = range(recipe.definition.num_streets)
        play = BucketPlay(
            tuple([game.layout.street_rows(policy, street) for street in streets]), find
        )
        found = policy_bounds(
            lines, play, settings.measure.flops, seed=settings.seed, num_threads=recipe.threads
        )
        low, high = (MBB * sum(values) / len(values) for values in (found.low, found.high))
        return {
            "exploitability_low_mbb": low,
            "exploitability_high_mbb": high,
            f"exploitability_high_mbb{INTERVAL}": MBB * found.half_width,
        }

    return measure


def _arena_measure(session: TrainingSession, tree: PublicTree) -> Measure:
    """Return a measure by matches with every opponent, on the same cards at every point."""
    settings = session.recipe.curve
    opponents = {name: find_entrant(name, tree) for name in settings.opponents}
    deal_sources = DealSources(tree.definition)
    deal_sources.adopt(session.abstraction, session.source)

    bounds = _bounds_measure(session) if settings.measure.flops else None

    def measure() -> dict[str, float]:
        learner = learner_policy(session, session.recipe.play)
        values = bounds() if bounds is not None else {}
        for name, opponent in opponents.items():
            seats = [learner, *[opponent] * (tree.num_seats - 1)]
            result = play(
                tree, seats, settings.deals, settings.seed, deal_sources=deal_sources
            ).results[0]
            values[f"{name}_mbb"] = result.mean_mbb
            values[f"{name}_mbb{INTERVAL}"] = result.half_width_mbb
        return values

    return measure


def _gains(found: BestResponse) -> dict[str, float]:
    return {
        "nash_conv": found.nash_conv,
        "exploitability": found.exploitability,
        "largest_gain": max(found.gains),
    }


def learner_policy(session: TrainingSession, play_as: str) -> TablePolicy:
    """Return the learner's current strategy, played as a snapshot of it would be."""
    learner, game = session.solver.learner, session.game
    settings = parse_play_settings(play_as)
    if settings.mode == GREEDY:
        assert isinstance(learner, UCTLearner), "verify_recipe let it through"
        assert isinstance(game, AbstractGame), "verify_recipe let it through"
        probabilities = greedy_probabilities(learner.visits, learner.means, game)
    else:
        probabilities = sharpened_policy(game, learner.average_strategy(), settings)
    return TablePolicy("learner", game.num_buckets, probabilities, session.abstraction)


def draw_curve(
    rows: list[dict[str, str]], path: Path, title: str, names: Sequence[str] | None = None
) -> bool:
    """Draw every measured value over the count, with its interval where there is one.

    With *names*, these alone. Returns False without matplotlib.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    names = names or [
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


def _texts(values: Mapping[str, float]) -> dict[str, str]:
    return {name: f"{value:.9g}" for name, value in values.items()}
