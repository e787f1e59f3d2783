"""``acpcbot build-preflop-values STRATEGY``: the value table for searching before the flop."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from rich.progress import Progress

from acpcbot.cli.phases import phase, start_phase
from acpcbot.cli.process import stopping
from acpcbot.cli.progress_bars import make_bars, new_bar
from acpcbot.cli.status_line import duration_text
from acpcbot.errors import UsageError
from acpcbot.matches.match_files import lock_folder
from acpcbot.memory import available_bytes, memory_text, verify_memory
from acpcbot.rollouts.preflop_accumulation import PreflopRollouts, PreflopSettings
from acpcbot.rollouts.preflop_table import (
    finished_table,
    restore_sums,
    save_preflop_values,
    save_sums,
)
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import find_folder, missing_text
from acpcbot.strategies.public_play import SnapshotStrategy

INTERRUPTED = 130
SECONDS_BETWEEN_SAVES = 60.0
US_PER_DECISION = 9.0
"""What a decision of the tree takes on a board, with all continuations, on a core of its own."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The strategy, how much is drawn, and where the files are."""
    parser.add_argument("strategy", help="a trained no-limit strategy's folder")
    parser.add_argument(
        "--boards", type=int, default=4000, metavar="N", help="boards to roll out on"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="decides which boards and hands are drawn"
    )
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="boards at a time")
    parser.add_argument(
        "--output", type=Path, help="the table's folder [preflop_values beside the strategy]"
    )
    parser.add_argument(
        "--run-dir", type=Path, help="what there is so far [runs/<game>/<name>.preflop]"
    )


def run(arguments: argparse.Namespace) -> int:
    """Roll out until all boards are gone through or somebody stops it; the same command goes on."""
    if arguments.threads < 1:
        raise UsageError(f"--threads {arguments.threads}", "at least 1")
    place = find_folder(arguments.strategy)
    if place is None:
        raise UsageError(f"no folder {arguments.strategy}", missing_text(arguments.strategy))
    own_name = place.resolve()
    folder = arguments.run_dir or Path("runs", own_name.parent.name, f"{own_name.name}.preflop")
    settings = PreflopSettings(arguments.boards, arguments.seed)
    with phase(f"loading {arguments.strategy}"):
        roll_outs = PreflopRollouts(SnapshotStrategy(load_snapshot(place)), settings)
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder), make_bars() as bars:
        return _make(
            roll_outs,
            arguments.threads,
            folder,
            arguments.output or place.parent / "preflop_values",
            bars,
        )


def _make(
    roll_outs: PreflopRollouts, num_threads: int, folder: Path, output: Path, bars: Progress
) -> int:
    with start_phase(f"looking into {folder}"):
        restore_sums(folder, roll_outs)
    _tell_needs(roll_outs, num_threads, bars)
    if roll_outs.num_done:
        bars.console.print(
            f"going on at {roll_outs.num_done:,} boards from {folder}", highlight=False
        )
    if not _roll_out(roll_outs, num_threads, folder, bars):
        bars.console.print(
            f"stopped at {roll_outs.num_done:,} boards; the same command goes on", highlight=False
        )
        return INTERRUPTED
    with phase(f"writing {output}"):
        table = finished_table(roll_outs)
        save_preflop_values(output, table)
    worst = max(table.record.errors)
    bars.console.print(
        f"{len(table.record.states)} states; standard errors of a "
        f"pair of hands {min(table.record.errors):.3f} to"
        f" {worst:.3f} of the pot",
        highlight=False,
    )
    print(output)
    return 0


def _tell_needs(roll_outs: PreflopRollouts, num_threads: int, bars: Progress) -> None:
    needed, available = roll_outs.needed_bytes(num_threads), available_bytes()
    verify_memory(needed, available, "the table", "name fewer threads, or end other programs")
    bars.console.print(memory_text(needed, available), highlight=False)
    left = roll_outs.num_boards - roll_outs.num_done
    seconds = left * roll_outs.num_decisions * US_PER_DECISION / 1e6 / num_threads
    bars.console.print(
        f"{len(roll_outs.states)} states on {left:,} boards: about "
        f"{duration_text(seconds)} where cores are free",
        highlight=False,
    )


def _roll_out(roll_outs: PreflopRollouts, num_threads: int, folder: Path, bars: Progress) -> bool:
    """Go through the boards that are left, keeping the sums now and then.

    Whether that came to an end.
    """
    advance, saved_at = new_bar(bars, "boards"), time.monotonic()
    advance(roll_outs.num_done, roll_outs.num_boards)
    with stopping() as is_stopped, phase("rolling out"):
        while roll_outs.num_done < roll_outs.num_boards and not is_stopped():
            roll_outs.step(num_threads)
            advance(roll_outs.num_done, roll_outs.num_boards)
            if time.monotonic() - saved_at >= SECONDS_BETWEEN_SAVES:
                save_sums(folder, roll_outs)
                saved_at = time.monotonic()
        save_sums(folder, roll_outs)
    return roll_outs.num_done == roll_outs.num_boards
