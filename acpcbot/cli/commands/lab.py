"""``acpcbot lab NAME``: reproduce a paper's table or figure; stopped, the same command goes on."""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acpcbot.cli.compile_display import compile_display
from acpcbot.cli.output import add_json_argument, write_json
from acpcbot.cli.phases import bar_moved, phase, start_phase
from acpcbot.cli.status_line import FIRST_LINE_S, NEXT_LINE_S, duration_text
from acpcbot.errors import UsageError
from acpcbot.lab.catalogue import NAMES, find_experiment, verify_options
from acpcbot.lab.experiment import Budget, Comparison, Estimate, Experiment, Note, Row, Unit, Value
from acpcbot.matches.match_files import lock_folder
from acpcbot.memory import available_bytes, memory_text, verify_memory

if TYPE_CHECKING:
    from acpcbot.lab.results import Results
    from acpcbot.lab.runner import Message

LIST = "list"
HOME = Path("lab")
SHOWN_COLUMNS = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The experiment, its budget, and where its files are kept."""
    parser.add_argument(
        "experiment",
        choices=(LIST, *NAMES),
        metavar="NAME",
        help=f"an experiment, or {LIST}: all of them, with sources and times",
    )
    parser.add_argument(
        "--full", action="store_true", help="the papers' budgets instead of some minutes"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of all that is random")
    parser.add_argument(
        "--games", type=int, metavar="N", help="matches or games a cell, or runs [the experiment's]"
    )
    parser.add_argument(
        "--simulations",
        type=int,
        metavar="N",
        help="simulations a move, or samples of a run [the experiment's]",
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time [one a core]"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FOLDER", help=f"rows, table and plot [{HOME}/NAME]"
    )
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """List the experiments, or run one to its end."""
    if arguments.experiment == LIST:
        _list(as_json=arguments.json)
        return 0
    if arguments.jobs < 1:
        raise UsageError(f"--jobs {arguments.jobs}: expected at least 1", "omit --jobs")
    budget = Budget(
        is_full=arguments.full,
        seed=arguments.seed,
        games=arguments.games,
        simulations=arguments.simulations,
    )
    with phase(f"preparing {arguments.experiment}"):
        from acpcbot.lab.results import Results

        experiment = find_experiment(arguments.experiment)
    verify_options(experiment, budget)
    units = experiment.units(budget)
    folder: Path = arguments.output or HOME / f"{experiment.name}{'-full' * budget.is_full}"
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder):
        _run(experiment, budget, Results(folder, experiment.name, budget, units), arguments)
    return 0


def _run(
    experiment: Experiment, budget: Budget, results: Results, arguments: argparse.Namespace
) -> None:
    if results.missing:
        _announce(experiment, budget, results, arguments.jobs)
        _do_units(experiment, budget, results, arguments.jobs)
    comparison = experiment.comparison(results.rows, budget)
    files = [results.write_table()]
    with start_phase("drawing the plot"):
        plot = _draw(experiment, budget, results, comparison)
    if plot is None:
        print("no plot: it needs matplotlib, the extra plots", file=sys.stderr)
    else:
        files.append(plot)
    if arguments.json:
        _write_json(experiment, budget, comparison, files)
    else:
        from acpcbot.lab.charts import comparison_text

        print(f"{experiment.title} ({experiment.source})\n{comparison_text(comparison)}")
    print("\n".join(str(path) for path in files), file=sys.stderr)


def _announce(experiment: Experiment, budget: Budget, results: Results, num_jobs: int) -> None:
    """Say on stderr what time and memory the units that are missing will take."""
    estimate = experiment.estimate(budget)
    seconds, num_processes = _time_left(estimate, results, num_jobs)
    words = f"{num_processes} process{'es' * (num_processes > 1)}"
    needed = {words: estimate.memory_bytes * num_processes}
    total, missing = len(results.units), len(results.missing)
    if missing < total:
        print(
            f"going on in {results.folder}: {total - missing} of {total} units are done",
            file=sys.stderr,
        )
    print(
        f"{experiment.name}: {missing} unit{'s' * (missing > 1)},"
        f" about {duration_text(seconds)} at {num_processes} at a time;"
        f" {memory_text(needed, available_bytes())}",
        file=sys.stderr,
    )
    verify_memory(
        needed, available_bytes(), experiment.name, "give --jobs 1, or fewer --simulations"
    )


def _time_left(estimate: Estimate, results: Results, num_jobs: int) -> tuple[float, int]:
    """Return the seconds that the missing units will take, and the processes that do them."""
    all_weight = sum(unit.weight for unit in results.units)
    seconds = [estimate.cpu_seconds * unit.weight / all_weight for unit in results.missing]
    num_processes = min(num_jobs, len(seconds))
    return max(sum(seconds) / num_processes, max(seconds)), num_processes


def _do_units(experiment: Experiment, budget: Budget, results: Results, num_jobs: int) -> None:
    """Do the units that are missing, with a bar, or a line now and then where there is none."""
    from acpcbot.cli.progress_bars import make_bars
    from acpcbot.jit import CompileEvent
    from acpcbot.lab.runner import UnitDone, UnitFailed, run_experiment

    with make_bars(in_files=False) as bars:
        progress = _Progress(experiment.name, results)
        task = bars.add_task(experiment.name, total=progress.all_weight, note="")
        due_s = time.monotonic() + FIRST_LINE_S

        def hear(unit: Unit, message: Message) -> None:
            if isinstance(message, CompileEvent):
                compile_display()(message, unit.name)
            elif isinstance(message, UnitDone | UnitFailed):
                compile_display().end(unit.name)
                progress.end(unit)
            else:
                progress.show(unit, message.row)

        def tick() -> None:
            nonlocal due_s
            bars.update(task, completed=progress.done_weight, note=progress.text())
            if bars.console.is_terminal:
                bar_moved()
            elif time.monotonic() >= due_s:
                due_s = time.monotonic() + NEXT_LINE_S
                print(f"{experiment.name}: {progress.text()}", file=sys.stderr, flush=True)

        try:
            run_experiment(experiment, budget, results, num_jobs, hear, tick)
        except KeyboardInterrupt:
            note = f"finished units are kept in {results.folder}; the same command goes on"
            print(f"\n{note}", file=sys.stderr)
            raise


class _Progress:
    """The units that are done, and the last figures of one in progress."""

    def __init__(self, name: str, results: Results) -> None:
        missing = {unit.name for unit in results.missing}
        self._num_units = len(results.units)
        self._done = [unit for unit in results.units if unit.name not in missing]
        self._figures = ""
        self.all_weight = sum(unit.weight for unit in results.units)

    @property
    def done_weight(self) -> float:
        """The work that is done, relative to ``all_weight``."""
        return sum(unit.weight for unit in self._done)

    def end(self, unit: Unit) -> None:
        """Count *unit* as done."""
        self._done.append(unit)

    def show(self, unit: Unit, row: Row | Note) -> None:
        """Show the figures of *row* from now on."""
        figures = row.text if isinstance(row, Note) else _figures(row)
        self._figures = f"; {unit.name}: {figures}"

    def text(self) -> str:
        """Return the line."""
        return f"{len(self._done)} of {self._num_units} units{self._figures}"


def _figures(row: Row) -> str:
    """Return the last columns of *row* in words."""
    shown = list(row.items())[-SHOWN_COLUMNS:]
    return ", ".join(f"{name.replace('_', ' ')} {_value_text(value)}" for name, value in shown)


def _value_text(value: Value) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else value


def _draw(
    experiment: Experiment, budget: Budget, results: Results, comparison: Comparison
) -> Path | None:
    """Draw the plot and return its file; None without matplotlib."""
    from acpcbot.lab.charts import comparison_chart, draw
    from acpcbot.lab.results import PLOT_FILE

    chart = experiment.chart(results.rows, budget) or comparison_chart(comparison, experiment.title)
    path = results.folder / PLOT_FILE
    return path if draw(chart, path) else None


def _list(*, as_json: bool) -> None:
    """Print a line for each experiment."""
    with start_phase("looking up the experiments"):
        experiments = [find_experiment(name) for name in NAMES]
    found: list[dict[str, Any]] = [
        {
            "name": experiment.name,
            "title": experiment.title,
            "source": experiment.source,
            "cpu_seconds": experiment.estimate(Budget()).cpu_seconds,
            "full_cpu_seconds": experiment.estimate(Budget(is_full=True)).cpu_seconds,
        }
        for experiment in experiments
    ]
    if as_json:
        write_json(found)
        return
    rows = [["name", "what, and the paper", "time", "--full"]]
    for record in found:
        name, title, source, *seconds = record.values()
        # The source stands below the title: side by side they would be wider than a terminal.
        rows.append([name, title, *(duration_text(float(number)) for number in seconds)])
        rows.append(["", f"  {source}", "", ""])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join(cells).rstrip())
    print("\ntimes are of one core; acpcbot lab NAME runs one", file=sys.stderr)


def _write_json(
    experiment: Experiment, budget: Budget, comparison: Comparison, files: list[Path]
) -> None:
    write_json(
        {
            "experiment": experiment.name,
            "title": experiment.title,
            "source": experiment.source,
            "budget": asdict(budget),
            "unit": comparison.unit,
            "lines": [asdict(line) for line in comparison.lines],
            "notes": list(comparison.notes),
            "files": files,
        }
    )
