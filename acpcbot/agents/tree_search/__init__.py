"""Agents that search a game from its rules: no training comes before.

``searched_game.py`` is a poker game as they see it, with a bet menu and a view of the cards;
``options.py`` are the settings behind their names. ``oos.py`` and ``ismcts.py`` are the agents.
What OOS would play is a public strategy (``oos_strategy.py``), which ``saving.py`` writes down as a
stored one; ``background.py`` is the thread in which it searches between its decisions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.agents.tree_search.ismcts import ISMCTSAgent as ISMCTSAgent
    from acpcbot.agents.tree_search.oos import OOSAgent as OOSAgent
    from acpcbot.agents.tree_search.oos_strategy import OOSStrategy as OOSStrategy
    from acpcbot.agents.tree_search.searched_game import SearchedGame as SearchedGame

export(
    __name__,
    {
        "ISMCTSAgent": "ismcts",
        "OOSAgent": "oos",
        "OOSStrategy": "oos_strategy",
        "SearchedGame": "searched_game",
    },
)
