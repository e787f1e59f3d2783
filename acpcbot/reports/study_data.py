"""Data of a decision's study as ``page/study_view.js`` draws it: both ranges, with equities and
values of every hand, by class and by hand.

Of a class stand the mean reach of its hands, and the means of equity and value over them, weighted
by their reach. Hands that are not in a range are left out. Numbers have six significant digits;
what is not known is null.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.cards.deck import format_cards
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import class_name, class_numbers
from acpcbot.poker.hands import all_hands
from acpcbot.subgames.equities import Equities

DIGITS = 6
DECIMALS = 6
REACH_HELD, REACH_IN_RANGE = "held", "in the range"


@dataclass(frozen=True, slots=True, eq=False)
class RangeView:
    """A player's range at a decision, *reaches* [hand], with *equities* and *values* [hand].

    These are NaN where they are not known. *half_widths* [hand] are those of the 95 % intervals of
    values that are estimates.
    """

    name: str
    reaches: Floats
    equities: Floats
    values: Floats
    half_widths: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ActionValues:
    """Values of the actor's actions, *means* [hand, action].

    Of estimates with half the widths of 95 % intervals: of the value, and of what the best action
    is worth more, *lead_half_widths*.
    """

    means: Floats
    half_widths: Floats | None = None
    lead_half_widths: Floats | None = None


def study_data(
    definition: GameDefinition,
    hands: Ints,
    ranges: Sequence[RangeView],
    probabilities: Floats,
    action_values: ActionValues | None = None,
    *,
    pot_chips: int,
    reach_words: str,
    is_chart: bool,
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the page's ``StudyData`` of a decision, but for the strategy by class.

    *hands* are numbered as in ``poker/hands.py``. The first of *ranges* is that of the actor, whose
    *probabilities* and *action_values* are [hand, action]. *notes* say what is not known, or not
    exactly.
    """
    held = ranges[0].reaches > 0
    told = action_values or ActionValues(np.zeros((len(held), 0)))
    values, widths, leads = (
        _rows(one[held], _chips) if one is not None and one.size else []
        for one in (told.means, told.half_widths, told.lead_half_widths)
    )
    return {
        "isChart": is_chart,
        "pot": pot_chips,
        "reachWords": reach_words,
        "ranges": [_range_data(definition, hands, one) for one in ranges],
        "probabilities": _rows(probabilities[held], _share),
        "actionValues": values,
        **({"actionHalfWidths": widths, "leadHalfWidths": leads} if widths else {}),
        "notes": list(notes),
    }


def equity_note(equities: Equities) -> list[str]:
    """Return the note on equities that are not exact, if they are not."""
    if not equities.standard_error:
        return []
    error = f"{100 * equities.standard_error:.1f} %"
    return [
        f"Equities are means over {equities.num_boards:,} drawn boards, "
        f"with a standard error of {error}."
    ]


def _range_data(definition: GameDefinition, hands: Ints, view: RangeView) -> dict[str, Any]:
    held = np.flatnonzero(view.reaches > 0)
    cards = all_hands(definition)[hands]
    numbers = class_numbers(cards)
    columns = np.stack([view.reaches, view.equities, view.values], axis=1)
    data = {
        "name": view.name,
        "classes": _class_data(definition, numbers, columns),
        "hands": [format_cards(hand) for hand in cards[held].tolist()],
        "rows": _range_rows(columns[held]),
    }
    if view.half_widths is None:
        return data
    return data | {
        "halfWidths": [row[0] for row in _rows(view.half_widths[held, None], _chips)],
        "classHalfWidths": _class_widths(definition, numbers, view.reaches, view.half_widths),
    }


def _class_widths(
    definition: GameDefinition, numbers: Ints, reaches: Floats, half_widths: Floats
) -> dict[str, float | None]:
    """Return for each class that is in the range an upper bound of the half width of its mean.

    A mean is no less certain than its parts are on average.
    """
    found = {}
    for number in np.unique(numbers[reaches > 0]).tolist():
        own = numbers == number
        width = _weighted_mean(reaches[own], half_widths[own])
        found[class_name(number, definition.num_hole_cards)] = _rows(np.array([[width]]), _chips)[
            0
        ][0]
    return found


def _class_data(
    definition: GameDefinition, numbers: Ints, columns: Floats
) -> dict[str, list[float | None]]:
    """Return mean reach, equity and value of each class that is in the range.

    Hands whose equity or value is not known do not count in its mean.
    """
    found = {}
    for number in np.unique(numbers[columns[:, 0] > 0]).tolist():
        own = columns[numbers == number]
        means = [_weighted_mean(own[:, 0], own[:, place]) for place in (1, 2)]
        row = np.array([[own[:, 0].mean(), *means]])
        found[class_name(number, definition.num_hole_cards)] = _range_rows(row)[0]
    return found


def _weighted_mean(weights: Floats, values: Floats) -> float:
    known = np.isfinite(values) & (weights > 0)
    total = weights[known].sum()
    return float(weights[known] @ values[known] / total) if total > 0 else np.nan


def _range_rows(columns: Floats) -> list[list[float | None]]:
    """Return reach, equity and value of each row of *columns*."""
    shares, chips = _rows(columns[:, :2], _share), _rows(columns[:, 2:], _chips)
    return [[*first, *second] for first, second in zip(shares, chips, strict=True)]


def _rows(numbers: Floats, rounded: Callable[[float], float]) -> list[list[float | None]]:
    """Return *numbers* [row, column] as lists, None for what is not a number."""
    return [
        [rounded(number) if np.isfinite(number) else None for number in row]
        for row in numbers.tolist()
    ]


def _share(share: float) -> float:
    return float(f"{share:.{DIGITS}g}")


def _chips(chips: float) -> float:
    """Return *chips* rounded; zero has no sign."""
    return round(chips, DECIMALS) + 0.0
