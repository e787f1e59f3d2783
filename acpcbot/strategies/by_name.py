"""Stored strategies by name: ``strategies/leduc.limit.2p/dcfr?play=purified``, for example.

A name is the folder of a snapshot, with play settings after a question mark. ``find_stored`` is the
one way from such a name to a folder; players, the arena and evaluation all take it. In the arena
``call``, ``fold``, ``raise`` and ``random`` are names too (``entrants.py``). A name
that leads to nothing raises UnknownStrategy, a damaged folder BadSnapshot, and settings or games
that do not fit UsageError.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from acpcbot.errors import UsageError
from acpcbot.networks.names import is_network
from acpcbot.poker.baselines import BASELINES
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import recognise
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import find_folder, searched_text, unknown_strategy
from acpcbot.strategies.manifest import read_definition, read_manifest
from acpcbot.strategies.policy import PlaySettings, parse_name, verify_settings
from acpcbot.strategies.snapshot import Snapshot

NUM_SEATS = 2


@dataclass(frozen=True, slots=True)
class StoredStrategy:
    """A stored strategy that was found by name and not loaded: its *folder* and play settings.

    *settings* is None where the name has none.
    """

    folder: Path
    settings: PlaySettings | None

    def verify_game(self, definition: GameDefinition, *, any_stacks: bool = False) -> None:
        """Raise UsageError unless the strategy plays this game, see ``verify_same_game``.

        Raises BadSnapshot if the manifest cannot be read; loads no array.
        """
        own = read_definition(self.folder)[1]
        verify_same_game(self.folder, own, definition, any_stacks=any_stacks)

    def load(self) -> Snapshot:
        """Return the snapshot; raises BadSnapshot."""
        return load_snapshot(self.folder)


def find_stored(name: str, others: tuple[str, ...] = BASELINES) -> StoredStrategy:
    """Return the stored strategy called *name*; raises UnknownStrategy, BadSnapshot, UsageError.

    *others* are the names that could have stood there instead.
    """
    place, settings = parse_name(name)
    folder = find_folder(place)
    if folder is None:
        hint = f"no folder {place}: {searched_text(place)}; or {', '.join(others)}"
        raise unknown_strategy(name, others, hint)
    if is_network(folder):
        raise UsageError(
            f"{place} is a network with a search, and no stored strategy",
            "play, show, exploitability and evaluate take it",
        )
    verify_settings(folder, read_manifest(folder), settings)
    return StoredStrategy(folder, settings)


def find_played(
    name: str, definition: GameDefinition, *, any_stacks: bool = False
) -> tuple[Snapshot, PlaySettings | None]:
    """Return the snapshot called *name* and its play settings, if the name has some.

    Raises UsageError if it is of another game, see ``verify_same_game``.
    """
    stored = find_stored(name)
    stored.verify_game(definition, any_stacks=any_stacks)
    return stored.load(), stored.settings


def verify_same_game(
    path: Path, own: GameDefinition, wanted: GameDefinition, *, any_stacks: bool = False
) -> None:
    """Raise UsageError, naming both games, unless the strategy at *path* plays *wanted*.

    With *any_stacks* a no-limit game for two may differ in its stacks: betting is translated.
    """
    is_translated = any_stacks and not own.is_limit and own.num_players == NUM_SEATS
    if own != (replace(wanted, stacks=own.stacks) if is_translated else wanted):
        names = [
            recognise(definition) or f"a game with fingerprint {definition.fingerprint}"
            for definition in (own, wanted)
        ]
        raise UsageError(
            f"{path} plays {names[0]}, not {names[1]}",
            "acpcbot strategies lists each strategy's game",
        )


def verify_entrant(name: str) -> None:
    """Raise an error unless *name* is a baseline's or leads to a stored strategy."""
    if name not in BASELINES:
        find_stored(name)
