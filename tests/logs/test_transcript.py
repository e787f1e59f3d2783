"""Transcripts of a dealer's talk: states must follow from one another, seats may send anything."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.errors import AcpcbotError, BadLogLine, UsageError
from acpcbot.logs.entries import CommentRecord, HeaderRecord, ScoreRecord
from acpcbot.logs.transcript import (
    DealerRemark,
    LineReceived,
    MatchFinished,
    MatchStarted,
    StateSent,
    TimeReport,
    TranscriptEvent,
    read_transcript,
    write_transcript,
)
from acpcbot.poker.betting import BettingRules, BettingState, parse_action
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.definition import GameDefinition, load_definition
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.records import format_score_record
from tests.protocol.log_making import NAMES, SHARED, as_bytes, played_out, shared_files
from tests.support.games import (
    ALL_GAMES,
    KUHN,
    LEDUC,
    LIMIT_2P,
    NOLIMIT_2P,
    NOLIMIT_3P,
    definition_of,
    rules_of,
)
from tests.support.lines import visible_text

HEADER = "# name/game/hands/seed m leduc.limit.2p.game 1 7"
TALK = (
    HEADER,
    "#--t_hand 9",
    "STARTED at 5.000001",
    "TO 1 at 5.000002 MATCHSTATE:0:0::Qh|\r",
    "TO 2 at 5.000003 MATCHSTATE:1:0::|Ks\r",
    "FROM 1 at 5.000004 MATCHSTATE:0:0::Qh|:c\r",
    "TO 1 at 5.000005 MATCHSTATE:0:0:c:Qh|\r",
    "TO 2 at 5.000006 MATCHSTATE:1:0:c:|Ks\r",
    "FROM 2 at 5.000007 nonsense",
    "WARNING: bad state format in response",
    "FROM 2 at 5.000008 MATCHSTATE:1:0:c:|Ks:r\r",
    "TO 1 at 5.000009 MATCHSTATE:0:0:cr:Qh|\r",
    "TO 2 at 5.000010 MATCHSTATE:1:0:cr:|Ks\r",
    "FROM 1 at 5.000011 MATCHSTATE:0:0:cr:Qh|:c\r",
    "TO 1 at 5.000012 MATCHSTATE:0:0:crc/:Qh|/Qs\r",
    "TO 2 at 5.000013 MATCHSTATE:1:0:crc/:|Ks/Qs\r",
    "FROM 1 at 5.000014 MATCHSTATE:0:0:crc/:Qh|/Qs:c\r",
    "TO 1 at 5.000015 MATCHSTATE:0:0:crc/c:Qh|/Qs\r",
    "TO 2 at 5.000016 MATCHSTATE:1:0:crc/c:|Ks/Qs\r",
    "FROM 2 at 5.000017 MATCHSTATE:1:0:crc/c:|Ks/Qs:c\r",
    "TO 1 at 5.000018 MATCHSTATE:0:0:crc/cc:Qh|Ks/Qs\r",
    "TO 2 at 5.000019 MATCHSTATE:1:0:crc/cc:Qh|Ks/Qs\r",
    "Seconds cumulatively spent in match for seat 0: 0",
    "FINISHED at 5.000016",
    "SCORE:3|-3:A|B",
)


def events(lines: Sequence[str], definition: GameDefinition | None = None) -> list[TranscriptEvent]:
    return list(read_transcript(BytesIO(as_bytes(lines)), definition))


def refused(lines: Sequence[str]) -> BadLogLine:
    with pytest.raises(BadLogLine) as error:
        events(lines)
    return error.value


def talk_of_a_match(
    game: BettingRules, num_hands: int, seed: int, *, rotates: bool = True
) -> Iterator[str]:
    """Return a dealer's messages about a match of random play."""
    num_players = game.definition.num_players
    dealing, random, totals, time = (
        Dealing(game.definition, seed),
        Random(seed),
        [0.0] * num_players,
        0,
    )
    for hand_id in range(num_hands):
        deal, last = dealing.next_deal(), played_out(random, game)
        positions = [(seat - hand_id * rotates) % num_players for seat in range(num_players)]
        for betting in steps(last):
            for seat, position in enumerate(positions):
                time += 1
                cards = visible_text(deal, betting, position)
                state = f"MATCHSTATE:{position}:{hand_id}:{betting.text}:{cards}"
                yield f"TO {seat + 1} at {time}.000000 {state}\r"
            if not betting.is_over:
                yield f"FROM {positions.index(betting.actor) + 1} at {time}.500000 whatever"
        for seat, position in enumerate(positions):
            totals[seat] += payoffs(last, deal.hole_cards, deal.board)[position]
    yield format_score_record(totals, NAMES[:num_players])


