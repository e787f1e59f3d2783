"""The list of estimators that commands show without loading them."""

from __future__ import annotations

from acpcbot.evaluation.aivat.estimates import ESTIMATORS
from acpcbot.evaluation.aivat.estimator_names import ESTIMATOR_NAMES


def test_the_listed_estimators_are_those_that_there_are() -> None:
    """Caught: an estimator that no command offers."""
    assert tuple(ESTIMATORS) == ESTIMATOR_NAMES
