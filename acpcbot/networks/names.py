"""Names of the files of stored networks, and detection of their folders without loading any."""

from __future__ import annotations

from pathlib import Path

NETWORK_FILE = "network.json"
SEARCH_FILE = "search.toml"
"""The file of a search folder, which may hold a network for its leaves."""
"""The manifest; the file that makes a folder one of a network."""
PARAMETERS_FILE = "parameters.npy"
CARD_FILE, RECIPE_FILE = "README.md", "recipe.toml"
"""For people, and for training: no parts of the network, and not checked."""


def is_network(folder: Path) -> bool:
    """Return whether *folder* is one of a stored network."""
    return (folder / NETWORK_FILE).is_file()


def networks_below(folder: Path, *, with_leaves: bool = False) -> list[Path]:
    """Return the folders of all networks in and below *folder*, ordered by name.

    Those that belong to the folder of a search, which plays, are left out unless *with_leaves*.
    """
    found = [path.parent for path in folder.rglob(NETWORK_FILE)]
    return sorted(
        [
            path
            for path in found
            if not path.name.startswith(".")
            and (with_leaves or not (path.parent / SEARCH_FILE).exists())
        ]
    )
