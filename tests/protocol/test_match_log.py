"""Match logs as a stream: what is read, what is refused at which line, and how much memory that takes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, replace
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.deck import parse_cards
from acpcbot.errors import AcpcbotError, BadLogLine, UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition, load_definition
from acpcbot.poker.shipped import SHIPPED_NAMES
from acpcbot.protocol.log_replay import MAX_LINE_LENGTH
from acpcbot.protocol.match_log import (
    CommentRecord,
    HandRecord,
    HeaderRecord,
    LogEntry,
    ScoreRecord,
    read_match_log,
    write_match_log,
)
from tests.protocol.log_making import (
    SHARED,
    as_bytes,
    entries,
    hands,
    match_lines,
    match_log,
    shared_files,
)
from tests.support.games import ALL_GAMES, LEDUC, LIMIT_2P, NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P, definition_of, rules_of

HEADER = "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 3 7"
HANDS = (
    "STATE:0:r300f:QcKc|4d2h:-100|100:A|B",
    "STATE:1:cr300c/cc/cc/r700f:7hTh|4d5s/2c3c8d/Ks/Kd:300|-300:B|A",
    "STATE:2:r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:A|B",
)
SCORE = "SCORE:19600|-19600:A|B"
LOG = (HEADER, *HANDS, SCORE)


def refused(lines: Sequence[str], definition: GameDefinition | None = None) -> BadLogLine:
    with pytest.raises(BadLogLine) as error:
        entries(lines, definition)
    return error.value


def renamed(lines: Sequence[str], old: str, new: str) -> list[str]:
    """*lines* with another name for a player."""
    return [re.sub(rf"(?<=[:|]){old}(?=\||$)", new, line) for line in lines]


def outcome(lines: list[str]) -> list[LogEntry] | BadLogLine:
    try:
        return entries(lines)
    except BadLogLine as error:
        return error


def with_change(place: int, old: str, new: str) -> list[str]:
    lines = list(LOG)
    assert old in lines[place]
    lines[place] = lines[place].replace(old, new, 1)
    return lines


# What is read.


@pytest.mark.parametrize("name", ALL_GAMES)
def test_a_log_is_read_and_comes_out_again(name: str) -> None:
    """Caught: a field that is lost or spelt otherwise, a game with an odd layout."""
    log, file = match_log(name), BytesIO()
    write_match_log(entries(log, definition_of(name)), file)
    assert file.getvalue() == as_bytes(log)


def test_each_line_becomes_its_kind_of_entry() -> None:
    """Caught: numbers of lines off by one, a header taken for a comment, values read by seat instead of position."""
    header, comment, hand, score = entries(
        [HEADER, "#--t_hand 9", HANDS[2].replace("STATE:2", "STATE:0"), SCORE[:6] + "20000|-20000:A|B"]
    )
    assert header == HeaderRecord(1, "m", "holdem.nolimit.2p.reverse_blinds.game", 3, 7)
    assert comment == CommentRecord(2, "#--t_hand 9")
    assert score == ScoreRecord(4, (20000.0, -20000.0), "A|B")
    assert isinstance(hand, HandRecord)
    assert (hand.line_number, hand.hand_id, hand.values, hand.names) == (3, 0, (20000.0, -20000.0), ("A", "B"))
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
    """Caught: a game that is found by its bare name only; dealers write the path as it was typed."""
    for folder in ("", "../games/", "C:\\games\\"):
        log = [f"# name/game/hands/seed my match {folder}{name}.game 2 4", *match_lines(rules_of(name), 2, 4)]
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
    with pytest.raises(UsageError, match="no list of 2 names"):
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


def test_a_path_will_do_as_well_as_a_file(tmp_path: Path) -> None:
    """Caught: errors that do not say which file."""
    path = tmp_path / "some.log"
    path.write_bytes(as_bytes(LOG))
    assert list(read_match_log(path)) == list(read_match_log(str(path))) == entries(LOG)
    path.write_bytes(as_bytes(with_change(2, "300|-", "301|-")))
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


# What is refused.


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
        (0, " 3 7", " 3", "expected the names of match and game, the number of hands and the seed at column 23"),
    ],
)
def test_an_impossible_line_is_refused_for_its_reason(place: int, old: str, new: str, reason: str) -> None:
    """Caught: a check that is missing, blames another line, or says something else."""
    error = refused(with_change(place, old, new), definition_of(NOLIMIT_2P))
    assert (error.number, error.reason) == (place + 1, reason)


def test_what_stood_before_a_bad_line_is_handed_out_first() -> None:
    """Caught: a whole chunk thrown away for one bad line."""
    reader = read_match_log(BytesIO(as_bytes(with_change(3, "20000|", "20001|"))))
    assert [next(reader) for _ in range(3)] == entries(LOG[:3])
    with pytest.raises(BadLogLine, match="line 4"):
        next(reader)


@pytest.mark.parametrize("line", ["", " ", "STATE", "; comment", "MATCHSTATE:0:0::5d5c|", "\0"])
def test_lines_of_no_kind_are_refused(line: str) -> None:
    """Caught: damage passed over in silence."""
    assert refused([HEADER, HANDS[0], line, *HANDS[1:]]).number == 3


@pytest.mark.parametrize("place", range(5))
def test_endless_numbers_are_refused_like_others(place: int) -> None:
    """Caught: an exception of Python's, which turns no more than 4300 digits into a number."""
    for match in re.finditer(r"(?<![.m])[0-9]+(?!p)", LOG[place]):
        endless = LOG[place][: match.start()] + "9" * 5000 + LOG[place][match.end() :]
        assert refused([*LOG[:place], endless, *LOG[place + 1 :]], definition_of(NOLIMIT_2P)).number == place + 1


