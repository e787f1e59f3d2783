"""The way from a name to an agent: a shipped one, or a class of the user's own.

Besides the names in ``KNOWN`` these are understood:

* ``module:Class``, where the module is installed or lies in the current folder,
* ``path/to/file.py:Class``.

The class is called with the game definition and a seed. Nothing is imported before its
name is asked for. A name that leads nowhere raises UnknownStrategy, and code of the
user's own that fails raises UsageError with its message, caused by its own exception.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from acpcbot.errors import AcpcbotError, UnknownStrategy, UsageError
from acpcbot.matches.agent import Agent, AgentMaker
from acpcbot.poker.definition import GameDefinition

_SHIPPED = {
    "call": "acpcbot.agents.baseline:CallAgent",
    "fold": "acpcbot.agents.baseline:FoldAgent",
    "human": "acpcbot.agents.human:HumanAgent",
    "raise": "acpcbot.agents.baseline:RaiseAgent",
    "random": "acpcbot.agents.baseline:RandomAgent",
    "tight": "acpcbot.agents.tight:TightAgent",
}
KNOWN: tuple[str, ...] = tuple(_SHIPPED)


def make_agent(name: str, definition: GameDefinition, seed: int) -> Agent:
    """The agent called *name*, made for a game; raises UnknownStrategy or UsageError."""
    maker = find_maker(name)
    if name in KNOWN:
        return maker(definition, seed)
    try:
        agent = maker(definition, seed)
    except AcpcbotError:
        raise
    except Exception as error:
        hint = "the class is called with the game definition and a seed"
        raise UsageError(f"could not make {name!r}: {_told(error)}", hint) from error
    _verify_agent(name, agent)
    return agent


def verify_name(name: str) -> None:
    """Raise UnknownStrategy or UsageError unless *name* leads to something that makes agents."""
    if name not in KNOWN:
        find_maker(name)


def find_maker(name: str) -> AgentMaker:
    """What makes the agents called *name*; raises UnknownStrategy or UsageError."""
    if name in _SHIPPED:
        module_name, _, class_name = _SHIPPED[name].partition(":")
        shipped: AgentMaker = getattr(importlib.import_module(module_name), class_name)
        return shipped
    place, colon, class_name = name.rpartition(":")
    if not (colon and place and class_name):
        raise _unknown(name, _guess(name))
    module = _load_file(name, Path(place)) if place.endswith(".py") else _import_module(name, place)
    maker: AgentMaker | None = getattr(module, class_name, None)
    if maker is None or not callable(maker):
        raise _unknown(name, f"{place} has no class {class_name}; it has {_classes_text(module)}")
    return maker


def _guess(name: str) -> str:
    if name.endswith(".py"):
        return f"name the class too: {name}:MyAgent"
    if "/" in name or "\\" in name:
        return f"strategies cannot be read from a folder yet; shipped strategies: {', '.join(KNOWN)}"
    return f"shipped strategies: {', '.join(KNOWN)}; your own: module:Class or path/to/file.py:Class"


def _import_module(name: str, module_name: str) -> ModuleType:
    _look_in(Path.cwd())
    try:
        return importlib.import_module(module_name)
    except Exception as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and f"{module_name}.".startswith(f"{missing}."):
            raise _unknown(name, f"no module {missing} in {Path.cwd()} or among the installed ones") from None
        raise UsageError(f"could not import {module_name}: {_told(error)}") from error


def _load_file(name: str, path: Path) -> ModuleType:
    """The module in the file, which goes by its whole path: two files with one name are two modules."""
    if not path.is_file():
        raise _unknown(name, f"there is no file {path}")
    full_path = str(path.resolve())
    if full_path in sys.modules:
        return sys.modules[full_path]
    _look_in(path.resolve().parent)
    spec = importlib.util.spec_from_file_location(full_path, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[full_path] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[full_path]
        raise UsageError(f"could not import {path}: {_told(error)}") from error
    return module


def _look_in(folder: Path) -> None:
    """Let modules in *folder* be imported, as when a script there is run."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    importlib.invalidate_caches()


def _verify_agent(name: str, agent: Any) -> None:
    if not callable(getattr(agent, "act", None)):
        raise UsageError(f"{name!r} makes no agent", "an agent has a method act(state, deadline_s)")
    if not isinstance(getattr(agent, "is_instant", None), bool):
        raise UsageError(f"{name!r} does not say whether it is instant", "set is_instant to True or False in the class")


def _classes_text(module: ModuleType) -> str:
    classes = [name for name, value in vars(module).items() if isinstance(value, type) and hasattr(value, "act")]
    return ", ".join(sorted(classes)) or "no agents at all"


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _unknown(name: str, hint: str) -> UnknownStrategy:
    error = UnknownStrategy(name, KNOWN)
    error.hint = hint
    return error
