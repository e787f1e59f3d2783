"""``acpcbot evaluate``: how good a player was, without the luck, and how much can be won from a
strategy.
"""

from __future__ import annotations

import argparse
import importlib
import os
from pathlib import Path
from typing import TypeAlias

from acpcbot.cli.game_arguments import add_game_arguments
from acpcbot.cli.known_arguments import add_known_arguments
from acpcbot.cli.phases import phase
from acpcbot.evaluation.exploitability.lbr_menus import MENUS

DEFAULT_GAME = "holdem.limit.2p.reverse_blinds"
_Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs ``match``, ``exact`` and ``lbr``."""
    verbs = parser.add_subparsers(dest="evaluate_verb", metavar="VERB", required=True)
    match = verbs.add_parser(
        "match", help="what players won, by every estimator that the knowledge at hand allows"
    )
    match.add_argument(
        "logs", nargs="+", type=Path, metavar="LOG", help="match logs, or the folder of a match"
    )
    add_game_arguments(match, "what the logs say")
    match.add_argument(
        "--player",
        action="append",
        metavar="NAME",
        help="whose result, and again for more [everybody]",
    )
    add_known_arguments(match)
    _add_exact(verbs)
    _add_lbr(verbs)


def _add_exact(verbs: _Verbs) -> None:
    parser = verbs.add_parser(
        "exact", help="what a best response wins from a strategy, exactly, where that can be done"
    )
    parser.add_argument(
        "strategy", metavar="STRATEGY", help="a trained folder, or call, fold, raise, random"
    )
    add_game_arguments(parser, "the strategy's own")
    parser.add_argument(
        "--betting",
        default="",
        metavar="TEXT",
        help="begin after this betting, as in cc/r20c [the start]",
    )
    parser.add_argument(
        "--board", default="", metavar="CARDS", help="with these board cards, as in KsTd9h"
    )
    parser.add_argument(
        "--bets",
        metavar="SIZES",
        help="what may be bet in no-limit games, as in 0.5,1,all-in;1,all-in [the strategy's]",
    )
    parser.add_argument(
        "--inside",
        action="store_true",
        help="the responder sees no more than the strategy's own buckets",
    )
    parser.add_argument(
        "--threads", type=int, default=os.cpu_count() or 1, help="[as many as there are cores]"
    )


def _add_lbr(verbs: _Verbs) -> None:
    lbr = verbs.add_parser(
        "lbr", help="what local best response wins from a strategy of two-player hold'em"
    )
    lbr.add_argument(
        "strategy", metavar="STRATEGY", help="a trained folder, or call, fold, raise, random"
    )
    add_game_arguments(lbr, f"a trained strategy's own, else {DEFAULT_GAME}")
    lbr.add_argument("--menu", default="limit", help=f"what it may bet: {', '.join(MENUS)} [limit]")
    lbr.add_argument("--deals", type=int, default=2000, help="each is played in both seats [2000]")
    lbr.add_argument(
        "--seed", type=int, default=0, help="seed of the cards and of the strategy's actions [0]"
    )
    lbr.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        help="processes; the result is the same [one a core]",
    )


def run(arguments: argparse.Namespace) -> int:
    """Carry out the verb, each in a module of its own: they need little of one another's."""
    with phase(f"starting evaluate {arguments.evaluate_verb}", in_files=False):
        verb = importlib.import_module(f"acpcbot.cli.commands.evaluate_{arguments.evaluate_verb}")
    result: int = verb.run(arguments)
    return result
