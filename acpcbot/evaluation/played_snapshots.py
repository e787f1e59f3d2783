"""The way from a name to a snapshot that is played: ``strategies/leduc.limit.2p/dcfr?play=purified``, for example."""

from __future__ import annotations

from pathlib import Path

from acpcbot.errors import UnknownStrategy, UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.snapshots.finding import find_folder, missing_text
from acpcbot.snapshots.loading import load_snapshot
from acpcbot.snapshots.policy import PlaySettings, parse_name, verify_settings
from acpcbot.snapshots.snapshot import Snapshot

BASELINE_NAMES = ("call", "raise", "random", "fold")


def verify_entrant(name: str) -> None:
    """Raise UnknownStrategy or UsageError unless *name* is a baseline's or leads to a folder."""
    if name not in BASELINE_NAMES:
        _find_place(parse_name(name)[0])


def find_played(name: str, definition: GameDefinition) -> tuple[Snapshot, PlaySettings | None]:
    """The snapshot of this game in the folder that *name* says, and how it is played if it says so."""
    folder, settings = parse_name(name)
    place = _find_place(folder)
    snapshot = load_snapshot(place)
    if snapshot.definition != definition:
        raise UsageError(f"{folder} plays {snapshot.manifest.game_label}", "all entrants have to play one game")
    verify_settings(place, snapshot.manifest, settings)
    return snapshot, settings


def _find_place(folder: str) -> Path:
    place = find_folder(folder)
    if place is None:
        error = UnknownStrategy(folder, BASELINE_NAMES)
        error.hint = f"no folder {folder}: {missing_text(folder)}; or {', '.join(BASELINE_NAMES)}"
        raise error
    return place
