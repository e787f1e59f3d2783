"""``acpcbot match A B ...``: a match, its logs in one folder, its score at the end."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from acpcbot.cli.output import add_json_argument, write_json
from acpcbot.cli.phases import phase, start_phase
from acpcbot.matches.match_files import lock_folder
from acpcbot.matches.plan import MatchPlan

if TYPE_CHECKING:
    from acpcbot.matches.score import EntrantScore


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the entrants, the length of the match, and the folder of its logs."""
    parser.add_argument(
        "strategies", nargs="*", metavar="STRATEGY", help=f"one a seat: {STRATEGIES_HELP}"
    )
    add_terms(parser)
    parser.add_argument(
        "--duplicate", action="store_true", help="play the same cards in every order of seats"
    )
    add_running(parser, MatchPlan.KIND)
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play and print the score; tables that failed are told of and can be gone on with."""
    with start_phase("looking for the strategies"):
        from acpcbot.net.players import verify_players
        from acpcbot.net.worker_pool import tasks_of

        folder, plan = find_plan(MatchPlan, arguments, is_duplicate=arguments.duplicate)
        plan.verify()
        doors = doors_of(arguments, plan)
        verify_players(plan, doors)
        verify_cluster(arguments, plan)
    plan.save(folder)
    with lock_folder(folder):
        reports = play_tables(plan, tasks_of(plan, folder), folder, arguments, doors)
    with phase("reading the logs"):
        from acpcbot.matches.score import (
            score_match,
        )  # only now: its readers of logs are no part of a refusal

        scores = score_match(plan, folder)
    if arguments.json:
        write_json(_document(plan, folder, scores))
    elif scores[0].num_hands:
        _print_scores(plan, folder, scores)
    return report_faults(plan, reports, folder)


def _document(plan: MatchPlan, folder: Path, scores: list[EntrantScore]) -> dict[str, Any]:
    """Return the score as ``--json`` prints it; without hands means are null."""
    return {
        "game": plan.game_name,
        "is_duplicate": plan.is_duplicate,
        "num_hands": scores[0].num_hands,
        "folder": folder,
        "entrants": [
            {"strategy": strategy, **asdict(score)}
            for strategy, score in zip(plan.strategies, scores, strict=True)
        ],
    }


def _print_scores(plan: MatchPlan, folder: Path, scores: list[EntrantScore]) -> None:
    kind = "duplicate match" if plan.is_duplicate else "match"
    print(f"{kind} of {plan.game_name}, {scores[0].num_hands} hands")
    width = max(len(score.name) for score in scores)
    for score in scores:
        result = f"{score.mean_mbb:+10.1f} ± {score.half_width_mbb:.1f} mbb/hand"
        print(f"  {score.name:{width}} {result}  ({score.chips:+g} chips)")
    print(f"± is a 95 % confidence interval; logs in {folder}")