def steps(last: BettingState) -> Iterator[BettingState]:
    """Every state on the way to *last*."""
    betting = last.game.start
    yield betting
    for spelled in re.findall(r"[fcr][0-9]*", last.text):
        betting = betting.apply(parse_action(spelled))
        yield betting


def test_each_line_becomes_its_kind_of_event() -> None:
    """Caught: seats counted from one, times cut, a warning taken for a message."""
    found = events(TALK)
    kinds = [type(event) for event in found[:8]]
    assert kinds == [
        *(HeaderRecord, CommentRecord, MatchStarted),
        *(StateSent, StateSent, LineReceived, StateSent, StateSent),
    ]
    assert found[2] == MatchStarted(3, 5_000_001)
    assert found[5] == LineReceived(6, 0, 5_000_004, "MATCHSTATE:0:0::Qh|:c\r", is_ended=True)
    assert found[9] == DealerRemark(10, "WARNING: bad state format in response")
    assert found[22:] == [
        TimeReport(23, 0, 0),
        MatchFinished(24, 5_000_016),
        ScoreRecord(25, (3.0, -3.0), "A|B"),
    ]
    sent = found[14]
    assert isinstance(sent, StateSent)
    assert (sent.seat, sent.time_us, sent.state.betting.text) == (0, 5_000_012, "crc/")


@pytest.mark.parametrize("rotates", [True, False])
@pytest.mark.parametrize("name", ALL_GAMES)
def test_the_talk_of_a_match_is_read_and_comes_out_again(name: str, *, rotates: bool) -> None:
    """Caught: a state that follows refused: showdowns, folds, all-ins, rotating and fixed
    seats, any game.
    """
    talk, file = list(talk_of_a_match(rules_of(name), 8, 3, rotates=rotates)), BytesIO()
    write_transcript(events(talk, definition_of(name)), file)
    assert file.getvalue() == as_bytes(talk)


@pytest.mark.parametrize(
    ("place", "old", "new", "reason"),
    [
        (3, "TO 1", "TO 2", "expected a state for seat 1"),
        (3, "TO 1", "TO 3", "there are 2 seats"),
        (3, "TO 1 at", "TO one at", "expected a seat and a time"),
        (3, "5.000002", "5.02", "expected a seat and a time"),
        (3, "MATCHSTATE", "STATE", "expected MATCHSTATE: at column 0"),
        (4, ":1:0", ":0:0", "expected seat 2's position in this hand at column 11"),
        (4, ":1:0::", ":1:0:c:", "expected '' as before at column 15"),
        (4, ":1:0::", ":1:1::", "expected hand 0 at column 13"),
        (4, "|Ks", "|", "expected the cards of position 1 at column 16"),
        (4, "|Ks", "Qh|Ks", "expected the cards of position 0 to be hidden"),
        (4, "|Ks", "|Qh", "expected cards that are not dealt already"),
        (4, "|Ks", "|2c", "expected cards of one deck of this game"),
        (6, ":c:", ":cr:", "expected '' with one action more at column 15"),
        (6, ":c:", "::", "expected '' with one action more at column 15"),
        (6, ":c:", ":f:", "expected a legal action"),
        (6, "Qh", "Ah", "expected the same cards of position 0 as before"),
        (17, "/Qs", "/As", "expected the same board as before"),
        (20, "Qh|Ks", "Qh|", "expected the cards of position 1"),
        (21, "Qh|Ks", "Qh|Kh", "expected the same cards of position 1 as before"),
        (23, "FINISHED", "FINISHED for good", "expected a message of a dealer"),
        (24, "3|-3", "5|-5", "the totals are not the sums of the hands"),
        (24, "3|-3", "3|-3|0", "expected 2 values"),
    ],
)
def test_a_message_that_does_not_follow_is_refused(
    place: int, old: str, new: str, reason: str
) -> None:
    """Caught: a check that is missing, or blames another line."""
    talk = list(TALK)
    assert old in talk[place]
    talk[place] = talk[place].replace(old, new, 1)
    error = refused(talk)
    assert error.number == place + 1
    assert reason in error.reason


