"""Time: what is charged, when a limit is broken, and how long the dealer waits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.matches.settings import SeatClocks, TimeLimits
from acpcbot.matches.table import Phase
from tests.support.games import KUHN, LIMIT_2P
from tests.support.tables import GREETING, SECOND, Match, settings_of

LIMITS = TimeLimits(response_us=5 * SECOND, hand_us=8 * SECOND, match_us=20 * SECOND)


def match(limits: TimeLimits = LIMITS) -> Match:
    return Match(settings_of(LIMIT_2P, 100, limits=limits)).greet()


# The options.


def test_limits_are_milliseconds_and_the_matchs_is_for_all_hands() -> None:
    assert TimeLimits.from_milliseconds(1, 2, 3, 100) == TimeLimits(1_000, 2_000, 300_000)


def test_negative_limits_wrap_to_no_limit_at_all() -> None:
    limits = TimeLimits.from_milliseconds(-5, -1, -1, 3000)
    assert limits.response_us == 2**64 - 5_000
    assert SeatClocks(limits, 2).charge(0, 10**15)


def test_the_header_shows_a_wrapped_limit_as_the_official_dealer_does() -> None:
    settings = settings_of(LIMIT_2P, limits=TimeLimits.from_milliseconds(-5, 1, 1, 3))
    assert settings.header[1] == "#--t_response 18446744073709546"


# The clocks.


@pytest.mark.parametrize(
    ("charges", "is_kept"),
    [
        ([5 * SECOND], True),
        ([5 * SECOND + 1], False),
        ([4 * SECOND, 4 * SECOND], True),
        ([4 * SECOND, 4 * SECOND + 1], False),
    ],
)
def test_a_limit_is_broken_one_microsecond_above_it(charges: list[int], is_kept: bool) -> None:
    clocks = SeatClocks(LIMITS, 2)
    assert [clocks.charge(1, used) for used in charges][-1] == is_kept


def test_a_match_limit_counts_all_hands_and_a_hand_limit_only_this_one() -> None:
    clocks = SeatClocks(LIMITS, 2)
    for _ in range(4):
        assert clocks.charge(0, 5 * SECOND)
        clocks.start_hand()
    assert not clocks.charge(0, 1)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9 * SECOND)), max_size=12))
def test_every_seat_pays_for_itself(charges: list[tuple[int, int]]) -> None:
    together, apart = SeatClocks(LIMITS, 3), [SeatClocks(LIMITS, 3) for _ in range(3)]
    for seat, used in charges:
        assert together.charge(seat, used) == apart[seat].charge(seat, used)
    assert together.match_us == [
        sum(used for payer, used in charges if payer == seat) for seat in range(3)
    ]


# At the table.


@pytest.mark.parametrize("extra", [0, 1])
def test_a_reply_may_take_exactly_the_limit(extra: int) -> None:
    at_table = match()
    at_table.hear(at_table.reply(), after_us=LIMITS.response_us + extra)
    assert at_table.phase is (Phase.ABORTED if extra else Phase.PLAYING)
    assert at_table.recorder.talk_text == ("ERROR: seat 2 ran out of time\n" if extra else "")


@pytest.mark.parametrize("extra", [0, 1])
def test_the_replies_of_one_hand_may_take_exactly_their_limit_together(extra: int) -> None:
    at_table = match()
    at_table.hear(b"MATCHSTATE:9 junk\n", after_us=3 * SECOND)
    assert at_table.table.hand_id == 0
    at_table.hear(at_table.reply(), after_us=2 * SECOND + extra)
    assert at_table.phase is (Phase.ABORTED if extra else Phase.PLAYING)


def test_the_time_of_one_hand_is_forgotten_at_the_next() -> None:
    limits = TimeLimits(response_us=5 * SECOND, hand_us=5 * SECOND, match_us=1000 * SECOND)
    at_table = Match(settings_of(KUHN, 5, limits=limits)).greet()
    for _ in range(5):
        hand_id, waited = at_table.table.hand_id, set[int]()
        while at_table.phase is Phase.PLAYING and at_table.table.hand_id == hand_id:
            seat = at_table.table.heard_seat
            at_table.hear(at_table.reply(), after_us=0 if seat in waited else 5 * SECOND)
            waited.add(seat)
    assert at_table.phase is Phase.FINISHED


def test_ignored_lines_are_charged_the_whole_waiting_time_again() -> None:
    at_table = match()
    for _ in range(5):
        at_table.hear(b"junk\n", after_us=SECOND // 2)
    # The five lines cost 0.5, 1, 1.5, 2 and 2.5 of the hand's 8 seconds.
    assert at_table.table.is_live
    at_table.hear(at_table.reply())
    assert not at_table.table.is_live


def test_comments_are_free_but_the_reply_is_measured_from_the_state() -> None:
    at_table = match()
    for _ in range(5):
        at_table.hear(b"# thinking\n; still\n", after_us=SECOND)
    at_table.hear(at_table.reply())
    assert at_table.table.is_live
    for _ in range(5):
        at_table.hear(b"#\n", after_us=SECOND)
    at_table.hear(at_table.reply(), after_us=1)
    assert not at_table.table.is_live


@pytest.mark.parametrize("extra", [0, 1])
def test_comments_hold_the_match_no_longer_than_a_reply_may_take(extra: int) -> None:
    at_table = match()
    at_table.hear(b"# thinking\n", after_us=LIMITS.response_us)
    at_table.hear(b"; still\n", after_us=extra)
    assert at_table.table.is_live == (extra == 0)


@pytest.mark.parametrize("line", [b"# comment\n", b"junk\n"])
def test_every_line_starts_the_wait_again(line: bytes) -> None:
    at_table = match()
    assert at_table.table.wait_started_us == 0
    at_table.hear(line, after_us=SECOND)
    assert at_table.table.wait_started_us == SECOND


def test_a_piece_of_a_line_does_not_start_the_wait_again() -> None:
    at_table = match()
    at_table.hear(b"MATCHSTATE:1:0:", after_us=SECOND)
    assert at_table.table.wait_started_us == 0


def test_giving_up_says_how_long_the_dealer_waited() -> None:
    at_table = match()
    at_table.hear(b"# one moment\n", after_us=SECOND)
    at_table.recorder.now_us += LIMITS.response_us
    at_table.table.give_up_waiting()
    assert not at_table.table.is_live
    assert at_table.recorder.talk_text == (
        "ERROR: could not get action from seat 2\n5.0 seconds spent waiting; timeout 5.0\n"
    )


def test_a_seat_that_never_greets_is_given_up_too() -> None:
    at_table = Match(settings_of(LIMIT_2P))
    at_table.table.receive(0, GREETING)
    at_table.table.give_up_waiting()
    assert not at_table.table.is_live
    assert (
        at_table.recorder.talk_text == "ERROR: timed out waiting for the version string of seat 2\n"
    )


def test_time_before_the_state_was_sent_is_nobodys() -> None:
    at_table = Match(settings_of(LIMIT_2P, limits=LIMITS), now_us=10**9)
    at_table.table.receive(0, GREETING)
    at_table.recorder.now_us += 100 * SECOND
    at_table.table.receive(1, GREETING)
    at_table.hear(at_table.reply(), after_us=LIMITS.response_us)
    assert at_table.table.is_live
