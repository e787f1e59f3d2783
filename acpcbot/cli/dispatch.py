"""From the command line to a verb, and from any error to one line and a hint.

Each verb is a module of ``commands`` with ``add_arguments(parser)`` and ``run(arguments) -> int``,
imported only when it is asked for. The dealer (``dealer_command.py``) reads its own command line,
which has the official dealer's liberties. Help shows defaults and examples by itself (``Parser``).

Hints for errors of the operating system, by their kind: a full disk asks for something else than a
busy port.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import io
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from acpcbot.cli.process import interrupt_was_swallowed
from acpcbot.cli.renamed import renamed
from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.spelling import nearest_hint

PORT_IN_USE = "another program listens there: end it, or name another port"
OTHER_ADDRESS = "give --host an address of this machine: 127.0.0.1, or 0.0.0.0 for all"
NOBODY_LISTENS = "nobody listens there: check host and port, and that the other program has started"
OUT_OF_REACH = "check the host, and that a network leads to it"
PERMISSION = "check the permissions; ports below 1024 need special ones"
CONNECTION_ENDED = "the other program ended the connection; its own log may say why"

BY_NUMBER = {
    errno.EADDRINUSE: PORT_IN_USE,
    errno.EADDRNOTAVAIL: OTHER_ADDRESS,
    errno.ECONNREFUSED: NOBODY_LISTENS,
    errno.ECONNRESET: CONNECTION_ENDED,
    errno.ECONNABORTED: CONNECTION_ENDED,
    errno.ETIMEDOUT: OUT_OF_REACH,
    errno.EHOSTUNREACH: OUT_OF_REACH,
    errno.ENETUNREACH: OUT_OF_REACH,
    errno.ENOENT: "check the path: each folder on the way must be there",
    errno.ENOTDIR: "check the path: a part of it is a file and no folder",
    errno.EISDIR: "this is a folder: name a file in it",
    errno.EEXIST: "there is one already: name another",
    errno.EROFS: "nothing can be written there: name a place on another file system",
    errno.ENOSPC: "the disk is full: free some space, or name a place on another one",
    errno.EMFILE: "this process has too many files and connections open: ulimit -n sets the limit",
    errno.ENFILE: "too many files and connections are open on this machine",
    errno.ENOMEM: "there is too little memory: end other programs",
}
ON_FILES = "check the path, the permissions and the space left"


def hint_of(error: OSError) -> str:
    """Return a hint for *error*; empty if neither its number nor a file name helps.

    >>> hint_of(OSError(errno.EADDRINUSE, "Address already in use"))
    'another program listens there: end it, or name another port'
    """
    from socket import gaierror  # only errors need it, and it takes 3 ms

    if isinstance(error, gaierror):
        return "no address is known by this name: check its spelling, and the network"
    if error.errno in (errno.EACCES, errno.EPERM):
        return "check the permissions" if error.filename else PERMISSION
    return BY_NUMBER.get(error.errno or 0, ON_FILES if error.filename else "")


VERBS = {
    "match": "play a match between strategies and print the score",
    "tournament": "a duplicate round robin between strategies, its cross table and rankings",
    "deal": "run an ACPC dealer, with the official dealer's options (dealer does the same)",
    "play": "play a strategy at a dealer: STRATEGY HOST PORT",
    "serve": "keep many bots at many dealers in one process",
    "table": "a web page to play strategies, see their probabilities, "
    "watch matches, replay logs and solve spots",
    "startme": "write a start script that a dealer's tools can run",
    "report": "winnings, confidence intervals and playing statistics of "
    "match logs: text, data or a page",
    "evaluate": "win rate per player with every variance-reduction estimator "
    "that applies (AIVAT, MIVAT)",
    "compare": "the difference of two agents against the same opponents on the same deals",
    "exploitability": "exact best responses to a strategy: NashConv and exploitability",
    "lbr": "local best response to a hold'em strategy: a lower bound on its exploitability",
    "street-loss": "what a strategy's play on one street costs, with perfect play around it",
    "explain": "one hand beside a strategy's probabilities, what each decision cost, "
    "the result split into luck and play; or the costs of all hands",
    "log": "check match logs, average out all-in luck, convert to and from PHH",
    "train": "train a strategy from a recipe; the same command resumes an interrupted run",
    "build-preflop-values": "build the value table that searching before the flop needs, "
    "by roll-outs",
    "arena": "play millions of hands between trained strategies, in memory",
    "solve": "solve a hold'em spot, or any two-player game from a state on, with all hands",
    "lab": "reproduce tables and figures of papers on searches in small games",
    "strategies": "list trained strategies and their strength, show a manifest, verify checksums",
    "show": "print a strategy's probabilities for a match state, and for its whole range",
    "games": "list the shipped games or show one",
    "completion": "print a script with which bash, zsh or fish completes command lines",
    "warmup": "compile what playing, searching and reports need, so that first decisions are fast",
}
INTERRUPTED = 130
BLAS_THREADS = "OPENBLAS_NUM_THREADS"
BAD_CHOICE = re.compile(r"invalid choice: '(?P<word>[^']*)' \(choose from (?P<names>.*)\)")


def main(argv: Sequence[str] | None = None, *, leave: Callable[[int], object] | None = None) -> int:
    """Run one command; the result is the process's exit status.

    After an interrupt *leave* is called with that status first: a process may end there, before
    Python frees what was in the middle of its work. (What belongs to the compiler cannot always be
    freed then: one process in fifty crashed.)
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names in logs may hold bytes that are no UTF-8, or letters that the terminal does not
        # have.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        try:
            return _run(words)
        except Exception as error:
            if interrupt_was_swallowed():
                raise KeyboardInterrupt from error
            raise
    except AcpcbotError as error:
        return _refuse(str(error), error.hint)
    except KeyboardInterrupt:
        if leave is not None:
            signal.signal(
                signal.SIGINT, signal.SIG_IGN
            )  # it may be sent again, and this is the end
        status = _refuse("interrupted", "", status=INTERRUPTED)
        if leave is not None:
            leave(status)
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        return _refuse(f"{name}{error.strerror or error}", hint_of(error))


