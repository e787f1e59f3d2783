"""AIVAT and its parts: win rates with as much luck removed as known strategies allow.

``estimator.py`` has the estimator, ``value_functions.py`` the value functions behind its control
variates, ``estimates.py`` applies it to whole matches, ``hand_review.py`` to a single hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.evaluation.aivat.estimates import Estimate as Estimate
    from acpcbot.evaluation.aivat.estimates import RecordedPlayer as RecordedPlayer
    from acpcbot.evaluation.aivat.estimates import chips_estimate as chips_estimate
    from acpcbot.evaluation.aivat.estimates import seated_hands as seated_hands
    from acpcbot.evaluation.aivat.estimates import (
        variance_reduced_estimates as variance_reduced_estimates,
    )
    from acpcbot.evaluation.aivat.estimator import PlayedHand as PlayedHand
    from acpcbot.evaluation.aivat.estimator import ValueFunction as ValueFunction
    from acpcbot.evaluation.aivat.estimator import View as View
    from acpcbot.evaluation.aivat.estimator import estimate as estimate
    from acpcbot.evaluation.aivat.estimator_kinds import AIVAT as AIVAT
    from acpcbot.evaluation.aivat.estimator_kinds import Estimator as Estimator
    from acpcbot.evaluation.aivat.hand_review import luck_breakdown as luck_breakdown
    from acpcbot.evaluation.aivat.hand_review import review_hand as review_hand
    from acpcbot.evaluation.aivat.value_functions import ExactValues as ExactValues
    from acpcbot.evaluation.aivat.value_functions import make_value_function as make_value_function

export(
    __name__,
    {
        "AIVAT": "estimator_kinds",
        "Estimate": "estimates",
        "Estimator": "estimator_kinds",
        "ExactValues": "value_functions",
        "PlayedHand": "estimator",
        "RecordedPlayer": "estimates",
        "ValueFunction": "estimator",
        "View": "estimator",
        "luck_breakdown": "hand_review",
        "chips_estimate": "estimates",
        "estimate": "estimator",
        "make_value_function": "value_functions",
        "review_hand": "hand_review",
        "variance_reduced_estimates": "estimates",
        "seated_hands": "estimates",
    },
)
