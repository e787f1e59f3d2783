"""Logs that are read while they are written: cut at any byte, cut off, and written anew."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from acpcbot.errors import BadLogLine
from acpcbot.logs import growing
from acpcbot.logs.growing import GrowingLog
from acpcbot.logs.match_log import PLAIN_BYTES, HandRecord, LogEntry, read_match_log

TRANSCRIPTS = Path(__file__).parents[2] / "dealer_tests" / "transcripts"
RECORDED = TRANSCRIPTS / "clean_nolimit_3p_s1" / "dealer.log"


def all_entries(log: GrowingLog) -> list[tuple[int, LogEntry]]:
    """Return what comes until the end of the file is reached."""
    found = list(log.read())
    while not (log.is_at_end or log.is_replaced):
        found += log.read()
    return found


@pytest.mark.parametrize("part_bytes", [300, growing.PART_BYTES])
def test_a_log_that_is_cut_anywhere_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part_bytes: int
) -> None:
    """Catches a line lost, read twice or read by halves, and a wrong place of a line."""
    monkeypatch.setattr(growing, "PART_BYTES", part_bytes)
    text, path, random = RECORDED.read_bytes(), tmp_path / "growing.log", Random(5)
    path.write_bytes(b"")
    log, found = GrowingLog(path), []
    cuts = sorted(random.sample(range(len(text)), 60))
    for start, stop in zip([0, *cuts], [*cuts, len(text)], strict=True):
        with path.open("ab") as file:
            file.write(text[start:stop])
        found += all_entries(log)
        assert len(found) == text[:stop].count(b"\n")
    assert [entry for _, entry in found] == list(read_match_log(RECORDED))
    lines = text.split(b"\n")
    assert [text[place:].partition(b"\n")[0] for place, _ in found] == lines[: len(found)]
    assert not log.is_replaced


def test_half_a_line_may_be_cut_off_and_written_again(tmp_path: Path) -> None:
    """Catches a resumed match, whose dealer cuts off half a line, taken for another one."""
    text, path = RECORDED.read_bytes(), tmp_path / "growing.log"
    whole = text.index(b"STATE:9:")
    path.write_bytes(text[: whole + 30])
    log = GrowingLog(path)
    before = all_entries(log)
    os.truncate(path, whole)
    assert all_entries(log) == []
    assert not log.is_replaced
    path.write_bytes(text)
    assert [entry for _, entry in before + all_entries(log)] == list(read_match_log(RECORDED))


@pytest.mark.parametrize("way", ["shorter", "same size", "longer", "another file"])
def test_a_log_that_is_begun_anew_is_recognised(tmp_path: Path, way: str) -> None:
    """Catches hands of two matches counted as one."""
    text, path = RECORDED.read_bytes(), tmp_path / "growing.log"
    cut = text.index(b"STATE:9:")
    path.write_bytes(text[:cut])
    log = GrowingLog(path)
    assert all_entries(log)
    other = text[:cut].replace(b"STATE:8:", b"STATE:7:")
    if way == "shorter":
        os.truncate(path, text.index(b"STATE:5:"))
    elif way == "another file":
        (tmp_path / "new").write_bytes(other + b"# more\n")
        (tmp_path / "new").replace(path)
    else:
        path.write_bytes(other + (b"# more\n" if way == "longer" else b""))
        os.utime(path, (1, 1))  # A clock with coarse ticks may not tell the two writes apart.
    assert all_entries(log) == []
    assert log.is_replaced


def test_nothing_is_read_behind_a_wrong_line(tmp_path: Path) -> None:
    path = tmp_path / "growing.log"
    text = RECORDED.read_bytes()
    cut = text.index(b"STATE:9:")
    path.write_bytes(text[:cut] + b"STATE:9:nothing\n")
    log = GrowingLog(path)
    with pytest.raises(BadLogLine, match="line "):
        list(log.read())
    with path.open("ab") as file:
        file.write(text[cut:])
    assert list(log.read()) == []
    assert not log.is_replaced


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    """Catches a reader that waits for ever while a line grows beyond every length."""
    path = tmp_path / "growing.log"
    path.write_bytes(b"#" * 70_000)
    with pytest.raises(BadLogLine, match="more than 65536 bytes"):
        list(GrowingLog(path).read())


def test_a_large_log_is_read_by_the_compiled_reader_alike(tmp_path: Path) -> None:
    """Catches places of lines that go wrong where hands come from the compiled reader."""
    text, path = RECORDED.read_bytes(), tmp_path / "large.log"
    match = text[: text.index(b"SCORE:")]
    path.write_bytes(match * (2 + PLAIN_BYTES // len(match)))
    found, data = all_entries(GrowingLog(path)), path.read_bytes()
    hands = [(place, entry) for place, entry in found if isinstance(entry, HandRecord)]
    assert len(hands) == data.count(b"STATE:")
    for place, hand in hands[:: len(hands) // 50]:
        assert data[place:].startswith(f"STATE:{hand.hand_id}:{hand.betting_text}:".encode())
