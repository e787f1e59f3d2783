"""``acpcbot lab sog-tic-tac-toe``: searches with a network in a game that hides nothing.

NashConv of SoG(s, 1) in tic-tac-toe by s, with one child a simulation (the paper's k = 1): of the
average policies that a search at each position finds, and of the most probable actions. It is exact
over all 255,168 courses. Networks are trained from the rules alone; beside them are searches
without one. The paper has no figures for this game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from acpcbot.evaluation.searches.composed_positions import ComposedPositions, greedy_policy
from acpcbot.games.sequence_form import sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.games.tic_tac_toe import TicTacToe
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
    unit_seed,
)
from acpcbot.lab.results import mean_and_half_width, mean_line, numbers, where
from acpcbot.lab.trainings import train_in_parts, training_in
from acpcbot.networks.fitting import FittingSettings
from acpcbot.training.self_play import SelfPlaySettings
from acpcbot.tree_search.board_encodings import tic_tac_toe_encoding
from acpcbot.tree_search.growing_cfr import GrowingCFRSettings
from acpcbot.tree_search.leaf_evaluators import LeafValues

TRAINED, NONE = "trained", "no network"
SIMULATIONS = (10, 33, 100, 400, 1600)
SEARCH = GrowingCFRSettings(simulations=50, adds_one_child=True, averaging_power=3)
EPISODES, EPISODES_A_NOTE = 8000, 500
TRAININGS, FULL_TRAININGS = 3, 10
TRAINING_CPU_SECONDS = 90.0
MEASURING_CPU_SECONDS = 15.0
"""Of all numbers of simulations together, one strategy each: searches hardly draw."""


class SogTicTacToeExperiment:
    """NashConv by simulations, of searches with networks and without one."""

    name = "sog-tic-tac-toe"
    title = "tic-tac-toe: searches with a network"
    source = "Student of Games, k = 1 (no figure)"
    options: Sequence[Option] = ("games",)

    def estimate(self, budget: Budget) -> Estimate:
        return Estimate(30.0 + sum(unit.weight for unit in self.units(budget)), 1_200_000_000)

    def units(self, budget: Budget) -> list[Unit]:
        """Trainings first; --games N sets how many there are."""
        count = budget.num_games(TRAININGS, FULL_TRAININGS)
        trained = [
            Unit(
                f"{TRAINED}, training {number}",
                (("values", TRAINED), ("training", number)),
                TRAINING_CPU_SECONDS + MEASURING_CPU_SECONDS,
            )
            for number in range(1, count + 1)
        ]
        return [*trained, Unit(NONE, (("values", NONE), ("training", 0)), MEASURING_CPU_SECONDS)]

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        values: LeafValues | None = None
        facts: Row = {}
        if unit.text("values") == TRAINED:
            settings = training_settings(unit_seed(budget, unit))
            encoding = tic_tac_toe_encoding()
            training = training_in(folder / "training", encoding, settings, EPISODES)
            yield from train_in_parts(training, EPISODES_A_NOTE)
            values = training.self_play.values
            facts = {"episodes": EPISODES, "training_cpu_s": round(training.cpu_seconds, 1)}
        form = sequence_form(TicTacToe())
        composed = ComposedPositions(TicTacToe(), form)
        for simulations in SIMULATIONS:
            search = replace(SEARCH, simulations=simulations)
            found = composed.compose(search, unit_seed(budget, unit, 1), values)
            greedy = sequence_best_response(form, greedy_policy(form, found.policy))
            yield {
                **facts,
                "s": simulations,
                "nash_conv": found.best_response(form).nash_conv,
                "greedy_nash_conv": greedy.nash_conv,
            }

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        lines = []
        for values in (TRAINED, NONE):
            for column, how in (("nash_conv", ""), ("greedy_nash_conv", ", greedy")):
                for simulations in SIMULATIONS:
                    found = numbers(where(rows, values=values, s=simulations), column)
                    mean, half_width = mean_and_half_width(found)
                    spread = f"{min(found):.3f} to {max(found):.3f}" if found else ""
                    what = f"SoG({simulations},1), {values}{how}"
                    lines.append(Compared(what, mean, half_width, None, spread))
        notes = ["explained: least and greatest; the paper has no figures for tic-tac-toe"]
        seconds = numbers(where(rows, values=TRAINED, s=SIMULATIONS[0]), "training_cpu_s")
        if seconds:
            notes.append(
                f"{EPISODES:,} episodes a training, in {np.mean(seconds):.0f} seconds of CPU of one"
                " core"
            )
        return Comparison("NashConv, the sum of both seats' gains", lines, notes)

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        panels = [
            Panel(
                title=title,
                x_label="simulations",
                y_label="NashConv",
                lines=[
                    mean_line(where(rows, values=values), column, "s", values, color)
                    for color, values in enumerate((TRAINED, NONE))
                ],
            )
            for column, title in (
                ("nash_conv", "average policy"),
                ("greedy_nash_conv", "most probable action"),
            )
        ]
        return Chart(self.title, panels)


EXPERIMENT = SogTicTacToeExperiment()


def training_settings(seed: int) -> SelfPlaySettings:
    """Return the settings of a training with *seed*."""
    return SelfPlaySettings(
        seed=seed,
        hidden=(128, 128),
        search=SEARCH,
        fitting=FittingSettings(decay_steps=8_000, policy_weight=1.0),
        replay_buffer_size=40_000,
        max_updates_per_example=30,
        queries_per_search=1.0,
        solves_per_episode=12,
        uniform_policy_mix=0.25,
        td1_target_probability=0.2,
    )
