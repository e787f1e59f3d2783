"""Small match logs for the tests of reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from acpcbot.poker.definition import GameDefinition
from acpcbot.reports.hands import HandTable, read_hands
from tests.protocol.log_making import as_bytes
from tests.support.games import definition_of

NOLIMIT_HEADER = "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 3 7"


def write_log(folder: Path, lines: Sequence[str], name: str = "match.log") -> Path:
    """A log of *lines* in *folder*."""
    path = folder / name
    path.write_bytes(as_bytes(lines))
    return path


def table_of(
    folder: Path, lines: Sequence[str], game: GameDefinition | str | None = None
) -> HandTable:
    """The hands of *lines*."""
    definition = definition_of(game) if isinstance(game, str) else game
    return read_hands([write_log(folder, lines)], definition)
