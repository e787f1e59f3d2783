"""The estimators that commands list without loading numpy."""

from __future__ import annotations

import subprocess
import sys


def test_listing_the_estimators_loads_neither_numpy_nor_the_estimator() -> None:
    """Catches an import that slows down `--help`."""
    program = (
        "import sys\n"
        "from acpcbot.evaluation.aivat.estimator_kinds import ESTIMATORS\n"
        "print(*ESTIMATORS, sep='|')\n"
        "print(*{'numpy', 'acpcbot.evaluation.aivat.estimator'} & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "imaginary observations|MIVAT|MIVAT, imaginary|AIVAT\n\n"
