"""Ranges as the solver's page paints them: weights of the 169 classes of hands, and their texts."""

from __future__ import annotations

from typing import Any

import numpy as np

from acpcbot.cards.combos import NUM_COMBOS, all_combos, format_combo
from acpcbot.cards.range_notation import parse_range
from acpcbot.poker.hand_classes import class_name, class_numbers
from acpcbot.web.solver.spot import Plain

NUM_HOLE_CARDS = 2


def range_classes(text: str) -> Plain:
    """Return the classes of hands in the range *text*: mean weights, and text that spells each.

    Raises BadRange.

    >>> range_classes("AA, AKs:0.5")["classes"]
    {'AA': [1.0, 'AA'], 'AKs': [0.5, 'AKs:0.5']}
    """
    weights = parse_range(text)
    found: dict[str, list[Any]] = {}
    for name, combos in class_combos().items():
        own = weights[combos].tolist()
        if any(own):
            found[name] = [float(np.mean(own)), _class_text(name, combos, own)]
    return {"classes": found, "combos": float(weights.sum())}


def class_combos() -> dict[str, list[int]]:
    """Return the combos of each class of hands, high cards first."""
    numbers = class_numbers(all_combos()).tolist()
    found: dict[str, list[int]] = {}
    for combo in reversed(range(NUM_COMBOS)):
        found.setdefault(class_name(numbers[combo], NUM_HOLE_CARDS), []).append(combo)
    return found


def _class_text(name: str, combos: list[int], weights: list[float]) -> str:
    if len(set(weights)) == 1:
        return f"{name}{_suffix(weights[0])}"
    parts = zip(combos, weights, strict=True)
    return ",".join([f"{format_combo(combo)}{_suffix(one)}" for combo, one in parts if one])


def _suffix(weight: float) -> str:
    return "" if weight == 1.0 else f":{weight!r}"
