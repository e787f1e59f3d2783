"""Options, folders, progress and closing notes that ``match`` and ``tournament`` share.

The dealer's time limits, by the names that they have there, for the verbs that play tables.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from acpcbot.cli.arguments import new_folder, port_number
from acpcbot.cli.compile_display import compile_display
from acpcbot.cli.game_arguments import add_game_arguments, choose_game, stacked
from acpcbot.cli.phases import start_phase
from acpcbot.cli.worker_options import asked_workers
from acpcbot.errors import UsageError
from acpcbot.matches.plan import Plan
from acpcbot.matches.settings import DEFAULT_HAND_MS, DEFAULT_PER_HAND_MS, DEFAULT_RESPONSE_MS
from acpcbot.net.listening import LOOPBACK
from acpcbot.net.players import PortOpened, RemotePorts, verify_player_name
from acpcbot.poker.definition import format_definition

if TYPE_CHECKING:
    from rich.console import Console

    from acpcbot.net.worker_pool import CompileNotice, TableReport, TableTask


LIMITS = {
    "response_ms": ("--t_response", f"the longest time for one reply [{DEFAULT_RESPONSE_MS}]"),
    "hand_ms": ("--t_hand", f"the longest time of a seat for one hand [{DEFAULT_HAND_MS}]"),
    "per_hand_ms": (
        "--t_per_hand",
        f"the longest time of a seat for a hand on average [{DEFAULT_PER_HAND_MS}]",
    ),
}
"""By the field of a plan: the dealer's option, and its meaning."""
LONGEST_START_S = 1e6
LONGEST_MS = 10**12
MILLI = 1000


def add_limits(parser: argparse.ArgumentParser) -> None:
    """The options, in milliseconds, and how long the start may take."""
    for field, (option, meaning) in LIMITS.items():
        help_text = f"as at acpcbot deal, in milliseconds: {meaning}"
        parser.add_argument(option, dest=field, type=int, metavar="MS", help=help_text)
    start = parser.add_mutually_exclusive_group()
    start.add_argument(
        "--start-timeout",
        dest="start_timeout_s",
        type=float,
        metavar="S",
        help="seconds to wait for entrants at a table [600 for remote "
        "ones, 60 for programs that are started here]",
    )
    start.add_argument(
        "--start_timeout",
        dest="start_timeout_ms",
        type=int,
        metavar="MS",
        help="the same as at acpcbot deal, in milliseconds; below 0 there is no end to it",
    )


def limit_fields(arguments: argparse.Namespace) -> dict[str, Any]:
    """The fields of a new plan that the command line sets; raises UsageError."""
    given = _given(arguments)
    for field, value in given.items():
        if abs(value) > LONGEST_MS:
            raise UsageError(
                f"{LIMITS[field][0]} {value}",
                f"at most {LONGEST_MS:,} milliseconds; below 0 is no limit",
            )
    if given and arguments.in_process:
        raise UsageError(
            "--in-process holds nobody to a time", f"leave it out, or {_options(given)}"
        )
    return {**given, "start_timeout_ms": _start_timeout_ms(arguments)}


def verify_resumed(arguments: argparse.Namespace) -> None:
    """Raise UsageError where a match that is gone on with is given limits: it keeps its own."""
    if given := _given(arguments):
        raise UsageError(
            f"a match that is gone on with keeps its time limits: {_options(given)}",
            "leave them out",
        )


def start_timeout_s(arguments: argparse.Namespace, plan: Plan) -> float | None:
    """Return the seconds to wait for entrants: of the command line, else of the *plan*.

    Raises UsageError.
    """
    given_ms = _start_timeout_ms(arguments)
    chosen_ms = plan.start_timeout_ms if given_ms is None else given_ms
    return None if chosen_ms is None else chosen_ms / MILLI


def _start_timeout_ms(arguments: argparse.Namespace) -> int | None:
    seconds: float | None = arguments.start_timeout_s
    milliseconds: int | None = arguments.start_timeout_ms
    if seconds is not None:
        if isnan(seconds) or not 0 <= seconds <= LONGEST_START_S:
            raise UsageError(
                f"--start-timeout must be from 0 to {LONGEST_START_S:g} seconds",
                "omit it to use the default",
            )
        return round(seconds * MILLI)
    if milliseconds is not None and abs(milliseconds) > LONGEST_START_S * MILLI:
        raise UsageError(
            f"--start_timeout {milliseconds}",
            f"at most {LONGEST_START_S * MILLI:,.0f} milliseconds",
        )
    return milliseconds


