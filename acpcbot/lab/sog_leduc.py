"""``acpcbot lab sog-leduc``: exploitability of growing-tree CFR in Leduc, with a network and without.

Figure 3 of Student of Games: SoG(s, 1) by s, with a trained network and with one that is not. A
strategy is composed of a search at every public state, for several seeds of the searches, and its
exploitability is exact. Beside it are searches without a network, those of many updates for each
expansion, and variants of re-solving: one chain of searches for both seats, and no gadget.

The trained network is the shipped one. ``--full`` trains others from the rules alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.composed_resolving import ComposedResolving
from acpcbot.games.generic_poker import LEDUC
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
from acpcbot.lab.results import mean_and_half_width, numbers, where
from acpcbot.lab.trainings import train_in_parts, training_in
from acpcbot.networks.mlp import initial_network
from acpcbot.strategies.finding import find_folder, missing_text
from acpcbot.training.self_play import SelfPlaySettings
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.leaf_evaluators import LeafValues
from acpcbot.tree_search.network_values import NetworkValues
from acpcbot.tree_search.public_encodings import GenericPokerEncoding
from acpcbot.tree_search.public_tree import PublicTree

SHIPPED_NETWORK = "strategies/leduc.limit.2p/sog"
TRAINED, SHIPPED, UNTRAINED, NONE = "trained", "shipped", "untrained", "no network"
OWN, SHARED, UNSAFE = "own chains", "one chain", "no gadget"
SIMULATIONS = (33, 100, 300, 1000)
CHAIN_SIMULATIONS = (100, 400, 1600, 6400)
MANY_UPDATES = ((10, 0.01), (100, 0.03))
STRATEGIES, FULL_STRATEGIES = 10, 50
FULL_TRAININGS = 3
EPISODES, EPISODES_A_NOTE = 4000, 250
TRAINING_CPU_SECONDS = 90.0
AVERAGING_POWER = 3.0
"""The agent's; the paper has 1 (docs/methods/tree_search.md#weights-of-averages)."""
MBB = 1000.0


class SogLeducExperiment:
    """Exploitability in mbb/h, by simulations, network and chains of searches."""

    name = "sog-leduc"
    title = "Leduc: searches with a network"
    source = "Student of Games, figure 3"
    options: Sequence[Option] = ("games", "simulations")

    def estimate(self, budget: Budget) -> Estimate:
        return Estimate(20.0 + sum(unit.weight for unit in self.units(budget)), 700_000_000)

    def units(self, budget: Budget) -> list[Unit]:
        """The largest first. Of trainings there are some with --full alone."""
        units = [_unit(budget, NONE, chain) for chain in (OWN, SHARED, UNSAFE)]
        units += [_unit(budget, SHIPPED, OWN), _unit(budget, UNTRAINED, OWN)]
        if budget.is_full:
            units += [_unit(budget, TRAINED, OWN, number + 1) for number in range(FULL_TRAININGS)]
        units = [unit for unit in units if list(cells(unit, budget))]
        if not units:
            raise UsageError(
                f"--simulations {budget.simulations}: the smallest searches have"
                f" {MANY_UPDATES[0][0]}",
                f"give at least {MANY_UPDATES[0][0]}, or omit --simulations",
            )
        return sorted(units, key=lambda unit: -unit.weight)

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        values: LeafValues | None = None
        encoding, seed = GenericPokerEncoding(LEDUC), unit_seed(budget, unit)
        if unit.text("values") == TRAINED:
            training = training_in(folder / "training", encoding, training_settings(seed), EPISODES)
            yield from train_in_parts(training, EPISODES_A_NOTE)
            values = training.self_play.values
        elif unit.text("values") == SHIPPED:
            values = NetworkValues.load(shipped_folder(), encoding)
        elif unit.text("values") == UNTRAINED:
            shape = encoding.interface.shape(SelfPlaySettings().hidden)
            values = NetworkValues(initial_network(shape, seed), encoding)
        tree, form, chain = PublicTree(LEDUC), sequence_form(LEDUC), unit.text("chain")
        for simulations, per_update in cells(unit, budget):
            settings = GrowingCFRSettings(
                simulations=simulations,
                simulations_per_update=per_update,
                averaging_power=AVERAGING_POWER,
            )
            composed = ComposedResolving(
                GrowingCFR(tree, settings, values),
                form,
                is_safe=chain != UNSAFE,
                shares_chain=chain == SHARED,
            )
            for number in range(num_strategies(budget)):
                found = composed.compose(unit_seed(budget, unit, number + 1))
                yield {
                    "strategy": number + 1,
                    "s": simulations,
                    "c": per_update,
                    "mbb": MBB * found.best_response(form).exploitability,
                }

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        lines = []
        for values, chain in _kinds(budget):
            found = where(rows, values=values, chain=chain)
            for simulations, per_update in _cells_of(values, chain, budget):
                own = numbers(where(found, s=simulations, c=per_update), "mbb")
                mean, half_width = mean_and_half_width(own)
                lines.append(
                    Compared(
                        f"SoG({simulations},{per_update:g}), {_words(values, chain)}",
                        mean,
                        half_width,
                        paper_text(values, simulations) if per_update == 1 else None,
                        _explanation(values, simulations, mean) if per_update == 1 else "",
                    )
                )
        paper = read("student_of_games_2023")["leduc"]
        notes = [
            f"means of {num_strategies(budget)} composed strategies with seeds of their own; the"
            " paper's are read off its figure",
            f"the paper beside them: IS-MCTS {paper['IS-MCTS']} at best, A2C {paper['A2C']}",
        ]
        return Comparison("mbb/h, by s, c and values at the leaves", lines, notes)

    def chart(self, rows: list[Row], budget: Budget) -> Chart:
        kinds = [kind for kind in _kinds(budget) if kind[1] == OWN]
        networks = [
            _line(rows, budget, values, chain, color) for color, (values, chain) in enumerate(kinds)
        ]
        paper = read("student_of_games_2023")["leduc"]
        networks += [
            Line(label=f"paper, {name}", xs=paper["s"], ys=paper[name], is_paper=True, color=color)
            for name, color in (("trained, least", 0), ("trained, greatest", 0), (UNTRAINED, 1))
        ]
        chains = [
            _line(rows, budget, NONE, chain, color)
            for color, chain in enumerate((OWN, SHARED, UNSAFE))
        ]
        return Chart(
            self.title,
            [
                Panel(
                    title=title,
                    x_label="simulations",
                    y_label="mbb/h",
                    lines=[line for line in lines if line.xs],
                    is_log_y=True,
                )
                for title, lines in (("networks", networks), ("chains, no network", chains))
            ],
        )


