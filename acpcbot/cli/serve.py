"""``acpcbot serve bots.toml``: keep many bots at many dealers in one process."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from acpcbot.agents.registry import make_agent, verify_name
from acpcbot.cli.arguments import add_journal_arguments, journal_of
from acpcbot.net.bot_config import BotConfig, load_bots
from acpcbot.net.loop import run as run_loop
from acpcbot.net.serve import Seat, serve
from acpcbot.poker.shipped import find_definition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file that lists the bots."""
    parser.add_argument("bots", type=Path, metavar="BOTS.TOML", help="one [[bot]] table for each bot")
    add_journal_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check every bot first, then keep them playing."""
    seats = [_seat(bot) for bot in load_bots(arguments.bots)]
    journal = journal_of(arguments)
    journal.info("serving", bots=len(seats))
    run_loop(serve(seats, journal))
    return 0


def _seat(bot: BotConfig) -> Seat:
    definition = find_definition(bot.game)[1]
    verify_name(bot.strategy, definition)
    return bot, definition, partial(make_agent, bot.strategy, definition, bot.seed)
