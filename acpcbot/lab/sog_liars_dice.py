"""``acpcbot lab sog-liars-dice``: exploitability of searches with a network in liar's dice.

Table 2 of the ReBeL paper: four sizes, dice by sides, at 1,024 updates of a search. A network is
learnt by sound self-play from the rules alone. Then a strategy is composed of a search at every
public state, and its exploitability is exact. Beside it are the same searches without a network,
and CFR in the whole game from its beginning.

The paper searches to a depth of two actions. Here a search expands 16 public states: from the root
of 1x4 that is all to this depth and seven more, in the other sizes three more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.evaluation.searches.composed_resolving import ComposedResolving
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.sequence_form import SequenceForm, sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.lab.charts import comparison_chart
from acpcbot.lab.experiment import (
    Budget,
    Chart,
    Compared,
    Comparison,
    Estimate,
    Note,
    Option,
    Row,
    Unit,
    unit_seed,
)
from acpcbot.lab.published import read
from acpcbot.lab.results import mean_and_half_width, numbers, where
from acpcbot.networks.fitting import FittingSettings
from acpcbot.training.self_play import SelfPlayProgress, SelfPlaySettings
from acpcbot.training.self_play_run import SearchMeasure, SelfPlayRun
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.leaf_evaluators import LeafValues
from acpcbot.tree_search.liars_dice_encoding import LiarsDiceEncoding
from acpcbot.tree_search.public_tree import ROOT, PublicTree

SIZES = ("1x4", "1x5", "1x6", "2x3")
NETWORK, NONE, WHOLE = "network", "no network", "whole game at once"
PAPERS = {NETWORK: "ReBeL, CFR-D", WHOLE: "whole game, CFR"}
NUM_UPDATES = 1024
MEASURED = GrowingCFRSettings(simulations=16, simulations_per_update=16 / NUM_UPDATES)
"""16 iterations of 64 updates, each followed by one expansion."""

EPISODES = {"1x4": 1500, "1x5": 2500, "1x6": 4000, "2x3": 4000}
CPU_SECONDS = {"1x4": 60.0, "1x5": 120.0, "1x6": 330.0, "2x3": 330.0}
"""Of a unit with a network."""
TRAININGS, FULL_TRAININGS = 1, 3
STRATEGIES, FULL_STRATEGIES = 2, 5
EPISODES_A_NOTE = 250


class SogLiarsDiceExperiment:
    """Exploitability by size, of searches with a network, without one, and of the whole game."""

    name = "sog-liars-dice"
    title = "liar's dice: searches with a network"
    source = "ReBeL 2020, table 2"
    options: Sequence[Option] = ("games",)

    def estimate(self, budget: Budget) -> Estimate:
        return Estimate(sum(unit.weight for unit in self.units(budget)), 900_000_000)

    def units(self, budget: Budget) -> list[Unit]:
        """The largest first. Without --full the two small sizes alone have a network."""
        sizes = SIZES if budget.is_full else SIZES[:2]
        trained = [
            Unit(
                f"{size}, {NETWORK}, training {number}",
                (("size", size), ("values", NETWORK), ("training", number)),
                CPU_SECONDS[size],
            )
            for size in reversed(sizes)
            for number in range(1, budget.num_games(TRAININGS, FULL_TRAININGS) + 1)
        ]
        return trained + [
            Unit(f"{size}, {values}", (("size", size), ("values", values)), CPU_SECONDS[size] / 10)
            for size in reversed(sizes)
            for values in (NONE, WHOLE)
        ]

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        game = game_of(unit.text("size"))
        tree, form, values = PublicTree(game), sequence_form(game), unit.text("values")
        if values == WHOLE:
            policy = solved_policy(tree, form)
            yield {"exploitability": sequence_best_response(form, policy).exploitability}
            return
        leaf_values: LeafValues | None = None
        facts: Row = {}
        if values == NETWORK:
            training = training_of(unit, budget, folder / "training")
            for progress in trained_in_parts(training):
                yield Note(str(progress))
            leaf_values = training.self_play.values
            facts = {
                "episodes": training.num_episodes,
                "training_cpu_s": round(training.cpu_seconds, 1),
            }
        searcher = GrowingCFR(tree, MEASURED, leaf_values)
        composed = ComposedResolving(searcher, form)
        count = FULL_STRATEGIES if budget.is_full else STRATEGIES
        for number in range(1, count + 1):
            found = composed.compose(unit_seed(budget, unit, number))
            gain = found.best_response(form).exploitability
            yield {**facts, "strategy": number, "exploitability": gain}

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        lines = []
        sizes = SIZES if budget.is_full else SIZES[:2]
        for size in sizes:
            for values in (NETWORK, NONE, WHOLE):
                found = numbers(where(rows, size=size, values=values), "exploitability")
                mean, _ = mean_and_half_width(found)
                paper = None
                if values in PAPERS:
                    paper = paper_figure(PAPERS[values], size)
                spread = f"{min(found):.4f} to {max(found):.4f} of {len(found)}" if found else ""
                lines.append(
                    Compared(
                        f"{size}, {values}", mean, None, paper, spread if len(found) > 1 else ""
                    )
                )
        notes = [
            f"searches of {NUM_UPDATES:,} updates and {MEASURED.simulations} expansions; the"
            " paper's column is ReBeL with CFR-D, or CFR in the whole game"
        ]
        for size in sizes:
            seconds = numbers(where(rows, size=size, values=NETWORK, strategy=1), "training_cpu_s")
            if seconds:
                notes.append(
                    f"{size}: {EPISODES[size]:,} episodes a training, in"
                    f" {np.mean(seconds):.0f} seconds of CPU of one core"
                )
        return Comparison("exploitability, mean of both seats' gains", lines, notes)

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        return comparison_chart(self.comparison(rows, budget), self.title)


EXPERIMENT = SogLiarsDiceExperiment()


def game_of(size: str) -> LiarsDice:
    """Return liar's dice of *size*, dice by sides."""
    num_dice, num_sides = map(int, size.split("x"))
    return LiarsDice(num_dice, num_sides)


