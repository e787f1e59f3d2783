"""``acpcbot train`` for recipes of self-play: a network, measured in searches."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from rich.progress import Progress

from acpcbot.cli.phases import phase
from acpcbot.cli.process import stopping
from acpcbot.memory import available_bytes, memory_text
from acpcbot.training.self_play import SelfPlayProgress
from acpcbot.training.self_play_measures import figure_name
from acpcbot.training.self_play_recipe import SelfPlayRecipe
from acpcbot.training.self_play_run import SelfPlayResult, SelfPlayRun, needed_bytes

INTERRUPTED = 130
SECONDS_BETWEEN_LINES = 60.0
SECONDS_BEFORE_FORECAST = 5.0


def train_by_self_play(recipe: SelfPlayRecipe, folder: Path, place: Path, bars: Progress) -> int:
    """Train in *folder* and save the network at *place*; return the exit status."""
    encoding = recipe.encoding()
    needed = needed_bytes(encoding, recipe.self_play)
    bars.console.print(memory_text(needed, available_bytes()), highlight=False)
    lines = ProgressLines(bars, recipe.num_episodes, figure_name(encoding))
    with phase("preparing self-play"):
        training = SelfPlayRun(
            encoding,
            recipe.self_play,
            folder,
            recipe.num_episodes,
            measure=recipe.measure,
            episodes_a_point=recipe.episodes_a_point,
            on_progress=lines.show_episode,
            on_point=lines.show_point,
        )
    done = training.self_play.progress.num_episodes
    if done:
        bars.console.print(f"going on at {done:,} from {folder}")
    with stopping(training.stop):
        training.train()
    if not training.is_finished:
        done = training.self_play.progress.num_episodes
        bars.console.print(f"stopped at {done:,}; the same command goes on")
        return INTERRUPTED
    with phase(f"measuring, writing {place}"):
        result = training.finish(place, recipe.acpc_game)
    print_result(result, recipe.unit)
    print(place)
    return 0


def print_result(result: SelfPlayResult, unit: str) -> None:
    """Print the figure in *unit* with and without the network, and warn if it is no better."""
    for simulations, found in result.with_network.items():
        print(
            f"SoG({simulations},1): {result.figure} {found:.1f} with the network,"
            f" {result.without[simulations]:.1f} without, {unit}"
        )
    if not result.is_better_than_none:
        print(
            "warning: the network is worse than none; train it for more episodes", file=sys.stderr
        )


class ProgressLines:
    """Lines of progress on *bars*: at points of the curve, and elsewhere than on a terminal more.

    A terminal has a bar. The time to go is told once, early.
    """

    def __init__(self, bars: Progress, num_episodes: int, figure: str) -> None:
        self._bars, self._num_episodes, self._figure = bars, num_episodes, figure
        self._task = bars.add_task("self-play", total=num_episodes, note="")
        self._start: tuple[float, int] | None = None
        self._told_at, self._is_forecast_told = time.monotonic(), False

    def show_episode(self, progress: SelfPlayProgress) -> None:
        """Move the bar, or print a line if the last one is a minute old."""
        now, done = time.monotonic(), progress.num_episodes
        # The first episode compiles, and is left out of the forecast.
        self._start = self._start or (now, done)
        self._bars.update(self._task, completed=done, note=f"{progress.num_waiting:,} waiting")
        seconds = now - self._start[0]
        if not self._is_forecast_told and seconds >= SECONDS_BEFORE_FORECAST:
            minutes = (self._num_episodes - done) * seconds / (done - self._start[1]) / 60
            self._print(f"some {minutes:.1f} minutes to go, measuring not counted")
            self._is_forecast_told = True
        is_due = now - self._told_at >= SECONDS_BETWEEN_LINES
        if not self._bars.console.is_terminal and is_due:
            self._print(str(progress))

    def show_point(self, progress: SelfPlayProgress, found: dict[int, float]) -> None:
        """Print a line with the figure by simulations."""
        values = " ".join(f"{value:.1f} (s = {count})" for count, value in found.items())
        self._print(f"{progress}, {self._figure} {values}")

    def _print(self, line: str) -> None:
        self._bars.console.print(line, highlight=False, soft_wrap=True)
        self._told_at = time.monotonic()
