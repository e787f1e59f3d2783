"""Arguments that several verbs share."""

from __future__ import annotations

import argparse
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path

from acpcbot.cli.game_arguments import add_game_arguments
from acpcbot.net.journal import LEVELS, Journal, open_journal
from acpcbot.net.reply_clock import ReplyLimits

LIMITS = {
    "response": "one reply, in seconds [600]",
    "hand": "one hand, in seconds [600]",
    "per_hand": "a hand on average, in seconds [7; for a human 600]",
}


def add_client_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what a client must be told because the protocol does not say it."""
    add_game_arguments(parser, more=" (the protocol does not name it)", required=True)
    parser.add_argument("--seed", type=int, default=0, help="the agent's seed")
    parser.add_argument(
        "--connect-timeout",
        type=float,
        default=30.0,
        metavar="S",
        help="seconds to find the dealer",
    )
    add_limit_arguments(parser)
    add_journal_arguments(parser)


def add_limit_arguments(parser: argparse.ArgumentParser) -> None:
    """The dealer's limits, which the protocol does not tell either."""
    for name, meaning in LIMITS.items():
        parser.add_argument(
            limit_option(name), type=float, metavar="S", help=f"the dealer's limit for {meaning}"
        )


def limit_option(name: str) -> str:
    """Return the option of the command line for the limit *name*."""
    return f"--{name.replace('_', '-')}-s"


def port_number(text: str) -> int:
    """The port that *text* names."""
    port = int(text)
    if not 0 < port < 65_536:
        raise argparse.ArgumentTypeError(f"{port} is no port: it must be from 1 to 65535")
    return port


def add_journal_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the level and the format of the log."""
    parser.add_argument(
        "--log-level", choices=LEVELS, default="info", help="what to log; debug shows every line"
    )
    parser.add_argument(
        "--log-format",
        choices=("auto", "json", "text"),
        default="auto",
        help="[text on a terminal]",
    )


def limits_of(arguments: argparse.Namespace) -> ReplyLimits:
    """The dealer's limits as the command line gives them.

    A human is not held to an average unless it says so.
    """
    defaults = ReplyLimits(per_hand_s=600.0) if arguments.strategy == "human" else ReplyLimits()
    return replace(
        defaults, **{f"{name}_s": value for name, value in given_limits(arguments).items()}
    )


def given_limits(arguments: argparse.Namespace) -> dict[str, float]:
    """The limits that the command line names, in seconds."""
    values = {name: getattr(arguments, f"{name}_s") for name in LIMITS}
    return {name: value for name, value in values.items() if value is not None}


def journal_of(arguments: argparse.Namespace) -> Journal:
    """The logger that the command line asks for."""
    as_json = {"auto": None, "json": True, "text": False}[arguments.log_format]
    return open_journal(level=arguments.log_level, as_json=as_json)


def new_folder(home: Path) -> Path:
    """Return a new folder below *home*, named after the time.

    Several of one second are numbered.
    """
    path = home / datetime.now().strftime("%Y-%m-%d-%H%M%S")
    numbered = (path.with_name(f"{path.name}-{number}") for number in count(2))
    return path if not path.exists() else next(other for other in numbered if not other.exists())
