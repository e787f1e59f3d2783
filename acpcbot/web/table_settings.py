"""How tables are set up, for those who do not load the server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DEFAULT_TABLES = 8
DEFAULT_GUEST_TABLES = 2
DEFAULT_IDLE_MIN = 30.0
DEFAULT_AWAY_S = 60.0


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Matches of *num_hands* at most, logged in *folder*: *most_tables* at a time, *most_guest_tables* of one guest.

    A table ends after *idle_s* in which the person does nothing, and after *away_s* in which no browser shows it.
    """

    folder: Path
    num_hands: int
    seed: int
    most_tables: int = DEFAULT_TABLES
    idle_s: float = 60 * DEFAULT_IDLE_MIN
    most_guest_tables: int = DEFAULT_GUEST_TABLES
    away_s: float = DEFAULT_AWAY_S
