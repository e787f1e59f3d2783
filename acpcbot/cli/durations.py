"""Durations as a person says them."""

from __future__ import annotations

UNITS = ((3600.0, "hours"), (60.0, "minutes"), (1.0, "s"))
# Under two of a unit the next smaller one says more.
LEAST_UNITS = 2


def duration_text(seconds: float) -> str:
    """*seconds* in the unit that suits them, to two digits or so.

    >>> duration_text(0.64), duration_text(93), duration_text(150), duration_text(7560)
    ('0.6 s', '93 s', '2.5 minutes', '2.1 hours')
    """
    size, unit = next((found for found in UNITS if seconds >= LEAST_UNITS * found[0]), UNITS[-1])
    number = seconds / size
    return f"{number:.0f} {unit}" if number >= 10 else f"{number:.1f} {unit}"
