"""``acpcbot evaluate``: how good a player was, without the luck, and how much can be won from a strategy."""

from __future__ import annotations

import argparse
import os
import sys
from math import isfinite
from pathlib import Path
from time import monotonic

from acpcbot.cli import evaluate_exact
from acpcbot.cli.arguments import GAME_HELP
from acpcbot.cli.bars import make_bars, new_bar, watched
from acpcbot.cli.durations import duration_text
from acpcbot.cli.known_match import KnownMatch, add_known_arguments
from acpcbot.cli.known_players import known_names
from acpcbot.errors import UsageError
from acpcbot.evaluation.estimates import Estimate
from acpcbot.evaluation.lbr_match import Contest, play_contest, play_match
from acpcbot.evaluation.local_best_response import MENUS
from acpcbot.matches.score import deals_needed
from acpcbot.poker.shipped import find_definition
from acpcbot.reports.hands import read_hands
from acpcbot.reports.sources import find_logs
from acpcbot.search.names import game_of

WANTED_MBB = 50.0
"""The half of an interval for which the way is told that is left."""
DEFAULT_GAME = "holdem.limit.2p.reverse_blinds"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs ``match``, ``exact`` and ``lbr``."""
    verbs = parser.add_subparsers(dest="evaluate_verb", metavar="VERB", required=True)
    match = verbs.add_parser("match", help="what players won, by every estimator that the knowledge at hand allows")
    match.add_argument("logs", nargs="+", type=Path, metavar="LOG", help="match logs, or the folder of a match")
    match.add_argument("--game", metavar="GAME", help=f"{GAME_HELP} [what the logs say]")
    match.add_argument("--player", action="append", metavar="NAME", help="whose result, and again for more [everybody]")
    add_known_arguments(match)
    evaluate_exact.add_arguments(verbs)
    lbr = verbs.add_parser("lbr", help="what local best response wins from a strategy of two-player hold'em")
    lbr.add_argument("strategy", metavar="STRATEGY", help="a trained folder, or call, fold, raise, random")
    lbr.add_argument("--game", metavar="GAME", help=f"{GAME_HELP} [a trained strategy's own, else {DEFAULT_GAME}]")
    lbr.add_argument("--menu", default="limit", help=f"what it may bet: {', '.join(MENUS)} [limit]")
    lbr.add_argument("--deals", type=int, default=2000, help="each is played in both seats [2000]")
    lbr.add_argument("--seed", type=int, default=0, help="seed of the cards and of the strategy's actions [0]")
    lbr.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes; the result is the same [one a core]"
    )


def run(arguments: argparse.Namespace) -> int:
    """Carry out the verb."""
    verbs = {"match": _evaluate_match, "exact": evaluate_exact.run, "lbr": _respond}
    return verbs[arguments.evaluate_verb](arguments)


def _respond(arguments: argparse.Namespace) -> int:
    if arguments.deals < 1 or not 0 <= arguments.seed < 2**32:
        raise UsageError("--deals must be at least 1, --seed a 32-bit number", "leave them out to begin")
    if arguments.jobs < 1:
        raise UsageError("--jobs must be at least 1", "leave it out for one a core")
    own = game_of(arguments.strategy) if arguments.game is None else None
    name, definition = own or find_definition(arguments.game or DEFAULT_GAME)
    contest = Contest(definition, arguments.strategy, arguments.menu)
    with make_bars(in_files=False) as bars:
        # Card tables are made here once, before several processes would.
        seats = contest.seats(new_bar(bars, "card tables"))
        start, on_deal = monotonic(), new_bar(bars, "deals")
        if arguments.jobs == 1:
            won = play_match(seats, arguments.deals, arguments.seed, on_deal)
        else:
            won = play_contest(contest, arguments.deals, arguments.seed, arguments.jobs, on_deal)
        seconds = monotonic() - start
    print(f"{name}, {arguments.deals} deals in both seats")
    result = f"{won.mean_mbb:+.1f} ± {won.half_width_mbb:.1f} mbb/hand"
    print(f"  {won.name} ({arguments.menu}) against {arguments.strategy}: {result}")
    print("± is a 95 % confidence interval; a best response wins at least as much")
    _print_effort(arguments.deals, won.half_width_mbb, seconds)
    return 0


def _print_effort(num_deals: int, half_width_mbb: float, seconds: float) -> None:
    """How long the match took, and what a narrow interval would take; a single deal tells nothing of that."""
    took = f"{num_deals:,} deals in {duration_text(seconds)}"
    if isfinite(half_width_mbb):
        needed = deals_needed(num_deals, half_width_mbb, WANTED_MBB)
        print(f"± {WANTED_MBB:g} mbb/hand takes about {needed:,} deals")
        took = f"{took}, {needed:,} in about {duration_text(seconds / num_deals * needed)}"
    print(took, file=sys.stderr)


def _evaluate_match(arguments: argparse.Namespace) -> int:
    definition = find_definition(arguments.game)[1] if arguments.game else None
    logs, definition = find_logs(arguments.logs, definition)
    table = read_hands(logs, definition, watched)
    names = known_names(arguments.logs, arguments.known, table)
    with make_bars(in_files=False) as bars:
        match = KnownMatch(table, names, arguments.values, bars)
        found = {player: list(match.estimates(player)) for player in arguments.player or table.players}
    for player, estimates in found.items():
        _print(player, estimates)
    return 0


def _print(player: str, estimates: list[Estimate]) -> None:
    chips = estimates[0]
    kind = f", {chips.num_samples} deals of a duplicate match" if chips.num_samples < chips.num_hands else ""
    print(f"{player}, {chips.num_hands} hands{kind}")
    width = max(len(found.name) for found in estimates)
    for found in estimates:
        saved = f"{(chips.half_width_mbb / found.half_width_mbb) ** 2:8.1f}" if found.half_width_mbb else "       -"
        result = f"{found.mean_mbb:+10.1f} ± {found.half_width_mbb:.1f} mbb/hand"
        print(f"  {found.name:{width}} {result:>28}  {saved} x the hands")
