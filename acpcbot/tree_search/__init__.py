"""Searches over the rules of research games: SM-MCTS, IS-MCTS, OOS, backward induction.

``simultaneous.py`` searches games with simultaneous moves, by one of the policies in ``selection``;
``is_mcts.py`` and ``oos.py`` search by information sets, whose memory is ``infoset_table.py``.
``backward_induction.py`` has the exact values of Goofspiel by points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.tree_search.backward_induction import GoofspielValues as GoofspielValues
    from acpcbot.tree_search.is_mcts import InfosetSearch as InfosetSearch
    from acpcbot.tree_search.oos import OOSSearch as OOSSearch
    from acpcbot.tree_search.oos import OOSSettings as OOSSettings
    from acpcbot.tree_search.oos import PlayoutPolicy as PlayoutPolicy
    from acpcbot.tree_search.simultaneous import Rewards as Rewards
    from acpcbot.tree_search.simultaneous import SimultaneousSearch as SimultaneousSearch

export(
    __name__,
    {
        "GoofspielValues": "backward_induction",
        "InfosetSearch": "is_mcts",
        "OOSSearch": "oos",
        "OOSSettings": "oos",
        "PlayoutPolicy": "oos",
        "Rewards": "simultaneous",
        "SimultaneousSearch": "simultaneous",
    },
)
