"""``acpcbot tournament``: a round robin between strategies, its cross table and rankings."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from acpcbot.cli.phases import phase
from acpcbot.cli.playing import (
    STRATEGIES_HELP,
    add_running,
    add_terms,
    doors_of,
    find_plan,
    play_tables,
    report_faults,
)
from acpcbot.cli.standings_text import FORMATS, TEXT
from acpcbot.errors import UsageError
from acpcbot.evaluation.standings import read_standings
from acpcbot.matches.match_files import lock_folder
from acpcbot.matches.tournament import TournamentPlan
from acpcbot.net.crew import TableTask, tasks_of
from acpcbot.net.players import verify_players

NUM_RESAMPLES = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs ``run`` and ``show``."""
    verbs = parser.add_subparsers(dest="tournament_verb", metavar="VERB", required=True)
    run_verb = verbs.add_parser("run", help="play a duplicate round robin, or go on with one, and show how it stands")
    run_verb.add_argument("strategies", nargs="*", metavar="STRATEGY", help=f"one an entrant: {STRATEGIES_HELP}")
    add_terms(run_verb)
    add_running(run_verb, TournamentPlan.KIND)
    show = verbs.add_parser("show", help="show how a tournament stands, running ones too: cross table and rankings")
    show.add_argument("folder", type=Path, metavar="FOLDER", help="where the tournament is kept")
    for verb in (run_verb, show):
        _add_view(verb)


def _add_view(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=FORMATS, default=TEXT, help=f"how to print [{TEXT}]")
    parser.add_argument(
        "--resamples", type=int, default=NUM_RESAMPLES, help=f"how often ranks are resampled [{NUM_RESAMPLES}]"
    )
    parser.add_argument("--resample-seed", type=int, default=0, metavar="SEED", help="seed of the resampling [0]")


def run(arguments: argparse.Namespace) -> int:
    """Play or show; tables that failed are told of and can be gone on with."""
    if arguments.resamples < 1 or arguments.resample_seed < 0:
        raise UsageError("--resamples must be at least 1, --resample-seed not negative", "leave them out to begin")
    if arguments.tournament_verb == "run":
        return _run(arguments)
    _show(TournamentPlan.load(arguments.folder), arguments.folder, arguments)
    return 0


def _run(arguments: argparse.Namespace) -> int:
    with phase("looking for the strategies", in_files=False):
        folder, plan = find_plan(TournamentPlan, arguments, is_duplicate=True)
        plan.verify()
        doors = doors_of(arguments, plan)
        verify_players(plan, doors)
    plan.save(folder)
    with lock_folder(folder):
        reports = play_tables(plan, _tasks(plan, folder), folder, num_workers=arguments.jobs, doors=doors)
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
