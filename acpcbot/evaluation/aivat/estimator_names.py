"""The names of the estimators that take luck out of results, for whoever only has to list them."""

from __future__ import annotations

ESTIMATOR_NAMES = ("imaginary observations", "MIVAT", "MIVAT, imaginary", "AIVAT")
