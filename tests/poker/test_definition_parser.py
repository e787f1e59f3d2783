"""The letter of game definition files: lines, keys and numbers as the official C program takes
them.
"""

from __future__ import annotations

import ctypes
import platform

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from acpcbot.errors import BadDefinition
from acpcbot.poker.definition_parser import read_definition_text


def read(text: str, key: str) -> tuple[list[int], int]:
    found = read_definition_text(text)
    return found.numbers[key], found.counts[key]


@pytest.mark.parametrize(
    ("line", "blinds"),
    [
        ("blind = 10 5", [10, 5]),
        ("blind 10 5", [10, 5]),
        ("blind10 5", [10, 5]),
        ("BLIND==10 = 5", [10, 5]),
        ("Blind\t=\v10\f5\r", [10, 5]),
        ("blinds = 10 5", []),
        ("blind: 10 5", []),
        ("blind = ten", []),
        ("blind = 10, 5", [10]),
        ("blind = 10 # 5", [10]),
        ("blind = 10.5", [10]),
        ("blind = 0x10", [0]),
        ("blind = +10 -5", [10, -5]),
        ("blind = 10-5", [10, -5]),
        ("blind = 10 - 5", [10]),
        ("blind = --10", []),
        ("blind = 10\0 5", [10]),
        ("blind = 10\xa05", [10]),
        ("blind = \xb2", []),
        (" blind = 10 5", []),
        ("#blind = 10 5", []),
        ("\0blind = 10 5", []),
        ("the blind = 10 5", []),
    ],
)
def test_numbers_stand_behind_a_key_in_the_first_column_and_end_at_the_first_other_text(
    line: str, blinds: list[int]
) -> None:
    assert read(line, "blind") == (blinds, len(blinds))


def test_only_a_line_feed_ends_a_line() -> None:
    """Splitting at carriage returns or form feeds would find a second key."""
    assert read("numSuits = 4\rnumRanks = 13\x0cnumRanks = 13\x85numRanks = 13", "numranks") == (
        [0],
        1,
    )


def test_reading_stops_at_the_end_tag_with_anything_behind_it() -> None:
    assert read("numSuits = 4\nEnd GameDef!\nnumSuits = 3", "numsuits") == ([4], 1)


def test_an_end_tag_with_two_blanks_or_an_indent_is_none() -> None:
    assert read("end  gamedef\n end gamedef\nnumSuits = 3", "numsuits") == ([3], 1)


@pytest.mark.parametrize(
    ("text", "is_limit"),
    [
        ("", True),
        ("nolimit", False),
        ("limit\nNoLimitless", False),
        ("nolimit\nlimits", True),
        ("no limit", True),
    ],
)
def test_the_last_betting_line_counts_and_limit_is_the_default(text: str, is_limit: bool) -> None:
    assert read_definition_text(text).is_limit is is_limit


def test_a_repeated_list_writes_over_its_first_entries_only_but_sets_the_count() -> None:
    assert read("blind = 1 2 3\nblind = 9", "blind") == ([9, 2, 3], 1)
    assert read("firstPlayer = 2 3\nfirstPlayer = 4", "firstplayer") == ([4, 3, 1, 1], 1)


def test_a_repeated_key_without_a_number_keeps_the_value_but_not_the_count() -> None:
    assert read("stack = 1 2\nstack = all", "stack") == ([1, 2, 2**31 - 1, 2**31 - 1], 0)
    assert read("numSuits = 4\nnumSuits: 3", "numsuits")[0] == [4]


@pytest.mark.parametrize(
    ("key", "room"), [("stack", 10), ("blind", 10), ("firstPlayer", 4), ("numBoardCards", 4)]
)
def test_numbers_past_the_room_of_a_list_are_ignored(key: str, room: int) -> None:
    assert read(f"{key} = {'7 ' * 12}", key.lower()) == ([7] * room, room)


def test_raise_sizes_past_their_room_are_refused_even_if_a_later_line_mends_them() -> None:
    with pytest.raises(BadDefinition, match="read 5 raise sizes"):
        read_definition_text("raiseSize = 1 2 3 4 5\nraiseSize = 1 2 3 4")


@pytest.mark.parametrize(
    ("number", "byte", "int32"),
    [
        ("255", 255, 255),
        ("256", 0, 256),
        ("-1", 255, -1),
        ("2147483648", 0, -(2**31)),
        ("4294967297", 1, 1),
        ("9223372036854775808", 0, -1),
        ("-9223372036854775809", 255, 0),
        ("18446744073709551616", 255, -1),
        ("-18446744073709551616", 255, 0),
    ],
)
def test_numbers_wrap_or_stick_as_in_the_c_program(number: str, byte: int, int32: int) -> None:
    assert read(f"numSuits = {number}\n", "numsuits") == ([byte], 1)
    assert read(f"blind = {number}\n", "blind") == ([int32], 1)


def test_a_line_longer_than_the_buffer_goes_on_as_a_new_line() -> None:
    """4095 bytes fill the buffer; a comment that long lets the key behind it through."""
    assert read("#" * 4095 + "numSuits = 4\n", "numsuits") == ([4], 1)
    assert read("#" * 4094 + "numSuits = 4\n", "numsuits") == ([0], 1)
    assert read("#" * 4096 + "numSuits = 4\n", "numsuits") == ([0], 1)
    assert read("numSuits = 4".ljust(4094, "x") + "\nnumSuits = 3", "numsuits") == ([3], 1)


# Oracle: the C library itself.

NUMBER_TEXT = st.lists(
    st.sampled_from(
        [*"0129+-= \t\v\rx.,", "255", "2147483648", "9223372036854775807", "18446744073709551616"]
    ),
    max_size=10,
).map("".join)


def c_numbers(text: str, conversion: str, number: ctypes.c_uint8 | ctypes.c_int32) -> list[int]:
    """The numbers that sscanf reads from *text*, blanks and equals signs before each skipped."""
    scan, consumed = ctypes.CDLL(None).sscanf, ctypes.c_int()
    rest = text.encode("ascii")
    numbers: list[int] = []
    while True:
        rest = rest.lstrip(b" \t\n\v\f\r=")
        if scan(rest, f"{conversion}%n".encode(), ctypes.byref(number), ctypes.byref(consumed)) < 1:
            return numbers
        numbers.append(number.value)
        rest = rest[consumed.value :]


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="the official dealer's numbers are glibc's"
)
@given(text=NUMBER_TEXT)
@example(text="+9 -9=9-9")
def test_numbers_read_as_the_c_library_reads_them(text: str) -> None:
    assert read("blind" + text, "blind")[0] == c_numbers(text, "%d", ctypes.c_int32())[:10]
    assert (
        read("numBoardCards" + text, "numboardcards")[0]
        == c_numbers(text, "%hhu", ctypes.c_uint8())[:4]
    )
