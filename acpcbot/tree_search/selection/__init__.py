"""Selection policies of tree searches, one a module.

``policy.py`` has the contracts: choices at the decisions of a joint tree, and at information sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.tree_search.selection.duct import DecoupledUCT as DecoupledUCT
    from acpcbot.tree_search.selection.exp3 import Exp3 as Exp3
    from acpcbot.tree_search.selection.infoset_regrets import InfosetRegrets as InfosetRegrets
    from acpcbot.tree_search.selection.matched_regrets import RegretMatching as RegretMatching
    from acpcbot.tree_search.selection.oos_plus import OOSPlus as OOSPlus
    from acpcbot.tree_search.selection.outcome_sampling import OutcomeSampling as OutcomeSampling
    from acpcbot.tree_search.selection.policy import InfosetPolicy as InfosetPolicy
    from acpcbot.tree_search.selection.policy import SelectionPolicy as SelectionPolicy
    from acpcbot.tree_search.selection.uct import UCT as UCT

export(
    __name__,
    {
        "DecoupledUCT": "duct",
        "Exp3": "exp3",
        "InfosetPolicy": "policy",
        "InfosetRegrets": "infoset_regrets",
        "OOSPlus": "oos_plus",
        "OutcomeSampling": "outcome_sampling",
        "RegretMatching": "matched_regrets",
        "SelectionPolicy": "policy",
        "UCT": "uct",
    },
)
