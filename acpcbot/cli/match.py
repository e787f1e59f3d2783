"""``acpcbot match A B ...``: a match between strategies, its logs in one folder, its score at the end."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from acpcbot.agents.registry import verify_name
from acpcbot.cli.arguments import GAME_HELP
from acpcbot.cli.bars import make_bars, new_bar
from acpcbot.errors import UsageError
from acpcbot.matches.match_files import lock_folder
from acpcbot.matches.plan import MatchPlan, load_plan
from acpcbot.matches.score import EntrantScore, score_match
from acpcbot.net.match_runner import TableReport, is_program, run_match
from acpcbot.poker.definition import format_definition
from acpcbot.poker.shipped import find_definition

DEFAULT_GAME = "holdem.limit.2p.reverse_blinds"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Who plays what, how long, and where it is kept."""
    parser.add_argument(
        "strategies",
        nargs="*",
        metavar="STRATEGY",
        help="one a seat: an agent, a trained strategy's folder, module:Class, or a program that takes HOST PORT",
    )
    parser.add_argument("--game", default=DEFAULT_GAME, help=f"{GAME_HELP} [{DEFAULT_GAME}]")
    parser.add_argument("--hands", type=int, default=1000, help="hands at each table [1000]")
    parser.add_argument("--seed", type=int, default=0, help="seed of the cards and the agents [0]")
    parser.add_argument("--seeds", type=int, default=1, help="play this many seeds, from --seed up [1]")
    parser.add_argument("--duplicate", action="store_true", help="play the same cards in every order of seats")
    parser.add_argument("--in-process", action="store_true", help="call the agents directly instead of over sockets")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="tables played at a time [one a core]")
    parser.add_argument("-o", "--output", type=Path, help="a new folder for the logs [matches/<time>]")
    parser.add_argument("--resume", type=Path, metavar="FOLDER", help="go on with the match in this folder")


def run(arguments: argparse.Namespace) -> int:
    """Play and print the score; tables that failed are told of and can be gone on with."""
    folder = arguments.resume or _new_folder(arguments)
    plan = load_plan(folder) if arguments.resume else _plan(arguments)
    _verify(plan)
    plan.save(folder)
    with lock_folder(folder):
        reports = _play(plan, folder, max(1, arguments.jobs))
    scores = score_match(plan, folder)
    if scores[0].num_hands:
        _print_scores(plan, folder, scores)
    return _report_faults(reports, folder)


def _plan(arguments: argparse.Namespace) -> MatchPlan:
    if not arguments.strategies:
        raise UsageError("no strategies to play", "name one for each seat, as in: acpcbot match tight call")
    if arguments.hands < 1 or arguments.seeds < 1 or not 0 <= arguments.seed < 2**32:
        raise UsageError("--hands and --seeds must be at least 1, --seed a 32-bit number", "leave them out to begin")
    name, definition = find_definition(arguments.game)
    return MatchPlan(
        strategies=tuple(arguments.strategies),
        game_name=name,
        game_text=format_definition(definition),
        num_hands=arguments.hands,
        seed=arguments.seed,
        num_seeds=arguments.seeds,
        is_duplicate=arguments.duplicate,
        is_in_process=arguments.in_process,
    )


def _verify(plan: MatchPlan) -> None:
    """Refuse before anything is played what could not be played."""
    plan.verify()
    if "human" in plan.strategies:
        hint = "start a dealer with acpcbot deal and take a seat with acpcbot play human HOST PORT --game GAME"
        raise UsageError("a human cannot sit at tables that other processes play", hint)
    for strategy in plan.strategies:
        if is_program(strategy):
            if plan.is_in_process:
                raise UsageError(f"{strategy} is a program", "programs play over sockets: leave --in-process out")
        else:
            verify_name(strategy, plan.definition)


def _new_folder(arguments: argparse.Namespace) -> Path:
    folder: Path = arguments.output or Path("matches") / datetime.now().strftime("%Y-%m-%d-%H%M%S")
    if (folder / "match.json").exists():
        raise UsageError(f"{folder} holds a match already", f"go on with it: acpcbot match --resume {folder}")
    return folder


def _play(plan: MatchPlan, folder: Path, num_workers: int) -> list[TableReport]:
    total = len(plan.tables()) * plan.num_hands
    with make_bars() as bars:
        advance = new_bar(bars, " ".join(plan.names))
        return _run(plan, folder, num_workers, lambda done: advance(done, total))


def _run(plan: MatchPlan, folder: Path, num_workers: int, show: Callable[[int], None]) -> list[TableReport]:
    try:
        return run_match(plan, folder, num_workers=num_workers, on_progress=show)
    except KeyboardInterrupt:
        print(f"\nevery finished hand is kept; go on with: acpcbot match --resume {folder}", file=sys.stderr)
        raise


def _print_scores(plan: MatchPlan, folder: Path, scores: list[EntrantScore]) -> None:
    kind = "duplicate match" if plan.is_duplicate else "match"
    print(f"{kind} of {plan.game_name}, {scores[0].num_hands} hands")
    width = max(len(score.name) for score in scores)
    for score in scores:
        result = f"{score.mean_mbb:+10.1f} ± {score.half_width_mbb:.1f} mbb/hand"
        print(f"  {score.name:{width}} {result}  ({score.chips:+g} chips)")
    print(f"± is a 95 % confidence interval; logs in {folder}")


def _report_faults(reports: list[TableReport], folder: Path) -> int:
    num_fallbacks = sum(report.num_fallbacks for report in reports)
    if num_fallbacks:
        print(f"{num_fallbacks} decisions were made by the fallback; see {folder / 'clients.log'}", file=sys.stderr)
    faults = [report for report in reports if report.fault]
    for report in faults:
        print(f"error: {report.table}: {report.fault}", file=sys.stderr)
    if faults:
        print(f"\nhint: go on with acpcbot match --resume {folder}", file=sys.stderr)
    return 1 if faults else 0
