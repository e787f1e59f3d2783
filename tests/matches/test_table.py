"""The dealer's table by known talks: greetings, turns, ends of streams, and what is written
where.
"""

from __future__ import annotations

import gc

import pytest

from acpcbot.matches.settings import TimeLimits
from acpcbot.matches.table import Phase
from acpcbot.poker.actions import CALLING, FOLDING, Action
from acpcbot.protocol.messages import MatchState
from tests.support.games import KUHN, LIMIT_2P, LIMIT_3P, NOLIMIT_3P
from tests.support.tables import GREETING, SECOND, Match, settings_of

TOO_NEW = "ERROR: this server is currently using version 2.0.0\n"


def call(_state: MatchState) -> Action:
    return CALLING


def check_or_fold(state: MatchState) -> Action:
    return FOLDING if state.betting.can_act(FOLDING) else CALLING


def match(name: str = LIMIT_2P, num_hands: int = 3, **changes: object) -> Match:
    return Match(settings_of(name, num_hands, **changes)).greet()


# Greeting.


@pytest.mark.parametrize(
    ("greeting", "talk"),
    [
        (b"VERSION:2.0.0\r\n", ""),
        (b"VERSION:2.0.0\n", ""),
        (b"VERSION: 2. 0. 7 and more\n", ""),
        (b"VERSION:1.0.0\n", TOO_NEW),
        (b"VERSION:3.0.0\n", TOO_NEW),
        (b"VERSION:2.1.0\n", TOO_NEW),
    ],
)
def test_any_version_plays_on_and_a_wrong_one_is_told_so(greeting: bytes, talk: str) -> None:
    at_table = Match(settings_of(KUHN))
    at_table.table.receive(0, greeting)
    at_table.table.receive(1, GREETING)
    assert (at_table.phase, at_table.recorder.talk_text) == (Phase.PLAYING, talk)
    assert at_table.play().phase is Phase.FINISHED


@pytest.mark.parametrize(
    ("greeting", "shown"),
    [
        (b"hello\r\n", "hello\r\n"),
        (b"version:2.0.0\n", "version:2.0.0\n"),
        (b"# hi\nVERSION:2.0.0\n", "# hi\n"),
        (b"\n", "\n"),
        (b"VERSION:2.0\n", "VERSION:2.0\n"),
        (b" VERSION:2.0.0\n", " VERSION:2.0.0\n"),
        (b"hel\0lo\n", "hel"),
    ],
)
def test_a_greeting_that_is_no_version_ends_the_match(greeting: bytes, shown: str) -> None:
    at_table = Match(settings_of(KUHN))
    at_table.table.receive(0, greeting)
    assert at_table.phase is Phase.ABORTED
    assert at_table.recorder.talk_text == f"ERROR: invalid version string {shown}"
    assert at_table.recorder.sent == [b"", b""]


def test_a_seat_that_leaves_without_a_greeting_ends_the_match_at_its_turn() -> None:
    at_table = Match(settings_of(KUHN))
    at_table.table.receive_eof(1)
    assert at_table.table.is_live
    at_table.table.receive(0, GREETING)
    assert at_table.phase is Phase.ABORTED
    assert at_table.recorder.talk_text == "ERROR: could not read version string from seat 2\n"


def test_a_greeting_without_a_line_end_counts_at_the_end_of_the_stream() -> None:
    at_table = Match(settings_of(KUHN))
    at_table.table.receive(1, b"VERSION:2.0.0")
    at_table.table.receive(0, GREETING)
    assert at_table.recorder.sent == [b"", b""]
    at_table.table.receive_eof(1)
    assert at_table.phase is Phase.PLAYING


def test_seats_may_greet_in_any_order() -> None:
    at_table = Match(settings_of(LIMIT_3P))
    for seat in (2, 1):
        at_table.table.receive(seat, GREETING)
        assert at_table.recorder.sent == [b"", b"", b""]
    at_table.table.receive(0, GREETING)
    assert at_table.phase is Phase.PLAYING


def test_bytes_behind_a_greeting_are_kept_for_the_turn() -> None:
    at_table = Match(settings_of(KUHN))
    at_table.table.receive(1, GREETING)
    at_table.table.receive(
        0, GREETING + b"MATCHSTATE:0:0::Qs|:c\nMATCHSTATE:0:0::Ks|:c\nMATCHSTATE:0:0::As|:c\n"
    )
    assert at_table.recorder.last_line(1).startswith("MATCHSTATE:1:0:c:|")
    assert at_table.table.heard_seat == 1


# Turns.


def test_every_seat_is_told_before_the_first_action() -> None:
    at_table = match(LIMIT_3P)
    assert [at_table.state(seat).seat for seat in range(3)] == [0, 1, 2]
    assert at_table.table.heard_seat == 2
    assert at_table.table.phase is Phase.PLAYING


def test_the_end_of_a_hand_and_the_next_one_are_told_at_once() -> None:
    at_table = match(KUHN)
    at_table.policy = call
    at_table.play(2)
    texts = [line.split(":")[1:4] for line in at_table.recorder.sent[0].decode().splitlines()]
    assert texts == [["0", "0", ""], ["0", "0", "c"], ["0", "0", "cc"], ["1", "1", ""]]


