"""Numbers as the official programs read and store them: C's scanning and C's widths.

A number is blanks, a sign and digits, read as far as the digits go. It is clamped to 64
bits, then cut to the width of the field that it is stored in.
"""

from __future__ import annotations

import re

_NUMBER = re.compile(r"[ \t\n\v\f\r]*([+-]?)([0-9]+)")
MAX_DIGITS = 40
"""Longer numbers are all the same: far too large for any field."""


def scan_number(text: str, column: int = 0) -> tuple[int, int] | None:
    """Return the number at *column* after any blanks, and the column behind it, or None.

    >>> scan_number("  +12x"), scan_number("x")
    ((12, 5), None)
    """
    match = _NUMBER.match(text, column)
    if match is None:
        return None
    digits = match[2].lstrip("0") or "0"
    size = int(digits) if len(digits) <= MAX_DIGITS else 10**MAX_DIGITS
    return (-size if match[1] == "-" else size), match.end()


def to_int32(number: int) -> int:
    """Return *number* as a signed 32-bit field stores it: clamped to 64 bits, then wrapped."""
    held = min(max(number, -(1 << 63)), (1 << 63) - 1)
    return (held + (1 << 31)) % (1 << 32) - (1 << 31)


def to_unsigned(number: int, bits: int) -> int:
    """Return *number* as an unsigned field of so many *bits* stores it.

    Numbers of more than 64 bits become the largest of 64 bits; then the number wraps.
    """
    held = (1 << 64) - 1 if abs(number) >= 1 << 64 else number
    return held % (1 << bits)
