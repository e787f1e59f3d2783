"""How tables are set up, for those who do not load the server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How tables are set up: logs in *folder*, so many hands at most, so many tables, so long without the person."""

    folder: Path
    num_hands: int
    seed: int
    most_tables: int
    idle_s: float