def test_a_line_may_be_long_but_not_endless() -> None:
    """Caught: memory that a file without line ends takes up, and lines that end reading in silence."""
    long_name = "A" * (MAX_LINE_LENGTH - 100)
    assert len(hands([line.replace("A|B", f"{long_name}|B").replace("B|A", f"B|{long_name}") for line in LOG])) == 3
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


# Scores and matches.


def test_a_score_of_part_of_a_match_is_not_judged() -> None:
    """Caught: a resumed match whose first hands are in another file refused for its score."""
    assert len(entries([HEADER, *HANDS[1:], SCORE])) == 4
    assert len(entries([HEADER, HANDS[0], HANDS[2], SCORE])) == 4
    assert len(entries([HEADER, SCORE])) == 2


def test_matches_may_follow_one_another() -> None:
    """Caught: the totals of one match carried into the next."""
    other = renamed(LOG, "A", "C")
    assert len(entries([*LOG, *other, *LOG])) == 15
    broken_off = LOG[:3]
    assert len(entries([*broken_off, *other])) == 8
    assert refused([*LOG, *LOG[:4], "SCORE:1|-1:A|B"]).number == 10


def test_a_match_may_be_resumed_behind_another_header() -> None:
    """Caught: the score of a resumed match compared with its second part only."""
    resumed = [HEADER, *HANDS[:2], HEADER, HANDS[2]]
    assert len(entries([*resumed, SCORE])) == 6
    assert refused([*resumed, "SCORE:20000|-20000:A|B"]).number == 6


def test_other_players_may_come_behind_a_header_only() -> None:
    """Caught: a name that changes within a match, and two files joined where numbers happen to fit."""
    (second,) = renamed(HANDS[1:2], "A", "C")
    assert refused([HEADER, HANDS[0], second]).number == 3
    assert len(entries([HEADER, HANDS[0], HEADER, second])) == 4


@pytest.mark.parametrize("rotates", [True, False])
def test_scores_are_summed_by_name_wherever_players_sit(*, rotates: bool) -> None:
    """Caught: fixed seats, or sums by position."""
    log = list(match_lines(rules_of(NOLIMIT_3P), 30, 3, rotates=rotates))
    totals: Counter[str] = Counter()
    for hand in hands(log, definition_of(NOLIMIT_3P)):
        totals.update(dict(zip(hand.names, hand.values, strict=True)))
    *_, score = entries(log, definition_of(NOLIMIT_3P))
    assert isinstance(score, ScoreRecord)
    assert score.values == pytest.approx([totals[name] for name in score.names])


@pytest.mark.parametrize("names", [("x|y", "z", "w"), ("x", "y|z|", "w"), ("", "x", "|")])
@pytest.mark.parametrize("rotates", [True, False])
def test_scores_of_names_with_bars_are_judged_by_rotation(names: tuple[str, ...], *, rotates: bool) -> None:
    """Caught: seats mixed up where names cannot be told apart."""
    log = list(match_lines(rules_of(NOLIMIT_3P), 30, 3, names, rotates=rotates))
    assert len(entries(log, definition_of(NOLIMIT_3P))) == 31


def test_the_score_of_two_players_of_one_name_is_not_judged() -> None:
    """Caught: a sum by name where the name stands for both."""
    log = match_log(LEDUC, 6, names=("Bot", "Bot"))
    assert len(entries([*log[:-1], "SCORE:1|-1:Bot|Bot"])) == len(log)


def test_values_and_scores_can_be_taken_as_they_stand() -> None:
    """Caught: logs with luck averaged out refused in spite of the setting."""
    averaged = [line.replace("20000|-20000", "8137.5|-8137.500000") for line in LOG]
    assert refused(averaged).number == 4
    assert [hand.values for hand in hands(averaged, check_values=False)][2] == (8137.5, -8137.5)


# Damage, and memory.


@given(data=st.data(), name=st.sampled_from([LIMIT_2P, NOLIMIT_2P, NOLIMIT_3P, LEDUC]))
def test_a_log_with_one_character_changed_still_tells_of_possible_hands_or_is_refused_there(
    data: st.DataObject, name: str
) -> None:
    """Caught: damage that goes through, or that is blamed on another line."""
    log = match_log(name, 8, data.draw(st.integers(0, 30)))
    number = data.draw(st.integers(3, len(log)))
    line = log[number - 1]
    place = data.draw(st.integers(0, len(line) - 1))
    changed = line[:place] + data.draw(st.characters(max_codepoint=255, exclude_characters="\n\r")) + line[place + 1 :]
    damaged = [*log[: number - 1], changed, *log[number:]]
    found = outcome(damaged)
    if isinstance(found, BadLogLine):
        # Only the names of the first hand are first doubted where the second hand has others.
        in_first_names = number == 3 and place > line.rindex(":")
        assert found.number == (4 if in_first_names and changed.count("|") >= line.count("|") else number)
        assert found.line in damaged
    else:
        assert [entry.text for entry in found] == damaged


