"""What the command line asks of a table, for those who do not load the server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from acpcbot.poker.definition import GameDefinition
from acpcbot.web.table_settings import TableSettings

HUMAN = "human"
"""The strategy that nobody can name here: the person's own."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the command line named; see ``acpcbot table --help``."""

    game: tuple[str, GameDefinition] | None
    strategies: tuple[str, ...]
    watched: tuple[Path, ...]
    values: str | None
    tables: TableSettings
