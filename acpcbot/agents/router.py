"""One name for many games: a file that maps each game to the strategies to play.

A table of ``bots.toml``, or of any other file whose name ends in ".toml"::

    [strategies]
    "leduc.limit.2p" = "strategies/leduc.limit.2p/dcfr"
    "holdem.limit.2p.reverse_blinds" = ["strategies/holdem.limit.2p/smooth_uct", "tight"]
    "games/my.game" = "my_module:MyAgent"

A game is a shipped one or a definition file, and is recognised by its rules, whatever the
dealer's file was called. Of a list of strategies the first that can be made plays; each failure
is reported once, on stderr. Paths are relative to the folder of the file where they exist there.
The file's name is a strategy's name, and ``router`` is short for bots.toml in the current folder.
Faults raise UsageError with the file's name.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from acpcbot.agents.names import KNOWN, is_router
from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.matches.agent import Agent
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import find_definition, recognise

TABLE = "strategies"
HINT = (
    '[strategies] has lines such as "leduc.limit.2p" = ["strategies/leduc.limit.2p/dcfr", "tight"]'
)

_END_OF_PATH = re.compile(r"\?|(?<=\.py):")

T = TypeVar("T")
Strategies: TypeAlias = dict[GameDefinition, tuple[str, ...]]
"""Names of strategies for each game, in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class Router:
    """Maker of the agents that the file at *path* names: *strategies* by game.

    Agents are made and names verified by *make* and *verify*, the functions of ``registry.py``,
    which calls this module.
    """

    path: Path
    strategies: Strategies
    make: Callable[[str, GameDefinition, int], Agent]
    verify: Callable[[str, GameDefinition], None]

    def __call__(self, definition: GameDefinition, seed: int) -> Agent:
        return self._first(definition, lambda name: self.make(name, definition, seed))

    def verify_game(self, definition: GameDefinition) -> None:
        """Raise UsageError unless there is a strategy for the game."""
        self._first(definition, lambda name: self.verify(name, definition))

    def _first(self, definition: GameDefinition, attempt: Callable[[str], T]) -> T:
        """Return the result of *attempt* for the first of the game's strategies that succeeds."""
        names = self.strategies.get(definition)
        game = recognise(definition) or f"the game with fingerprint {definition.fingerprint}"
        if names is None:
            raise UsageError(f"{self.path} names no strategy for {game}", HINT)
        faults = []
        for name in names:
            try:
                return attempt(name)
            except (AcpcbotError, OSError) as error:
                faults.append(f"{name}: {error}")
                _warn_once(f"{self.path}: cannot play {game} by {faults[-1]}")
        raise UsageError(
            f"{self.path}: no strategy for {game} can be played ({'; '.join(faults)})", HINT
        )


def load_router(
    path: Path,
    make: Callable[[str, GameDefinition, int], Agent],
    verify: Callable[[str, GameDefinition], None],
) -> Router:
    """Return the router that the file at *path* describes; raises UsageError, OSError."""
    table = read_toml(path).get(TABLE)
    if table is None:
        raise UsageError(f"{path} has no table [{TABLE}]", HINT)
    return Router(path, parse_strategies(path, table), make, verify)


def parse_strategies(path: Path, table: object) -> Strategies:
    """Return the strategies that the *table* in the file at *path* names for each game.

    Raises UsageError.
    """
    if not isinstance(table, dict) or not table:
        raise UsageError(f"{path}: {TABLE} is not a table, or an empty one", HINT)
    strategies: Strategies = {}
    for game, names in _flat(table):
        definition = _definition(path, game)
        if definition in strategies:
            raise UsageError(f"{path}: {game} is listed twice, perhaps by another name", HINT)
        strategies[definition] = tuple(
            [name_from(path.parent, name) for name in _names(path, game, names)]
        )
    return strategies


def read_toml(path: Path) -> dict[str, Any]:
    """Return the contents of the file at *path*; raises UsageError, OSError."""
    import tomllib  # 4 ms, which commands that read no such file do not pay

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}", "the file must be TOML") from None


def name_from(folder: Path, name: str) -> str:
    """Return the strategy *name* as a file in *folder* means it.

    A path is relative to that folder if something exists there.

    >>> name_from(Path("bots"), "tight")
    'tight'
    """
    place = _END_OF_PATH.split(name)[0]
    is_path = place and place not in KNOWN and (folder / place).exists()
    return str(folder / name) if is_path else name


def _flat(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Yield keys and values of *table*; an unquoted name with dots is joined again."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _definition(path: Path, game: str) -> GameDefinition:
    beside = path.parent / game
    try:
        return find_definition(str(beside) if beside.is_file() else game)[1]
    except AcpcbotError as error:
        raise UsageError(f"{path}: {error}", error.hint) from None


def _names(path: Path, game: str, names: object) -> list[str]:
    listed = [names] if isinstance(names, str) else names
    if (
        not isinstance(listed, list)
        or not listed
        or not all(isinstance(name, str) for name in listed)
    ):
        raise UsageError(f"{path}: {game} needs the name of a strategy, or a list of names", HINT)
    if any(map(is_router, listed)):
        raise UsageError(f"{path}: {game} cannot be left to another file", HINT)
    return listed


@cache
def _warn_once(text: str) -> None:
    print(text, file=sys.stderr)
