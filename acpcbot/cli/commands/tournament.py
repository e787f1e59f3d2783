"""``acpcbot tournament``: a round robin between strategies, its cross table and rankings.

In order: the options and the run; the standings as text, as CSV with a row for each entrant, and as
JSON. Entrants stand in the order of their average winnings. Everything is in mbb/hand; what has
not been measured is a dash in the text, empty in CSV and null in JSON.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from acpcbot.cli.match_options import (
    STRATEGIES_HELP,
    add_running,
    add_terms,
    doors_of,
    find_plan,
    play_tables,
    report_faults,
    verify_cluster,
)
from acpcbot.cli.output import write_json as write_document
from acpcbot.cli.phases import phase, start_phase
from acpcbot.errors import UsageError
from acpcbot.matches.match_files import lock_folder
from acpcbot.net.players import verify_players
from acpcbot.net.worker_pool import TableTask, tasks_of
from acpcbot.tournaments.plan import TournamentPlan
from acpcbot.tournaments.round_robin import Estimates
from acpcbot.tournaments.standings import Ranking, Standings, read_standings

TEXT = "text"
MOST_MISSING = 10
WIDEST = 100_000
WIDE_HALF_WIDTH = 10.0
UNLIKELY = 0.005
Record = dict[str, Any]
NUM_RESAMPLES = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs ``run`` and ``show``."""
    verbs = parser.add_subparsers(dest="tournament_verb", metavar="VERB", required=True)
    run_verb = verbs.add_parser(
        "run", help="play a duplicate round robin, or go on with one, and show how it stands"
    )
    run_verb.add_argument(
        "strategies", nargs="*", metavar="STRATEGY", help=f"one an entrant: {STRATEGIES_HELP}"
    )
    add_terms(run_verb)
    add_running(run_verb, TournamentPlan.KIND)
    show = verbs.add_parser(
        "show", help="show how a tournament stands, running ones too: cross table and rankings"
    )
    show.add_argument("folder", type=Path, metavar="FOLDER", help="where the tournament is kept")
    for verb in (run_verb, show):
        _add_view(verb)


