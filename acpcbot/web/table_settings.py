"""Settings of tables, for modules that do not load the server.

What the command line asks of a table, for those who do not load the server.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from acpcbot.poker.definition import GameDefinition

DEFAULT_TABLES = 8
DEFAULT_GUEST_TABLES = 2
DEFAULT_IDLE_MIN = 30.0
DEFAULT_AWAY_S = 60.0


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Matches of *num_hands* at most, logged in *folder*.

    *most_tables* are played at a time, *most_guest_tables* of them by one guest.

    A table ends after *idle_s* in which the person does nothing, and after *away_s* in which no
    browser shows it.
    """

    folder: Path
    num_hands: int
    seed: int
    most_tables: int = DEFAULT_TABLES
    idle_s: float = 60 * DEFAULT_IDLE_MIN
    most_guest_tables: int = DEFAULT_GUEST_TABLES
    away_s: float = DEFAULT_AWAY_S


HUMAN = "human"
"""The strategy that nobody can name here: the person's own."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Options of the command line; see ``acpcbot table --help``."""

    game: tuple[str, GameDefinition] | None
    strategies: tuple[str, ...]
    watched: tuple[Path, ...]
    values: str | None
    tables: TableSettings
