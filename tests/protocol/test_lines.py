"""The line buffer: the same lines wherever the bytes are cut, and a bound on what one line may
be.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.protocol.lines import CLIENT_LINE_LIMIT, DEALER_LINE_LIMIT, LineBuffer

LIMIT = 8

streams = st.binary(max_size=60).map(
    lambda data: data.replace(b"\x01", b"\n").replace(b"\x02", b"\r\n")
)
cuts = st.lists(st.integers(0, 60), max_size=8).map(sorted)


def lines_of(pieces: list[bytes], limit: int = LIMIT) -> tuple[list[bytes], bytes]:
    """The lines that come out of *pieces*, taken after each of them, and what is left at the
    end.
    """
    buffer, lines = LineBuffer(limit), []
    for piece in pieces:
        buffer.feed(piece)
        while (line := buffer.next_line()) is not None:
            lines.append(line)
    return lines, buffer.rest()


def cut_up(data: bytes, borders: list[int]) -> list[bytes]:
    edges = [0, *borders, max(len(data), *borders, 0)]
    return [data[start:end] for start, end in pairwise(edges)]


@given(streams, cuts)
def test_lines_do_not_depend_on_how_the_bytes_arrive(data: bytes, borders: list[int]) -> None:
    assert lines_of(cut_up(data, borders)) == lines_of([data])


@given(streams)
def test_no_byte_is_lost_or_added(data: bytes) -> None:
    lines, rest = lines_of([data])
    assert b"".join(lines) + rest == data


@given(streams)
def test_every_line_ends_at_its_line_end_or_at_the_limit(data: bytes) -> None:
    lines, rest = lines_of([data])
    for line in lines:
        assert len(line) <= LIMIT
        assert line.endswith(b"\n") or len(line) == LIMIT
        assert b"\n" not in line[:-1]
    assert b"\n" not in rest
    assert len(rest) < LIMIT


@given(streams)
def test_the_length_is_the_number_of_bytes_left(data: bytes) -> None:
    buffer = LineBuffer(LIMIT)
    buffer.feed(data)
    taken = buffer.next_line() or b""
    assert len(buffer) == len(data) - len(taken)


@given(streams, streams)
def test_a_line_by_itself_is_what_comes_back_as_it_is(before: bytes, data: bytes) -> None:
    """Catches bytes that are taken for a line behind the beginning of another, and nothing at
    all.
    """
    buffer = LineBuffer(LIMIT)
    buffer.feed(before)
    while buffer.next_line() is not None:
        pass
    assert buffer.is_line(data) == (
        not len(buffer) and data.endswith(b"\n") and lines_of([data]) == ([data], b"")
    )


@pytest.mark.parametrize(
    ("data", "lines", "rest"),
    [
        (b"1234567\n", [b"1234567\n"], b""),
        (b"12345678\n", [b"12345678", b"\n"], b""),
        (b"1234567", [], b"1234567"),
        (b"12345678", [b"12345678"], b""),
        (b"\n\r\n\n", [b"\n", b"\r\n", b"\n"], b""),
        (b"a\nb", [b"a\n"], b"b"),
        (b"", [], b""),
    ],
)
def test_a_line_may_be_as_long_as_the_limit_with_its_line_end(
    data: bytes, lines: list[bytes], rest: bytes
) -> None:
    assert lines_of([data]) == (lines, rest)


def test_a_long_line_is_cut_where_the_official_dealer_cuts_it() -> None:
    lines, rest = lines_of([b"x" * 4095 + b"MATCHSTATE:\n"], DEALER_LINE_LIMIT)
    assert (lines[1:], rest) == ([b"MATCHSTATE:\n"], b"")


def test_a_client_has_room_for_any_line_that_a_dealer_can_send() -> None:
    assert CLIENT_LINE_LIMIT > 4096
