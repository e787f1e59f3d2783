"""``acpcbot report LOG...``: who won what, how sure that is, and how everybody played.

As text, data, or a page.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from acpcbot.arrays import Floats
from acpcbot.cli.game_arguments import add_game_arguments, add_known_arguments, read_with_game
from acpcbot.cli.phases import phase
from acpcbot.cli.progress_bars import make_bars, new_bar, watched
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimator_kinds import ESTIMATORS
from acpcbot.poker.definition import GameDefinition
from acpcbot.reports.all_in import all_ins, without_all_in_luck
from acpcbot.reports.export import rows_csv, summary_csv, summary_json
from acpcbot.reports.hands import HandTable, find_logs, read_hands
from acpcbot.reports.page import NUM_REPLAYED, report_page
from acpcbot.reports.summary import seat_columns, summarise
from acpcbot.reports.tables import report_text

FORMATS = ("text", "csv", "rows", "json", "html")
DEFAULT_ESTIMATORS = ("AIVAT",)
SUFFIXES = {".csv": "csv", ".json": "json", ".html": "html", ".htm": "html"}
# About the boards of ninety heads-up all-ins before the flop: a few seconds.
MAX_BOARDS = 150_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the logs, the form of the report, and the estimators."""
    parser.add_argument(
        "logs", nargs="+", type=Path, metavar="LOG", help="a match log, or the folder of a match"
    )
    add_game_arguments(parser, "what the logs say")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="text, tables as csv or json, one line for each hand and "
        "seat (rows), or a page [by the name of FILE]",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the file to write instead of stdout"
    )
    parser.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="NAME",
        help="details of this player in text; again for more",
    )
    parser.add_argument(
        "--all-in", action="store_true", help="average all-ins even where it takes long"
    )
    add_known_arguments(parser)
    parser.add_argument(
        "--estimator",
        action="append",
        choices=tuple(ESTIMATORS),
        metavar="NAME",
        help="a column with the luck taken out by this one, and again for "
        f"more: {'; '.join(ESTIMATORS)} [AIVAT "
        "where --known or --values is given]",
    )
    parser.add_argument(
        "--page-hands",
        type=int,
        default=NUM_REPLAYED,
        metavar="N",
        help="hands to replay on a page",
    )


def run(arguments: argparse.Namespace) -> int:
    """Read, count, write."""
    if arguments.page_hands < 0:
        raise UsageError("--page-hands must not be negative", "0 leaves only the biggest pots")
    logs, played = find_logs(arguments.logs)

    def read(named: GameDefinition | None) -> HandTable:
        with phase("reading the logs"):
            return read_hands(logs, named or played, watched)

    table = read_with_game(arguments, logs, read)
    all_in_chips, notes = _averaged(table, even_if_long=arguments.all_in)
    columns = _luckless(arguments, table)
    with phase("counting"):
        text = _report(arguments, table, all_in_chips, columns, notes)
    _write(text, arguments.output)
    return 0


def _luckless(arguments: argparse.Namespace, table: HandTable) -> dict[str, Floats]:
    """The columns that were asked for, by estimator; none if nobody asked."""
    if not (arguments.known or arguments.values or arguments.estimator):
        return {}
    from acpcbot.cli.evaluate_options import KnownMatch, known_names

    names = known_names(arguments.logs, arguments.known, table)
    with make_bars(in_files=False) as bars, phase("evaluating"):
        match = KnownMatch(table, names, arguments.values, bars)
        return {name: match.column(name) for name in arguments.estimator or DEFAULT_ESTIMATORS}


def _averaged(table: HandTable, *, even_if_long: bool) -> tuple[Floats | None, list[str]]:
    """Chips without the luck behind all-ins, None without all-ins or where they are too many.

    What to say of that.
    """
    found = all_ins(table)
    if not found:
        return None, []
    if sum(all_in.num_boards for all_in in found) > MAX_BOARDS and not even_if_long:
        return None, [
            f"the luck of {len(found):,} all-ins is not averaged out: "
            "--all-in does, which takes a while"
        ]
    with make_bars(in_files=False) as bars, phase("averaging all-ins"):
        return without_all_in_luck(table, found, new_bar(bars, "all-ins")), []


def _report(
    arguments: argparse.Namespace,
    table: HandTable,
    all_in_chips: Floats | None,
    columns: dict[str, Floats],
    notes: list[str],
) -> str:
    kind = arguments.format or SUFFIXES.get(
        arguments.output.suffix if arguments.output else "", "text"
    )
    if kind == "rows":
        return rows_csv(table, seat_columns(table, all_in_chips, columns))
    summary = summarise(table, all_in_chips=all_in_chips, extra_columns=columns, notes=notes)
    if kind == "csv":
        return summary_csv(summary)
    if kind == "json":
        return summary_json(summary)
    if kind == "html":
        return report_page(
            summary, table, arguments.page_hands, seat_columns(table, all_in_chips, columns)
        )
    return report_text(summary, arguments.player)


def _write(text: str, path: Path | None) -> None:
    if path is None:
        sys.stdout.write(text)
    else:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
        print(path)
