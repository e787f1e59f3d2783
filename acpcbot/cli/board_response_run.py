"""Best responses in whole hold'em for ``acpcbot exploitability``, exact or by drawn flops."""

from __future__ import annotations

import argparse
import sys
from time import monotonic

import numpy as np

from acpcbot.cli.output import write_json
from acpcbot.cli.phases import phase
from acpcbot.cli.progress_bars import make_bars, new_bar
from acpcbot.cli.status_line import duration_text
from acpcbot.cli.worker_options import asked_workers
from acpcbot.cluster.local import LocalProcesses
from acpcbot.errors import UsageError
from acpcbot.evaluation.exploitability.board_responses.board_values import line_bytes
from acpcbot.evaluation.exploitability.board_responses.records import Records, default_folder
from acpcbot.evaluation.exploitability.board_responses.responses import (
    Bounds,
    all_befores,
    drawn_boards,
    exact_response,
    sampled_response,
)
from acpcbot.evaluation.exploitability.board_responses.run import (
    StoredTarget,
    loaded_boards,
    make_records,
    record_shape,
    steps_type,
    strategy_lines,
)
from acpcbot.memory import PROCESS_BYTES, available_bytes, memory_text, verify_memory
from acpcbot.poker.definition import GameDefinition
from acpcbot.trees.board_tree import first_boards

MBB = 1000.0
LINE_S = 30.0


def run(arguments: argparse.Namespace, name: str, definition: GameDefinition) -> int:
    """Make the missing records, and print the best responses or their bounds."""
    if arguments.jobs is not None and arguments.jobs < 1:
        raise UsageError(f"--jobs {arguments.jobs}", "one or more")
    if arguments.flops is not None and arguments.flops < 2:
        raise UsageError(f"--flops {arguments.flops}", "two or more, for an interval")
    if arguments.seed < 0:
        raise UsageError(f"--seed {arguments.seed}", "zero or more")
    target = StoredTarget(definition, arguments.strategy)
    with make_bars(in_files=False) as bars:
        with phase(f"loading {arguments.strategy}"):
            strategy = target.strategy(new_bar(bars, "card tables"))
            settings, lines = target.settings(), strategy_lines(definition, strategy)
        abstraction = strategy.snapshot.abstraction
        step_bytes = np.dtype(steps_type(strategy)).itemsize
        needed = line_bytes(lines, abstraction.num_buckets, step_bytes)
        needed["card tables"] = sum(table.nbytes for table in strategy.tables)
        part_bytes = PROCESS_BYTES + sum(needed.values())
        workers = asked_workers(arguments, 1, part_bytes=part_bytes)
        if isinstance(workers, LocalProcesses):
            needed = {name: workers.num_processes * size for name, size in needed.items()}
        # On a cluster this process adds the results up, and takes as much as a worker.
        verify_memory(needed, available_bytes(), "the best response", "take fewer --jobs")
        print(memory_text(needed, available_bytes()), file=sys.stderr)
        records = Records(
            arguments.run_dir or default_folder(settings), settings, record_shape(lines)
        )
        numbers = range(len(first_boards(definition)))
        drawn = None
        if arguments.flops is not None:
            drawn = drawn_boards(definition, arguments.flops, arguments.seed)
        wanted = numbers if drawn is None else drawn.tolist()
        print(f"flops that are done are in {records.folder}", file=sys.stderr)
        telling = _Telling(new_bar(bars, "flops"))
        with phase("best responses flop by flop"):
            make_records(target, records, wanted, workers, telling.tell)
            befores = all_befores(loaded_boards(target))
            if drawn is not None:
                found = sampled_response(definition, befores, drawn, records.read)
            else:
                values = exact_response(definition, befores, records.read)
    if drawn is not None:
        return _print_bounds(arguments, name, found)
    return _print_exact(arguments, name, values)


class _Telling:
    """Progress with the time left, on a bar and as lines on stderr."""

    def __init__(self, advance: object) -> None:
        self._advance = advance
        self._start: tuple[float, int] | None = None
        self._told_s = -LINE_S

    def tell(self, done: int, total: int) -> None:
        """Tell that *done* of *total* flops are done."""
        assert callable(self._advance)
        self._advance(done, total)
        now_s = monotonic()
        if self._start is None:
            self._start = now_s, done
            return
        began_s, first = self._start
        each_s = (now_s - began_s) / max(1, done - first)
        if now_s - self._told_s >= LINE_S or done == total:
            self._told_s = now_s
            left = duration_text(each_s * (total - done))
            words = f"{each_s:.1f} s each, about {left} left" if done < total else "all done"
            print(f"flops: {done:,} of {total:,}, {words}", file=sys.stderr, flush=True)


def _print_exact(arguments: argparse.Namespace, name: str, values: tuple[float, float]) -> int:
    mean = MBB * sum(values) / len(values)
    if arguments.json:
        document = {
            "game": name,
            "strategy": arguments.strategy,
            "best_response_values_mbb": [MBB * value for value in values],
            "nash_conv_mbb": MBB * sum(values),
            "exploitability_mbb": mean,
        }
        write_json(document)
        return 0
    print(f"{name}: {arguments.strategy}")
    for seat, value in enumerate(values, 1):
        print(f"  seat {seat}  a best response wins {MBB * value:+.3f} mbb/hand")
    print(f"  exploitability  {mean:.3f} mbb/hand, the mean of both seats")
    return 0


def _print_bounds(arguments: argparse.Namespace, name: str, found: Bounds) -> int:
    low, high = (MBB * sum(values) / len(values) for values in (found.low, found.high))
    half_width = MBB * found.half_width
    if arguments.json:
        document = {
            "game": name,
            "strategy": arguments.strategy,
            "flops": found.num_drawn,
            "seed": arguments.seed,
            "low_mbb": [MBB * value for value in found.low],
            "high_mbb": [MBB * value for value in found.high],
            "exploitability_low_mbb": low,
            "exploitability_high_mbb": high,
            "half_width_mbb": half_width,
        }
        write_json(document)
        return 0
    print(f"{name}: {arguments.strategy}, {found.num_drawn} flops drawn")
    for seat, values in enumerate(zip(found.low, found.high, strict=True), 1):
        least, most = (MBB * value for value in values)
        print(f"  seat {seat}  a best response wins {least:+.1f} to {most:+.1f} mbb/hand")
    print(
        f"  exploitability  {low:.1f} to {high:.1f} mbb/hand, ± {half_width:.1f} for the flops drawn"
    )
    print(
        "the first figure is low (play before the flop fits the other flops), the second is high; "
        "± is a 95 % confidence interval"
    )
    return 0
