"""``manifest.json``: origin, game and play of a snapshot, and the checksum of each of its files.

It is one JSON object: the format, the fields of ``Manifest``, and a checksum over all of them, so
that no change goes unnoticed. Reading raises BadSnapshot with the reason.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acpcbot.cache_folders import PACKAGE
from acpcbot.decoding import decode
from acpcbot.errors import BadSnapshot

if TYPE_CHECKING:
    from acpcbot.poker.definition import GameDefinition

FORMAT = 1
MANIFEST_FILE = "manifest.json"
RECIPE_FILE = "recipe.toml"
CARD_FILE = "README.md"
"""For people: no part of the strategy, and not checked."""

Record = dict[str, Any]
"""A JSON object."""


@dataclass(frozen=True, slots=True)
class Training:
    """Learner, settings and amount of training behind a strategy."""

    learner: str
    settings: Record
    seed: int
    num_threads: int
    num_episodes: int
    hours: float
    commit: str
    """Version of the program, as written by the trainer."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything about a snapshot except its arrays."""

    game_name: str
    """The shipped game's name; empty where the game is no shipped one."""
    game_fingerprint: str
    game_text: str
    storage: str
    """Storage type of the probabilities; see ``files.py``."""
    play: str
    """Default play settings; see ``policy.py``."""
    abstraction: Record
    training: Training
    strength: tuple[Record, ...]
    """Measurements, as written by the program that made them."""
    files: dict[str, str]
    """The SHA-256 of every other file of the folder, by its name."""
    bets: Record = field(default_factory=dict)
    """Bet sizes of its tree in a no-limit game, as settings of a bet menu.

    Limit games have no such entry.
    """

    @property
    def game_label(self) -> str:
        """The game's name, or the fingerprint of a game that is no shipped one."""
        return self.game_name or self.game_fingerprint

    def holds(self, kind: str) -> bool:
        """Return True if there are arrays of this kind: "policy" or "greedy"."""
        return any(name.startswith(f"{kind}.") for name in self.files)


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write *manifest* to the file at *path*; equal manifests give equal bytes."""
    found = {"format": FORMAT, **asdict(manifest)}
    if not manifest.bets:
        del found["bets"]
    text = json.dumps({**found, "checksum": _checksum(found)}, indent=2)
    path.write_text(text + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest in *folder*; raises BadSnapshot."""
    try:
        found = json.loads((folder / MANIFEST_FILE).read_text(encoding="utf-8"))
        # Encoding refuses half of a surrogate pair, which could not be printed.
        json.dumps(found, ensure_ascii=False).encode()
        return _manifest(found)
    except OSError as error:
        raise BadSnapshot(
            str(folder), f"{MANIFEST_FILE} cannot be read ({error.strerror})"
        ) from None
    except (ValueError, RecursionError) as error:
        raise BadSnapshot(str(folder), f"{MANIFEST_FILE}: {error}") from None


def stored_definition(manifest: Manifest) -> GameDefinition:
    """Return the game of *manifest*.

    Raises BadDefinition, or ValueError if the fingerprint does not match.
    """
    from acpcbot.poker.definition import parse_definition  # 4 ms, which lists do not need

    definition = parse_definition(manifest.game_text)
    if definition.fingerprint != manifest.game_fingerprint:
        raise ValueError(f"its game is not the one with fingerprint {manifest.game_fingerprint}")
    return definition


def read_definition(folder: Path) -> tuple[str, GameDefinition]:
    """Return the label and the rules of the game of the snapshot in *folder*.

    Raises BadSnapshot.
    """
    manifest = read_manifest(folder)
    try:
        return manifest.game_label, stored_definition(manifest)
    except ValueError as error:
        raise BadSnapshot(str(folder), str(error)) from None


def _manifest(found: object) -> Manifest:
    """Return the JSON value *found* as a manifest; raises ValueError with the reason."""
    if not isinstance(found, dict):
        raise ValueError("not an object")
    if found.get("format") != FORMAT:
        raise ValueError(f"format {found.get('format')!r}, expected {FORMAT}")
    checksum = found.pop("checksum", None)
    if checksum != _checksum(found):
        raise ValueError("it does not match its own checksum")
    del found["format"]
    manifest = decode(Manifest, found)
    _verify_printable(manifest)
    _verify_printable(manifest.training)
    return manifest


def _verify_printable(record: Manifest | Training) -> None:
    """Raise ValueError where a text of *record*, or a name of its files, cannot be printed."""
    for item in fields(record):
        value = getattr(record, item.name)
        texts = [value] if isinstance(value, str) else value if item.name == "files" else []
        if item.name != "game_text" and not all(text.isprintable() for text in texts):
            raise ValueError(f"{item.name} has characters that cannot be printed")


def _checksum(found: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()


def program_version() -> str:
    """Return the commit of the source tree, or the installed version where there is none.

    Trainers mark what they store with it.
    """
    # Only storing needs them.
    import subprocess  # nosec B404 # for git, whose words are all our own
    from importlib.metadata import PackageNotFoundError, version

    try:
        command = [
            "git",
            "-C",
            str(PACKAGE.parent),
            "describe",
            "--always",
            "--dirty",
            "--abbrev=12",
        ]
        # No shell, and no words from outside.
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # nosec B603
        return done.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        pass
    try:
        return version("acpcbot")
    except PackageNotFoundError:
        return "unknown"
