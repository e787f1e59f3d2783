"""A solved game as JSON: every decision of the street that was asked for, with all hands.

Hands that somebody may hold stand in one list for each decision; ``weights`` and ``ev_chips`` are by seat and hand,
``probabilities`` by hand and action. Numbers are rounded to six decimals; what has no value is null.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.cards.deck import format_cards
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.hands import all_hands
from acpcbot.solvers.range_decisions import Decision, Solution

FORMAT = 1
DECIMALS = 6


def solution_json(solution: Solution, label: str) -> str:
    """The text of the file."""
    return json.dumps(solution_data(solution, label), ensure_ascii=False, separators=(",", ":")) + "\n"


def solution_data(solution: Solution, label: str) -> dict[str, Any]:
    """What is in the file."""
    return {
        "format": FORMAT,
        "game": label,
        "pot_chips": solution.pot_chips,
        "num_iterations": solution.progress.num_iterations,
        "exploitability_chips": round(solution.progress.exploitability, DECIMALS),
        "exploitability_percent": round(solution.exploitability_percent, DECIMALS),
        "values_chips": _rounded(np.array(solution.values_chips)),
        "decisions": [_decision_data(decision) for decision in solution.decisions],
    }


def _decision_data(decision: Decision) -> dict[str, Any]:
    place = decision.place
    held = decision.weights.any(axis=0)
    cards = all_hands(place.betting.game.definition)[decision.hands[held]].tolist()
    return {
        "after": list(place.words),
        "street": STREET_NAMES[place.betting.street],
        "board": format_cards(place.board),
        "seat": decision.seat + 1,
        "pot_chips": place.betting.pot,
        "to_call_chips": place.betting.to_call,
        "actions": list(decision.choices),
        "frequencies": _rounded(decision.frequencies),
        "hands": [format_cards(hand) for hand in cards],
        "weights": _rounded(decision.weights[:, held]),
        "probabilities": _rounded(decision.probabilities[held]),
        "ev_chips": _rounded(decision.ev_chips[:, held]),
    }


def _rounded(numbers: Floats) -> Any:
    """The numbers as lists, with nothing for those that are none; zero has no sign."""
    found = (np.round(numbers, DECIMALS) + 0.0).astype(object)
    found[np.isnan(numbers)] = None
    return found.tolist()
