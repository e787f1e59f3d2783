"""Training from a recipe, with its learning curve.

    result = acpcbot.train("leduc.limit.2p/dcfr")   # a shipped recipe, or a TOML file
    result.curve.values["exploitability"]           # big blinds a hand, [point]
    acpcbot.exploitability(result.strategy)

An interrupted run is resumed by the same call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.frames import to_dataframe
from acpcbot.matches.match_files import lock_folder
from acpcbot.reports.markup import Markup, element, escaped
from acpcbot.reports.notebook import notebook_markup, result_markup
from acpcbot.reports.plots import learning_plot
from acpcbot.research.strategies import Strategy, load_strategy
from acpcbot.training.curve import INTERVAL, Curve
from acpcbot.training.recipe import Recipe, load_recipe
from acpcbot.training.run import Position, TrainingRun
from acpcbot.training.session import build_session


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class LearningCurve:
    """The measurements of a training run, by iterations.

    ``counts``       episodes or iterations, int64 [point]
    ``seconds``      seconds of training, float64 [point]
    ``values``       by name, float64 [point], NaN where a point lacks one: in small games
                     ``nash_conv``, ``exploitability`` and ``largest_gain``, big blinds a hand; in
                     large ones ``OPPONENT_mbb``
    ``half_widths``  half of the 95 % confidence interval of those values that have one
    """

    counts: Ints
    seconds: Floats
    values: dict[str, Floats]
    half_widths: dict[str, Floats]

    def to_dataframe(self) -> Any:
        """Return a data frame with a row for each point: count, seconds, and the values by name;
        half widths of intervals under the name and ``_ci``.
        """
        spreads = {f"{name}{INTERVAL}": row for name, row in self.half_widths.items()}
        return to_dataframe(
            {"count": self.counts, "seconds": self.seconds, **self.values, **spreads}
        )

    def __repr__(self) -> str:
        if not len(self.counts):
            return "<LearningCurve of no points: the recipe asks for none in [curve]>"
        last = ", ".join([f"{name} {row[-1]:.6g}" for name, row in self.values.items()])
        return f"<LearningCurve of {len(self.counts)} points: {last} at {self.counts[-1]:,}>"

    def _repr_html_(self) -> str:
        return notebook_markup(*self._parts())

    def _parts(self) -> list[Markup]:
        if not len(self.counts):
            return [escaped(repr(self))]
        rows = {name: row.tolist() for name, row in self.values.items()}
        keys = [
            element(
                "span",
                element("span", class_=f"key curve{number}"),
                escaped(name),
                class_="action",
            )
            for number, name in enumerate(rows)
        ]
        plot = learning_plot(self.counts.tolist(), rows, repr(self).strip("<>"))
        return [element("figure", plot), element("p", *keys)]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class TrainingResult:
    """A training that is over.

    ``strategy``   what was learnt, as ``load_strategy`` returns it
    ``curve``      what was measured on the way
    ``folder``     the run: checkpoints, curve.csv, and the strategy unless another place was named
    ``num_steps``  episodes or iterations
    ``seconds``    seconds of training, measurements left out
    """

    strategy: Strategy
    curve: LearningCurve
    folder: Path
    num_steps: int
    seconds: float

    def to_dataframe(self) -> Any:
        """Return the learning curve as a data frame."""
        return self.curve.to_dataframe()

    def __repr__(self) -> str:
        steps = f"{self.num_steps:,} steps in {self.seconds:.1f} s"
        return f"<TrainingResult {self.strategy.name}: {steps}, {len(self.curve.counts)} points>"

    def _repr_html_(self) -> str:
        facts = {
            "learner": self.strategy.learner,
            "steps": f"{self.num_steps:,}",
            "seconds": f"{self.seconds:.1f}",
        }
        title = f"{self.strategy.name}, {self.strategy.game_name}"
        return notebook_markup(result_markup(title, facts), *self.curve._parts())


def train(
    recipe: Recipe | str | Path,
    *,
    folder: str | Path | None = None,
    output: str | Path | None = None,
    on_progress: Callable[[Position], None] | None = None,
) -> TrainingResult:
    """Train what *recipe* says, and return the strategy with its learning curve.

    ``recipe``       what ``parse_recipe`` returned, the path of a TOML file, or a strategy whose
                     recipe is shipped, as in ``leduc.limit.2p/dcfr``
    ``folder``       checkpoints and the curve, ``runs/<game>/<name>`` if left out; a run that was
                     stopped there is resumed
    ``output``       a new folder for the strategy, ``<folder>/strategy`` if left out; one that
                     lies there is replaced
    ``on_progress``  called now and then with the count of episodes or iterations and the seconds

    A checkpoint is written every five minutes and at the end. Raises UsageError for recipes that
    cannot be trained, with what is expected, and where there is too little memory.
    """
    wanted = recipe if isinstance(recipe, Recipe) else load_recipe(recipe)
    place = Path(folder) if folder else Path("runs", *Path(wanted.snapshot).parts[-2:])
    place.mkdir(parents=True, exist_ok=True)
    with lock_folder(place):
        session = build_session(wanted, lambda _needed: None, lambda _name, _done, _total: None)
        run = TrainingRun(session, place, on_progress or (lambda _position: None))
        run.train()
        target = Path(output) if output else place / "strategy"
        run.save_result(target)
    strategy = load_strategy(str(target))
    position = run.position
    return TrainingResult(
        strategy, read_curve(place / "curve.csv"), place, position.count, position.seconds
    )


def read_curve(path: Path) -> LearningCurve:
    """Return the learning curve in the file at *path*, which a run left; an empty one if none."""
    rows = Curve(path).rows()
    names = [name for name in (rows[0] if rows else ()) if name not in ("count", "seconds")]
    columns = {name: np.array([float(row.get(name) or "nan") for row in rows]) for name in names}
    spreads = {name for name in names if name.endswith(INTERVAL)}
    return LearningCurve(
        counts=np.array([int(row["count"]) for row in rows], np.int64),
        seconds=np.array([float(row["seconds"]) for row in rows]),
        values={name: column for name, column in columns.items() if name not in spreads},
        half_widths={name.removesuffix(INTERVAL): columns[name] for name in spreads},
    )