def test_lines_out_of_turn_wait_until_the_turn_comes() -> None:
    at_table = match(KUHN)
    early = at_table.recorder.last_line(1).replace("::", ":c:") + ":c\r\n"
    at_table.table.receive(1, b"junk\r\n" + early.encode())
    assert (at_table.table.waiting(1), at_table.recorder.talk_text) == (len(early) + 6, "")
    at_table.policy = call
    at_table.play(1)
    assert at_table.recorder.talk_text == "WARNING: bad state format in response\n"
    assert (at_table.table.waiting(1), at_table.table.hand_id) == (0, 1)


def test_a_reply_in_pieces_is_used_when_its_line_end_comes() -> None:
    at_table = match(KUHN)
    for byte in at_table.reply()[:-1]:
        at_table.hear(bytes([byte]))
    assert at_table.table.heard_seat == 0
    at_table.hear(b"\n")
    assert at_table.table.heard_seat == 1


def test_a_second_reply_is_judged_at_the_next_turn() -> None:
    at_table = match(KUHN)
    at_table.policy = call
    at_table.hear(at_table.reply() * 2)
    at_table.play(1)
    assert at_table.recorder.talk_text == ""
    at_table.play(1)
    assert at_table.recorder.talk_text == "WARNING: ignoring un-requested response\n"


def test_a_bad_action_is_a_call_with_a_warning() -> None:
    at_table = match(LIMIT_2P)
    at_table.hear(f"{at_table.recorder.last_line(1)}:x\r\n".encode())
    assert at_table.recorder.talk_text == "WARNING: invalid action, changed to call\n"
    assert at_table.state(0).betting.text == "c"


def test_a_line_that_is_too_long_is_read_in_parts() -> None:
    at_table = match(KUHN)
    at_table.hear(b"#" * 4095 + at_table.reply())
    assert at_table.table.heard_seat == 1


def test_nothing_is_taken_while_the_table_is_held() -> None:
    at_table = match(KUHN)
    at_table.table.hold()
    at_table.hear(at_table.reply())
    assert at_table.table.heard_seat == 0
    at_table.table.release()
    assert at_table.table.heard_seat == 1


def test_the_time_of_a_hold_is_nobodys() -> None:
    at_table = match(KUHN, limits=TimeLimits.from_milliseconds(1000, 1000, 1000, 3))
    at_table.table.hold()
    at_table.hear(at_table.reply(), after_us=5 * SECOND)
    at_table.table.release()
    assert (at_table.phase, at_table.table.heard_seat) == (Phase.PLAYING, 1)
    assert at_table.play().phase is Phase.FINISHED


def test_every_seat_is_sent_to_once_for_an_action_the_acting_one_first() -> None:
    """The end of a hand goes out with the beginning of the next, that of the match alone."""
    at_table = match(KUHN, num_hands=2)
    at_table.policy = call
    at_table.play()
    first_hand = [(0, 1), (1, 1), (1, 1), (0, 1)]
    second_hand = [(1, 2), (0, 2), (0, 1), (1, 1)]
    assert at_table.recorder.sendings == [*first_hand, *second_hand, (0, 1), (1, 1)]


# Ends of streams.


def test_the_acting_seat_that_leaves_ends_the_match() -> None:
    at_table = match(KUHN)
    at_table.table.receive_eof(0)
    assert at_table.phase is Phase.ABORTED
    assert at_table.recorder.talk_text == (
        "ERROR: could not get action from seat 1\n0.0 seconds spent waiting; timeout 600.0\n"
    )
    assert at_table.recorder.logged == []


def test_a_seat_that_has_left_is_missed_at_its_turn_only() -> None:
    at_table = match(KUHN)
    at_table.table.receive_eof(1)
    assert at_table.table.is_live
    at_table.hear(at_table.reply())
    assert at_table.phase is Phase.ABORTED
    assert "could not get action from seat 2" in at_table.recorder.talk_text


def test_a_reply_without_a_line_end_counts_at_the_end_of_the_stream() -> None:
    at_table = match(KUHN)
    at_table.hear(at_table.reply().rstrip())
    assert at_table.table.heard_seat == 0
    at_table.table.receive_eof(0)
    assert (at_table.phase, at_table.table.heard_seat) == (Phase.PLAYING, 1)


def test_junk_without_a_line_end_is_heard_before_the_seat_is_missed() -> None:
    at_table = match(KUHN)
    at_table.hear(b"junk")
    at_table.table.receive_eof(0)
    assert at_table.recorder.talk_text.startswith(
        "WARNING: bad state format in response\nERROR: could not get action"
    )


# What is written.


