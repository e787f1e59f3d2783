"""A client's end of a connection: official transcripts in any pieces, both deck conventions,
and noise.
"""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.deck import deck_cards, format_cards, parse_cards
from acpcbot.errors import IllegalAction, LineTooLong, ProtocolError
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING
from acpcbot.poker.betting import BettingRules, parse_action
from acpcbot.protocol.client_side import ClientConnection, Event
from acpcbot.protocol.lines import CLIENT_LINE_LIMIT
from acpcbot.protocol.messages import Comment, MatchState, StreamEnded
from tests.support.games import KUHN, LEDUC, LIMIT_2P, NOLIMIT_2P, definition_of, rules_of
from tests.support.lines import damaged_lines
from tests.support.transcripts import Transcript, transcripts

TRANSCRIPTS = transcripts()
every_transcript = pytest.mark.parametrize(
    "transcript", TRANSCRIPTS, ids=lambda transcript: transcript.name
)


def events_of(game: BettingRules, *pieces: bytes, ends: bool = False) -> list[Event]:
    connection = ClientConnection(game)
    events = [event for piece in pieces for event in connection.receive(piece)]
    return events + (connection.receive_eof() if ends else [])


def states_of(game: BettingRules, data: bytes) -> list[MatchState]:
    return [event for event in events_of(game, data) if isinstance(event, MatchState)]


def refusal(game: BettingRules, data: bytes) -> ProtocolError | None:
    """Return the reason why *data* is refused; None if it is not."""
    try:
        events_of(game, data, ends=True)
    except ProtocolError as error:
        return error
    return None


# Transcripts.


@every_transcript
def test_each_line_of_a_transcript_is_a_state(transcript: Transcript) -> None:
    events = events_of(transcript.game, transcript.sent)
    lines = transcript.sent.decode().splitlines()
    assert [event.line for event in events if isinstance(event, MatchState)] == lines


@every_transcript
def test_the_states_to_answer_are_those_that_the_official_player_answered(
    transcript: Transcript,
) -> None:
    connection = ClientConnection(transcript.game)
    asked = [state for state in states_of(transcript.game, transcript.sent) if state.is_my_turn]
    actions = [
        parse_action(line.rpartition(":")[2]) for line in transcript.replies.decode().splitlines()
    ]
    assert len(asked) - len(actions) == transcript.has_left
    replies = [
        connection.reply(state, action) for state, action in zip(asked, actions, strict=False)
    ]
    assert b"".join(replies) == transcript.replies


@every_transcript
def test_events_do_not_depend_on_how_the_bytes_arrive(transcript: Transcript) -> None:
    whole = events_of(transcript.game, transcript.sent)
    bytewise = [transcript.sent[place : place + 1] for place in range(len(transcript.sent))]
    assert events_of(transcript.game, *bytewise) == whole


@given(st.sampled_from(TRANSCRIPTS), st.lists(st.integers(0, 8000), max_size=6).map(sorted))
def test_events_do_not_depend_on_where_the_bytes_are_cut(
    transcript: Transcript, borders: list[int]
) -> None:
    edges = [0, *borders, len(transcript.sent)]
    pieces = [transcript.sent[start:end] for start, end in pairwise(edges)]
    assert events_of(transcript.game, *pieces) == events_of(transcript.game, transcript.sent)


@every_transcript
def test_the_beginning_of_a_next_line_changes_nothing(transcript: Transcript) -> None:
    whole = events_of(transcript.game, transcript.sent)
    assert events_of(transcript.game, transcript.sent + b"MATCHSTATE:0:9") == whole


@every_transcript
def test_the_end_of_a_match_is_told_from_a_cut_in_the_middle_of_a_hand(
    transcript: Transcript,
) -> None:
    sent = transcript.sent
    cut_inside = sent[: sent.rindex(b"\n", 0, len(sent) - 1) + 1]
    for data in (sent, cut_inside):
        states = states_of(transcript.game, data)
        assert events_of(transcript.game, data, ends=True)[-1] == StreamEnded(
            hand_was_over=states[-1].betting.is_over
        )


def test_a_stream_that_ends_before_the_first_hand_breaks_off_no_hand() -> None:
    assert events_of(rules_of(KUHN), ends=True) == [StreamEnded(hand_was_over=True)]


