"""bots.toml: which bots to keep at which dealers.

::

    [[bot]]
    name = "alice"                              # appears in the logs; defaults to the strategy
    strategy = "tight"
    game = "holdem.limit.2p.reverse_blinds"     # a shipped game or a file
    host = "127.0.0.1"
    port = 18791
    seed = 1                                    # default 0
    rejoin = true                               # default true: join again when a match ends

Paths are taken from the folder of the file. A table ``[strategies]`` may say which strategy
to play in each game (``agents/router.py``): a bot whose strategy is "router" follows it.
Anything unknown is refused by name.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from acpcbot.agents.registry import ROUTER
from acpcbot.agents.router import TABLE, name_from, parse_router, read_toml
from acpcbot.errors import UsageError

_TYPES = {"str": str, "int": int, "bool": bool}
_HINT = "each [[bot]] has strategy, game, host and port; docs/guides/serve.md shows one"


@dataclass(frozen=True, slots=True)
class BotConfig:
    """One bot at one dealer."""

    strategy: str
    game: str
    host: str
    port: int
    name: str = ""
    seed: int = 0
    rejoin: bool = True


def load_bots(path: Path) -> list[BotConfig]:
    """The bots that the file at *path* lists; raises UsageError, OSError."""
    found = read_toml(path)
    if TABLE in found:
        parse_router(path, found.pop(TABLE))
    bots = found.pop("bot", [])
    if found or not isinstance(bots, list) or not bots or not all(isinstance(bot, dict) for bot in bots):
        raise UsageError(f"{path}: expected one or more [[bot]] tables and nothing else but [{TABLE}]", _HINT)
    return [_bot(path, number, entry) for number, entry in enumerate(bots, start=1)]


def _bot(path: Path, number: int, entry: dict[str, Any]) -> BotConfig:
    known = {field.name: field for field in fields(BotConfig)}
    required = {name for name, field in known.items() if field.default is MISSING}
    problems = [f"no {name}" for name in sorted(required - entry.keys())]
    problems += [f"unknown key {name}" for name in sorted(entry.keys() - known.keys())]
    for name in entry.keys() & known.keys():
        wanted = _TYPES[str(known[name].type)]
        if type(entry[name]) is not wanted:
            problems.append(f"{name} must be of type {wanted.__name__}")
    if problems:
        raise UsageError(f"{path}, bot {number}: {'; '.join(problems)}", _HINT)
    game = path.parent / entry["game"]
    paths = {
        "game": str(game) if game.is_file() else entry["game"],
        "strategy": str(path) if entry["strategy"] == ROUTER else name_from(path.parent, entry["strategy"]),
    }
    bot = BotConfig(**{"name": entry["strategy"], **entry, **paths})
    if not 0 < bot.port < 65_536:
        raise UsageError(f"{path}, bot {number}: port {bot.port} is no port", "give the port that the dealer printed")
    return bot
