"""The solver's page: spots of hold'em that are described in the browser and solved by a process.

``spot.py`` is what a browser describes, ``painted_ranges.py`` its ranges by classes of hands,
``file_decision.py`` a decision of a file that it has loaded,
``process.py`` the process that solves, ``jobs.py`` what the server knows of it, and ``routes.py``
the requests. The process alone loads the compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.web.solver.jobs import SolverJobs as SolverJobs
    from acpcbot.web.solver.spot import SolverSpot as SolverSpot

export(__name__, {"SolverJobs": "jobs", "SolverSpot": "spot"})
