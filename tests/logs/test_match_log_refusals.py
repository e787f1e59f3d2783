"""Match logs that cannot be right: refused at the line that is wrong, for its reason; and
endless ones.
"""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.errors import AcpcbotError, BadLogLine
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.logs.source import MAX_LINE_LENGTH
from acpcbot.poker.betting import BettingRules
from tests.protocol.log_making import (
    HANDS,
    HEADER,
    LOG,
    as_bytes,
    entries,
    hands,
    match_log,
    outcome,
    refused,
)
from tests.support.games import LEDUC, LIMIT_2P, NOLIMIT_2P, NOLIMIT_3P, definition_of


def with_change(place: int, old: str, new: str) -> list[str]:
    lines = list(LOG)
    assert old in lines[place]
    lines[place] = lines[place].replace(old, new, 1)
    return lines


@pytest.mark.parametrize(
    ("place", "old", "new", "reason"),
    [
        (1, "STATE", "STAT", "expected STATE:, SCORE: or # at column 0"),
        (1, ":0:", "::", "expected a hand number at column 6"),
        (1, "r300f", "r199f", "expected a legal action (raises go from 200 to 20000) at column 8"),
        (1, "r300f", "ff", "expected a legal action (the hand is over) at column 9"),
        (1, "r300f", "r300x", "expected an action or the end of the betting at column 12"),
        (1, "r300f", "r300", "expected an action of position 0: the hand goes on at column 12"),
        (1, "r300f", "rf", "expected a size in no-limit raises and nowhere else at column 8"),
        (1, "r300f", "r300f/", "expected an action or the end of the betting at column 13"),
        (2, "cr300c/cc/cc/", "cr300c/cccc/", "expected the end of the street at column 17"),
        (3, "c///", "c//", "expected '/' at column 17"),
        (1, "QcKc|", "Qc|", "expected a card at column 16"),
        (1, "QcKc|", "QcQc|", "expected a card that is not dealt already at column 16"),
        (1, "4d2h:", "4d2h3h:", "expected ':' behind the cards of the last street at column 23"),
        (1, "Qc", "qc", "expected a card at column 14"),
        (2, "/Kd:", ":", "expected '/' at column 46"),
        (2, "/Ks/", "/Kd/", "expected a card that is not dealt already at column 47"),
        (1, "-100|100", "-100", "expected 2 values at column 28"),
        (1, "-100|100", "-100|1e2", "expected a number with at most six decimals at column 29"),
        (1, "-100|100", "100|-100", "expected the values -100|100 at column 24"),
        (3, "20000|-20000", "19999.999999|-20000", "expected the values 20000|-20000 at column 42"),
        (1, ":A|B", ":AB", "expected 2 names at column 33"),
        (2, ":B|A", ":B|a", "these are not the players of the hand before"),
        (4, "19600|-19600", "19600|-19601", "the totals do not add up to zero"),
        (4, "19600|-19600", "19601|-19601", "the hands add up to 19600|-19600"),
        (4, ":A|B", ":A|C", "these are not the players of the hands"),
        (4, ":A|B", ":B|A", "the hands add up to -19600|19600"),
        (4, ":A|B", "", "expected SCORE:values:names at column 0"),
        (4, "19600|-19600", "19600|-19600|0", "expected 2 values at column 20"),
        (
            0,
            " 3 7",
            " 3",
            "expected the names of match and game, the number of hands and the seed at column 23",
        ),
    ],
)
def test_an_impossible_line_is_refused_for_its_reason(
    place: int, old: str, new: str, reason: str
) -> None:
    """Caught: a check that is missing, blames another line, or says something else."""
    error = refused(with_change(place, old, new), definition_of(NOLIMIT_2P))
    assert (error.number, error.reason) == (place + 1, reason)


def test_entries_before_a_bad_line_are_given_first() -> None:
    """Caught: a whole chunk thrown away for one bad line."""
    reader = read_match_log(BytesIO(as_bytes(with_change(3, "20000|", "20001|"))))
    assert [next(reader) for _ in range(3)] == entries(LOG[:3])
    with pytest.raises(BadLogLine, match="line 4"):
        next(reader)


@pytest.mark.parametrize(
    "line", ["STATE", "\x0b", "\x0c", "; comment", "MATCHSTATE:0:0::5d5c|", "\0"]
)
def test_lines_of_no_kind_are_refused(line: str) -> None:
    """Caught: damage passed over in silence."""
    assert refused([HEADER, HANDS[0], line, *HANDS[1:]]).number == 3


@pytest.mark.parametrize("place", range(5))
def test_endless_numbers_are_refused_like_others(place: int) -> None:
    """Caught: an exception of Python's, which turns no more than 4300 digits into a number."""
    for match in re.finditer(r"(?<![.m])[0-9]+(?!p)", LOG[place]):
        endless = LOG[place][: match.start()] + "9" * 5000 + LOG[place][match.end() :]
        assert (
            refused([*LOG[:place], endless, *LOG[place + 1 :]], definition_of(NOLIMIT_2P)).number
            == place + 1
        )


