"""Match logs as data frames of polars or pandas: a table of hands, a table of actions, and back.

    from acpcbot.adapters.data_frames import hands_of_frames, log_frames

    frames = log_frames(["match"], "polars")  # logs, or folders of acpcbot match
    frames.hands, frames.actions
    records = hands_of_frames(frames.hands, frames.actions, definition)

``hands`` has a row for each hand and seat:

``log``         str    the log's name, without the folders that all share
``line``        int64  the line in the log, from 1; log and line are the key of a hand
``hand``        int64  the dealer's number of the hand
``seed``        int64  the seed of the match; null where the log names none
``time``        UTC    the time, to the second; null where the log has none
``seat``        int8   the position in this hand, from 1
``player``      str
``hole_cards``  str    as in ``AsKd``
``board``       str    as on the wire: a slash before the cards of each street
``showdown``    bool   whether cards were compared
``pot``         int64  the chips in the pot, without those that no other seat called
``won``         float  the chips that the seat won, negative if lost

``actions`` has a row for each action, with ``log``, ``line``, ``hand``, ``seat`` and ``player`` as
above, and:

``number``      int16  the place of the action in the hand, from 1
``street``      int8   from 1
``action``      enum   ``fold``, ``check``, ``call``, ``bet`` or ``raise``
``pot``         int64  the chips in the pot before it, with all bets
``to_call``     int64  the chips that a call costs
``added``       int64  the chips that the action adds
``total``       int64  the chips that the seat has then put in over the whole hand
``all_in``      bool   whether it leaves the seat without a chip

polars has ``Enum`` and ``Datetime("us", "UTC")`` for actions and times, pandas ``category`` and
``datetime64[us, UTC]``, and ``Int64`` for seeds, which may be null. Nothing that a hand is made of gets lost: a record
that comes back has its line of the log byte for byte. Comments and scores of a log have no rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np

from acpcbot.errors import ProtocolError, UsageError
from acpcbot.frames import LIBRARIES
from acpcbot.logs.entries import PRINTED_TOLERANCE, HandRecord
from acpcbot.logs.line import parse_hand, verify_hand
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.records import compose_state_record
from acpcbot.reports.action_letters import action_letter
from acpcbot.reports.hands import HandTable, find_logs, read_hands

__all__ = ["LogFrames", "hands_of_frames", "log_frames"]

Library = Literal["polars", "pandas"]

ACTIONS = {"f": "fold", "k": "check", "c": "call", "b": "bet", "r": "raise"}
EXTRAS = {"polars": "frames", "pandas": "pandas"}

HAND_TYPES = {
    "log": "str",
    "line": "int64",
    "hand": "int64",
    "seed": "int64 or null",
    "time": "time",
    "seat": "int8",
    "player": "str",
    "hole_cards": "str",
    "board": "str",
    "showdown": "bool",
    "pot": "int64",
    "won": "float64",
}
ACTION_TYPES = {
    "log": "str",
    "line": "int64",
    "hand": "int64",
    "number": "int16",
    "street": "int8",
    "seat": "int8",
    "player": "str",
    "action": "action",
    "pot": "int64",
    "to_call": "int64",
    "added": "int64",
    "total": "int64",
    "all_in": "bool",
}
"""The columns of both tables, in their order, and their types."""


@dataclass(frozen=True, slots=True)
class LogFrames:
    """The hands and the actions of some logs as data frames of one library."""

    hands: Any
    actions: Any


def log_frames(
    logs: HandTable | Sequence[Path | str],
    library: Library | None = None,
    *,
    definition: GameDefinition | None = None,
) -> LogFrames:
    """Return the hands and the actions of *logs* as data frames of *library*.

    ``logs``        paths of logs or of folders of ``acpcbot match``, or what ``read_hands`` returned
    ``library``     ``"polars"`` or ``"pandas"``; if left out, the first of them that is installed
    ``definition``  the game, where a log of paths does not name a shipped one

    Raises what ``read_hands`` raises, and UsageError for a library that is not installed.
    """
    make = _frame_maker(library)
    if not isinstance(logs, HandTable):
        paths, game = find_logs([Path(log) for log in logs], definition)
        logs = read_hands(paths, game)
    return LogFrames(
        make(_hand_columns(logs), HAND_TYPES), make(_action_columns(logs), ACTION_TYPES)
    )


def _hand_columns(table: HandTable) -> dict[str, list[Any]]:
    columns = table.columns()
    by_seat = table.definition.num_players
    times = table.unix_time if len(table.unix_time) else np.full(table.num_hands, -1)
    for name, numbers in (("seed", table.seed), ("time", times)):
        known = [None if number < 0 else number for number in numbers.tolist()]
        columns[name] = [number for number in known for _ in range(by_seat)]
    columns["showdown"] = np.repeat(table.is_showdown, by_seat).tolist()
    columns["pot"], columns["won"] = columns["pot_chips"], columns["chips"]
    return {name: columns[name] for name in HAND_TYPES}


def _action_columns(table: HandTable) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [] for name in ACTION_TYPES}
    known: dict[str, list[tuple[Any, ...]]] = {}
    names = [table.source_names[source] for source in table.source.tolist()]
    for log, hand in zip(names, table.records(), strict=True):
        rows = known.get(hand.betting_text)
        if rows is None:
            rows = known[hand.betting_text] = list(_action_rows(hand.betting))
        players = hand.names
        for row in rows:
            seat = row[2]
            values = (log, hand.line_number, hand.hand_id, *row[:2], seat, players[seat - 1])
            for column, value in zip(columns.values(), (*values, *row[3:]), strict=True):
                column.append(value)
    return columns


def _action_rows(betting: BettingState) -> Iterator[tuple[Any, ...]]:
    """Yield number, street and seat of every action, and what stands behind the player."""
    for number, (before, action) in enumerate(betting.decisions(), 1):
        seat = before.actor
        total = before.apply(action).spent[seat]
        yield (
            number,
            before.street + 1,
            seat + 1,
            ACTIONS[action_letter(before, action.kind)],
            before.pot,
            before.to_call,
            total - before.spent[seat],
            total,
            total == before.game.definition.stacks[seat],
        )


def hands_of_frames(hands: Any, actions: Any, definition: GameDefinition) -> list[HandRecord]:
    """Return the hands of both tables, of either library, as the reader of a log does.

    Hands come in the order of *hands*; rows of one hand may stand in any order. Every hand is
    verified by the rules. Raises UsageError for rows that are missing, doubled or impossible.
    """
    game = BettingRules(definition)
    actions_of: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in _rows(actions, ("log", "line", "number", "action", "total", "seat")):
        actions_of.setdefault((row["log"], row["line"]), []).append(row)
    names = ("log", "line", "hand", "time", "seat", "player", "hole_cards", "board", "won")
    rows_of: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in _rows(hands, names):
        rows_of.setdefault((row["log"], row["line"]), []).append(row)
    return [_record(key, rows, actions_of.get(key, []), game) for key, rows in rows_of.items()]


def _record(
    key: tuple[Any, ...],
    seats: list[dict[str, Any]],
    actions: list[dict[str, Any]],
    game: BettingRules,
) -> HandRecord:
    seats = sorted(seats, key=lambda row: int(row["seat"]))
    first, wanted = seats[0], list(range(1, game.definition.num_players + 1))
    found = [int(row["seat"]) for row in seats]
    if found != wanted:
        raise UsageError(
            f"line {key[1]} of {key[0]}: seats {found}", f"expected a row for each of {wanted}"
        )
    betting = _betting(key, actions, game)
    cards = "|".join([row["hole_cards"] for row in seats]) + first["board"]
    names = "|".join([row["player"] for row in seats])
    if first["time"] is not None:
        names += f" # {round(first['time'].timestamp())}"
    values = [float(row["won"]) for row in seats]
    line = compose_state_record(int(first["hand"]), betting, cards, values, [names])
    try:
        _, exact = verify_hand(line, game, 0, PRINTED_TOLERANCE)
    except ProtocolError as error:
        raise UsageError(f"line {key[1]} of {key[0]} is no hand of the game: {error}") from None
    return parse_hand(line, int(key[1]), game, exact)


def _betting(key: tuple[Any, ...], rows: list[dict[str, Any]], game: BettingRules) -> str:
    """Return the betting text of the actions in *rows*."""
    betting = game.start
    for number, row in enumerate(sorted(rows, key=lambda row: int(row["number"])), 1):
        place = f"action {number} of line {key[1]} of {key[0]}"
        if int(row["number"]) != number:
            raise UsageError(
                f"{place}: its number is {row['number']}", "rows are missing or double"
            )
        action = _action(row, is_limit=game.definition.is_limit)
        if int(row["seat"]) - 1 != betting.actor or not betting.can_act(action):
            raise UsageError(
                f"{place}: {row['action']} of seat {row['seat']} after {betting.text!r}",
                f"expected a legal action of seat {betting.actor + 1}",
            )
        betting = betting.apply(action)
    return betting.text


def _action(row: Mapping[str, Any], *, is_limit: bool) -> Action:
    word = row["action"]
    if word == "fold":
        return FOLDING
    if word in ("check", "call"):
        return CALLING
    return LIMIT_RAISING if is_limit else raising(int(row["total"]))


def _frame_maker(library: str | None) -> Any:
    """Return the function that makes a data frame of *library* from columns and their types."""
    makers = {"polars": _polars_frame, "pandas": _pandas_frame}
    if library is not None and library not in makers:
        raise UsageError(f"library={library!r}", f"expected one of {', '.join(LIBRARIES)}")
    for name in LIBRARIES if library is None else (library,):
        try:
            import_module(name)
        except ImportError:
            continue
        return makers[name]
    missing = library or " or ".join(LIBRARIES)
    raise UsageError(
        f"data frames need {missing}, which is not installed",
        f"install the extra: pip install 'acpcbot[{EXTRAS[library or LIBRARIES[0]]}]'",
    )


def _polars_frame(columns: Mapping[str, list[Any]], types: Mapping[str, str]) -> Any:
    import polars

    known: dict[str, Any] = {
        "str": polars.String,
        "int8": polars.Int8,
        "int16": polars.Int16,
        "int64": polars.Int64,
        "int64 or null": polars.Int64,
        "float64": polars.Float64,
        "bool": polars.Boolean,
        "time": polars.Int64,
        "action": polars.Enum(list(ACTIONS.values())),
    }
    frame = polars.DataFrame(dict(columns), schema={name: known[types[name]] for name in columns})
    return frame.with_columns(
        [
            polars.from_epoch(polars.col(name), "s")
            .dt.cast_time_unit("us")
            .dt.replace_time_zone("UTC")
            for name in columns
            if types[name] == "time"
        ]
    )


def _pandas_frame(columns: Mapping[str, list[Any]], types: Mapping[str, str]) -> Any:
    import pandas

    known: dict[str, Any] = {
        "str": "string",
        "int8": "int8",
        "int16": "int16",
        "int64": "int64",
        "int64 or null": "Int64",
        "float64": "float64",
        "bool": "bool",
        "action": pandas.CategoricalDtype(list(ACTIONS.values())),
    }

    def series(name: str) -> Any:
        if types[name] != "time":
            return pandas.Series(columns[name], dtype=known[types[name]])
        seconds = pandas.Series(columns[name], dtype="Int64")
        return pandas.to_datetime(seconds, unit="s", utc=True).astype("datetime64[us, UTC]")

    return pandas.DataFrame({name: series(name) for name in columns})


def _rows(frame: Any, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of *frame*, of either library, with the columns *names*; None is a null."""
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise UsageError(
            f"the table has no column {', '.join(missing)}", f"expected {', '.join(names)}"
        )
    columns = [_values(frame[name]) for name in names]
    for row in zip(*columns, strict=True):
        yield dict(zip(names, row, strict=True))


def _values(series: Any) -> list[Any]:
    if hasattr(series, "to_list") and not hasattr(series, "isna"):
        return list(series.to_list())
    values = series.astype(object)
    return list(values.where(series.notna(), None))
