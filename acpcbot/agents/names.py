"""Names of agents that are not paths: the shipped ones, and files that map games to strategies."""

from __future__ import annotations

SHIPPED = {
    "call": "acpcbot.agents.baseline:CallAgent",
    "fold": "acpcbot.agents.baseline:FoldAgent",
    "human": "acpcbot.agents.human:HumanAgent",
    "raise": "acpcbot.agents.baseline:RaiseAgent",
    "random": "acpcbot.agents.baseline:RandomAgent",
    "tight": "acpcbot.agents.tight:TightAgent",
}
"""The module and the class behind each name."""
SEARCHING = {
    "ismcts": "acpcbot.agents.tree_search.ismcts:ismcts_maker",
    "oos": "acpcbot.agents.tree_search.oos:oos_maker",
}
"""The module and the function that makes a maker of each name with options: they search."""
NETWORK = "acpcbot.agents.tree_search.sog:sog_maker"
"""The same for the folder of a network."""
KNOWN: tuple[str, ...] = tuple(sorted([*SHIPPED, *SEARCHING]))
ROUTER, ROUTER_FILE, ROUTER_SUFFIX = "router", "bots.toml", ".toml"


def is_router(name: str) -> bool:
    """Return True if *name* stands for a file that names a strategy for each game."""
    return name == ROUTER or name.endswith(ROUTER_SUFFIX)


def searches_rules(name: str) -> bool:
    """Return True if *name* is an agent's that searches from the rules, with options or without."""
    return name.partition("?")[0] in SEARCHING
