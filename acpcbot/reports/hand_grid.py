"""Data of the grid of 13 x 13 classes of hands that ``page/hand_grid.js`` draws.

A fill is the end of the name of a class in ``page/fills.css``: ``fold``, ``call``, ``all-in``, and
twelve colours of raises, from the smallest to the largest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, Literal, TypeAlias

from acpcbot.arrays import Floats
from acpcbot.reports.summary import MILLI, Winnings
from acpcbot.reports.tables import mean_text

ActionKind: TypeAlias = Literal["fold", "call", "raise", "all-in"]
NUM_RAISE_FILLS = 12
NUM_LEVELS = 4
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


def winnings_data(classes: Mapping[str, Winnings]) -> dict[str, Any]:
    """Return winnings by starting hand as the page's ``HandGrid``: darker where more was at stake.

    The fills have four levels a side, up to the level that nine classes of ten stay below.
    """
    means = sorted(abs(found.mean_mbb) for found in classes.values())
    strongest = means[9 * len(means) // 10] or 1.0
    return {
        "label": "Winnings by starting hand",
        "legend": _levels(strongest / MILLI),
        "cells": {
            name: {
                "parts": [[_level(found.mean_mbb, strongest), 1, ""]],
                "height": 1,
                "facts": f"{_hands_text(found.num_hands)}, {mean_text(found)} mbb/hand",
                "small": f"{found.mean_mbb / MILLI:+.1f}",
            }
            for name, found in classes.items()
        },
        "note": "Big blinds won in a hand; suited hands stand above the diagonal.",
        "absent": "not dealt",
    }


def _hands_text(num_hands: int) -> str:
    return "1 hand" if num_hands == 1 else f"{num_hands:,} hands"


def _level(mean: float, strongest: float) -> str:
    level = min(NUM_LEVELS, max(1, ceil(NUM_LEVELS * abs(mean) / strongest))) - 1
    return "none" if mean == 0 else f"{'win' if mean > 0 else 'loss'}{level}"


def _levels(strongest: float) -> list[dict[str, str]]:
    """Return the legend of winnings in big blinds: from the largest losses to the largest wins."""
    edges = [strongest * level / NUM_LEVELS for level in range(NUM_LEVELS)]
    digits = 1 if strongest >= 2 else 2
    texts = [f"over {edge:.{digits}f}" for edge in edges]
    losses = [{"fill": f"loss{n}", "text": f"lost {texts[n]}"} for n in range(NUM_LEVELS)]
    wins = [{"fill": f"win{n}", "text": f"won {texts[n]}"} for n in range(NUM_LEVELS)]
    return [*losses[::-1], *wins]


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