class EndlessLog:
    """A source that makes lines as it is read, and counts bytes that were handed out and not yet told of."""

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
    chunk_size = 1 << 16
    log = EndlessLog(50_000)
    for number, entry in enumerate(read_match_log(log, definition_of(NOLIMIT_2P), chunk_size=chunk_size)):
        assert isinstance(entry, HandRecord)
        assert entry.hand_id == number
        log.read_back += len(log.line(number))
    assert log.handed_out == log.read_back > 20 * chunk_size
    assert log.most_outstanding < chunk_size + 100


# Recorded logs.


@pytest.mark.parametrize("path", shared_files("gold/*/dealer.log") + shared_files("gold/*/before.dealer.log"))
def test_recorded_logs_are_read_and_come_out_again(path: Path) -> None:
    """Caught: a possible log refused: odd names, one name twice, resumed and broken off matches, many pots."""
    case = json.loads((path.parent / "case.json").read_text())
    definition, file = load_definition(SHARED / "gold" / "games" / case["game"]), BytesIO()
    found = list(read_match_log(path, definition))
    write_match_log(found, file)
    assert file.getvalue() == path.read_bytes()
    if path.name == "dealer.log":
        scores = [entry.text for entry in found if isinstance(entry, ScoreRecord)]
        assert scores == ([case["expected_score"]] if case["expected_score"] else [])


@pytest.mark.parametrize("path", shared_files("gold/unit/all_in_expectation/*.out"))
def test_logs_with_luck_averaged_out_are_read_when_told(path: Path) -> None:
    """Caught: the output of the official tool refused."""
    case = json.loads((SHARED / "gold" / path.stem / "case.json").read_text())
    definition = load_definition(SHARED / "gold" / "games" / case["game"])
    original = [
        hand.values
        for hand in read_match_log(path.parents[2] / path.stem / "dealer.log", definition)
        if isinstance(hand, HandRecord)
    ]
    averaged = [
        hand.values for hand in read_match_log(path, definition, check_values=False) if isinstance(hand, HandRecord)
    ]
    assert len(averaged) == len(original)
    if averaged != original:
        with pytest.raises(BadLogLine, match="expected the values"):
            list(read_match_log(path, definition))


def totals_of(paths: list[Path], definition: GameDefinition | None = None) -> tuple[int, Counter[str]]:
    num_hands, totals = 0, Counter[str]()
    for path in paths:
        for entry in read_match_log(path, definition):
            if isinstance(entry, HandRecord):
                num_hands += 1
                for name, value in zip(entry.names, entry.values, strict=True):
                    totals[name] += value  # type: ignore[assignment]
    return num_hands, totals


@pytest.mark.parametrize("path", shared_files("data/acpc_dealer_logs/*r0.log"))
def test_logs_of_older_dealers_add_up(path: Path) -> None:
    """Caught: rules that moved since; the reader compares the sums with the SCORE line itself."""
    assert totals_of([path])[0] == 1000


def shared_folder(name: str) -> list[Path]:
    paths = sorted((SHARED / "data" / name).glob("*.log"))
    if not paths:
        pytest.skip(f"no logs at {SHARED / 'data' / name}")
    return paths


def test_fifty_thousand_hands_of_leduc_add_up() -> None:
    """Caught: pairs and splits of a small deck."""
    log = next(path for path in shared_folder("leduc_acpc") if path.name == "sample_log-large.log")
    assert totals_of([log]) == (50_000, {"Random_1": 48_745, "CFR_trained": -48_745})


def test_five_thousand_hands_of_pluribus_add_up_to_what_was_published() -> None:
    """Caught: six-player side pots, logs without a header, a last line without a line end."""
    definition = replace(definition_of(NOLIMIT_6P), stacks=(10_000,) * 6)
    num_hands, totals = totals_of(shared_folder("pluribus"), definition)
    assert (num_hands, totals["Pluribus"]) == (5_070, -14_321.5)


def test_hands_against_deepstack_add_up_to_what_was_published() -> None:
    """Caught: times behind names, hands of people."""
    won: list[float] = []
    num_hands = 0
    for path in shared_folder("deepstack_aivat"):
        found = [hand for hand in read_match_log(path, definition_of(NOLIMIT_2P)) if isinstance(hand, HandRecord)]
        num_hands += len(found)
        won += [hand.values[hand.names.index("DeepStack")] for hand in found[:3000]]
    assert (num_hands, len(won)) == (18_271, 18_119)
    assert sum(won) / len(won) * 10 == pytest.approx(524.28, abs=0.005)


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
