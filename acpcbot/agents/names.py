"""Names of agents that are no paths: the shipped ones, and files that name a strategy for each
game.
"""

from __future__ import annotations

from acpcbot.errors import UnknownStrategy

SHIPPED = {
    "call": "acpcbot.agents.baseline:CallAgent",
    "fold": "acpcbot.agents.baseline:FoldAgent",
    "human": "acpcbot.agents.human:HumanAgent",
    "raise": "acpcbot.agents.baseline:RaiseAgent",
    "random": "acpcbot.agents.baseline:RandomAgent",
    "tight": "acpcbot.agents.tight:TightAgent",
}
"""The module and the class behind each name."""
KNOWN: tuple[str, ...] = tuple(SHIPPED)
ROUTER, ROUTER_FILE, ROUTER_SUFFIX = "router", "bots.toml", ".toml"


def is_router(name: str) -> bool:
    """Return True if *name* stands for a file that names a strategy for each game."""
    return name == ROUTER or name.endswith(ROUTER_SUFFIX)


def unknown_strategy(name: str, hint: str) -> UnknownStrategy:
    """Return the error for *name*, with a *hint* of its own."""
    error = UnknownStrategy(name, KNOWN)
    error.hint = hint
    return error
