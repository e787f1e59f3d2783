"""The account of one seat's thinking time, against the dealer's three limits."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.matches.settings import SeatClocks, TimeLimits
from acpcbot.net.reply_clock import NO_LIMIT_S, ReplyClock, ReplyLimits

LIMITS = ReplyLimits(response_s=5.0, hand_s=8.0, per_hand_s=6.0, margin_s=0.5)


def test_the_first_reply_has_the_smallest_limit_less_the_margin() -> None:
    assert ReplyClock(LIMITS).deadline_s(0, 100.0) == 104.5
    assert ReplyClock(ReplyLimits(5.0, 3.0, 6.0, 0.5)).deadline_s(0, 100.0) == 102.5
    assert ReplyClock(ReplyLimits(5.0, 8.0, 2.0, 0.5)).deadline_s(0, 100.0) == 101.5


def test_of_a_short_time_most_is_left_to_think() -> None:
    """Catches a margin that leaves nothing of a tenth of a second, so that every answer would
    be a fallback.
    """
    assert ReplyClock(ReplyLimits(response_s=0.1)).deadline_s(0, 100.0) == pytest.approx(100.07)


def test_a_hands_time_is_used_up_and_comes_back_with_the_next_hand() -> None:
    clock = ReplyClock(ReplyLimits(5.0, 8.0, 100.0, 0.0))
    clock.deadline_s(0, 0.0)
    clock.charge(4.0)
    assert clock.deadline_s(0, 10.0) == 14.0
    clock.charge(3.0)
    assert clock.deadline_s(0, 20.0) == 21.0
    assert clock.deadline_s(1, 30.0) == 35.0


def test_time_saved_in_earlier_hands_may_be_spent_later() -> None:
    clock = ReplyClock(ReplyLimits(100.0, 100.0, 2.0, 0.0))
    for hand_id in range(3):
        assert clock.deadline_s(hand_id, 0.0) == pytest.approx(2.0 + hand_id * 1.5)
        clock.charge(0.5)


def test_a_deadline_is_never_before_the_question() -> None:
    clock = ReplyClock(LIMITS)
    clock.deadline_s(0, 0.0)
    clock.charge(50.0)
    assert clock.deadline_s(0, 60.0) == 60.0


@given(
    hands=st.lists(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6), min_size=1, max_size=30),
    limits=st.builds(
        ReplyLimits, st.floats(0.2, 9.0), st.floats(0.2, 9.0), st.floats(0.2, 9.0), st.just(0.1)
    ),
)
def test_a_player_within_its_deadlines_keeps_the_dealers_limits(
    hands: list[list[float]], limits: ReplyLimits
) -> None:
    """Every reply takes some part of what the clock allows.

    The dealer's own book-keeping has no complaint.
    """
    clock = ReplyClock(limits)
    response, hand, per_hand = (
        round(limit * 1000) + 1 for limit in (limits.response_s, limits.hand_s, limits.per_hand_s)
    )
    dealer_limits = TimeLimits.from_milliseconds(response, hand, per_hand, len(hands))
    dealer = SeatClocks(dealer_limits, 1)
    for hand_id, parts in enumerate(hands):
        dealer.start_hand()
        for part in parts:
            used_s = part * clock.deadline_s(hand_id, 0.0)
            clock.charge(used_s)
            assert dealer.charge(0, round(used_s * 1_000_000))


def test_no_limit_at_the_dealer_is_a_time_that_timers_take() -> None:
    """Negative times wrap there; threads refuse to wait for so long."""
    limits = ReplyLimits.of_match(TimeLimits.from_milliseconds(-1, 5_000, -1, 20), 20)
    assert (limits.response_s, limits.hand_s, limits.per_hand_s) == (NO_LIMIT_S, 5.0, NO_LIMIT_S)
    assert NO_LIMIT_S < threading.TIMEOUT_MAX


def test_the_limits_of_a_match_are_those_of_one_reply_one_hand_and_the_average() -> None:
    limits = ReplyLimits.of_match(TimeLimits.from_milliseconds(10_000, 60_000, 7_000, 3000), 3000)
    assert limits == ReplyLimits(10.0, 60.0, 7.0)
