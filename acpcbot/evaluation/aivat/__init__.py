"""AIVAT and its parts: what players won, with as much luck removed as known strategies allow.

``estimator.py`` has the estimator, ``value_functions.py`` finds the values that it corrects
luck by, ``estimates.py`` applies them to whole matches, ``hand_review.py`` to a single hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.evaluation.aivat.estimates import Estimate as Estimate
    from acpcbot.evaluation.aivat.estimates import RecordedPlayer as RecordedPlayer
    from acpcbot.evaluation.aivat.estimates import chips_estimate as chips_estimate
    from acpcbot.evaluation.aivat.estimates import luckless_estimates as luckless_estimates
    from acpcbot.evaluation.aivat.estimates import seated_hands as seated_hands
    from acpcbot.evaluation.aivat.estimator import AIVAT as AIVAT
    from acpcbot.evaluation.aivat.estimator import Estimator as Estimator
    from acpcbot.evaluation.aivat.estimator import PlayedHand as PlayedHand
    from acpcbot.evaluation.aivat.estimator import ValueFunction as ValueFunction
    from acpcbot.evaluation.aivat.estimator import View as View
    from acpcbot.evaluation.aivat.estimator import estimate as estimate
    from acpcbot.evaluation.aivat.hand_review import account as account
    from acpcbot.evaluation.aivat.hand_review import judge as judge
    from acpcbot.evaluation.aivat.value_functions import ExactValues as ExactValues
    from acpcbot.evaluation.aivat.value_functions import find_values as find_values

export(
    __name__,
    {
        "AIVAT": "estimator",
        "Estimate": "estimates",
        "Estimator": "estimator",
        "ExactValues": "value_functions",
        "PlayedHand": "estimator",
        "RecordedPlayer": "estimates",
        "ValueFunction": "estimator",
        "View": "estimator",
        "account": "hand_review",
        "chips_estimate": "estimates",
        "estimate": "estimator",
        "find_values": "value_functions",
        "judge": "hand_review",
        "luckless_estimates": "estimates",
        "seated_hands": "estimates",
    },
)
