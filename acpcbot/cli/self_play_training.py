"""``acpcbot train`` for recipes of self-play: a network, and its exploitability in searches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from rich.progress import Progress

from acpcbot.cli.phases import phase
from acpcbot.cli.process import stopping
from acpcbot.memory import available_bytes, memory_text
from acpcbot.training.self_play import SelfPlayProgress
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
    with phase("preparing self-play"):
        training = SelfPlayRun(
            encoding,
            recipe.self_play,
            folder,
            recipe.num_episodes,
            measure=recipe.measure,
            episodes_a_point=recipe.episodes_a_point,
            on_progress=_teller(bars, recipe.num_episodes),
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
        result = training.finish(place, recipe.game)
    print_result(result)
    print(place)
    return 0


def print_result(result: SelfPlayResult) -> None:
    """Print exploitability with and without the network, and a warning if it is no better."""
    for simulations, found in result.with_network.items():
        print(
            f"SoG({simulations},1): exploitability {found:.1f} with the network,"
            f" {result.without[simulations]:.1f} without, thousandths of an ante"
        )
    if not result.is_better_than_none:
        print(
            "warning: the network is worse than none; train it for more episodes", file=sys.stderr
        )


def _teller(bars: Progress, num_episodes: int) -> Callable[[SelfPlayProgress], None]:
    """A bar on a terminal; elsewhere a line now and then. The time to go is told early."""
    task = bars.add_task("self-play", total=num_episodes, note="")
    start: tuple[float, int] | None = None
    told_at, is_told = time.monotonic(), False

    def tell(progress: SelfPlayProgress) -> None:
        nonlocal start, told_at, is_told
        now, done = time.monotonic(), progress.num_episodes
        # The first episode compiles, and is left out of the forecast.
        start = start or (now, done)
        bars.update(task, completed=done, note=f"{progress.num_waiting:,} waiting")
        if not is_told and now - start[0] >= SECONDS_BEFORE_FORECAST:
            minutes = (num_episodes - done) * (now - start[0]) / (done - start[1]) / 60
            bars.console.print(f"some {minutes:.1f} minutes to go, measuring not counted")
            is_told = True
        if not bars.console.is_terminal and now - told_at >= SECONDS_BETWEEN_LINES:
            bars.console.print(str(progress), highlight=False)
            told_at = now

    return tell