def _given(arguments: argparse.Namespace) -> dict[str, int]:
    values = {field: getattr(arguments, field) for field in LIMITS}
    return {field: value for field, value in values.items() if value is not None}


def _options(given: dict[str, int]) -> str:
    return ", ".join(LIMITS[field][0] for field in given)


STRATEGIES_HELP = (
    "an agent, a trained strategy's folder, module:Class, a program that takes HOST PORT, "
    "or remote:NAME, which connects by itself"
)
LONGEST_TITLE = 40
DOORS_FILE = "doors.log"
COMMANDS = {"match": "acpcbot match", "tournament": "acpcbot tournament run"}
HOMES = {"match": "matches", "tournament": "tournaments"}
"""Where plans of a kind lie unless somebody names a place."""

AnyPlan = TypeVar("AnyPlan", bound=Plan)


def add_terms(parser: argparse.ArgumentParser) -> None:
    """Add the game, the number of hands, and the seeds."""
    add_game_arguments(parser, "the one that trained strategies play")
    parser.add_argument("--hands", type=int, default=1000, help="hands at each table")
    parser.add_argument("--seed", type=int, default=0, help="seed of the cards and the agents")
    parser.add_argument("--seeds", type=int, default=1, help="play this many seeds, from --seed up")


def add_running(parser: argparse.ArgumentParser, kind: str) -> None:
    """Add the place and the manner in which a *kind* of plan is played."""
    parser.add_argument(
        "--in-process", action="store_true", help="call the agents directly instead of over sockets"
    )
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="tables played at a time [one a core]"
    )
    parser.add_argument(
        "--cluster",
        metavar="HOST:PORT",
        help="play the tables on the Ray cluster with this head, with --in-process [this machine]",
    )
    parser.add_argument(
        "-o", "--output", type=Path, help=f"a new folder for the logs [{HOMES[kind]}/<time>]"
    )
    parser.add_argument(
        "--resume", type=Path, metavar="FOLDER", help=f"go on with the {kind} in this folder"
    )
    parser.add_argument(
        "--host", default=LOOPBACK, help="where the dealer waits for remote entrants"
    )
    parser.add_argument(
        "--port",
        action="append",
        default=[],
        type=_named_port,
        metavar="NAME=PORT",
        help="the port of a remote entrant [another one at each table]",
    )
    add_limits(parser)


