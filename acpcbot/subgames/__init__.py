"""Two-player subgames with ranges: every hand, every board, CFR and exact best responses.

``game.py`` is the game, ``solver.py`` solves it, ``traversal.py`` walks it for the solver and
for ``best_response.py``, ``gadgets.py`` makes re-solving safe, ``leaf_values.py`` is what is won
beyond a depth limit, ``solution.py`` reads the result. ``chance_encoding.py`` and
``network_values.py`` put a network there; in ``trembles.py`` seats err, and in
``opponent_model.py`` a seat plays as a model does in part; ``starts.py`` begins a later subgame with
what an earlier solution knows. ``equities.py`` is what hands win against ranges if nobody bets any
more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.subgames.best_response import abstract_response_values as abstract_response_values
    from acpcbot.subgames.best_response import hand_values as hand_values
    from acpcbot.subgames.best_response import response_values as response_values
    from acpcbot.subgames.equities import Equities as Equities
    from acpcbot.subgames.equities import range_equities as range_equities
    from acpcbot.subgames.gadgets import Gadget as Gadget
    from acpcbot.subgames.gadgets import make_gadget as make_gadget
    from acpcbot.subgames.game import RangeGame as RangeGame
    from acpcbot.subgames.game import make_range_game as make_range_game
    from acpcbot.subgames.leaf_values import ChosenContinuations as ChosenContinuations
    from acpcbot.subgames.leaf_values import LeafValues as LeafValues
    from acpcbot.subgames.leaf_values import PairValues as PairValues
    from acpcbot.subgames.solution import Decision as Decision
    from acpcbot.subgames.solution import Solution as Solution
    from acpcbot.subgames.solution import read_solution as read_solution
    from acpcbot.subgames.solver import PATIENT_DCFR as PATIENT_DCFR
    from acpcbot.subgames.solver import STEEP_DCFR as STEEP_DCFR
    from acpcbot.subgames.solver import RangeCFR as RangeCFR

export(
    __name__,
    {
        "ChosenContinuations": "leaf_values",
        "Decision": "solution",
        "Equities": "equities",
        "Gadget": "gadgets",
        "LeafValues": "leaf_values",
        "PATIENT_DCFR": "solver",
        "PairValues": "leaf_values",
        "RangeCFR": "solver",
        "RangeGame": "game",
        "STEEP_DCFR": "solver",
        "Solution": "solution",
        "abstract_response_values": "best_response",
        "hand_values": "best_response",
        "make_gadget": "gadgets",
        "make_range_game": "game",
        "range_equities": "equities",
        "read_solution": "solution",
        "response_values": "best_response",
    },
)
