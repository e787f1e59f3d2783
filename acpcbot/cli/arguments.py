"""Arguments that several verbs share."""

from __future__ import annotations

import argparse

from acpcbot.net.journal import LEVELS, Journal, open_journal
from acpcbot.net.reply_clock import ReplyLimits
from acpcbot.poker.shipped import SHIPPED_NAMES

GAME_HELP = f"a game definition file or a shipped game: {', '.join(SHIPPED_NAMES)}"


def add_client_arguments(parser: argparse.ArgumentParser) -> None:
    """What a client must know that the protocol does not tell it."""
    parser.add_argument("--game", required=True, metavar="GAME", help=f"{GAME_HELP} (the protocol does not name it)")
    parser.add_argument("--seed", type=int, default=0, help="the agent's seed [0]")
    parser.add_argument(
        "--connect-timeout", type=float, default=30.0, metavar="S", help="seconds to find the dealer [30]"
    )
    defaults = ReplyLimits()
    for name, meaning in (("response", "one reply"), ("hand", "one hand"), ("per_hand", "a hand on average")):
        default = getattr(defaults, f"{name}_s")
        parser.add_argument(
            f"--{name.replace('_', '-')}-s",
            type=float,
            default=default,
            metavar="S",
            help=f"the dealer's limit for {meaning}, in seconds [{default:g}]",
        )
    add_journal_arguments(parser)


def add_journal_arguments(parser: argparse.ArgumentParser) -> None:
    """How to log."""
    parser.add_argument("--log-level", choices=LEVELS, default="info", help="what to log; debug shows every line")
    parser.add_argument("--log-format", choices=("auto", "json", "text"), default="auto", help="[text on a terminal]")


def limits_of(arguments: argparse.Namespace) -> ReplyLimits:
    """The dealer's limits as the command line gives them."""
    return ReplyLimits(arguments.response_s, arguments.hand_s, arguments.per_hand_s)


def journal_of(arguments: argparse.Namespace) -> Journal:
    """The logger that the command line asks for."""
    as_json = {"auto": None, "json": True, "text": False}[arguments.log_format]
    return open_journal(level=arguments.log_level, as_json=as_json)
