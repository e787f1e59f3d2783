"""Data of a report's page: columns from which its script counts, filters and replays.

Columns are by row (hand and seat, hands in the order of the table) or by hand. What statistics are
sums of is there as one bit of ``flags`` or as a column; the number of each row in each grouping is
there; so the script adds up, and knows no definition of a statistic or a group.

A replay is the number of the hand's betting, whose steps are a seat and a kind of action with the
chips that the seat has in the pot then, or the next street; and the cards, 255 where none was
dealt. The script knows no rules: it replays what was replayed when the page was made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Bytes, Flags, Floats, Ints
from acpcbot.cards.deck import SUITS
from acpcbot.logs.card_bytes import RANK_OF_BYTE, SUIT_OF_BYTE
from acpcbot.poker.definition import STREET_NAMES, UNLIMITED_STACK, GameDefinition
from acpcbot.poker.hand_classes import has_chart
from acpcbot.reports.duplicates import deal_numbers
from acpcbot.reports.groupings import CHART, groupings, seat_labels
from acpcbot.reports.hands import HandTable
from acpcbot.reports.packed_columns import packed_columns
from acpcbot.reports.statistics import definitions, measures
from acpcbot.reports.summary import Summary

NO_CARD = 255
_STEPS = ("line", "id", "deal", "time", "replayed", "ends")
"""Columns that rise, mostly by one."""


def page_data(
    summary: Summary, table: HandTable, hands: Ints, further: Mapping[str, Floats]
) -> dict[str, Any]:
    """Return the data of the page of *table*; *hands* can be replayed.

    *further* are columns of chips by name, [hand, seat].
    """
    numbers = {name: number for number, name in enumerate(table.players)}
    columns, flags, sums = _measure_columns(table)
    ways = groupings(table)
    columns |= {f"group{number}": way.number for number, way in enumerate(ways)}
    columns |= {f"further{number}": chips for number, chips in enumerate(further.values())}
    columns |= _hand_columns(table) | _replays(table, hands)
    titles = [way.title for way in ways]
    return {
        **_game_facts(table.definition),
        "players": table.players,
        "order": [numbers[player.name] for player in summary.players],
        "sources": table.source_names,
        "unitChips": table.unit_chips,
        "numHands": table.num_hands,
        "columns": list(further),
        "statistics": [asdict(each) for each in definitions(table.definition.num_streets)],
        "flags": flags,
        "sums": sums,
        "groupings": [{"title": way.title, "labels": way.labels} for way in ways],
        "chart": titles.index(CHART) if has_chart(table.definition) else -1,
        "hasTimes": bool((table.unix_time >= 0).any()),
        "needsLine": needs_line(table),
        "packed": packed_columns(columns, _STEPS),
    }


def _game_facts(definition: GameDefinition) -> dict[str, Any]:
    streets = range(definition.num_streets)
    return {
        "seats": seat_labels(definition),
        "streets": STREET_NAMES[: definition.num_streets],
        "blinds": definition.blinds,
        "stacks": [stack if stack < UNLIMITED_STACK else None for stack in definition.stacks],
        "numHoleCards": definition.num_hole_cards,
        "boardSizes": [definition.board_size(street) for street in streets],
    }


def _measure_columns(table: HandTable) -> tuple[dict[str, NDArray[Any]], list[str], list[str]]:
    """Return what statistics are sums of, the names of the bits of ``flags``, and other columns."""
    flags = np.zeros(table.chips.shape, np.uint32)
    bits: list[str] = []
    sums: list[str] = []
    columns: dict[str, NDArray[Any]] = {"flags": flags}
    for name, column in measures(table).items():
        if column.max(initial=0) <= 1:
            flags |= column.astype(np.uint32) << np.uint32(len(bits))
            bits.append(name)
        else:
            columns[f"sum{len(sums)}"] = column
            sums.append(name)
    return columns, bits, sums


def _hand_columns(table: HandTable) -> dict[str, NDArray[Any]]:
    found = {
        "player": table.player,
        "chips": table.chips,
        "source": table.source,
        "line": table.line_number,
        "id": table.hand_id,
        "deal": deal_numbers(table),
        "pot": table.pot_chips,
    }
    has_times = (table.unix_time >= 0).any()
    return found | {"time": table.unix_time} if has_times else found


def _replays(table: HandTable, hands: Ints) -> dict[str, NDArray[Any]]:
    """Return the betting and the cards of *hands*, each different betting once."""
    replayed = table.replayed
    used, betting = np.unique(replayed.place[hands], return_inverse=True)
    starts = np.concatenate(([0], replayed.ends))
    is_used = np.zeros(len(replayed.ends), np.bool_)
    is_used[used] = True
    steps = np.repeat(is_used, np.diff(starts))
    return {
        "replayed": hands,
        "betting": betting,
        "ends": np.cumsum(np.diff(starts)[used]),
        "code": replayed.code[steps],
        "spent": replayed.spent[steps],
        "cards": np.concatenate((_hole_cards(table, hands), _boards(table, hands)), axis=1),
    }


def _hole_cards(table: HandTable, hands: Ints) -> Bytes:
    return table.hole_cards[hands].reshape(len(hands), -1)


def _boards(table: HandTable, hands: Ints) -> Bytes:
    """Return the boards of *hands*, [hand, card]."""
    size = 2 * table.definition.board_size(table.definition.num_streets - 1)
    texts = [table.board_text(hand).replace("/", "").ljust(size) for hand in hands.tolist()]
    letters = np.frombuffer("".join(texts).encode(), np.uint8).reshape(len(hands), size)
    cards = RANK_OF_BYTE[letters[:, ::2]] * len(SUITS) + SUIT_OF_BYTE[letters[:, 1::2]]
    return np.where(letters[:, ::2] == ord(" "), NO_CARD, cards).astype(np.uint8)


def needs_line(table: HandTable) -> bool:
    """Return whether some log has two hands of one number, so that only lines tell them apart."""
    numbered = np.stack((table.source, table.hand_id), axis=1)
    return len(np.unique(numbered, axis=0)) < table.num_hands


def hand_link(table: HandTable, hand: int, *, by_line: bool) -> str:
    """Return the link to *hand* within the page: its number, and its log where there are several.

    With *by_line* it has the line, too.
    """
    words = [f"hand={int(table.hand_id[hand])}"]
    if len(table.sources) > 1:
        words.append(f"hand-log={quote(table.source_names[int(table.source[hand])], safe='')}")
    if by_line:
        words.append(f"hand-line={int(table.line_number[hand])}")
    return f"#{'&'.join(words)}"


def replayed_hands(summary: Summary, table: HandTable, num_replayed: int) -> Ints:
    """Return the first *num_replayed* hands of *table* and those of the biggest pots."""
    is_replayed: Flags = np.arange(table.num_hands) < num_replayed
    is_replayed[[pot.hand for pot in summary.pots]] = True
    return np.flatnonzero(is_replayed)
