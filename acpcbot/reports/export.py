"""Reports for other programs: the summary as JSON or CSV, and its rows as CSV.

The summary's CSV has one number a line: ``player,table,row,column,measure,value``. The rows' CSV
has one line for each hand and seat. Numbers are as precise as they were computed; missing values
are null, or empty cells.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from io import StringIO
from math import isfinite
from typing import Any

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.hand_classes import class_name, class_numbers
from acpcbot.reports.betting_replay import Count, Mark
from acpcbot.reports.duplicates import deal_numbers
from acpcbot.reports.hands import HandTable
from acpcbot.reports.statistics import Rate
from acpcbot.reports.summary import PlayerSummary, Summary, Winnings

_NO_LETTERS = re.compile("[^a-z]+")
SUMMARY_HEADINGS = ("player", "table", "row", "column", "measure", "value")


def summary_json(summary: Summary) -> str:
    """Return the whole summary as JSON."""
    found = asdict(summary) | {"is_duplicate": summary.is_duplicate}
    return json.dumps(_plain(found), indent=1, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    """Return *value* with null for every number that JSON has no text for."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def summary_csv(summary: Summary) -> str:
    """Return the winnings and statistics of every player as CSV."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(SUMMARY_HEADINGS)
    for player in summary.players:
        for name, found in player.total.items():
            writer.writerows(_winnings_lines((player.name, "result", "", name), found))
        writer.writerows(_group_lines(player))
        for rate in player.rates:
            writer.writerows(_rate_lines((player.name, "statistics", rate.name, ""), rate))
    return file.getvalue()


def _group_lines(player: PlayerSummary) -> Iterator[tuple[object, ...]]:
    for title, groups in player.groups.items():
        for label, columns in groups.items():
            for name, found in columns.items():
                yield from _winnings_lines((player.name, title, label, name), found)


def _winnings_lines(place: tuple[str, ...], found: Winnings) -> Iterator[tuple[object, ...]]:
    for measure, value in asdict(found).items():
        yield *place, measure, _cell(value)


def _cell(value: Any) -> Any:
    return "" if isinstance(value, float) and not isfinite(value) else value


def _rate_lines(place: tuple[str, ...], rate: Rate) -> Iterator[tuple[object, ...]]:
    yield *place, "count", rate.count
    yield *place, "chances", rate.chances
    yield *place, "value", "" if rate.value is None else rate.value


def rows_csv(table: HandTable, further: Mapping[str, Floats]) -> str:
    """Return a CSV with a line for each hand and seat; *further* are ``seat_columns``."""
    columns = dict(_row_columns(table, further))
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return file.getvalue()


def _row_columns(
    table: HandTable, further: Mapping[str, Floats]
) -> Iterator[tuple[str, list[Any]]]:
    """Yield every column by name, [hand, seat] in one list."""
    seats, size = table.definition.num_players, table.definition.num_hole_cards
    own = table.columns()
    for name in ("log", "line", "hand"):
        yield name, own[name]
    yield "deal", np.repeat(deal_numbers(table), seats).tolist()
    for name in ("pot_chips", "seat", "player", "hole_cards"):
        yield name, own[name]
    yield (
        "hand_class",
        [class_name(number, size) for number in class_numbers(table.hole_cards).ravel().tolist()],
    )
    yield "chips", own["chips"]
    for name, chips in further.items():
        yield (
            f"{_NO_LETTERS.sub('_', name.lower())}_chips",
            [_cell(value) for value in chips.ravel().tolist()],
        )
    yield "spent_chips", table.facts.spent.ravel().tolist()
    yield "last_street", [STREET_NAMES[street] for street in table.facts.reached.ravel().tolist()]
    yield from _fact_columns(table)


def _fact_columns(table: HandTable) -> Iterator[tuple[str, list[Any]]]:
    for mark in Mark:
        yield mark.name.lower(), table.facts.marks[:, :, mark].ravel().astype(np.int64).tolist()
    for street, name in enumerate(STREET_NAMES[: table.definition.num_streets]):
        for count in Count:
            yield (
                f"{name}_{count.name.lower()}",
                table.facts.counts[:, :, street, count].ravel().tolist(),
            )
