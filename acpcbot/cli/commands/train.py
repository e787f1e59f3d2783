"""``acpcbot train RECIPE``: train a strategy; stopped at any moment, the same command goes on."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from rich.progress import Progress

from acpcbot.cli.phases import phase
from acpcbot.cli.process import stopping
from acpcbot.cli.progress_bars import Advance, make_bars, new_bar
from acpcbot.matches.match_files import lock_folder
from acpcbot.memory import available_bytes, memory_text
from acpcbot.strategies.finding import find_recipe
from acpcbot.training.recipe import (
    Budget,
    Recipe,
    is_chance_recipe,
    is_self_play_recipe,
    load_recipe,
)
from acpcbot.training.run import Position, TrainingRun
from acpcbot.training.session import TrainingSession, build_session

INTERRUPTED = 130
SECONDS_BETWEEN_LINES = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The recipe, and where the run keeps its files."""
    parser.add_argument(
        "recipe",
        help="a TOML file, or a strategy whose recipe is shipped; "
        "docs/guides/train.md shows how to write one",
    )
    parser.add_argument(
        "--run-dir", type=Path, help="checkpoints and curves of this run [runs/<game>/<name>]"
    )
    parser.add_argument(
        "--output", type=Path, help="the folder of the snapshot or the network [as the recipe says]"
    )


def run(arguments: argparse.Namespace) -> int:
    """Train until the budget is spent or somebody stops it."""
    path = find_recipe(arguments.recipe)
    if path is not None and is_self_play_recipe(path):
        return _run_self_play(path, arguments)
    if path is not None and is_chance_recipe(path):
        return _run_at_chance_states(path, arguments)
    recipe = load_recipe(arguments.recipe)
    folder = arguments.run_dir or Path("runs", *Path(recipe.snapshot).parts[-2:])
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder), make_bars() as bars:
        return _train(recipe, folder, arguments.output or Path(recipe.snapshot), bars)


def _run_self_play(path: Path, arguments: argparse.Namespace) -> int:
    # Searches take half a second to import, and other recipes do not need them.
    from acpcbot.cli.self_play_training import train_by_self_play
    from acpcbot.training.self_play_recipe import load_self_play_recipe

    recipe = load_self_play_recipe(path)
    folder = arguments.run_dir or Path("runs", *Path(recipe.network).parts[-2:])
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder), make_bars() as bars:
        place = arguments.output or Path(recipe.network)
        return train_by_self_play(recipe, folder, place, bars)


def _run_at_chance_states(path: Path, arguments: argparse.Namespace) -> int:
    from acpcbot.cli.chance_training import train_at_chance_states
    from acpcbot.training.chance_self_play_run import load_chance_recipe

    recipe = load_chance_recipe(path)
    folder = arguments.run_dir or Path("runs", *Path(recipe.network).parts[-2:])
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder), make_bars() as bars:
        place = arguments.output or Path(recipe.network)
        return train_at_chance_states(recipe, folder, place, bars)


def _train(recipe: Recipe, folder: Path, place: Path, bars: Progress) -> int:
    with phase(f"preparing {recipe.learner_name}"):
        session = build_session(
            recipe, lambda needed: _tell_memory(needed, bars), _table_bars(bars)
        )
        training = TrainingRun(session, folder, _training_bar(bars, session))
    _tell_size(session, bars)
    if training.position.count:
        bars.console.print(f"going on at {training.position.count:,} from {folder}")
    with stopping(training.stop):
        training.train()
    if not training.is_finished:
        bars.console.print(f"stopped at {training.position.count:,}; the same command goes on")
        return INTERRUPTED
    with phase(f"writing {place}"):
        training.save_result(place)
    print(place)
    return 0


def _tell_memory(needed: dict[str, int], bars: Progress) -> None:
    bars.console.print(memory_text(needed, available_bytes()), highlight=False)


def _tell_size(session: TrainingSession, bars: Progress) -> None:
    num_nodes, layout = sum(session.game.tree.size.num_nodes), session.game.layout
    text = (
        f"{num_nodes:,} decision nodes, {layout.num_infosets:,} information sets,"
        f" {layout.num_slots:,} actions of them"
    )
    bars.console.print(text, highlight=False)


def _table_bars(bars: Progress) -> Callable[[str, int, int], None]:
    known: dict[str, Advance] = {}

    def advance(name: str, done: int, total: int) -> None:
        known.setdefault(name, new_bar(bars, name))(done, total)

    return advance


def _time_left(budget: Budget, position: Position, rate: float) -> str:
    """Return the time until *budget* is spent at *rate* a second, as text."""
    ends = []
    if budget.count is not None:
        ends.append((budget.count - position.count) / rate)
    if budget.seconds is not None:
        ends.append(budget.seconds - position.seconds)
    minutes, seconds = divmod(max(0, round(min(ends))), 60)
    return f"{minutes} min" if minutes else f"{seconds} s"


def _training_bar(bars: Progress, session: TrainingSession) -> Callable[[Position], None]:
    """A bar on a terminal; elsewhere, as in a log file, a line now and then."""
    budget = session.recipe.budget
    task = bars.add_task(session.recipe.learner_name, total=budget.count or budget.seconds, note="")
    told_at = time.monotonic()
    start: Position | None = None

    def advance(position: Position) -> None:
        nonlocal told_at, start
        start = start or position
        seconds = position.seconds - start.seconds
        rate = (position.count - start.count) / seconds if seconds else 0.0
        note = f"{position.count:,}" + (f" at {rate:,.0f}/s" if rate else "")
        bars.update(task, completed=position.count if budget.count else position.seconds, note=note)
        if not bars.console.is_terminal and time.monotonic() - told_at >= SECONDS_BETWEEN_LINES:
            left = f", {_time_left(budget, position, rate)} left" if rate else ""
            bars.console.print(f"{session.recipe.learner_name}: {note}{left}", highlight=False)
            told_at = time.monotonic()

    return advance