def _run(words: list[str]) -> int:
    # Before numpy is loaded: threads of our own share work out, and those of its products would be
    # in their way.
    os.environ.setdefault(BLAS_THREADS, "1")
    words, notices = renamed(words)
    for notice in notices:
        print(f"notice: {notice}", file=sys.stderr)
    if words[:1] in (["deal"], ["dealer"]):
        from acpcbot.cli.dealer_command import run_dealer

        return run_dealer(words[1:])
    if not words:
        _parser(None).print_help()
        return 0
    verb = words[0] if words[0] in VERBS else None
    if verb is None and not words[0].startswith("-"):
        near = nearest_hint(words[0], VERBS)
        raise UsageError(
            f"unknown command {words[0]!r}", f"{near}acpcbot --help lists the commands"
        )
    arguments = _parser(verb).parse_args(words)
    result: int = arguments.run(arguments)
    return result


def _parser(wanted: str | None) -> argparse.ArgumentParser:
    parser = Parser(prog="acpcbot", description="An ACPC-protocol poker bot server.")
    parser.add_argument("--version", action=Version)
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for verb, purpose in VERBS.items():
        subparser = verbs.add_parser(
            verb, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}."
        )
        if verb == wanted:
            # Not at the top: a dealer, which starts at once, does without.
            from acpcbot.cli.phases import start_phase

            with start_phase(f"starting {verb}"):
                module = importlib.import_module(module_name(verb))
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)
    return parser


def module_name(verb: str) -> str:
    """Return the name of the module of the command *verb*."""
    return f"acpcbot.cli.commands.{verb.replace('-', '_')}"


def _refuse(problem: str, hint: str, *, status: int = 1) -> int:
    """One line, and a hint where there is one; a dealer's own words stand as they are."""
    prefix = "" if "ERROR: " in problem else "error: "
    print(f"{prefix}{problem}", file=sys.stderr)
    if hint:
        print(f"\nhint: {hint}", file=sys.stderr)
    return status


def default_text(action: argparse.Action) -> str:
    """Return the default of *action* in square brackets, as its help ends with.

    Nothing where there is none, and where the help says in words what happens without the option.
    """
    default, told = action.default, action.help or ""
    if told.endswith("]") or default is None or isinstance(default, bool):
        return ""
    if default in ("", [], (), argparse.SUPPRESS):
        return ""
    shown = f"{default:g}" if isinstance(default, float) else str(default)
    return f"{' ' if told else ''}[{shown}]"


class _Formatter(argparse.HelpFormatter):
    def _get_help_string(self, action: argparse.Action) -> str:
        return (action.help or "") + default_text(action).replace("%", "%%")


class Parser(argparse.ArgumentParser):
    """A parser whose help shows defaults and examples, and whose errors are typed."""

    def __init__(self, *words: object, **settings: object) -> None:
        settings.setdefault("formatter_class", _Formatter)
        super().__init__(*words, **settings)  # type: ignore[arg-type]

    def format_help(self) -> str:
        """Return the help, which ends with examples."""
        from acpcbot.cli.examples import examples_text  # only help needs them

        return super().format_help() + examples_text(self.prog)

    def error(self, message: str) -> NoReturn:
        """Raise UsageError; of a word that is no choice the hint names the nearest one."""
        found = BAD_CHOICE.search(message)
        near = nearest_hint(found["word"], re.findall(r"[\w.-]+", found["names"])) if found else ""
        raise UsageError(message, f"{near}{self.prog} --help tells what it takes")


class Version(argparse.Action):
    """``--version``, which reads the version only when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version")

    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> None:
        from importlib.metadata import version

        print(f"acpcbot {version('acpcbot')}")
        parser.exit()
