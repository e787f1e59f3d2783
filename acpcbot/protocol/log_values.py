"""Printed values of hands beside exact ones."""

from __future__ import annotations

from acpcbot.jit import shared

DECIMALS = 6
PRINTED_TOLERANCE = 0.5 / 10**DECIMALS


@shared
def is_near(printed: float, value: float, tolerance: float) -> bool:
    """Whether *printed* is within *tolerance* of *value*, rounding in floating point allowed for."""
    return abs(printed - value) <= tolerance + 1e-12 + 1e-15 * abs(value)