EXPERIMENT = SogLeducExperiment()


def num_strategies(budget: Budget) -> int:
    """Return the composed strategies a cell."""
    return budget.num_games(STRATEGIES, FULL_STRATEGIES)


def cells(unit: Unit, budget: Budget) -> Iterator[tuple[int, float]]:
    """Yield the s and c of the searches of *unit*."""
    return _cells_of(unit.text("values"), unit.text("chain"), budget)


def shipped_folder() -> Path:
    """Return the folder of the shipped network; raises UsageError where it is missing."""
    folder = find_folder(SHIPPED_NETWORK)
    if folder is None:
        raise UsageError(f"no folder {SHIPPED_NETWORK}", missing_text(SHIPPED_NETWORK))
    return folder


def paper_text(values: str, simulations: int) -> str | float | None:
    """Return the paper's figure for searches with these *values*, None where it has none."""
    paper = read("student_of_games_2023")["leduc"]
    if simulations not in paper["s"]:
        return None
    place = paper["s"].index(simulations)
    if values == UNTRAINED:
        return float(paper[UNTRAINED][place])
    if values in (TRAINED, SHIPPED):
        return f"{paper['trained, least'][place]} to {paper['trained, greatest'][place]}"
    return None


def training_settings(seed: int) -> SelfPlaySettings:
    """Return the settings of a training with *seed*, those of the shipped recipe."""
    return SelfPlaySettings(seed=seed, search=GrowingCFRSettings(averaging_power=AVERAGING_POWER))


def _unit(budget: Budget, values: str, chain: str, training: int = 0) -> Unit:
    name = f"{values}, {chain}" + (f", training {training}" if training else "")
    seconds = sum(
        0.02 + 0.0002 * simulations + 0.0001 * simulations / per_update
        for simulations, per_update in _cells_of(values, chain, budget)
    )
    return Unit(
        name,
        (("values", values), ("chain", chain), ("training", training)),
        num_strategies(budget) * seconds + (TRAINING_CPU_SECONDS if training else 0.0),
    )


def _cells_of(values: str, chain: str, budget: Budget) -> Iterator[tuple[int, float]]:
    """Yield s and c of the searches, without those of more simulations than *budget* allows."""
    counts = list(SIMULATIONS if chain == OWN else ())
    if values == NONE:
        counts = sorted({*counts, *CHAIN_SIMULATIONS})
    wanted = [(simulations, 1.0) for simulations in counts]
    if chain == OWN and values != UNTRAINED:
        wanted += MANY_UPDATES
    for simulations, per_update in wanted:
        if budget.simulations is None or simulations <= budget.simulations:
            yield simulations, per_update


def _kinds(budget: Budget) -> list[tuple[str, str]]:
    """Return values and chains in the order of the table."""
    trained = [(TRAINED, OWN)] if budget.is_full else []
    return [(SHIPPED, OWN), (UNTRAINED, OWN), *trained, (NONE, OWN), (NONE, SHARED), (NONE, UNSAFE)]


def _words(values: str, chain: str) -> str:
    return values if chain == OWN else f"{values}, {chain}"


def _explanation(values: str, simulations: int, mean: float | None) -> str:
    """Return words about *mean* beside the paper's figure."""
    paper = read("student_of_games_2023")["leduc"]
    if mean is None or simulations not in paper["s"]:
        return ""
    place = paper["s"].index(simulations)
    if values == UNTRAINED:
        return "weights before training are not published" if mean < paper[UNTRAINED][place] else ""
    if values in (TRAINED, SHIPPED):
        greatest = paper["trained, greatest"][place]
        if mean > greatest:
            return f"{100 * (mean / greatest - 1):.0f} % above the greatest"
        return "below the least" if mean < paper["trained, least"][place] else "between"
    return ""


def _line(rows: list[Row], budget: Budget, values: str, chain: str, color: int) -> Line:
    """Return a line of the chart: means by simulations at c = 1."""
    found = where(rows, values=values, chain=chain, c=1.0)
    points = [
        (simulations, *mean_and_half_width(numbers(where(found, s=simulations), "mbb")))
        for simulations, per_update in _cells_of(values, chain, budget)
        if per_update == 1
    ]
    known = [(s, mean, half) for s, mean, half in points if mean is not None]
    return Line(
        label=_words(values, chain),
        xs=[s for s, _, _ in known],
        ys=[mean for _, mean, _ in known],
        half_widths=[half or 0.0 for _, _, half in known],
        color=color,
    )
