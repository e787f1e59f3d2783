"""Decisions of one player judged by a strategy: action values, and what each action cost.

``judged_hands.py`` judges the decisions of a hand, ``decision_costs.py`` sums them up over many.
Below them ``hidden_cards.py`` has the deals of the cards that the player does not see,
``deal_play.py`` the strategy's play in each of these deals, ``action_values.py`` the value of each
action, and ``latin_hypercube.py`` the random numbers of all that is drawn.

``range_values.py`` has the values of every hand of both ranges at a decision, exact or estimated by
``ratio_estimates.py``; they come from ``runouts.py``, which walks the betting on one deal of the
board with all hands at once, and asks strategies by ``repeated_tables.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.evaluation.decisions.decision_costs import CostGroup as CostGroup
    from acpcbot.evaluation.decisions.decision_costs import CostSummary as CostSummary
    from acpcbot.evaluation.decisions.decision_costs import sum_costs as sum_costs
    from acpcbot.evaluation.decisions.judged_hands import Judge as Judge
    from acpcbot.evaluation.decisions.judged_hands import JudgedAction as JudgedAction

export(
    __name__,
    {
        "CostGroup": "decision_costs",
        "CostSummary": "decision_costs",
        "Judge": "judged_hands",
        "JudgedAction": "judged_hands",
        "sum_costs": "decision_costs",
    },
)
