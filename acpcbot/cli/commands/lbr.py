"""``acpcbot lbr STRATEGY``: what local best response wins from a two-player hold'em strategy."""

from __future__ import annotations

import argparse
import os
import sys
from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING

from acpcbot.cli.game_arguments import add_game_arguments, stacked
from acpcbot.cli.output import add_json_argument, write_json
from acpcbot.cli.phases import phase, start_phase
from acpcbot.cli.status_line import duration_text
from acpcbot.cli.worker_options import add_kept_argument, add_worker_arguments, asked_workers
from acpcbot.errors import UsageError
from acpcbot.evaluation.exploitability.lbr_menus import MENUS
from acpcbot.poker.shipped import find_definition
from acpcbot.search.names import game_of

if TYPE_CHECKING:
    from acpcbot.matches.score import EntrantScore

DEFAULT_GAME = "holdem.limit.2p.reverse_blinds"
WANTED_MBB = 50.0
"""The half of an interval for which the way is told that is left."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the strategy, the responder's bets, and how much is played."""
    parser.add_argument(
        "strategy", metavar="STRATEGY", help="a trained folder, or call, fold, raise, random, tight"
    )
    add_game_arguments(parser, f"a trained strategy's own, else {DEFAULT_GAME}")
    parser.add_argument(
        "--menu",
        default="limit",
        help=f"what it may bet: {', '.join(MENUS)}, or the bets of four streets as in"
        " call/call/0.1,0.4,all-in/, where it always calls on two and bets on one",
    )
    parser.add_argument("--deals", type=int, default=2000, help="each is played in both seats")
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the cards and of the strategy's actions"
    )
    add_worker_arguments(parser, "processes; the result is the same [one a core]")
    add_kept_argument(parser, "blocks of 50 deals")
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play local best response against the strategy and print the win rate."""
    if arguments.deals < 1 or not 0 <= arguments.seed < 2**32:
        raise UsageError(
            "--deals must be at least 1, --seed a 32-bit number", "omit them to use the defaults"
        )
    jobs = os.cpu_count() or 1
    workers = asked_workers(arguments, jobs)
    with start_phase("starting lbr"):
        # Only now: help and refused options need no arrays.
        from acpcbot.cli.progress_bars import make_bars, new_bar
        from acpcbot.cluster.local import LocalProcesses
        from acpcbot.evaluation.exploitability.lbr_match import (
            LbrMatch,
            LbrWork,
            deal_blocks,
            kept_blocks,
            play_lbr_match,
            play_match,
        )
    own = game_of(arguments.strategy) if arguments.game is None else None
    name, definition = stacked(arguments, own or find_definition(arguments.game or DEFAULT_GAME))
    contest = LbrMatch(definition, arguments.strategy, arguments.menu)
    with make_bars(in_files=False) as bars, phase(f"playing against {arguments.strategy}"):
        # Card tables are made here once, before several processes would.
        seats = contest.players(new_bar(bars, "card tables"))
        start, on_deal = monotonic(), new_bar(bars, "deals")
        kept = None
        if arguments.run_dir is not None:
            kept = kept_blocks(LbrWork(contest, arguments.seed), arguments.run_dir)
        blocks = deal_blocks(arguments.deals)
        left = blocks if kept is None else kept.left(blocks)
        if workers == LocalProcesses(1) and kept is None:
            won = play_match(seats, arguments.deals, arguments.seed, on_deal)
        else:
            del seats
            won = play_lbr_match(
                contest, arguments.deals, arguments.seed, jobs, on_deal,
                workers=workers, kept=kept,
            )  # fmt: skip
        seconds = monotonic() - start
    if arguments.json:
        write_json(_document(arguments, name, won, seconds))
        return 0
    print(f"{name}, {arguments.deals} deals in both seats")
    result = f"{won.mean_mbb:+.1f} ± {won.half_width_mbb:.1f} mbb/hand"
    print(f"  {won.name} ({arguments.menu}) against {arguments.strategy}: {result}")
    print("± is a 95 % confidence interval; a best response wins at least as much")
    num_played = sum(end - first for first, end in left)
    _print_effort(arguments.deals, won.half_width_mbb, seconds, num_played)
    return 0


def _document(
    arguments: argparse.Namespace, name: str, won: EntrantScore, seconds: float
) -> dict[str, object]:
    return {
        "game": name,
        "strategy": arguments.strategy,
        "menu": arguments.menu,
        "num_deals": arguments.deals,
        "mean_mbb": won.mean_mbb,
        "half_width_mbb": won.half_width_mbb,
        "seconds": seconds,
    }


def _print_effort(num_deals: int, half_width_mbb: float, seconds: float, num_played: int) -> None:
    """Print the time that *num_played* deals took, and the deals that a narrow interval would take.

    A single deal tells nothing of that.
    """
    from acpcbot.matches.score import deals_needed

    took = f"{num_played:,} deals in {duration_text(seconds)}"
    if isfinite(half_width_mbb):
        needed = deals_needed(num_deals, half_width_mbb, WANTED_MBB)
        print(f"± {WANTED_MBB:g} mbb/hand takes about {needed:,} deals")
        if num_played:
            took = f"{took}, {needed:,} in about {duration_text(seconds / num_played * needed)}"
    print(took, file=sys.stderr)