def test_a_last_line_without_a_line_end_is_heard_at_the_end_of_the_stream() -> None:
    *events, end = events_of(rules_of(KUHN), b"MATCHSTATE:0:0:rf:Ks|", ends=True)
    assert [event.line for event in events if isinstance(event, MatchState)] == [
        "MATCHSTATE:0:0:rf:Ks|"
    ]
    assert end == StreamEnded(hand_was_over=True)


# Talking to the dealer.


def test_the_greeting_is_the_official_clients() -> None:
    assert ClientConnection(rules_of(KUHN)).greeting == b"VERSION:2.0.0\n"


def test_an_illegal_reply_is_refused_before_it_is_sent() -> None:
    connection = ClientConnection(rules_of(LIMIT_2P))
    (state,) = states_of(connection.game, b"MATCHSTATE:0:0:c:AsKs|\r\n")
    with pytest.raises(IllegalAction):
        connection.reply(state, FOLDING)
    assert connection.reply(state, LIMIT_RAISING) == b"MATCHSTATE:0:0:c:AsKs|:r\r\n"


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_comments_are_events_of_their_own_and_either_line_end_will_do(line_end: bytes) -> None:
    data = line_end.join([b"# hello: world", b";", b"MATCHSTATE:0:0::Ks|", b""])
    first, second, state = events_of(rules_of(KUHN), data)
    assert (first, second) == (Comment("# hello: world"), Comment(";"))
    assert isinstance(state, MatchState)


# Both deck conventions.


def in_the_lowest_deck(transcript: Transcript) -> bytes:
    """The transcript as a dealer of the older convention would have sent it."""
    definition = transcript.game.definition
    lowest = dict(zip(definition.deck, definition.lowest_deck, strict=True))
    lines = [line.rpartition(":") for line in transcript.sent.decode().splitlines()]
    renamed = [
        f"{head}:{re.sub('[^|/]+', lambda found: rename(found[0], lowest), cards)}"
        for head, _, cards in lines
    ]
    return "".join([f"{line}\r\n" for line in renamed]).encode()


def rename(cards: str, names: dict[int, int]) -> str:
    return format_cards([names[card] for card in parse_cards(cards)])


SMALL = [transcript for transcript in TRANSCRIPTS if transcript.game.definition.num_suits < 4]


@pytest.mark.parametrize("transcript", SMALL, ids=lambda transcript: transcript.name)
def test_a_dealer_of_the_lowest_cards_is_understood_in_the_highest(transcript: Transcript) -> None:
    renamed = in_the_lowest_deck(transcript)
    assert renamed != transcript.sent
    highest, lowest = (
        states_of(transcript.game, transcript.sent),
        states_of(transcript.game, renamed),
    )
    assert [(state.hole_cards, state.board) for state in lowest] == [
        (state.hole_cards, state.board) for state in highest
    ]
    assert [state.line for state in lowest] == renamed.decode().splitlines()


@pytest.mark.parametrize("transcript", SMALL, ids=lambda transcript: transcript.name)
def test_replies_speak_the_dealers_own_cards(transcript: Transcript) -> None:
    connection = ClientConnection(transcript.game)
    for event in connection.receive(in_the_lowest_deck(transcript)):
        if isinstance(event, MatchState) and event.is_my_turn:
            assert connection.reply(event, CALLING) == f"{event.line}:c\r\n".encode()


def test_small_decks_are_among_the_transcripts() -> None:
    assert {transcript.game for transcript in SMALL} >= {rules_of("kuhn.limit.3p"), rules_of(LEDUC)}


# Refusals.

FIRST = b"MATCHSTATE:0:0::Ks|\r\n"


