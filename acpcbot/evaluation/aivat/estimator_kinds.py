"""Estimators of a hand's value, by name: the parts of AIVAT that each uses.

Light on purpose: the command line lists the names without importing numpy.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimator:
    """Flags of an estimator: average over the hero's hands, correct deals, correct known actions.

    Without terms for actions, those for deals are taken hand by hand and averaged with the result
    in the end; the terms of AIVAT are worked out for all of the hero's hands together.
    """

    averages_hands: bool = False
    corrects_deals: bool = False
    corrects_actions: bool = False


CHIPS = Estimator()
IMAGINARY = Estimator(averages_hands=True)
MIVAT = Estimator(corrects_deals=True)
MIVAT_IMAGINARY = Estimator(averages_hands=True, corrects_deals=True)
AIVAT = Estimator(averages_hands=True, corrects_deals=True, corrects_actions=True)
ESTIMATORS = {
    "imaginary observations": IMAGINARY,
    "MIVAT": MIVAT,
    "MIVAT, imaginary": MIVAT_IMAGINARY,
    "AIVAT": AIVAT,
}
"""The estimators that a user can ask for, in the order in which reports show them."""
