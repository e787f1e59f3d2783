"""``acpcbot train`` for recipes of networks at chance states."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from rich.progress import Progress

from acpcbot.cli.phases import phase
from acpcbot.cli.process import stopping
from acpcbot.training.chance_self_play import ChanceSelfPlayProgress
from acpcbot.training.chance_self_play_run import ChanceRecipe, ChanceSelfPlayRun

INTERRUPTED = 130
SECONDS_BETWEEN_LINES = 60.0


def train_at_chance_states(recipe: ChanceRecipe, folder: Path, place: Path, bars: Progress) -> int:
    """Train in *folder* and save the network at *place*; return the exit status."""
    with phase("preparing self-play"):
        training = ChanceSelfPlayRun(recipe, folder, _teller(bars, recipe.num_episodes))
    done = training.self_play.progress.num_episodes
    if done:
        bars.console.print(f"going on at {done:,} from {folder}")
    with stopping(training.stop):
        training.train()
    if not training.is_finished:
        done = training.self_play.progress.num_episodes
        bars.console.print(f"stopped at {done:,}; the same command goes on")
        return INTERRUPTED
    with phase(f"polishing, writing {place}"):
        training.finish(place)
    print(place)
    return 0


def _teller(bars: Progress, num_episodes: int) -> Callable[[ChanceSelfPlayProgress], None]:
    """Return a callback with a bar on a terminal, elsewhere with a line a minute."""
    task = bars.add_task("self-play", total=num_episodes, note="")
    told_at = time.monotonic()

    def tell(progress: ChanceSelfPlayProgress) -> None:
        nonlocal told_at
        bars.update(task, completed=progress.num_episodes, note=f"{progress.num_examples:,} labels")
        if not bars.console.is_terminal and time.monotonic() - told_at >= SECONDS_BETWEEN_LINES:
            bars.console.print(str(progress), highlight=False)
            told_at = time.monotonic()

    return tell
