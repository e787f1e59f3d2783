"""Agents: one view of a hand in, one action out.

Baselines, a tight rule player, a person at the terminal, stored strategies, searching strategies,
searches from the rules (``tree_search``), and files that name an agent for each game.
``registry.py`` makes any of them by name; ``public_strategies.py`` finds those that give their
probabilities for every hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.agents.baseline import CallAgent as CallAgent
    from acpcbot.agents.baseline import FoldAgent as FoldAgent
    from acpcbot.agents.baseline import RaiseAgent as RaiseAgent
    from acpcbot.agents.baseline import RandomAgent as RandomAgent
    from acpcbot.agents.blueprint import BlueprintAgent as BlueprintAgent
    from acpcbot.agents.names import KNOWN as KNOWN
    from acpcbot.agents.public_strategies import CardlessStrategy as CardlessStrategy
    from acpcbot.agents.public_strategies import find_strategy as find_strategy
    from acpcbot.agents.registry import find_maker as find_maker
    from acpcbot.agents.registry import make_agent as make_agent
    from acpcbot.agents.registry import verify_name as verify_name
    from acpcbot.agents.search import SearchAgent as SearchAgent
    from acpcbot.agents.table_agent import TableAgent as TableAgent
    from acpcbot.agents.tight import TightAgent as TightAgent
    from acpcbot.agents.tight_strategy import TightStrategy as TightStrategy

export(
    __name__,
    {
        "BlueprintAgent": "blueprint",
        "CallAgent": "baseline",
        "CardlessStrategy": "public_strategies",
        "FoldAgent": "baseline",
        "KNOWN": "names",
        "RaiseAgent": "baseline",
        "RandomAgent": "baseline",
        "SearchAgent": "search",
        "TableAgent": "table_agent",
        "TightAgent": "tight",
        "TightStrategy": "tight_strategy",
        "find_maker": "registry",
        "find_strategy": "public_strategies",
        "make_agent": "registry",
        "verify_name": "registry",
    },
)