def _add_view(parser: argparse.ArgumentParser) -> None:
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--format", choices=FORMATS, default=TEXT, help="how to print")
    shape.add_argument(
        "--json",
        dest="format",
        action="store_const",
        const="json",
        help="the same as --format json",
    )
    parser.add_argument(
        "--resamples",
        type=int,
        default=NUM_RESAMPLES,
        help="how often ranks are resampled",
    )
    parser.add_argument(
        "--resample-seed", type=int, default=0, metavar="SEED", help="seed of the resampling"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play or show; tables that failed are told of and can be gone on with."""
    if arguments.resamples < 1 or arguments.resample_seed < 0:
        raise UsageError(
            "--resamples must be at least 1, --resample-seed not negative",
            "omit them to use the defaults",
        )
    if arguments.tournament_verb == "run":
        return _run(arguments)
    _show(TournamentPlan.load(arguments.folder), arguments.folder, arguments)
    return 0


def _run(arguments: argparse.Namespace) -> int:
    with start_phase("looking for the strategies"):
        folder, plan = find_plan(TournamentPlan, arguments, is_duplicate=True)
        plan.verify()
        doors = doors_of(arguments, plan)
        verify_players(plan, doors)
        verify_cluster(arguments, plan)
    plan.save(folder)
    with lock_folder(folder):
        reports = play_tables(plan, _tasks(plan, folder), folder, arguments, doors)
    _show(plan, folder, arguments)
    return report_faults(plan, reports, folder)


def _tasks(plan: TournamentPlan, folder: Path) -> list[TableTask]:
    """All tables of all matches, each match's plan in a folder of its own."""
    tasks: list[TableTask] = []
    for match in plan.matches():
        match.plan.save(folder / match.folder)
        tasks += tasks_of(match.plan, folder / match.folder)
    return tasks


def _show(plan: TournamentPlan, folder: Path, arguments: argparse.Namespace) -> None:
    with phase(f"reading the logs and drawing {arguments.resamples:,} samples of the deals"):
        standings = read_standings(plan, folder, arguments.resamples, arguments.resample_seed)
    FORMATS[arguments.format](standings, sys.stdout)


def write_text(standings: Standings, stream: TextIO) -> None:
    """Two tables for people, and what is missing."""
    plan = standings.plan
    print(
        f"tournament of {plan.game_name}: {len(plan.names)} entrants, {_size_text(standings)}",
        file=stream,
    )
    print("\ncross table: what the row won at a table with the column, in mbb/hand", file=stream)
    _print_table(_cross_table(standings), stream)
    print("rankings: average winnings in mbb/hand, and ranks with their probabilities", file=stream)
    _print_table(_rankings(standings), stream)
    print(
        "± is a 95 % confidence interval, and so is the range of ranks; equal ranks are ties",
        file=stream,
    )
    _print_missing(standings, stream)


def _size_text(standings: Standings) -> str:
    num_matches, num_deals = len(standings.num_deals), standings.num_deals_planned
    return f"{num_matches} duplicate match{'es' * (num_matches > 1)} of {num_deals} deals"


def _cross_table(standings: Standings) -> Table:
    names, order = standings.plan.names, _order(standings)
    table = Table("", *[names[column] for column in order], "average", box=SIMPLE_HEAD)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in order:
        cells = [_estimate_text(standings.cross, (row, column)) for column in order]
        table.add_row(names[row], *cells, _estimate_text(standings.average, (row,)))
    return table


def _rankings(standings: Standings) -> Table:
    headings = [
        "",
        "average",
        "bankroll",
        "95 %",
        "probability",
        "run-off",
        "95 %",
        "probability",
    ]
    table, names = Table(*headings, box=SIMPLE_HEAD), standings.plan.names
    for entrant in _order(standings):
        cells = [
            *_rank_texts(standings.total_bankroll, entrant),
            *_rank_texts(standings.run_off, entrant),
        ]
        table.add_row(names[entrant], _estimate_text(standings.average, (entrant,)), *cells)
    return table


def _rank_texts(ranking: Ranking, entrant: int) -> tuple[str, str, str]:
    """Return the rank, its range, and every rank that is not unlikely with its probability."""
    distribution = ranking.distribution
    low, high = distribution.lowest[entrant], distribution.highest[entrant]
    likely = [
        f"{rank}: {100 * probability:.0f} %"
        for rank, probability in enumerate(distribution.probabilities[entrant], start=1)
        if probability >= UNLIKELY
    ]
    is_tied = (ranking.ranks == ranking.ranks[entrant]).sum() > 1
    return (
        f"{ranking.ranks[entrant]}{' tied' if is_tied else ''}",
        str(low) if low == high else f"{low} to {high}",
        ", ".join(likely),
    )


def _print_table(table: Table, stream: TextIO) -> None:
    """Print *table* as wide as it is, also where nobody knows how wide the terminal is."""
    console = Console(file=stream, highlight=False, width=WIDEST)
    console.width = console.measure(table).maximum
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        print(line.rstrip(), file=stream)


def _print_missing(standings: Standings, stream: TextIO) -> None:
    missing = standings.missing
    if not missing:
        return
    print(f"not over yet: {len(missing)} of {len(standings.num_deals)} matches", file=stream)
    for match, num_deals in missing[:MOST_MISSING]:
        print(f"  {match.folder} lacks {num_deals} deals", file=stream)
    if len(missing) > MOST_MISSING:
        print(f"  and {len(missing) - MOST_MISSING} more", file=stream)


def write_csv(standings: Standings, stream: TextIO) -> None:
    """A row for each entrant: average, both rankings, and a pair of columns for each opponent."""
    rows = [_flat(record) for record in _records(standings)]
    writer = csv.DictWriter(stream, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _flat(record: Record) -> Record:
    flat = {name: record[name] for name in ("name", "strategy", "mean_mbb", "half_width_mbb")}
    for ranking in ("total_bankroll", "run_off"):
        flat |= {f"{ranking}_{key}": record[ranking][key] for key in ("rank", "lowest", "highest")}
    for name, estimate in record["against"].items():
        flat |= {f"{name}_{key}": value for key, value in estimate.items()}
    return flat


def write_json(standings: Standings, stream: TextIO) -> None:
    """One object with all there is."""
    plan = standings.plan
    found = {
        "game": plan.game_name,
        "num_deals_a_match": standings.num_deals_planned,
        "entrants": _records(standings),
        "matches": [
            {"folder": match.folder, "entrants": match.plan.names, "num_deals": num_deals}
            for match, num_deals in zip(plan.matches(), standings.num_deals, strict=True)
        ],
    }
    write_document(found, stream)


def _records(standings: Standings) -> list[Record]:
    names = standings.plan.names
    return [
        {
            "name": names[row],
            "strategy": standings.plan.strategies[row],
            **_estimate(standings.average, (row,)),
            "total_bankroll": _ranking(standings.total_bankroll, row),
            "run_off": _ranking(standings.run_off, row),
            "against": {
                names[column]: _estimate(standings.cross, (row, column))
                for column in _order(standings)
            },
        }
        for row in _order(standings)
    ]


def _ranking(ranking: Ranking, entrant: int) -> Record:
    return {
        "rank": int(ranking.ranks[entrant]),
        "lowest": int(ranking.distribution.lowest[entrant]),
        "highest": int(ranking.distribution.highest[entrant]),
        "probabilities": ranking.distribution.probabilities[entrant].tolist(),
    }


def _estimate(estimates: Estimates, place: tuple[int, ...]) -> Record:
    values = {
        "mean_mbb": estimates.mean_mbb[place],
        "half_width_mbb": estimates.half_width_mbb[place],
    }
    return {name: float(value) if math.isfinite(value) else None for name, value in values.items()}


def _estimate_text(estimates: Estimates, place: tuple[int, ...]) -> str:
    """Return an estimate; tenths of a mbb are left out where the interval is far wider."""
    mean, half_width = estimates.mean_mbb[place], estimates.half_width_mbb[place]
    if math.isnan(mean):
        return "–"
    found = estimates.half_width_mbb[np.isfinite(estimates.half_width_mbb)]
    digits = 0 if found.min(initial=np.inf) >= WIDE_HALF_WIDTH else 1
    return f"{mean:+.{digits}f} ± {half_width:.{digits}f}"


def _order(standings: Standings) -> list[int]:
    """The entrants, the best average first; those who have not played come last."""
    order: list[int] = np.argsort(-standings.average.mean_mbb, kind="stable").tolist()
    return order


FORMATS: dict[str, Callable[[Standings, TextIO], None]] = {
    TEXT: write_text,
    "csv": write_csv,
    "json": write_json,
}