def test_a_line_may_be_long_but_not_endless() -> None:
    """Caught: memory that a file without line ends takes up, and lines that end reading in
    silence.
    """
    long_name = "A" * (MAX_LINE_LENGTH - 100)
    assert (
        len(
            hands(
                [
                    line.replace("A|B", f"{long_name}|B").replace("B|A", f"B|{long_name}")
                    for line in LOG
                ]
            )
        )
        == 3
    )
    endless = "A" * (MAX_LINE_LENGTH + 100)
    for place, line in enumerate(LOG):
        bad = [*LOG[:place], line + endless, *LOG[place + 1 :]]
        for chunk_size in (MAX_LINE_LENGTH // 2, 1 << 20):
            with pytest.raises(BadLogLine, match="more than 65536 bytes") as error:
                entries(bad, chunk_size=chunk_size)
            assert error.value.number == place + 1
            assert len(str(error.value)) < 2000


def test_a_last_line_without_its_end_must_be_whole() -> None:
    """Caught: half a hand taken for a hand, or a whole one refused for want of a line end."""
    log = as_bytes(LOG)
    start = len(as_bytes(LOG[:2]))
    ends = {len(as_bytes(LOG[:number])) - 1 for number in range(len(LOG) + 1)}
    for cut in range(start, len(log)):
        reader = read_match_log(BytesIO(log[:cut]))
        num_lines = log[:cut].count(b"\n")
        assert [next(reader) for _ in range(num_lines)] == entries(LOG[:num_lines])
        if cut in ends:
            assert next(reader) == entries(LOG)[num_lines]
        elif log[cut - 1 : cut] != b"\n":
            with pytest.raises(BadLogLine, match=r"the log ends here, without a line end") as error:
                next(reader)
            assert error.value.number == num_lines + 1


LEDUC_HIGH = ("STATE:0:rf:Kh|As:1|-1:A|B", "STATE:1:cc/cc:Qs|Ah/Kh:-1|1:B|A")
LEDUC_LOW = ("STATE:0:rf:3c|4d:1|-1:A|B", "STATE:1:cc/cc:2d|4c/3c:-1|1:B|A")


def test_a_small_deck_is_of_the_highest_or_of_the_lowest_cards() -> None:
    """Caught: logs of older servers refused, or both decks in one file."""
    leduc = definition_of(LEDUC)
    assert len(hands(LEDUC_HIGH, leduc)) == len(hands(LEDUC_LOW, leduc)) == 2
    assert refused([LEDUC_HIGH[0], LEDUC_LOW[1]], leduc).number == 2
    assert "highest and the lowest" in refused([LEDUC_LOW[0], LEDUC_HIGH[1]], leduc).reason
    assert "not in this game's deck" in refused([LEDUC_HIGH[0].replace("Kh", "Td")], leduc).reason


def test_the_deck_of_an_odd_line_counts_too() -> None:
    """Caught: the cards of lines that only the slow reader takes being forgotten."""
    odd = LEDUC_HIGH[0].replace("A|B", "A" * 65_500 + "|B") + "\r"
    log = [odd, LEDUC_LOW[1].replace("B|A", "B|" + "A" * 65_500)]
    assert refused(log, definition_of(LEDUC)).number == 2


@given(data=st.data(), name=st.sampled_from([LIMIT_2P, NOLIMIT_2P, NOLIMIT_3P, LEDUC]))
def test_a_changed_character_gives_possible_hands_or_a_refusal_there(
    data: st.DataObject, name: str
) -> None:
    """Caught: damage that goes through, or that is blamed on another line."""
    log = match_log(name, 8, data.draw(st.integers(0, 30)))
    number = data.draw(st.integers(3, len(log)))
    line = log[number - 1]
    place = data.draw(st.integers(0, len(line) - 1))
    changed = (
        line[:place]
        + data.draw(st.characters(max_codepoint=255, exclude_characters="\n\r"))
        + line[place + 1 :]
    )
    damaged = [*log[: number - 1], changed, *log[number:]]
    found = outcome(damaged)
    if isinstance(found, BadLogLine):
        # Only the names of the first hand are first doubted where the second hand has others.
        in_first_names = number == 3 and place > line.rindex(":")
        assert found.number == (
            4 if in_first_names and changed.count("|") >= line.count("|") else number
        )
        assert found.line in damaged
    else:
        assert [entry.text for entry in found] == damaged


class EndlessLog:
    """A source that makes lines as it is read, and counts bytes that were handed out and not
    yet told of.
    """

    def __init__(self, num_hands: int) -> None:
        self.num_hands = num_hands
        self.handed_out = 0
        self.most_outstanding = 0
        self.read_back = 0
        self._next = 0
        self._waiting = b""

    def line(self, hand_id: int) -> bytes:
        names = b"A|B" if hand_id % 2 == 0 else b"B|A"
        return b"STATE:%d:r300f:QcKc|4d2h:-100|100:%b\n" % (hand_id, names)

    def read(self, size: int, /) -> bytes:
        while len(self._waiting) < size and self._next < self.num_hands:
            self._waiting += self.line(self._next)
            self._next += 1
        data, self._waiting = self._waiting[:size], self._waiting[size:]
        self.handed_out += len(data)
        self.most_outstanding = max(self.most_outstanding, self.handed_out - self.read_back)
        return data


def test_a_log_of_any_length_needs_the_memory_of_a_chunk() -> None:
    """Caught: a reader that takes the whole file, or collects hands."""
    chunk_size = 1 << 14
    log = EndlessLog(12_500)
    for number, entry in enumerate(
        read_match_log(log, definition_of(NOLIMIT_2P), chunk_size=chunk_size)
    ):
        assert isinstance(entry, HandRecord)
        assert entry.hand_id == number
        log.read_back += len(log.line(number))
    assert log.handed_out == log.read_back > 20 * chunk_size
    assert log.most_outstanding < chunk_size + 100


def test_every_error_is_the_projects_own() -> None:
    """Caught: an exception of Python's from some corner, for bytes of any kind."""
    game = BettingRules(definition_of(LEDUC))

    @given(st.binary(max_size=200))
    def try_it(data: bytes) -> None:
        try:
            list(read_match_log(BytesIO(data), game.definition))
        except AcpcbotError:
            pass

    try_it()
