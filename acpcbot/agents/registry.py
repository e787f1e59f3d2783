"""Agents by name: shipped ones, strategies, and classes of the user's own.

Names are

* ``call``, ``fold``, ``raise``, ``random``, ``tight``, and ``human`` at a terminal,
* ``oos`` and ``ismcts``, which search from the rules, with options after a question mark
  (``tree_search/options.py``),
* ``path/to/folder``, a stored strategy (``blueprint.py``), one that searches (``search.py``), or a
  network, with options after a question mark (``tree_search/sog.py``),
* ``path/to/bots.toml``, and ``router`` for the one in the current folder (``router.py``),
* ``module:Class``, where the module is installed or lies in the current folder,
* ``path/to/file.py:Class``.

A class is called with the game definition and a seed. Nothing is imported before its name is asked
for. A name that leads to nothing raises UnknownStrategy, which suggests the nearest name, and code
of the user's own that fails raises UsageError with its message, caused by its own exception.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from acpcbot.agents.names import (
    KNOWN,
    NETWORK,
    ROUTER,
    ROUTER_FILE,
    SEARCHING,
    SHIPPED,
    is_router,
    searches_rules,
)
from acpcbot.errors import AcpcbotError, UnknownStrategy, UsageError
from acpcbot.matches.agent import Agent, AgentMaker
from acpcbot.poker.definition import GameDefinition
from acpcbot.strategies.finding import find_file, unknown_strategy
from acpcbot.strategies.network_strategy import find_network


def make_agent(name: str, definition: GameDefinition, seed: int) -> Agent:
    """Return the agent called *name*, made for a game.

    Raises UnknownStrategy, BadSnapshot or UsageError.
    """
    maker = find_maker(name)
    if name in SHIPPED:
        return maker(definition, seed)
    try:
        agent = maker(definition, seed)
    except AcpcbotError:
        raise
    except Exception as error:
        hint = "the class is called with the game definition and a seed"
        raise UsageError(f"could not make {name!r}: {_error_text(error)}", hint) from error
    _verify_agent(name, agent)
    return agent


def verify_name(name: str, definition: GameDefinition | None = None) -> None:
    """Raise UnknownStrategy, BadSnapshot or UsageError unless *name* leads to a maker of agents.

    With a *definition* also unless it makes them for this game, as far as that can be verified
    without making one.
    """
    if name in SHIPPED:
        return
    verify_game = getattr(find_maker(name), "verify_game", None)
    if definition is not None and verify_game is not None:
        verify_game(definition)


def find_maker(name: str) -> AgentMaker:
    """Return the maker of the agents called *name*.

    Raises UnknownStrategy, BadSnapshot or UsageError.
    """
    if name in SHIPPED:
        shipped: AgentMaker = _imported(SHIPPED[name])
        return shipped
    if searches_rules(name):
        make_maker: Callable[[str], AgentMaker] = _imported(SEARCHING[name.partition("?")[0]])
        return make_maker(name)
    if is_router(name):
        from acpcbot.agents.router import load_router

        return load_router(Path(ROUTER_FILE if name == ROUTER else name), make_agent, verify_name)
    if _is_folder(name):
        from acpcbot.search.names import is_search

        if is_search(name):
            from acpcbot.agents.search import search_maker

            return search_maker(name)
        if find_network(name) is not None:
            network_maker: Callable[[str], AgentMaker] = _imported(NETWORK)
            return network_maker(name)
        from acpcbot.agents.blueprint import find_blueprint

        return find_blueprint(name)
    return _own_class(name)


def _imported(place: str) -> Any:
    """Return what *place*, a module and a name in it, stands for."""
    module_name, _, own_name = place.partition(":")
    return getattr(importlib.import_module(module_name), own_name)


def _is_folder(name: str) -> bool:
    """Return True if *name* is a path, and not one of a file of classes."""
    place = name.partition("?")[0]
    if not place or place.endswith(".py") or ".py:" in place:
        return False
    return "/" in place or "\\" in place or Path(place).is_dir()


def _own_class(name: str) -> AgentMaker:
    place, colon, class_name = name.rpartition(":")
    if not (colon and place and class_name):
        raise _unknown(name, _naming_hint(name))
    module = _load_file(name, Path(place)) if place.endswith(".py") else _import_module(name, place)
    maker: AgentMaker | None = getattr(module, class_name, None)
    if maker is None or not callable(maker):
        raise _unknown(name, f"{place} has no class {class_name}; it has {_classes_text(module)}")
    return maker


def _unknown(name: str, hint: str) -> UnknownStrategy:
    return unknown_strategy(name, KNOWN, hint)


def _naming_hint(name: str) -> str:
    if name.endswith(".py"):
        return f"name the class too: {name}:MyAgent"
    own = "a strategy's folder, module:Class or path/to/file.py:Class"
    return f"shipped strategies: {', '.join(KNOWN)}; others: {own}"


def _import_module(name: str, module_name: str) -> ModuleType:
    _add_to_path(Path.cwd())
    try:
        return importlib.import_module(module_name)
    except Exception as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and f"{module_name}.".startswith(f"{missing}."):
            raise _unknown(
                name, f"no module {missing} in {Path.cwd()} or among the installed ones"
            ) from None
        raise UsageError(f"could not import {module_name}: {_error_text(error)}") from error


def _load_file(name: str, path: Path) -> ModuleType:
    """Return the module in the file at *path*.

    Modules go by their full paths, so that two files of one name are two modules.
    """
    found = find_file(str(path))
    if found is None:
        raise _unknown(name, f"there is no file {path}")
    path, full_path = found, str(found.resolve())
    if full_path in sys.modules:
        return sys.modules[full_path]
    _add_to_path(path.resolve().parent)
    spec = importlib.util.spec_from_file_location(full_path, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[full_path] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[full_path]
        raise UsageError(f"could not import {path}: {_error_text(error)}") from error
    return module


def _add_to_path(folder: Path) -> None:
    """Put *folder* on the import path, as when a script there is run."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    importlib.invalidate_caches()


def _verify_agent(name: str, agent: Any) -> None:
    if not callable(getattr(agent, "act", None)):
        raise UsageError(f"{name!r} makes no agent", "an agent has a method act(state, deadline_s)")
    if not isinstance(getattr(agent, "is_instant", None), bool):
        raise UsageError(
            f"{name!r} does not say whether it is instant",
            "set is_instant to True or False in the class",
        )


def _classes_text(module: ModuleType) -> str:
    classes = [
        name
        for name, value in vars(module).items()
        if isinstance(value, type) and hasattr(value, "act")
    ]
    return ", ".join(sorted(classes)) or "no agents at all"


def _error_text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
