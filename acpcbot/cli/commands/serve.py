"""``acpcbot serve bots.toml``: keep many bots at many dealers in one process."""

from __future__ import annotations

import argparse
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path

from acpcbot.agents.registry import make_agent, verify_name
from acpcbot.cli.arguments import add_journal_arguments, journal_of, port_number
from acpcbot.cli.phases import start_phase
from acpcbot.errors import UsageError
from acpcbot.net.event_loop import on_termination
from acpcbot.net.event_loop import run as run_loop
from acpcbot.net.journal import Journal
from acpcbot.net.listening import LOOPBACK, listen
from acpcbot.net.monitoring import Pages, pages_of, status_server
from acpcbot.net.serve import BotConfig, BotSupervisor, Seat, load_bots
from acpcbot.poker.shipped import find_definition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file that lists the bots, and where to tell how they do."""
    parser.add_argument(
        "bots", type=Path, metavar="BOTS.TOML", help="one [[bot]] table for each bot"
    )
    parser.add_argument(
        "--metrics",
        type=_address,
        metavar="[HOST:]PORT",
        help="where to show /metrics, /live and /ready by HTTP; the host "
        f"is {LOOPBACK} unless given [nowhere]",
    )
    parser.add_argument(
        "--check", action="store_true", help="say what is wrong with the bots, and start nothing"
    )
    add_journal_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check everything first, then keep the bots playing until they are done or drained."""
    with start_phase("looking for the strategies"):
        seats = [_seat(bot) for bot in load_bots(arguments.bots)]
    if arguments.check:
        print(f"{arguments.bots}: {len(seats)} bots")
        return 0
    journal = journal_of(arguments)
    supervisor = BotSupervisor(seats, journal)
    tell = partial(journal.info, "serving", bots=len(seats))
    if arguments.metrics is None:
        run_loop(_serve(supervisor, tell))
    else:
        pages, listener = _pages(supervisor), _open(*arguments.metrics)
        run_loop(
            _serve_watched(
                supervisor, listener, pages, journal, partial(tell, metrics=_url(listener))
            )
        )
    return 0


async def _serve(supervisor: BotSupervisor, tell: Callable[[], None]) -> None:
    """Keep the bots playing; *tell* that they do once SIGTERM would find them."""
    with on_termination(supervisor.drain):
        tell()
        await supervisor.serve()


async def _serve_watched(
    supervisor: BotSupervisor,
    listener: socket.socket,
    pages: Pages,
    journal: Journal,
    tell: Callable[[], None],
) -> None:
    async with status_server(listener, pages, journal):
        await _serve(supervisor, tell)


def _seat(bot: BotConfig) -> Seat:
    definition = find_definition(bot.game)[1]
    verify_name(bot.strategy, definition)
    return bot, definition, partial(make_agent, bot.strategy, definition, bot.seed)


def _pages(supervisor: BotSupervisor) -> Pages:
    try:
        return pages_of(supervisor)
    except ModuleNotFoundError as error:
        hint = "./dev serve in a clone; elsewhere: pip install 'prometheus-client>=0.20'"
        raise UsageError(f"--metrics needs {error.name}", hint) from None


def _open(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except OSError as error:
        problem = f"cannot show metrics at {host} port {port}: {error.strerror or error}"
        raise UsageError(problem, "name another place with --metrics HOST:PORT") from None


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/metrics"


def _address(text: str) -> tuple[str, int]:
    """Host and port of *text*: ``9464``, ``0.0.0.0:9464``, ``[::1]:9464``.

    Port 0 is the system's choice.
    """
    host, colon, port = text.rpartition(":")
    if (colon and not host) or not port.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not [HOST:]PORT")
    return host.removeprefix("[").removesuffix("]") or LOOPBACK, 0 if port == "0" else port_number(
        port
    )
