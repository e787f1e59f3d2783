"""Finding snapshots, recipes and examples by name.

Relative names are looked up in the current folder, beside the package, and where wheels install
them. A clone has the folders ``strategies`` and ``examples`` beside the package. Wheels put both
into ``acpcbot_shipped``, beside the package: the wheel of ``acpcbot`` all but the large strategies,
and ``acpcbot-strategies`` these. A name may leave out ``strategies/``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePath

from acpcbot.cache_folders import PACKAGE
from acpcbot.errors import UnknownStrategy
from acpcbot.networks.names import NETWORK_FILE
from acpcbot.networks.names import SEARCH_FILE as SEARCH_FILE
from acpcbot.spelling import nearest_hint
from acpcbot.strategies.manifest import MANIFEST_FILE, RECIPE_FILE

SHIPPED = "acpcbot_shipped"
STRATEGIES = "strategies"
# The games whose strategies are too large for the wheel of acpcbot itself:
# strategies/pyproject.toml.
LARGE = (
    "holdem.limit.3p",
    "holdem.nolimit.2p.reverse_blinds",
    "holdem.nolimit.3p",
    "holdem.nolimit.6p",
)


def search_roots() -> tuple[Path, ...]:
    """Return the folders from which relative names are looked up, in this order.

    The first is the current folder.
    """
    return Path(), PACKAGE.parent, PACKAGE.parent / SHIPPED


def find_folder(name: str) -> Path | None:
    """Return the first folder that *name* leads to, from any of the roots."""
    return _find(name, Path.is_dir)


def find_file(name: str) -> Path | None:
    """Return the first file that *name* leads to, from any of the roots."""
    return _find(name, Path.is_file)


def find_recipe(name: str) -> Path | None:
    """Return the recipe that *name* leads to: a file, or the one in a strategy's folder."""
    return find_file(name) or find_file(str(PurePath(name, RECIPE_FILE)))


def _find(name: str, is_right: Callable[[Path], bool]) -> Path | None:
    names = [name, f"{STRATEGIES}/{name}"] if "/" in name else [name]
    places = [root / given for given in names for root in search_roots()]
    return next((place for place in places if is_right(place)), None)


def short_name(folder: Path) -> str:
    """Return *folder* relative to the first root that it lies below."""
    for root in search_roots():
        if folder.resolve().is_relative_to(root.resolve()):
            return folder.resolve().relative_to(root.resolve()).as_posix()
    return str(folder)


def snapshots_below(folder: Path) -> list[Path]:
    """Return the folders of all snapshots in and below *folder*, in the order of their names."""
    found = [path.parent for path in folder.rglob(MANIFEST_FILE)]
    return sorted([path for path in found if not path.name.startswith(".")])


def places_text() -> str:
    """Return the existing roots as a list in words."""
    return ", ".join(dict.fromkeys(str(root.resolve()) for root in search_roots() if root.is_dir()))


def missing_text(name: str) -> str:
    """Return what may be meant by *name*, and the places that were searched for it.

    Of a large strategy that is not installed: the distribution that has it.
    """
    return nearest_hint(name.partition("?")[0], stored_names()) + searched_text(name)


def searched_text(name: str) -> str:
    """Return the places that were searched for *name*, or the distribution that has it."""
    game = next((part for part in PurePath(name).parts if part in LARGE), None)
    if game is not None and find_folder(f"{STRATEGIES}/{game}") is None:
        return (
            f"strategies for {game} come with the distribution acpcbot-strategies,"
            " which is not installed"
        )
    return f"it was looked for in {places_text()}; acpcbot strategies lists what there is"


def stored_names() -> list[str]:
    """Return the names of all strategies below the roots' ``strategies``, of any kind."""
    files = [
        path
        for root in search_roots()
        for name in (MANIFEST_FILE, SEARCH_FILE, NETWORK_FILE)
        for path in (root / STRATEGIES).rglob(name)
    ]
    return sorted({short_name(path.parent) for path in files})


def unknown_strategy(name: str, known: tuple[str, ...], hint: str) -> UnknownStrategy:
    """Return the error for *name*: a suggestion of the nearest name there is, then the *hint*.

    *known* are the names that are not paths.
    """
    error = UnknownStrategy(name, known)
    error.hint = nearest_hint(name.partition("?")[0], [*known, *stored_names()]) + hint
    return error
