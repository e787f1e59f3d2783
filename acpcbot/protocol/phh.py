"""Poker Hand History (PHH) files of hold'em matches, written from match logs and read into them.

A ``.phhs`` file holds many hands, a ``.phh`` file one. Needs the optional package pokerkit, which is not
loaded before it is used. How a hand is told is the matter of ``phh_hands``.

Raises ``UsageError`` for games, hands and files that cannot be converted. Source of the format:
https://phh.readthedocs.io
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.log_entries import HandRecord, ScoreRecord
from acpcbot.protocol.log_tally import MatchTally
from acpcbot.protocol.phh_hands import hand_history, hand_record, history_class
from acpcbot.protocol.phh_table import history_definition

if TYPE_CHECKING:
    from pokerkit import HandHistory

ONE_HAND, MANY_HANDS = ".phh", ".phhs"


def write_phh(hands: Iterable[HandRecord], target: Path) -> int:
    """Write *hands* to *target*, a ``.phhs`` file or else a folder for ``.phh`` files; how many they are."""
    if target.suffix == ONE_HAND:
        raise UsageError(f"{target.name!r} would hold one hand only", "give a .phhs file, or a folder")
    if target.suffix == MANY_HANDS:
        with target.open("w", encoding="utf-8", newline="\n") as file:
            return sum(file.write(f"[{number}]\n{text}\n\n") > 0 for number, text in _numbered_texts(hands))
    target.mkdir(parents=True, exist_ok=True)
    return sum(
        (target / f"{number}{ONE_HAND}").write_text(f"{text}\n", encoding="utf-8") > 0
        for number, text in _numbered_texts(hands)
    )


def _numbered_texts(hands: Iterable[HandRecord]) -> Iterator[tuple[int, str]]:
    for number, hand in enumerate(hands, 1):
        yield number, hand_history(hand).dumps()


def read_phh(source: Path, definition: GameDefinition | None = None) -> Iterator[HandRecord]:
    """The hands in *source*, a ``.phhs`` or ``.phh`` file or a folder of ``.phh`` files.

    Without *definition* the game is that of the first hand.
    """
    game = None if definition is None else BettingRules(definition)
    for number, history in enumerate(_histories(source), 1):
        if game is None:
            game = BettingRules(history_definition(history))
        yield hand_record(history, number, game)


def _histories(source: Path) -> Iterator[HandHistory]:
    if not source.is_dir():
        yield from _file_histories(source)
        return
    for path in sorted(source.glob(f"*{ONE_HAND}"), key=_natural_order):
        yield from _file_histories(path)


def _natural_order(path: Path) -> list[tuple[int, str]]:
    """Names in order of the numbers in them: 2 before 10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]+)", path.name)]


def _file_histories(path: Path) -> Iterator[HandHistory]:
    histories = history_class()
    try:
        text = path.read_text(encoding="utf-8")
        if "variant" in tomllib.loads(text):
            yield histories.loads(text)
        else:
            yield from histories.loads_all(text)
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(f"{path} is no PHH file: {error}") from None


def with_score(hands: Iterable[HandRecord]) -> Iterator[HandRecord | ScoreRecord]:
    """*hands*, and behind them the SCORE line if they are the hands of one match from its first on."""
    tally, seat_names, num_hands = MatchTally(), "", 0
    for hand in hands:
        num_hands += 1
        seat_names = seat_names or hand.names_text
        problem = tally.add(hand)
        if problem:
            raise UsageError(f"hand {hand.hand_id}: {problem}", "a match log has the same players throughout")
        yield hand
    if tally.num_hands == num_hands and (totals := tally.totals(seat_names)) is not None:
        yield ScoreRecord(num_hands + 1, tuple(totals), seat_names)