def test_a_match_ends_with_its_score_in_the_log_and_in_the_talk() -> None:
    at_table = match(KUHN, 2)
    at_table.policy = check_or_fold
    at_table.play()
    assert at_table.phase is Phase.FINISHED
    *states, score = at_table.recorder.logged
    assert [line.split(":")[:3] for line in states] == [["STATE", "0", "cc"], ["STATE", "1", "cc"]]
    assert [line.rsplit(":", 1)[1] for line in states] == ["Ann|Bob", "Bob|Ann"]
    assert score == "SCORE:{:g}|{:g}:Ann|Bob".format(*at_table.table.scores)
    assert at_table.recorder.talk_text == f"{score}\n"


def test_scores_belong_to_seats_not_to_positions() -> None:
    at_table = match(NOLIMIT_3P, 2)
    at_table.policy = check_or_fold
    at_table.play()
    assert at_table.table.scores == [-50, 0, 50]


def test_a_talkative_dealer_tells_everything_with_its_time() -> None:
    at_table = Match(settings_of(KUHN, 1, is_quiet=False), now_us=5_000_001)
    at_table.policy = call
    at_table.greet()
    own, other = at_table.recorder.last_line(0), at_table.recorder.last_line(1)
    reply = at_table.reply().decode()
    at_table.play()
    talk = at_table.recorder.talk_text.splitlines(keepends=True)
    assert talk[:4] == [
        "STARTED at 5.000001\n",
        f"TO 1 at 5.000001 {own}\r\n",
        f"TO 2 at 5.000001 {other}\r\n",
        f"FROM 1 at 5.001001 {reply}",
    ]
    assert talk[-4:-1] == [
        "Seconds cumulatively spent in match for seat 0: 0\n",
        "Seconds cumulatively spent in match for seat 1: 0\n",
        "FINISHED at 5.001001\n",
    ]
    assert talk[-1] == f"{at_table.recorder.logged[-1]}\n"


def test_a_quiet_dealer_tells_warnings_and_the_score_only() -> None:
    at_table = match(KUHN, 1)
    at_table.hear(b"junk\n")
    at_table.play()
    warning, score = at_table.recorder.talk_text.splitlines()
    assert (warning, score[:6]) == ("WARNING: bad state format in response", "SCORE:")


def test_time_used_is_told_after_every_hundredth_hand() -> None:
    at_table = match(KUHN, 102, is_quiet=False).play()
    reports = at_table.recorder.talk_text.count("Seconds cumulatively spent in match for seat 0")
    assert (at_table.phase, reports) == (Phase.FINISHED, 2)


def test_transactions_are_written_only_where_they_are_wanted() -> None:
    assert match(KUHN).play().recorder.transactions == []
    at_table = match(KUHN, 1, keeps_transactions=True)
    at_table.policy = call
    assert at_table.play().recorder.transactions == [
        "c 0 0.000000 0.001000",
        "c 0 0.001000 0.002000",
    ]


def test_a_repaired_action_is_recorded_as_it_was_applied() -> None:
    at_table = match(NOLIMIT_3P, keeps_transactions=True)
    at_table.hear(f"{at_table.recorder.last_line(2)}:r150\r\n".encode())
    assert at_table.recorder.transactions == ["r200 0 0.000000 0.000000"]
    assert at_table.recorder.talk_text == "WARNING: raise of 150 increased to 200\n"


# After the end.


@pytest.mark.parametrize("is_finished", [True, False])
def test_nothing_more_happens_when_the_match_is_over(is_finished: bool) -> None:
    at_table = match(KUHN, 1)
    if is_finished:
        at_table.play()
    else:
        at_table.table.abort("ERROR: could not send state to seat 1\n")
    phase, talk, logged = (
        at_table.phase,
        at_table.recorder.talk_text,
        list(at_table.recorder.logged),
    )
    at_table.table.receive(0, GREETING + b"MATCHSTATE:0:0::Ks|:c\n")
    at_table.table.receive_eof(1)
    at_table.table.give_up_waiting()
    at_table.table.abort("too late\n")
    at_table.table.advance()
    assert not at_table.table.is_live
    assert (at_table.phase, at_table.recorder.talk_text, at_table.recorder.logged) == (
        phase,
        talk,
        logged,
    )


def test_an_aborted_match_has_no_score() -> None:
    at_table = match(KUHN, 2, limits=TimeLimits(SECOND, SECOND, SECOND))
    at_table.hear(at_table.reply(), after_us=2 * SECOND)
    assert at_table.phase is Phase.ABORTED
    assert "SCORE" not in "".join([at_table.recorder.talk_text, *at_table.recorder.logged])


# Memory.


@pytest.mark.parametrize("name", [LIMIT_2P, NOLIMIT_3P])
def test_a_match_leaves_nothing_that_refers_to_itself(name: str) -> None:
    """A dealer rarely looks for such rings, so that they would heap up."""
    at_table = match(name, num_hands=40)
    at_table.play(30)
    gc.collect()
    gc.disable()
    try:
        for noise in (b"junk\r\n", b"# comment\n", b"MATCHSTATE:0:0:r\r\n"):
            at_table.hear(noise)
            at_table.play(60)
        num_found = gc.collect()
    finally:
        gc.enable()
    assert (at_table.phase, num_found) == (Phase.PLAYING, 0)
