"""``acpcbot table [STRATEGY ...]``: web pages to play strategies, watch matches and solve spots."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path

from acpcbot.cli.arguments import add_journal_arguments, journal_of, new_folder
from acpcbot.cli.game_arguments import add_game_arguments, named_game
from acpcbot.errors import UsageError
from acpcbot.web.table_settings import (
    DEFAULT_AWAY_S,
    DEFAULT_GUEST_TABLES,
    DEFAULT_IDLE_MIN,
    DEFAULT_TABLES,
    HUMAN,
    TableOptions,
    TableSettings,
)

HOME = "tables"
DEFAULT_PORT = 8300
DEFAULT_HANDS = 3000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the strategies to play, the logs to watch, and the limits on guests."""
    _add_game_arguments(parser)
    _add_server_arguments(parser)
    _add_limit_arguments(parser)
    parser.add_argument(
        "--values",
        metavar="STRATEGY",
        help="a trained folder of --game whose self-play tells what hands "
        "are worth, to take the luck out of results"
        " [in hold'em their strength, in small games a trained strategy that is offered]",
    )
    parser.add_argument(
        "-o", "--output", type=Path, help=f"the folder for the logs [{HOME}/<time>]"
    )
    add_journal_arguments(parser)


def _add_game_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "strategies",
        nargs="*",
        metavar="STRATEGY",
        help="those that may be played, by any name that matches know: "
        "these alone are offered [all that are found]",
    )
    add_game_arguments(parser, "all shipped games are offered")
    parser.add_argument(
        "--watch",
        type=Path,
        action="append",
        default=[],
        metavar="PATH",
        help="a match log, the folder of a match or a tournament, or a folder of some: to watch as they"
        " grow and to replay; again for more",
    )


def _add_server_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host",
        help="where to listen for others; they need the token in the address [this machine]",
    )
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="0 for any that is free")
    parser.add_argument("--hands", type=int, default=DEFAULT_HANDS, help="hands in a match at most")
    parser.add_argument(
        "--seed", type=int, help="of the cards and the bots; each table takes the next [drawn]"
    )


def _add_limit_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tables", type=int, default=DEFAULT_TABLES, help="played at a time")
    parser.add_argument(
        "--guest-tables",
        type=int,
        default=DEFAULT_GUEST_TABLES,
        metavar="N",
        help="played at a time by one guest, which is a browser",
    )
    parser.add_argument(
        "--idle",
        type=float,
        default=DEFAULT_IDLE_MIN,
        metavar="MINUTES",
        help="end a table where nobody has played for so long",
    )
    parser.add_argument(
        "--away",
        type=float,
        default=DEFAULT_AWAY_S,
        metavar="SECONDS",
        help="end a table whose browser has gone for so long",
    )


def run(arguments: argparse.Namespace) -> int:
    """Check what can be checked at once, and serve until told to stop.

    Strategies are loaded meanwhile.
    """
    _verify(arguments)
    try:
        from acpcbot.web.startup import open_table
    except ModuleNotFoundError as error:
        if error.name != "aiohttp":
            raise
        raise UsageError(
            "the table needs aiohttp",
            "./dev table in a clone; elsewhere: pip install 'aiohttp>=3.14.3'",
        ) from None
    options = TableOptions(
        game=named_game(arguments),
        strategies=tuple(arguments.strategies),
        watched=tuple(arguments.watch),
        values=arguments.values,
        tables=TableSettings(
            folder=arguments.output or new_folder(Path(HOME)),
            num_hands=arguments.hands,
            seed=secrets.randbits(32) if arguments.seed is None else arguments.seed,
            most_tables=arguments.tables,
            idle_s=60 * arguments.idle,
            most_guest_tables=arguments.guest_tables,
            away_s=arguments.away,
        ),
    )
    open_table(options, arguments.host, arguments.port, journal_of(arguments))
    return 0


def _verify(arguments: argparse.Namespace) -> None:
    if arguments.strategies and not arguments.game:
        raise UsageError("strategies are named and no game", "name it too: --game leduc.limit.2p")
    if arguments.values and not arguments.game:
        raise UsageError("--values is for one game", "name it too: --game leduc.limit.2p")
    if min(arguments.hands, arguments.tables, arguments.guest_tables) < 1:
        raise UsageError(
            "--hands, --tables and --guest-tables must be at least 1",
            "omit them to use the defaults",
        )
    if not (arguments.idle > 0 and arguments.away > 0):
        raise UsageError("--idle and --away must be above 0", "omit them to use the defaults")
    if HUMAN in arguments.strategies:
        raise UsageError("the person sits at the page", "name the strategies to play against")
    if not 0 <= arguments.port < 65_536 or not 0 <= (arguments.seed or 0) < 2**32:
        raise UsageError(
            "--port is from 0 to 65535, --seed a 32-bit number", "omit them to use the defaults"
        )
    for path in arguments.watch:
        if not path.exists():
            raise UsageError(
                f"nothing to watch at {path}", "name a log or a folder, where a match has begun"
            )
