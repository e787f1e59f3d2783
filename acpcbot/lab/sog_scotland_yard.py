"""``acpcbot lab sog-scotland-yard``: searches with a network in Scotland Yard on a small map.

Figure 3B of Student of Games: exploitability of SoG(s, 1) by s on the map "glasses", with a trained
network and with one that is not. A strategy is composed of a search at every public state, for
several seeds of the searches, and its exploitability is exact. Beside it are searches without a
network. The networks are trained from the rules alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from acpcbot.evaluation.searches.composed_resolving import ComposedResolving
from acpcbot.games.scotland_yard_maps import glasses
from acpcbot.games.sequence_form import sequence_form
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
from acpcbot.lab.results import mean_and_half_width, mean_line, numbers, where
from acpcbot.lab.trainings import train_in_parts, training_in
from acpcbot.networks.fitting import FittingSettings
from acpcbot.networks.mlp import initial_network
from acpcbot.training.self_play import SelfPlaySettings
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.leaf_evaluators import LeafValues
from acpcbot.tree_search.network_values import NetworkValues
from acpcbot.tree_search.public_tree import PublicTree
from acpcbot.tree_search.scotland_yard_encoding import ScotlandYardEncoding

TRAINED, UNTRAINED, NONE = "trained", "untrained", "no network"
SIMULATIONS = (33, 100, 300, 1000)
EPISODES, EPISODES_A_NOTE = 1200, 200
STRATEGIES, FULL_STRATEGIES = 5, 50
TRAININGS, FULL_TRAININGS = 1, 3
TRAINING_CPU_SECONDS = 60.0
CPU_SECONDS_A_STRATEGY = 7.0
"""Of all numbers of simulations together."""


class SogScotlandYardExperiment:
    """Exploitability by simulations, of searches with networks and without one."""

    name = "sog-scotland-yard"
    title = "Scotland Yard: searches with a network"
    source = "Student of Games, figure 3B"
    options: Sequence[Option] = ("games",)

    def estimate(self, budget: Budget) -> Estimate:
        return Estimate(30.0 + sum(unit.weight for unit in self.units(budget)), 800_000_000)

    def units(self, budget: Budget) -> list[Unit]:
        """Trainings first. With --games N there are N strategies a cell."""
        measuring = CPU_SECONDS_A_STRATEGY * num_strategies(budget)
        trainings = FULL_TRAININGS if budget.is_full else TRAININGS
        trained = [
            Unit(
                f"{TRAINED}, training {number}",
                (("values", TRAINED), ("training", number)),
                TRAINING_CPU_SECONDS + measuring,
            )
            for number in range(1, trainings + 1)
        ]
        others = [
            Unit(values, (("values", values), ("training", 0)), measuring)
            for values in (UNTRAINED, NONE)
        ]
        return trained + others

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        game, kind, seed = glasses(), unit.text("values"), unit_seed(budget, unit)
        encoding, settings = ScotlandYardEncoding(game), training_settings(seed)
        values: LeafValues | None = None
        facts: Row = {}
        if kind == TRAINED:
            training = training_in(folder / "training", encoding, settings, EPISODES)
            yield from train_in_parts(training, EPISODES_A_NOTE)
            values = training.self_play.values
            facts = {"episodes": EPISODES, "training_cpu_s": round(training.cpu_seconds, 1)}
        elif kind == UNTRAINED:
            shape = encoding.interface.shape(settings.hidden)
            values = NetworkValues(initial_network(shape, seed), encoding)
        tree, form = PublicTree(game), sequence_form(game)
        for simulations in SIMULATIONS:
            searcher = GrowingCFR(tree, GrowingCFRSettings(simulations=simulations), values)
            composed = ComposedResolving(searcher, form)
            for number in range(1, num_strategies(budget) + 1):
                found = composed.compose(unit_seed(budget, unit, number))
                gain = found.best_response(form).exploitability
                yield {**facts, "s": simulations, "strategy": number, "exploitability": gain}

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        lines = []
        for values in (TRAINED, UNTRAINED, NONE):
            for simulations in SIMULATIONS:
                found = numbers(where(rows, values=values, s=simulations), "exploitability")
                mean, half_width = mean_and_half_width(found)
                spread = (
                    f"{min(found):.4f} to {max(found):.4f} of {len(found)}"
                    if len(found) > 1
                    else ""
                )
                paper = paper_figure(values, simulations)
                lines.append(
                    Compared(f"SoG({simulations},1), {values}", mean, half_width, paper, spread)
                )
        notes = [
            "explained: least and greatest of strategies with seeds of their own; the paper's are"
            " read off its figure, those of trained networks for all numbers of steps"
        ]
        seconds = numbers(where(rows, values=TRAINED, strategy=1, s=33), "training_cpu_s")
        if seconds:
            notes.append(
                f"{EPISODES:,} episodes a training, in {np.mean(seconds):.0f} seconds of CPU of one"
                " core"
            )
        return Comparison("exploitability, half of NashConv", lines, notes)

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        paper = read("student_of_games_2023")["glasses"]
        lines = [
            mean_line(where(rows, values=values), "exploitability", "s", values, color)
            for color, values in enumerate((TRAINED, UNTRAINED, NONE))
        ]
        lines += [
            Line(label=f"paper, {name}", xs=paper["s"], ys=paper[name], is_paper=True, color=color)
            for name, color in (("trained, least", 0), ("trained, greatest", 0), (UNTRAINED, 1))
        ]
        panel = Panel(
            title="glasses",
            x_label="simulations",
            y_label="exploitability",
            lines=lines,
            is_log_y=True,
        )
        return Chart(self.title, [panel])


EXPERIMENT = SogScotlandYardExperiment()


def num_strategies(budget: Budget) -> int:
    """Return the composed strategies a cell."""
    return budget.num_games(STRATEGIES, FULL_STRATEGIES)


def paper_figure(values: str, simulations: int) -> str | float | None:
    """Return the paper's figure for searches with these *values*, None where it has none."""
    paper = read("student_of_games_2023")["glasses"]
    place = paper["s"].index(simulations)
    if values == UNTRAINED:
        return float(paper[UNTRAINED][place])
    if values == TRAINED:
        return f"{paper['trained, least'][place]:g} to {paper['trained, greatest'][place]:g}"
    return None


def training_settings(seed: int) -> SelfPlaySettings:
    """Return the settings of a training with *seed*."""
    return SelfPlaySettings(
        seed=seed,
        search=GrowingCFRSettings(simulations=33, simulations_per_update=0.33),
        fitting=FittingSettings(decay_steps=8_000),
        replay_buffer_size=12_000,
        queries_per_search=3.0,
        solves_per_episode=10,
    )
