"""Data of the grid of 13 x 13 classes of hands that ``page/hand_grid.js`` draws.

A fill is the end of the name of a class in ``page/fills.css``: ``fold``, ``call``, ``all-in``, and
twelve colours of raises, from the smallest to the largest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from acpcbot.arrays import Floats

ActionKind: TypeAlias = Literal["fold", "call", "raise", "all-in"]
NUM_RAISE_FILLS = 12
DIGITS = 4
WORD_KINDS: Mapping[str, ActionKind] = {
    "fold": "fold",
    "check": "call",
    "call": "call",
    "all-in": "all-in",
}


def action_fills(kinds: Sequence[ActionKind]) -> list[str]:
    """Return the fill of each action of a decision, raises in ascending order.

    Sizes are spread evenly over the colours of raises, so that they can be told apart; all-in has
    its own. Only beyond twelve sizes do neighbours share a colour.

    >>> action_fills(["fold", "call", "raise", "raise", "all-in"])
    ['fold', 'call', 'raise0', 'raise11', 'all-in']
    """
    num_raises, last, place = kinds.count("raise"), NUM_RAISE_FILLS - 1, 0
    fills: list[str] = []
    for kind in kinds:
        if kind == "raise":
            share = place / (num_raises - 1) if num_raises > 1 else 0.5
            fills.append(f"raise{round(share * last)}")
            place += 1
        else:
            fills.append(kind)
    return fills


def word_fills(choices: Sequence[str]) -> list[str]:
    """Return the fill of each action of a solved game, named in words."""
    return action_fills([WORD_KINDS.get(word, "raise") for word in choices])


def significant(values: Floats | Sequence[float]) -> list[float]:
    """Return numbers with four significant digits: small reaches stay apart from zero.

    >>> significant([0.123456, 0.0000123456, 1.0])
    [0.1235, 1.235e-05, 1.0]
    """
    return [float(f"{float(value):.{DIGITS}g}") for value in values]


def embedded_json(data: Any) -> str:
    """Return *data* as JSON for a script element, all characters escaped that could end it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