@pytest.mark.parametrize(
    ("name", "data", "column", "expected"),
    [
        (KUHN, b"MATCHSTATE:0:0:rr:Ks|\r\n", 16, "a legal action (no raise is left to make)"),
        (KUHN, b"hello\r\n", 0, "MATCHSTATE:"),
        (KUHN, b"\r\n", 0, "MATCHSTATE:"),
        (KUHN, b"MATCHSTATE:0:0::Ks|:c\r\n", 19, "the end of the line"),
        (KUHN, b"MATCHSTATE:0:0::|Ks\r\n", 16, "the receiver's own hole cards"),
        (KUHN, b"MATCHSTATE:0:0::|\r\n", 16, "the receiver's own hole cards"),
        (KUHN, b"MATCHSTATE:0:0::\r\n", 16, "the receiver's own hole cards"),
        (KUHN, b"MATCHSTATE:0:0:cc:Ks|Ks\r\n", 18, "different cards"),
        (LIMIT_2P, b"MATCHSTATE:0:0:cc/:AsKs|/2c3dAs\r\n", 19, "different cards"),
        (
            KUHN,
            b"MATCHSTATE:0:0::Ah|\r\n",
            16,
            "cards of this game (not in this game's deck: 'Ah')",
        ),
        (
            LEDUC,
            b"MATCHSTATE:0:0::Ts|\r\n",
            16,
            "cards of this game (not in this game's deck: 'Ts')",
        ),
        (KUHN, FIRST + b"MATCHSTATE:0:1::2c|\r\n", 16, "cards of this game"),
        (KUHN, FIRST + b"MATCHSTATE:1:1::Ks|\r\n", 16, "the receiver's own hole cards"),
    ],
)
def test_a_line_that_cannot_be_is_refused_with_line_and_column(
    name: str, data: bytes, column: int, expected: str
) -> None:
    error = refusal(rules_of(name), data)
    assert error is not None
    assert error.line == data.decode().splitlines()[-1]
    assert (error.column, error.expected[: len(expected)]) == (column, expected)
    assert str(error).split("\n")[1:] == [f"  {error.line}", f"  {' ' * column}^"]


@given(
    st.one_of(st.binary(), damaged_lines().map(lambda case: case[1].encode("latin-1", "replace")))
)
def test_any_bytes_are_understood_or_refused_with_a_protocol_error(data: bytes) -> None:
    for name in (LIMIT_2P, NOLIMIT_2P, LEDUC):
        for error in (refusal(rules_of(name), data), refusal(rules_of(name), FIRST + data + b"\n")):
            assert error is None or 0 <= error.column <= len(error.line)


@pytest.mark.parametrize("field", ["{}:0::", "0:{}::", "0:0:r{}:"])
@pytest.mark.parametrize("number", ["0" * 5000, "9" * 5000])
def test_a_line_with_an_endless_number_is_refused_like_any_other(field: str, number: str) -> None:
    line = f"MATCHSTATE:{field.format(number)}AsKs|\r\n"
    error = refusal(rules_of(NOLIMIT_2P), line.encode())
    assert error is None or type(error) is ProtocolError


@pytest.mark.parametrize("piece", [1, 1000, 1 << 20])
def test_a_peer_that_sends_no_line_end_is_refused_at_the_limit(piece: int) -> None:
    connection = ClientConnection(rules_of(KUHN))
    for _ in range((CLIENT_LINE_LIMIT - 1) // piece):
        assert connection.receive(b"x" * piece) == []
    with pytest.raises(LineTooLong):
        connection.receive(b"x" * piece)


def test_nothing_is_understood_after_a_line_that_was_refused() -> None:
    connection = ClientConnection(rules_of(KUHN))
    with pytest.raises(ProtocolError):
        connection.receive(b"hello\r\n")
    with pytest.raises(ProtocolError):
        connection.receive(FIRST)


def test_a_comment_may_be_almost_as_long_as_the_limit() -> None:
    text = "#" * (CLIENT_LINE_LIMIT - 1)
    assert events_of(rules_of(KUHN), text.encode() + b"\n") == [Comment(text)]


@pytest.mark.parametrize("lowest", [False, True])
def test_every_card_of_either_leduc_deck_becomes_the_same_card_of_ours(lowest: bool) -> None:
    named = [format_cards([card]) for card in deck_cards(2, 3, lowest=lowest)]
    states = [
        states_of(rules_of(LEDUC), f"MATCHSTATE:1:0:c:|{card}\r\n".encode())[0] for card in named
    ]
    assert [state.own_cards[0] for state in states] == list(definition_of(LEDUC).deck)
