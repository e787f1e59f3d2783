"""The experiments, in the order in which ``acpcbot lab list`` shows them."""

from __future__ import annotations

import importlib

from acpcbot.errors import UsageError
from acpcbot.lab.experiment import Budget, Experiment
from acpcbot.spelling import nearest_hint

# A module of this package each: `oos-root` is oos_root.py. Looked up when it is asked for, because
# experiments import the compiler.
NAMES: tuple[str, ...] = (
    "coordination",
    "goofspiel-tables",
    "goofspiel-exploitability",
    "goofspiel-convergence",
    "oos-root",
    "oos-aggregate",
    "oos-parameters",
    "oos-targets",
    "oos-matches",
    "ismcts-leduc",
    "sog-leduc",
    "sog-liars-dice",
    "sog-scotland-yard",
    "sog-tic-tac-toe",
    "sog-connect-four",
)


def find_experiment(name: str) -> Experiment:
    """Return the experiment *name*; raises UsageError."""
    if name not in NAMES:
        raise UsageError(
            f"unknown experiment {name!r}",
            f"{nearest_hint(name, NAMES)}acpcbot lab list shows them all",
        )
    module = importlib.import_module(f"acpcbot.lab.{name.replace('-', '_')}")
    experiment: Experiment = module.EXPERIMENT
    return experiment


def verify_options(experiment: Experiment, budget: Budget) -> None:
    """Raise UsageError for an option that *experiment* does not take."""
    for name, value in (("games", budget.games), ("simulations", budget.simulations)):
        if value is not None and name not in experiment.options:
            takes = " and ".join(f"--{option}" for option in experiment.options) or "neither"
            raise UsageError(f"{experiment.name} takes no --{name}", f"of the two it takes {takes}")
