"""Solvers of research games: CFR over sequences, best responses, the double oracle, perfect play.

They take any game whose sequences ``sequence_form.py`` lists; the double oracle takes generic
poker too large for that, and bounds its value from both sides. ``connect_four_solver.py`` solves
positions of Connect Four.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.games.solvers.best_response import sequence_best_response as sequence_best_response
    from acpcbot.games.solvers.connect_four_solver import ConnectFourSolver as ConnectFourSolver
    from acpcbot.games.solvers.double_oracle import Bounds as Bounds
    from acpcbot.games.solvers.double_oracle import DoubleOracle as DoubleOracle
    from acpcbot.games.solvers.double_oracle import GrowingCFR as GrowingCFR
    from acpcbot.games.solvers.sequence_cfr import SequenceCFR as SequenceCFR

export(
    __name__,
    {
        "Bounds": "double_oracle",
        "ConnectFourSolver": "connect_four_solver",
        "DoubleOracle": "double_oracle",
        "GrowingCFR": "double_oracle",
        "SequenceCFR": "sequence_cfr",
        "sequence_best_response": "best_response",
    },
)
