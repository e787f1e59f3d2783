"""Lines from a stream that blocks."""

from __future__ import annotations

import time
from io import BytesIO, StringIO, TextIOWrapper

import pytest

from acpcbot.agents.human import LineReader
from tests.agents.keyboard import Keyboard
from tests.agents.playing import NO_DEADLINE


def test_lines_come_in_order_without_their_ends() -> None:
    reader = LineReader(StringIO("one\r\n\ntwo"))
    assert [reader.next_line(NO_DEADLINE) for _ in range(3)] == ["one", "", "two"]


def test_the_end_of_the_stream_is_told_every_time() -> None:
    """Would catch a second question after the end that waits for ever, dropped lines or not."""
    reader = LineReader(StringIO(""))
    for _ in range(2):
        with pytest.raises(EOFError):
            reader.next_line(NO_DEADLINE)
    reader.drop_waiting()
    with pytest.raises(EOFError):
        reader.next_line(NO_DEADLINE)


def test_no_line_by_the_deadline_is_none() -> None:
    keyboard = Keyboard()
    reader = LineReader(keyboard)
    assert reader.next_line(time.monotonic() - 1) is None
    assert reader.next_line(time.monotonic() + 0.01) is None
    keyboard.type("at last")
    assert reader.next_line(NO_DEADLINE) == "at last"
    keyboard.hang_up()
    with pytest.raises(EOFError):
        reader.next_line(NO_DEADLINE)


def test_bytes_that_are_no_text_end_the_stream() -> None:
    """Would catch a reading thread that dies without a word, and a question that waits for it."""
    reader = LineReader(TextIOWrapper(BytesIO(b"\xff\xfe\n"), encoding="utf-8"))
    with pytest.raises(EOFError):
        reader.next_line(NO_DEADLINE)


def test_nothing_is_read_before_the_first_question() -> None:
    """Would catch an agent that takes the terminal's input from its creator."""
    stream = StringIO("mine\n")
    LineReader(stream)
    assert stream.readline() == "mine\n"