def _named_port(text: str) -> tuple[str, int]:
    name, equals, port = text.rpartition("=")
    if not (name and equals and port.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=PORT")
    return name, port_number(port)


def doors_of(arguments: argparse.Namespace, plan: Plan) -> RemotePorts:
    """Return the ports at which remote entrants of *plan* connect; raises UsageError."""
    twice = [
        name for name, count in Counter(name for name, _ in arguments.port).items() if count > 1
    ]
    if twice:
        raise UsageError(
            f"two ports for {', '.join(twice)}", "give --port NAME=PORT once for a name"
        )
    return RemotePorts(arguments.host, dict(arguments.port), start_timeout_s(arguments, plan))


def find_plan(
    kind: type[AnyPlan], arguments: argparse.Namespace, *, is_duplicate: bool
) -> tuple[Path, AnyPlan]:
    """The folder and what is played there, new or gone on with; raises UsageError."""
    if arguments.resume:
        verify_resumed(arguments)
        return arguments.resume, kind.load(arguments.resume)
    folder: Path = arguments.output or new_folder(Path(HOMES[kind.KIND]))
    if (folder / kind.FILE).exists():
        hint = f"go on with it: {COMMANDS[kind.KIND]} --resume {folder}"
        raise UsageError(f"{folder} holds a {kind.KIND} already", hint)
    return folder, _new_plan(kind, arguments, is_duplicate=is_duplicate)


def _new_plan(kind: type[AnyPlan], arguments: argparse.Namespace, *, is_duplicate: bool) -> AnyPlan:
    if not arguments.strategies:
        raise UsageError(
            "no strategies to play", "name some, as in: tight call --game leduc.limit.2p"
        )
    if arguments.hands < 1 or arguments.seeds < 1 or not 0 <= arguments.seed < 2**32:
        raise UsageError(
            "--hands and --seeds must be at least 1, --seed a 32-bit number",
            "omit them to use the defaults",
        )
    num_entrants = len(arguments.strategies)
    game = choose_game(
        arguments.game,
        arguments.strategies,
        lambda game: kind.has_room(game, num_entrants),
        verify_player_name,
    )
    name, definition = stacked(arguments, game)
    return kind(
        strategies=tuple(arguments.strategies),
        game_name=name,
        game_text=format_definition(definition),
        num_hands=arguments.hands,
        seed=arguments.seed,
        num_seeds=arguments.seeds,
        is_duplicate=is_duplicate,
        is_in_process=arguments.in_process,
        **limit_fields(arguments),
    )


def verify_cluster(arguments: argparse.Namespace, plan: Plan) -> None:
    """Raise UsageError where ``--cluster`` is asked for and cannot play *plan*."""
    if arguments.cluster is not None:
        from acpcbot.net.table_parts import verify_table_part

        verify_table_part(plan)
        asked_workers(arguments, 1)


def play_tables(
    plan: Plan,
    tasks: Sequence[TableTask],
    folder: Path,
    arguments: argparse.Namespace,
    doors: RemotePorts,
) -> list[TableReport]:
    """Play *tasks*, the tables of *plan*; after an interrupt say how to go on in *folder*."""
    with start_phase("starting the tables"):
        from acpcbot.cli.progress_bars import make_bars, new_bar
        from acpcbot.net.match_runner import run_tables

    total = sum(task.plan.num_hands for task in tasks)
    with make_bars() as bars:
        advance = new_bar(bars, " ".join(plan.names)[:LONGEST_TITLE])
        try:
            if arguments.cluster is not None:
                from acpcbot.net.table_parts import run_table_parts

                return run_table_parts(
                    tasks,
                    asked_workers(arguments, 1),
                    lambda num_hands: advance(num_hands, total),
                )
            jobs = (os.cpu_count() or 1) if arguments.jobs is None else arguments.jobs
            return run_tables(
                tasks,
                num_workers=max(1, jobs),
                remote_ports=doors,
                on_progress=lambda num_hands: advance(num_hands, total),
                on_open=lambda door: _announce(door, bars.console, folder),
                on_compile=_show_compiling,
            )
        except KeyboardInterrupt:
            command = f"{COMMANDS[plan.KIND]} --resume {folder}"
            kept = "hand" if arguments.cluster is None else "table"
            print(f"\nevery finished {kept} is kept; go on with: {command}", file=sys.stderr)
            raise


def _show_compiling(notice: CompileNotice) -> None:
    if notice.event is None:
        compile_display().end(notice.table)
    else:
        compile_display()(notice.event, notice.table)


def _announce(door: PortOpened, console: Console, folder: Path) -> None:
    text = f"waiting for {door.name} at {door.host} port {door.port} ({door.table})"
    console.print(text, markup=False, highlight=False, soft_wrap=True)
    with (folder / DOORS_FILE).open("a", encoding="utf-8") as file:
        print(text, file=file)


def report_faults(plan: Plan, reports: Sequence[TableReport], folder: Path) -> int:
    """Tell of fallbacks, of tables that failed, and how to go on; the exit status."""
    from acpcbot.net.match_runner import CLIENTS_LOG

    fallbacks = [report for report in reports if report.num_fallbacks]
    if fallbacks:
        count = sum(report.num_fallbacks for report in fallbacks)
        places = {Path(report.table).parent for report in fallbacks}
        log = (places.pop() if len(places) == 1 else folder / "*") / CLIENTS_LOG
        print(f"{count} decisions were made by the fallback; see {log}", file=sys.stderr)
    faults = [report for report in reports if report.fault]
    for report in faults:
        print(f"error: {report.table}: {report.fault}", file=sys.stderr)
    if faults:
        print(f"\nhint: go on with {COMMANDS[plan.KIND]} --resume {folder}", file=sys.stderr)
    return 1 if faults else 0
