"""``acpcbot log``: check match logs, average the luck of all-ins out of them, convert them to PHH and back."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from acpcbot.cli.arguments import GAME_HELP
from acpcbot.cli.bars import watched
from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import find_definition
from acpcbot.protocol.all_in_log import all_in_lines
from acpcbot.protocol.match_log import HandRecord, SeatingTotals, read_match_log, write_match_log
from acpcbot.protocol.phh import read_phh, with_score, write_phh
from acpcbot.protocol.records import format_value

MILLI = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs ``check``, ``all-in``, ``to-phh`` and ``from-phh``."""
    verbs = parser.add_subparsers(dest="log_verb", metavar="VERB", required=True)
    check = verbs.add_parser("check", help="play every hand of match logs again and print the totals")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a match log")
    check.add_argument(
        "--any-values", action="store_true", help="do not check values, as in logs with luck averaged out"
    )
    all_in = verbs.add_parser("all-in", help="print a log's hands with the luck behind all-ins averaged out")
    all_in.add_argument("file", type=Path, metavar="FILE", help="a match log")
    all_in.add_argument("-o", "--output", type=Path, metavar="LOG", help="the file to write instead of stdout")
    to_phh = verbs.add_parser("to-phh", help="convert a hold'em match log to PHH (needs pokerkit)")
    to_phh.add_argument("file", type=Path, metavar="FILE", help="a match log")
    to_phh.add_argument("target", type=Path, metavar="TARGET", help="a .phhs file, or a folder for .phh files")
    from_phh = verbs.add_parser("from-phh", help="convert PHH to a match log (needs pokerkit)")
    from_phh.add_argument("file", type=Path, metavar="FILE", help="a .phh or .phhs file, or a folder of .phh files")
    from_phh.add_argument("-o", "--output", type=Path, required=True, metavar="LOG", help="the match log to write")
    for verb in (check, all_in, to_phh, from_phh):
        verb.add_argument("--game", metavar="GAME", help=f"{GAME_HELP} [what the file says]")


def run(arguments: argparse.Namespace) -> int:
    """Carry out the verb; raises ``AcpcbotError`` for a line or a hand that cannot be right, and ``OSError``."""
    definition = find_definition(arguments.game)[1] if arguments.game else None
    if arguments.log_verb == "check":
        for path in arguments.files:
            print(_summary(path, definition, check_values=not arguments.any_values))
    elif arguments.log_verb == "all-in":
        _average(arguments.file, arguments.output, definition)
    elif arguments.log_verb == "to-phh":
        num_hands = write_phh(_hands(arguments.file, definition), arguments.target)
        print(f"{arguments.target}: {num_hands} hands")
    else:
        entries = list(with_score(read_phh(arguments.file, definition)))
        with arguments.output.open("wb") as file:
            write_match_log(entries, file)
        print(f"{arguments.output}: {sum(isinstance(entry, HandRecord) for entry in entries)} hands")
    return 0


def _average(path: Path, target: Path | None, definition: GameDefinition | None) -> None:
    lines = (f"{line}\n".encode("latin-1") for line in all_in_lines(_hands(path, definition)))
    if target is None:
        sys.stdout.buffer.writelines(lines)
    else:
        written = list(lines)
        target.write_bytes(b"".join(written))
        print(f"{target}: {len(written)} hands")


def _hands(path: Path, definition: GameDefinition | None, *, check_values: bool = True) -> Iterator[HandRecord]:
    with watched(path) as file:
        for entry in read_match_log(file, definition, check_values=check_values):
            if isinstance(entry, HandRecord):
                yield entry


def _summary(path: Path, definition: GameDefinition | None, *, check_values: bool) -> str:
    """One line: the hands, the players, and what each name won, in chips and in milli-big-blinds a hand."""
    totals, game = SeatingTotals(), definition
    for hand in _hands(path, definition, check_values=check_values):
        totals.add(hand)
        game = hand.game.definition
    if game is None or not totals.num_hands:
        return f"{path}: no hands"
    return f"{path}: {totals.num_hands} hands, {game.num_players} players: {_won(totals, game.big_blind)}"


def _won(totals: SeatingTotals, big_blind: int) -> str:
    """Each name's chips; one list for all where a bar within a name leaves open where it ends."""
    per_hand = MILLI / big_blind / totals.num_hands
    try:
        won = totals.by_name()
    except UsageError:
        chips = totals.by_seat(totals.first_names) or []
        return f"{totals.first_names} {'|'.join(map(format_value, chips))}"
    return ", ".join(f"{name} {format_value(chips)} ({chips * per_hand:.1f} mbb/hand)" for name, chips in won.items())
