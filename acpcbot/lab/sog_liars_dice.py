"""``acpcbot lab sog-liars-dice``: exploitability of searches with a network in liar's dice.

Table 2 of the ReBeL paper: four sizes, dice by sides, at 1,024 updates of a search. A network is
learnt by sound self-play from the rules alone. Then a strategy is composed of a search at every
public state, and its exploitability is exact. Beside it are the same searches without a network,
and CFR in the whole game from its beginning.

The paper searches to a depth of two actions, that is 9 to 13 expanded public states from the start
of these games. Here simulations choose the states that a search expands, 16 of them.
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
from acpcbot.lab.trainings import train_in_parts, training_in
from acpcbot.networks.fitting import FittingSettings
from acpcbot.training.self_play import SelfPlaySettings
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

HIDDEN = {"1x4": (64, 64), "1x5": (128, 128), "1x6": (128, 128), "2x3": (128, 128)}
EPISODES = {"1x4": 1500, "1x5": 3000, "1x6": 3000, "2x3": 3000}
WINDOWS = {"1x4": 20_000, "1x5": 60_000, "1x6": 60_000, "2x3": 60_000}
"""Examples in the replay buffer."""
CPU_SECONDS = {"1x4": 30.0, "1x5": 110.0, "1x6": 200.0, "2x3": 190.0}
"""Of a unit with a network."""
TRAININGS, FULL_TRAININGS = 1, 3
STRATEGIES, FULL_STRATEGIES = 2, 3
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
            for size in sizes
            for number in range(1, budget.num_games(TRAININGS, FULL_TRAININGS) + 1)
        ]
        others = [
            Unit(f"{size}, {values}", (("size", size), ("values", values)), CPU_SECONDS[size] / 10)
            for size in sizes
            for values in (NONE, WHOLE)
        ]
        return sorted(trained + others, key=lambda unit: -unit.weight)

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
            training = training_in(
                folder / "training",
                LiarsDiceEncoding(game),
                training_settings(unit.text("size"), unit_seed(budget, unit)),
                EPISODES[unit.text("size")],
            )
            yield from train_in_parts(training, EPISODES_A_NOTE)
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


def training_settings(size: str, seed: int) -> SelfPlaySettings:
    """Return the settings of a training of *size* with *seed*."""
    return SelfPlaySettings(
        seed=seed,
        hidden=HIDDEN[size],
        search=GrowingCFRSettings(simulations=10, simulations_per_update=0.1),
        fitting=FittingSettings(decay_steps=8_000),
        replay_buffer_size=WINDOWS[size],
        queries_per_search=4.0,
        solves_per_episode=12,
    )


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
