"""``acpcbot log``: check match logs, average out all-in luck, convert to and from other formats."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

from acpcbot.cli.game_arguments import add_game_arguments, named_game, read_with_game
from acpcbot.cli.phases import phase
from acpcbot.errors import UsageError
from acpcbot.logs.match_log import (
    PLAIN_BYTES,
    HandRecord,
    SeatingTotals,
    encoded_line,
    read_match_log,
    write_match_log,
)
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.records import format_value

MILLI = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs ``check``, ``all-in``, and those that convert."""
    verbs = parser.add_subparsers(dest="log_verb", metavar="VERB", required=True)
    check = verbs.add_parser(
        "check", help="play every hand of match logs again and print the totals"
    )
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a match log")
    check.add_argument(
        "--any-values",
        action="store_true",
        help="do not check values, as in logs with luck averaged out",
    )
    all_in = verbs.add_parser(
        "all-in", help="print a log's hands with the luck behind all-ins averaged out"
    )
    all_in.add_argument("file", type=Path, metavar="FILE", help="a match log")
    all_in.add_argument(
        "-o", "--output", type=Path, metavar="LOG", help="the file to write instead of stdout"
    )
    to_phh = verbs.add_parser("to-phh", help="convert a hold'em match log to PHH (needs pokerkit)")
    to_phh.add_argument("file", type=Path, metavar="FILE", help="a match log")
    to_phh.add_argument(
        "target", type=Path, metavar="TARGET", help="a .phhs file, or a folder for .phh files"
    )
    from_phh = verbs.add_parser("from-phh", help="convert PHH to a match log (needs pokerkit)")
    from_phh.add_argument(
        "file", type=Path, metavar="FILE", help="a .phh or .phhs file, or a folder of .phh files"
    )
    from_phh.add_argument(
        "-o", "--output", type=Path, required=True, metavar="LOG", help="the match log to write"
    )
    to_stars = verbs.add_parser(
        "to-pokerstars", help="convert a hold'em match log to text in PokerStars' format"
    )
    to_stars.add_argument("file", type=Path, metavar="FILE", help="a match log")
    to_stars.add_argument("target", type=Path, metavar="TARGET", help="the text file to write")
    from_stars = verbs.add_parser(
        "from-pokerstars", help="convert text in PokerStars' format to a match log"
    )
    from_stars.add_argument("file", type=Path, metavar="FILE", help="a text file of hands")
    from_stars.add_argument(
        "-o", "--output", type=Path, required=True, metavar="LOG", help="the match log to write"
    )
    for verb in (check, all_in, to_phh, from_phh, to_stars, from_stars):
        add_game_arguments(verb, "what the file says")


def run(arguments: argparse.Namespace) -> int:
    """Carry out the verb.

    Raises ``AcpcbotError`` for a line or a hand that cannot be right, and ``OSError``.
    """
    if arguments.log_verb == "check":
        for path in arguments.files:
            print(_checked(arguments, path))
    elif arguments.log_verb == "all-in":
        _average(arguments)
    elif arguments.log_verb in ("to-phh", "to-pokerstars"):
        print(f"{arguments.target}: {_convert(arguments)} hands")
    else:
        print(f"{arguments.output}: {_convert_back(arguments)} hands")
    return 0


def _checked(arguments: argparse.Namespace, path: Path) -> str:
    checks_values = not arguments.any_values

    def read(definition: GameDefinition | None) -> str:
        with phase(f"playing the hands of {path} again"):
            return _summary(path, definition, check_values=checks_values)

    return read_with_game(arguments, [path], read, check_values=checks_values)


def _average(arguments: argparse.Namespace) -> None:
    from acpcbot.logs.all_in import all_in_lines

    def read(definition: GameDefinition | None) -> list[bytes]:
        with phase("averaging all-ins"):
            return [encoded_line(line) for line in all_in_lines(_hands(arguments.file, definition))]

    lines = read_with_game(arguments, [arguments.file], read)
    if arguments.output is None:
        sys.stdout.buffer.writelines(lines)
    else:
        arguments.output.write_bytes(b"".join(lines))
        print(f"{arguments.output}: {len(lines)} hands")


def _convert(arguments: argparse.Namespace) -> int:
    if arguments.log_verb == "to-phh":
        from acpcbot.logs.phh import write_phh as write
    else:
        from acpcbot.logs.pokerstars_writer import write_pokerstars as write

    def read(definition: GameDefinition | None) -> int:
        with phase(f"writing {arguments.target}"):
            return write(_hands(arguments.file, definition), arguments.target)

    return read_with_game(arguments, [arguments.file], read)


def _convert_back(arguments: argparse.Namespace) -> int:
    from acpcbot.logs.phh import read_phh, with_score
    from acpcbot.logs.pokerstars import read_pokerstars

    read = read_phh if arguments.log_verb == "from-phh" else read_pokerstars
    named = named_game(arguments)
    with phase(f"reading {arguments.file}"):
        entries = list(with_score(read(arguments.file, named[1] if named else None)))
    with arguments.output.open("wb") as file:
        write_match_log(entries, file)
    return sum(isinstance(entry, HandRecord) for entry in entries)


def _hands(
    path: Path, definition: GameDefinition | None, *, check_values: bool = True
) -> Iterator[HandRecord]:
    with _opened(path) as file:
        for entry in read_match_log(file, definition, check_values=check_values):
            if isinstance(entry, HandRecord):
                yield entry


def _opened(path: Path) -> AbstractContextManager[BinaryIO]:
    """Open the file at *path*, with a progress bar where it is large.

    Bars take longer to load than a small log to read.
    """
    if path.stat().st_size < PLAIN_BYTES:
        return path.open("rb")
    from acpcbot.cli.progress_bars import watched

    return watched(path)


def _summary(path: Path, definition: GameDefinition | None, *, check_values: bool) -> str:
    """Return one line: hands, players, and winnings in chips and mbb/hand."""
    totals, game = SeatingTotals(), definition
    for hand in _hands(path, definition, check_values=check_values):
        totals.add(hand)
        game = hand.game.definition
    if game is None or not totals.num_hands:
        return f"{path}: no hands"
    return (
        f"{path}: {totals.num_hands} hands, {game.num_players} "
        f"players: {_won(totals, game.big_blind)}"
    )


def _won(totals: SeatingTotals, big_blind: int) -> str:
    """Each name's chips; one list for all where a bar within a name leaves open where it ends."""
    per_hand = MILLI / big_blind / totals.num_hands
    try:
        won = totals.by_name()
    except UsageError:
        chips = totals.by_seat(totals.first_names) or []
        return f"{totals.first_names} {'|'.join(map(format_value, chips))}"
    return ", ".join(
        f"{name} {format_value(chips)} ({chips * per_hand:.1f} mbb/hand)"
        for name, chips in won.items()
    )
