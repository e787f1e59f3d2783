"""Match logs as a stream: what is read, in whatever pieces it comes, and what it becomes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.deck import parse_cards
from acpcbot.errors import BadLogLine, UsageError
from acpcbot.logs.match_log import (
    CommentRecord,
    HandRecord,
    HeaderRecord,
    ScoreRecord,
    read_match_log,
    write_match_log,
)
from acpcbot.poker.shipped import SHIPPED_NAMES
from tests.protocol.log_making import (
    HANDS,
    HEADER,
    LOG,
    SCORE,
    as_bytes,
    entries,
    hands,
    match_lines,
    match_log,
    refused,
    renamed,
)
from tests.support.games import ALL_GAMES, LEDUC, LIMIT_2P, NOLIMIT_2P, definition_of, rules_of


@pytest.mark.parametrize("name", ALL_GAMES)
def test_a_log_is_read_and_comes_out_again(name: str) -> None:
    """Caught: a field that is lost or spelt otherwise, a game with an odd layout."""
    log, file = match_log(name), BytesIO()
    write_match_log(entries(log, definition_of(name)), file)
    assert file.getvalue() == as_bytes(log)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED_NAMES)
def test_ten_thousand_hands_come_out_again(name: str) -> None:
    """The compiled reader, and rarer hands: many side pots, and pots shared by three."""
    lines = as_bytes(match_log(name, 10_000, 3))
    file = BytesIO()
    write_match_log(read_match_log(BytesIO(lines), definition_of(name)), file)
    assert file.getvalue() == lines


def test_each_line_becomes_its_kind_of_entry() -> None:
    """Caught: numbers of lines off by one, a header taken for a comment, values read by seat
    instead of position.
    """
    header, comment, hand, score = entries(
        [
            HEADER,
            "#--t_hand 9",
            HANDS[2].replace("STATE:2", "STATE:0"),
            SCORE[:6] + "20000|-20000:A|B",
        ]
    )
    assert header == HeaderRecord(1, "m", "holdem.nolimit.2p.reverse_blinds.game", 3, 7)
    assert comment == CommentRecord(2, "#--t_hand 9")
    assert score == ScoreRecord(4, (20000.0, -20000.0), "A|B")
    assert isinstance(hand, HandRecord)
    assert (hand.line_number, hand.hand_id, hand.values, hand.names) == (
        3,
        0,
        (20000.0, -20000.0),
        ("A", "B"),
    )
    assert (hand.betting_text, hand.betting.is_showdown) == ("r20000c///", True)
    assert hand.hole_cards == (parse_cards("5d5c"), parse_cards("9hQd"))
    assert hand.board == parse_cards("8dAs8s4h6d")
    with pytest.raises(FrozenInstanceError):
        hand.hand_id = 1  # type: ignore[misc]


def test_the_board_is_as_long_as_the_hand_lasted() -> None:
    """Caught: board cards counted into hole cards or invented."""
    first, second, _ = hands(LOG)
    assert (first.board, second.board) == ((), parse_cards("2c3c8dKsKd"))


@pytest.mark.parametrize("name", SHIPPED_NAMES)
def test_the_header_names_the_game(name: str) -> None:
    """Caught: a game that is found by its bare name only.

    Dealers write the path as it was typed.
    """
    for folder in ("", "../games/", "C:\\games\\"):
        log = [
            f"# name/game/hands/seed my match {folder}{name}.game 2 4",
            *match_lines(rules_of(name), 2, 4),
        ]
        assert [hand.game.definition for hand in hands(log)] == [definition_of(name)] * 2


def test_a_log_of_an_unknown_game_asks_for_it() -> None:
    """Caught: a guess at the game, or a traceback."""
    for log in (HANDS, ["# name/game/hands/seed m other.game 3 7", *HANDS]):
        with pytest.raises(UsageError) as error:
            entries(log)
        assert "--game" in error.value.hint
        assert len(hands(log, definition_of(NOLIMIT_2P))) == 3


def test_each_header_can_name_another_game() -> None:
    """Caught: the first game kept for all matches of a file."""
    log = [*match_log(LIMIT_2P, 3), *match_log(LEDUC, 3), *match_log(LIMIT_2P, 3)]
    played = [LIMIT_2P] * 3 + [LEDUC] * 3 + [LIMIT_2P] * 3
    assert [hand.game.definition for hand in hands(log)] == [definition_of(name) for name in played]


def test_names_may_hold_bars_and_colons() -> None:
    """Caught: an exact name lost, a guess at where it ends, or a right score refused."""
    log = match_log(LEDUC, 6, names=("a b", "x:y|z"))
    first, second, *_ = hands(log)
    assert (first.names_text, second.names_text) == ("a b|x:y|z", "x:y|z|a b")
    with pytest.raises(UsageError, match="expected 2 names"):
        _ = first.names
    assert refused([*log[:-1], "SCORE:1|-1:a b|x:y|z"]).number == len(log)


def test_a_time_may_stand_behind_the_names() -> None:
    """Caught: the time taken for part of a name, and every hand for one of other players."""
    log = [f"{line} # {1_479_131_511 + number}" for number, line in enumerate(HANDS)]
    log[2] = f"{HANDS[2]} # "
    found = hands(log, definition_of(NOLIMIT_2P))
    assert [hand.unix_time for hand in found] == [1_479_131_511, 1_479_131_512, None]
    assert [hand.names for hand in found] == [("A", "B"), ("B", "A"), ("A", "B")]
    assert [hand.text for hand in found] == log


def test_either_line_end_will_do() -> None:
    """Caught: a carriage return left in the last name, or logs from Windows refused."""
    log = as_bytes(LOG).replace(b"\n", b"\r\n")
    assert list(read_match_log(BytesIO(log))) == entries(LOG)


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \n", b"\t \r\n", b"\n\n"])
@pytest.mark.parametrize("place", range(len(LOG) + 1))
def test_blank_lines_are_passed_over(place: int, blank: bytes) -> None:
    """Caught: published logs refused for an empty line, or lines behind one counted from the
    wrong number.
    """
    log = as_bytes(LOG[:place]) + blank + as_bytes(LOG[place:])
    found, plain = list(read_match_log(BytesIO(log))), entries(LOG)
    shift = blank.count(b"\n")
    assert [entry.text for entry in found] == list(LOG)
    assert [entry.line_number for entry in found] == [
        entry.line_number + shift * (entry.line_number > place) for entry in plain
    ]


def test_a_path_will_do_as_well_as_a_file(tmp_path: Path) -> None:
    """Caught: errors that do not say which file."""
    path = tmp_path / "some.log"
    path.write_bytes(as_bytes(LOG))
    assert list(read_match_log(path)) == list(read_match_log(str(path))) == entries(LOG)
    path.write_bytes(as_bytes([*LOG[:2], LOG[2].replace("300|-", "301|-"), *LOG[3:]]))
    with pytest.raises(BadLogLine, match=r"some\.log, line 3"):
        list(read_match_log(path))


def test_latin_1_names_come_out_as_they_were() -> None:
    """Caught: names that are no UTF-8 refused or damaged."""
    log, file = as_bytes(renamed(LOG, "A", "\xe4\x85")), BytesIO()
    write_match_log(read_match_log(BytesIO(log), definition_of(NOLIMIT_2P)), file)
    assert file.getvalue() == log


@given(size=st.integers(1, 700))
def test_the_size_of_chunks_changes_nothing(size: int) -> None:
    """Caught: a line lost or counted twice where two chunks meet."""
    assert entries(LOG, chunk_size=size) == entries(LOG)


def test_a_growing_log_is_read_up_to_its_last_whole_line() -> None:
    """Caught: a reader that trips over the line that somebody is just writing."""
    whole = as_bytes(LOG)
    for length in range(0, len(whole) + 1, 3):
        piece = whole[:length]
        read = list(read_match_log(BytesIO(piece), definition_of(NOLIMIT_2P), is_growing=True))
        assert [entry.text for entry in read] == list(LOG[: piece.count(b"\n")])
