"""Where a report's hands come from: logs as they are named, and the folders that ``acpcbot match`` writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from acpcbot.errors import UsageError
from acpcbot.matches.plan import load_plan
from acpcbot.poker.definition import GameDefinition


def find_logs(
    paths: Sequence[Path], definition: GameDefinition | None = None
) -> tuple[list[Path], GameDefinition | None]:
    """The logs at *paths*, and the game: *definition*, else that of the first match's folder, else None.

    Raises ``UsageError`` for a folder that holds no match or none of its logs.
    """
    logs: list[Path] = []
    for path in paths:
        if path.is_dir():
            found, game = _logs_of_match(path)
            logs += found
            definition = definition or game
        else:
            logs.append(path)
    return logs, definition


def _logs_of_match(folder: Path) -> tuple[list[Path], GameDefinition]:
    plan = load_plan(folder)
    logs = [folder / f"{table.name}.log" for table in plan.tables()]
    found = [log for log in logs if log.exists()]
    if not found:
        raise UsageError(f"{folder} holds no logs", f"play the match first: acpcbot match --resume {folder}")
    return found, plan.definition
