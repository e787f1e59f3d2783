"""``manifest.json``: what a snapshot is, where it came from, and the checksum of each of its files.

It is one JSON object: the format, the fields of ``Manifest``, and a checksum over all of
them, so that nothing in it changes unnoticed. Reading raises BadSnapshot with the reason.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from acpcbot.errors import BadSnapshot
from acpcbot.poker.definition import GameDefinition, parse_definition

FORMAT = 1
MANIFEST_FILE = "manifest.json"
RECIPE_FILE = "recipe.toml"
CARD_FILE = "README.md"
"""For people: no part of the strategy, and not checked."""

Record = dict[str, Any]
"""Anything that JSON can hold, by names."""

_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "Record": (dict,),
    "Training": (dict,),
    "tuple[Record, ...]": (list, tuple),
    "dict[str, str]": (dict,),
}


@dataclass(frozen=True, slots=True)
class Training:
    """How a strategy was made."""

    learner: str
    settings: Record
    seed: int
    num_threads: int
    num_episodes: int
    hours: float
    commit: str
    """The version of the program, in the words of whoever trained."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that is known of a snapshot but for its arrays."""

    game_name: str
    """The shipped game's name; empty where the game is no shipped one."""
    game_fingerprint: str
    game_text: str
    storage: str
    """How probabilities are stored; see ``files.py``."""
    play: str
    """How it is played where nobody says otherwise; see ``policy.py``."""
    abstraction: Record
    training: Training
    strength: tuple[Record, ...]
    """What was measured of it, in the words of whoever measured."""
    files: dict[str, str]
    """The SHA-256 of every other file of the folder, by its name."""
    bets: Record = field(default_factory=dict)
    """The sizes that its tree has in a no-limit game, as settings of a bet menu.

    Limit games have no such entry.
    """

    @property
    def game_label(self) -> str:
        """The game's name, or the fingerprint of a game that is no shipped one."""
        return self.game_name or self.game_fingerprint

    def holds(self, kind: str) -> bool:
        """Whether there are arrays of this kind: "policy" or "greedy"."""
        return any(name.startswith(f"{kind}.") for name in self.files)


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write *manifest* to the file at *path*; equal manifests give equal bytes."""
    found = {"format": FORMAT, **asdict(manifest)}
    if not manifest.bets:
        del found["bets"]
    text = json.dumps({**found, "checksum": _checksum(found)}, indent=2)
    path.write_text(text + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """The manifest in *folder*; raises BadSnapshot."""
    try:
        found = json.loads((folder / MANIFEST_FILE).read_text(encoding="utf-8"))
        json.dumps(
            found, ensure_ascii=False
        ).encode()  # refuses half of a surrogate pair, which cannot be printed
        return _manifest(found)
    except OSError as error:
        raise BadSnapshot(
            str(folder), f"{MANIFEST_FILE} cannot be read ({error.strerror})"
        ) from None
    except (ValueError, RecursionError) as error:
        raise BadSnapshot(str(folder), f"{MANIFEST_FILE}: {error}") from None


def stored_definition(manifest: Manifest) -> GameDefinition:
    """The game that *manifest* tells of.

    Raises BadDefinition, or ValueError where its fingerprint is another's.
    """
    definition = parse_definition(manifest.game_text)
    if definition.fingerprint != manifest.game_fingerprint:
        raise ValueError(f"its game is not the one with fingerprint {manifest.game_fingerprint}")
    return definition


def read_definition(folder: Path) -> tuple[str, GameDefinition]:
    """The label and the rules of the game that the snapshot in *folder* plays.

    Raises BadSnapshot.
    """
    manifest = read_manifest(folder)
    try:
        return manifest.game_label, stored_definition(manifest)
    except ValueError as error:
        raise BadSnapshot(str(folder), str(error)) from None


def _manifest(found: object) -> Manifest:
    """The manifest that the JSON value *found* is; raises ValueError with the reason."""
    if not isinstance(found, dict):
        raise ValueError("not an object")
    if found.get("format") != FORMAT:
        raise ValueError(f"format {found.get('format')!r}, and this program reads format {FORMAT}")
    checksum = found.pop("checksum", None)
    if checksum != _checksum(found):
        raise ValueError("it does not match its own checksum")
    del found["format"]
    found.setdefault("bets", {})
    _verify_fields(Manifest, found)
    _verify_fields(Training, found["training"])
    if not all(isinstance(record, dict) for record in found["strength"]):
        raise ValueError("strength must be a list of objects")
    if not all(
        name.isprintable() and isinstance(digest, str) for name, digest in found["files"].items()
    ):
        raise ValueError("files must be checksums by name")
    return Manifest(
        **{**found, "training": Training(**found["training"]), "strength": tuple(found["strength"])}
    )


def _verify_fields(record: type[Manifest] | type[Training], found: Mapping[str, object]) -> None:
    """Raise ValueError unless *found* has the fields of *record*, of their types and fit to
    print.
    """
    names = [item.name for item in fields(record)]
    if set(found) != set(names):
        missing, unknown = sorted(set(names) - set(found)), sorted(set(found) - set(names))
        raise ValueError(
            f"missing: {', '.join(missing) or 'nothing'}; unknown: {', '.join(unknown) or 'nothing'}"
        )
    for item in fields(record):
        value = found[item.name]
        if type(value) not in _TYPES[str(item.type)]:
            raise ValueError(f"{item.name} is of type {type(value).__name__}")
        if isinstance(value, str) and item.name != "game_text" and not value.isprintable():
            raise ValueError(f"{item.name} is no plain text")


def _checksum(found: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()
