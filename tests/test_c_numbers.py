"""Numbers as the official programs read and keep them; the known values are theirs."""

from __future__ import annotations

import pytest

from acpcbot.c_numbers import scan_number, to_int32, to_unsigned


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", (12, 2)),
        (" \t+007x", (7, 6)),
        ("-3", (-3, 2)),
        ("x1", None),
        ("", None),
        ("+-1", None),
        ("٣", None),
    ],
)
def test_numbers_are_read_as_c_reads_them(text: str, number: tuple[int, int] | None) -> None:
    assert scan_number(text) == number


@pytest.mark.parametrize(
    ("number", "size"),
    [
        (300, 300),
        (4294967796, 500),
        (2147483648, -2147483648),
        (3000000000, -1294967296),
        (99999999999, 1215752191),
        (99999999999999999999, -1),
        (-99999999999999999999, 0),
    ],
)
def test_sizes_wrap_as_the_official_dealer_stores_them(number: int, size: int) -> None:
    assert to_int32(number) == size


@pytest.mark.parametrize(
    ("number", "bits", "stored"),
    [(258, 8, 2), (-1, 8, 255), (2**32 + 5, 32, 5), (2**64, 32, 2**32 - 1), (7, 32, 7)],
)
def test_positions_and_hand_numbers_wrap(number: int, bits: int, stored: int) -> None:
    assert to_unsigned(number, bits) == stored


@pytest.mark.parametrize("zeros", [0, 41, 5000])
def test_leading_zeros_do_not_make_a_number_too_long(zeros: int) -> None:
    assert scan_number("0" * zeros + "12") == (12, zeros + 2)


def test_endless_numbers_stick_at_the_ends_like_other_long_ones() -> None:
    number, _ = scan_number("9" * 5000) or (0, 0)
    assert (to_int32(number), to_unsigned(number, 32), to_unsigned(-number, 8)) == (
        -1,
        2**32 - 1,
        255,
    )
