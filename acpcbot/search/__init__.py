"""Search at the table: continual re-solving with a depth limit.

``strategy.py`` is the strategy that plays, ``subgame.py`` the subgame of a decision,
``leaves.py`` and ``network_leaves.py`` what lies beyond it, ``blueprint.py`` the stored strategy in it,
``settings.py`` the file that says how; ``deadline.py`` keeps to the clock. ``weak_opponents.py`` and
``all_in_answers.py`` are about opponents that err.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.search.blueprint import BlueprintPlay as BlueprintPlay
    from acpcbot.search.deadline import Budget as Budget
    from acpcbot.search.deadline import IterationTimer as IterationTimer
    from acpcbot.search.folder import FoundSearch as FoundSearch
    from acpcbot.search.folder import find_search as find_search
    from acpcbot.search.folder import make_search as make_search
    from acpcbot.search.leaves import LeafMaker as LeafMaker
    from acpcbot.search.leaves import RolloutLeaves as RolloutLeaves
    from acpcbot.search.leaves import StoredLeaves as StoredLeaves
    from acpcbot.search.names import is_search as is_search
    from acpcbot.search.settings import SearchFolder as SearchFolder
    from acpcbot.search.settings import SearchSettings as SearchSettings
    from acpcbot.search.settings import StreetSettings as StreetSettings
    from acpcbot.search.settings import read_search_folder as read_search_folder
    from acpcbot.search.solution import Solution as Solution
    from acpcbot.search.strategy import Fallback as Fallback
    from acpcbot.search.strategy import SearchStrategy as SearchStrategy
    from acpcbot.search.subgame import Spot as Spot
    from acpcbot.search.subgame import subgame_root as subgame_root

export(
    __name__,
    {
        "BlueprintPlay": "blueprint",
        "Budget": "deadline",
        "Fallback": "strategy",
        "FoundSearch": "folder",
        "IterationTimer": "deadline",
        "LeafMaker": "leaves",
        "RolloutLeaves": "leaves",
        "SearchFolder": "settings",
        "SearchSettings": "settings",
        "SearchStrategy": "strategy",
        "Solution": "solution",
        "Spot": "subgame",
        "StoredLeaves": "leaves",
        "StreetSettings": "settings",
        "find_search": "folder",
        "is_search": "names",
        "make_search": "folder",
        "read_search_folder": "settings",
        "subgame_root": "subgame",
    },
)
