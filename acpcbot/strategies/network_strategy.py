"""Strategies that are a stored network and a search: their folders, and the games they play.

The folder of a network (``networks/stored.py``) is a strategy if its training names an ACPC game.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from acpcbot.errors import UsageError
from acpcbot.networks.names import is_network
from acpcbot.strategies.finding import find_folder

if TYPE_CHECKING:
    from acpcbot.poker.definition import GameDefinition

GAME = "game"
"""The fact of a network's training that names its game."""


def find_network(name: str) -> Path | None:
    """Return the folder of the network that *name* leads to, options behind it left out."""
    folder = find_folder(name.partition("?")[0])
    return folder if folder is not None and is_network(folder) else None


def network_game(folder: Path) -> tuple[str, GameDefinition]:
    """Return the name and the definition of the game of the network in *folder*.

    Raises UsageError for a damaged manifest, and for a network of no ACPC game.
    """
    from acpcbot.networks.manifest import read_network_manifest
    from acpcbot.poker.shipped import find_definition

    game = read_network_manifest(folder).training.get(GAME)
    if not isinstance(game, str):
        raise UsageError(
            f"{folder} is a network of no ACPC game", "train one with: acpcbot train RECIPE"
        )
    return find_definition(game)