@pytest.mark.parametrize("lost", [3, 4, 6, 7, 11, 12, 14, 20, 21])
def test_a_state_that_is_missing_is_noticed(lost: int) -> None:
    """Caught: states taken in any order."""
    assert refused([*TALK[:lost], *TALK[lost + 1 :]]).number > lost


def test_a_match_that_is_not_over_cannot_finish() -> None:
    """Caught: the end of a match in the middle of a hand."""
    assert refused([*TALK[:16], *TALK[23:]]).number == 17
    assert len(events(TALK[:16])) == 16


@pytest.mark.parametrize(
    "words",
    [
        "",
        "\r",
        "\0\0",
        "# a comment\r",
        "MATCHSTATE:9:9:zzz",
        "STARTED at 5.000001",
        "SCORE:1|-1:A|B",
    ],
)
def test_a_transcript_keeps_any_bytes_of_a_seat(words: str) -> None:
    """Caught: a bot's nonsense taken for the dealer's."""
    talk = list(TALK)
    talk[8] = f"FROM 2 at 5.000007 {words}"
    event = events(talk)[8]
    assert isinstance(event, LineReceived)
    assert event.received == words


@pytest.mark.parametrize("following", [9, 11, 23])
def test_words_without_a_line_end_stop_where_the_dealer_speaks_again(following: int) -> None:
    """Caught: a dealer's message lost in the line of a seat that sent no line end."""
    glued = [
        *TALK[:following],
        "FROM 2 at 5.000007 no end" + TALK[following],
        *TALK[following + 1 :],
    ]
    found, file = events(glued), BytesIO()
    assert found[following] == LineReceived(following + 1, 1, 5_000_007, "no end", is_ended=False)
    assert len(found) == len(TALK) + 1
    write_transcript(found, file)
    assert file.getvalue() == as_bytes(glued)


def test_talk_of_several_runs_may_stand_in_one_file() -> None:
    """Caught: the first hand of the second run taken for a hand that does not follow."""
    assert (
        len(events([*TALK, *TALK]))
        == len(events([*TALK, *TALK], definition_of(LEDUC)))
        == 2 * len(TALK)
    )


def test_talk_may_begin_in_the_middle_of_a_match() -> None:
    """Caught: a resumed match refused for its first state, or for a score that holds hands from
    before.
    """
    resumed = [*TALK[:3], *TALK[14:-1], "SCORE:8|-8:A|B"]
    assert len(events(resumed)) == len(resumed)


def test_quiet_talk_has_no_states() -> None:
    """Caught: a game asked for that nothing depends on, or a score refused that nothing
    contradicts.
    """
    quiet = [
        "# name/game/hands/seed m other.game 1 7",
        "WARNING: invalid action, changed to call",
        TALK[-1],
    ]
    assert len(events(quiet)) == 3
    with pytest.raises(UsageError) as error:
        events([quiet[0], *TALK[3:]])
    assert "--game" in error.value.hint


