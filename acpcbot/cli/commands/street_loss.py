"""``acpcbot street-loss STRATEGY``: what a strategy's play on one street costs, beside others'."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from acpcbot.cli.game_arguments import add_game_arguments, stacked
from acpcbot.cli.output import add_json_argument, write_json
from acpcbot.cli.phases import phase, start_phase
from acpcbot.cli.status_line import duration_text
from acpcbot.cli.worker_options import add_kept_argument, add_worker_arguments, asked_workers
from acpcbot.errors import UsageError
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.shipped import find_definition
from acpcbot.search.names import game_of

if TYPE_CHECKING:
    from acpcbot.cluster.work import Workers
    from acpcbot.evaluation.exploitability.street_loss_run import LossRow, LossRun

DEFAULT_GAME = "holdem.nolimit.2p.reverse_blinds"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the strategy, the street, both seats' bets, and how much is measured."""
    parser.add_argument(
        "strategies",
        metavar="STRATEGY",
        nargs="+",
        help="a trained folder, or call, fold, raise; others are compared with the first one,"
        " at spots of its self-play",
    )
    add_game_arguments(parser, f"the first strategy's own, else {DEFAULT_GAME}")
    parser.add_argument(
        "--street",
        default="river",
        choices=STREET_NAMES,
        help="the street that is measured [river]",
    )
    parser.add_argument(
        "--bets",
        default="0.5,1,2,all-in;1,all-in",
        metavar="SIZES",
        help="what the strategy bets on that street; others are taken for the nearest"
        " [0.5,1,2,all-in;1,all-in]",
    )
    parser.add_argument(
        "--against",
        action="append",
        metavar="SIZES",
        help="what its opponent may bet there; can be repeated [the same bets]",
    )
    parser.add_argument(
        "--later",
        default="0.5,1,all-in;1",
        metavar="SIZES",
        help="what both may bet on later streets [0.5,1,all-in;1]",
    )
    parser.add_argument("--spots", type=int, default=20, help="each is measured in both seats [20]")
    parser.add_argument(
        "--iterations",
        type=int,
        default=300,
        help="of the solver, for the free solution, and for each strategy's [300]",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the spots [0]")
    add_worker_arguments(
        parser, "processes; the result is the same [one a core, fewer if memory is short]"
    )
    add_kept_argument(parser, "spots")
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure the losses and print their means."""
    for name in ("spots", "iterations"):
        if getattr(arguments, name) < 1:
            raise UsageError(f"--{name} must be at least 1", "omit it to use the default")
    if not 0 <= arguments.seed < 2**32:
        raise UsageError("--seed must be a 32-bit number", "omit it to use the default")
    with start_phase("starting street-loss"):
        # Only now: help and refused options need no arrays.
        from acpcbot.cli.progress_bars import make_bars, new_bar
        from acpcbot.evaluation.exploitability.street_loss_run import (
            LossRun,
            kept_spots,
            loss_rows,
            spot_losses,
        )
    names = tuple(arguments.strategies)
    own = game_of(names[0]) if arguments.game is None else None
    label, definition = stacked(arguments, own or find_definition(arguments.game or DEFAULT_GAME))
    against = tuple(arguments.against or [arguments.bets])
    contest = LossRun(
        definition,
        names,
        STREET_NAMES.index(arguments.street),
        arguments.bets,
        against,
        arguments.later,
        arguments.iterations,
        arguments.seed,
    )
    contest.verify()
    start = monotonic()
    with make_bars(in_files=False) as bars, phase(f"measuring {', '.join(names)}"):
        contest.prepare(new_bar(bars, "card tables"))
        contest, workers = _with_workers(arguments, contest)
        kept = None if arguments.run_dir is None else kept_spots(contest, arguments.run_dir)
        spots = range(arguments.spots)
        num_measured = len(spots if kept is None else kept.left(spots))
        losses = spot_losses(contest, arguments.spots, workers, new_bar(bars, "spots"), kept=kept)
    seconds = monotonic() - start
    rows = loss_rows(contest, losses)
    if arguments.json:
        write_json(_document(arguments, label, rows, seconds))
        return 0
    print(f"{label}, {arguments.street}, {arguments.spots} spots in both seats")
    for row in rows:
        if len(names) > 1 and row.gain is None:
            print(f"  against {row.against}")
        print(f"{_heading(row, names)}: {_loss_text(row)}")
        if row.loss.replaced > 0.01:
            print(f"    {100 * row.loss.replaced:.0f} % of its play had bets that --bets lacks")
    print("± is a 95 % confidence interval over spots")
    print(f"{num_measured} spots in {duration_text(seconds)}", file=sys.stderr)
    return 0


def _heading(row: LossRow, names: tuple[str, ...]) -> str:
    return f"    {row.name}" if len(names) > 1 else f"  against {row.against}"


def _loss_text(row: LossRow) -> str:
    loss, gain = row.loss, row.gain
    told = (
        f"{loss.share:.2f} ± {loss.half_width:.2f} % of the pot"
        f" (median {loss.median:.2f}, at most {loss.most:.2f}), {loss.chips:.0f} chips"
    )
    if gain is None:
        return told
    return f"{told}, gains {gain.share:.2f} ± {gain.half_width:.2f} over the first"


def _with_workers(arguments: argparse.Namespace, contest: LossRun) -> tuple[LossRun, Workers]:
    """Return *contest* with the threads of a spot, and the workers; tell the memory they take.

    Raises UsageError where it is not there.
    """
    from acpcbot.cluster.local import LocalProcesses
    from acpcbot.memory import available_bytes, memory_text, processes_that_fit, verify_memory

    spot_bytes, available, cores = contest.spot_bytes(), available_bytes(), os.cpu_count() or 1
    workers = asked_workers(
        arguments, processes_that_fit(spot_bytes, available, cores), part_bytes=spot_bytes
    )
    if not isinstance(workers, LocalProcesses):
        return contest, workers
    at_once = min(workers.num_processes, arguments.spots)
    needed = {"a spot" if at_once == 1 else f"{at_once} spots at once": at_once * spot_bytes}
    print(memory_text(needed, available), file=sys.stderr)
    verify_memory(
        needed, available, "the solver", "take fewer --jobs, or fewer sizes, as in --later '1;'"
    )
    return replace(contest, num_threads=max(1, cores // at_once)), workers


def _document(
    arguments: argparse.Namespace,
    label: str,
    rows: list[LossRow],
    seconds: float,
) -> dict[str, object]:
    return {
        "game": label,
        "strategies": arguments.strategies,
        "street": arguments.street,
        "num_spots": arguments.spots,
        "iterations": arguments.iterations,
        "bets": arguments.bets,
        "later": arguments.later,
        "seed": arguments.seed,
        "losses": [_row_document(row) for row in rows],
        "seconds": seconds,
    }


def _row_document(row: LossRow) -> dict[str, object]:
    loss, gain = row.loss, row.gain
    return {
        "against": row.against,
        "strategy": row.name,
        "percent_of_pot": loss.share,
        "half_width_percent": loss.half_width,
        "median_percent": loss.median,
        "most_percent": loss.most,
        "chips": loss.chips,
        "replaced": loss.replaced,
        "gain_percent": None if gain is None else gain.share,
        "gain_half_width_percent": None if gain is None else gain.half_width,
    }