def paper_figure(line: str, size: str) -> float:
    """Return the paper's figure of *line* for *size*."""
    table = read("rebel_2020")["liars_dice"]
    return float(table[line][table["columns"].index(size)])


def training_settings(seed: int) -> SelfPlaySettings:
    """Return the settings of a training with *seed*."""
    return SelfPlaySettings(
        seed=seed,
        search=GrowingCFRSettings(simulations=10, simulations_per_update=0.1),
        fitting=FittingSettings(decay_steps=8_000),
        queries_per_search=4.0,
        solves_per_episode=12,
    )


def training_of(unit: Unit, budget: Budget, folder: Path) -> SelfPlayRun:
    """Return the training of *unit*, begun or resumed in *folder*."""
    size = unit.text("size")
    return SelfPlayRun(
        LiarsDiceEncoding(game_of(size)),
        training_settings(unit_seed(budget, unit)),
        folder,
        EPISODES[size],
        measure=SearchMeasure(simulations=()),
        episodes_a_point=0,
    )


def trained_in_parts(training: SelfPlayRun) -> Iterator[SelfPlayProgress]:
    """Train to the end, and yield how far it is now and then."""
    while not training.is_finished:
        training.train(EPISODES_A_NOTE)
        yield training.self_play.progress


def solved_policy(tree: PublicTree, form: SequenceForm) -> Floats:
    """Return the average policy [slot of *form*] of CFR in the whole game."""
    searcher = GrowingCFR(tree, MEASURED)
    ranges = np.ones(int(tree.arrays.nodes["end_row"][ROOT]))
    found = searcher.solve_whole(ROOT, ranges, NUM_UPDATES)
    policy, slots = np.ones(form.num_slots), form.slots_by_key()
    for row in tree.arrays.rows[: tree.num_rows]:
        first, count = int(row["first_slot"]), int(row["count"])
        if count:
            policy[slots[int(row["key"])]] = found.policy[first : first + count]
    return policy