def test_blank_lines_and_either_line_end_will_do() -> None:
    """Caught: talk that went through an editor or a Windows machine refused, or a carriage
    return left in a word.
    """
    game = rules_of(NOLIMIT_2P)
    talk = list(talk_of_a_match(game, 4, 3))
    spaced = as_bytes([line for spoken in talk for line in (spoken, "", " ")]).replace(
        b"\n", b"\r\n"
    )
    found = [event.text for event in read_transcript(BytesIO(spaced), game.definition)]
    assert [text.rstrip("\r") for text in found] == [line.rstrip("\r") for line in talk]


def test_cards_of_the_lowest_deck_are_translated() -> None:
    """Caught: states that break their promise of the definition's own cards, or two decks in
    one match.
    """
    low = dict(zip(("Qh", "Qs", "Kh", "Ks"), ("2c", "2d", "3c", "3d"), strict=True))
    talk = list(TALK)
    for high_card, low_card in low.items():
        talk = [line.replace(high_card, low_card) for line in talk]
    states = [event.state.own_cards for event in events(talk) if isinstance(event, StateSent)]
    assert states == [
        event.state.own_cards for event in events(TALK) if isinstance(event, StateSent)
    ]


@given(data=st.data(), name=st.sampled_from([LIMIT_2P, NOLIMIT_2P, NOLIMIT_3P, KUHN]))
def test_a_transcript_with_one_character_changed_is_read_exactly_or_refused_there(
    data: st.DataObject, name: str
) -> None:
    """Caught: damage blamed on an earlier line, text that comes out otherwise, an exception of
    Python's.
    """
    talk, file = list(talk_of_a_match(rules_of(name), 3, data.draw(st.integers(0, 20)))), BytesIO()
    number = data.draw(st.integers(0, len(talk) - 1))
    place = data.draw(st.integers(0, len(talk[number]) - 1))
    drawn = data.draw(st.sampled_from("0123456789fcr:|/ .TOFROMMATCHAKQsh#\r"))
    changed = talk[number][:place] + drawn + talk[number][place + 1 :]
    damaged = [*talk[:number], changed, *talk[number + 1 :]]
    found = outcome(damaged, definition_of(name))
    if isinstance(found, BadLogLine):
        assert found.number > number
    else:
        write_transcript(found, file)
        assert without_returns(file.getvalue()) == without_returns(as_bytes(damaged))


def without_returns(talk: bytes) -> list[bytes]:
    """The lines of *talk*, whatever their ends are."""
    return [line.rstrip(b"\r") for line in talk.split(b"\n")]


def outcome(lines: Sequence[str], definition: GameDefinition) -> list[TranscriptEvent] | BadLogLine:
    try:
        return events(lines, definition)
    except BadLogLine as error:
        return error


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_raise_the_projects_own_errors(data: bytes) -> None:
    """Caught: an exception of Python's from some corner."""
    try:
        list(read_transcript(BytesIO(data), definition_of(LEDUC)))
    except AcpcbotError:
        pass


@pytest.mark.parametrize("path", shared_files("gold/*/dealer.stderr"))
def test_recorded_talk_is_read_and_comes_out_again(path: Path) -> None:
    """Caught: something that the official dealer says refused."""
    case = json.loads((path.parent / "case.json").read_text())
    definition, file = load_definition(SHARED / "gold" / "games" / case["game"]), BytesIO()
    write_transcript(read_transcript(path, definition), file)
    assert file.getvalue() == path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("path", shared_files("data/acpc_dealer_logs/*.actions.log"))
def test_talk_of_older_dealers_is_read(path: Path) -> None:
    """Caught: tens of thousands of messages of whole matches, of which one would not follow."""
    found, file = list(read_transcript(path)), BytesIO()
    write_transcript(found, file)
    assert file.getvalue() == path.read_bytes()
    assert sum(isinstance(event, StateSent) for event in found) > 10_000
