"""Deadlines of replies by the dealer's three limits: one reply, one hand, average over the match.

The number of hands is unknown here, so the average is applied to the hands so far: time saved in
earlier hands may be used, time of later hands may not.
"""

from __future__ import annotations

from dataclasses import dataclass

from acpcbot.matches.settings import (
    DEFAULT_HAND_MS,
    DEFAULT_PER_HAND_MS,
    DEFAULT_RESPONSE_MS,
    TimeLimits,
)

MAX_MARGIN_SHARE = 0.3
MICROS = 1e6
NO_LIMIT_S = 1e7
"""The value for no limit, four months, because the system's timers need a finite time."""


@dataclass(frozen=True, slots=True)
class ReplyLimits:
    """Seconds for one reply, for one hand, and for a hand on average.

    Of the time for a reply *margin_s* is reserved for the transfer, but at most the share
    ``MAX_MARGIN_SHARE``, so that with a limit of a tenth of a second some time is left to think.
    """

    response_s: float = DEFAULT_RESPONSE_MS / 1000
    hand_s: float = DEFAULT_HAND_MS / 1000
    per_hand_s: float = DEFAULT_PER_HAND_MS / 1000
    margin_s: float = 0.1

    @classmethod
    def of_match(cls, limits: TimeLimits, num_hands: int) -> ReplyLimits:
        """Return the limits of a match of *num_hands* whose dealer applies *limits*."""
        times_us = limits.response_us, limits.hand_us, limits.match_us / num_hands
        return cls(*[min(time_us / MICROS, NO_LIMIT_S) for time_us in times_us])


class ReplyClock:
    """The time used by one seat; times of day are on ``time.monotonic()``'s clock."""

    def __init__(self, limits: ReplyLimits) -> None:
        self.limits = limits
        self._num_hands = 0
        self._hand_id = -1
        self._hand_used_s = 0.0
        self._match_used_s = 0.0

    def deadline_s(self, hand_id: int, asked_s: float) -> float:
        """Return the time by which a state that came at *asked_s* must be answered."""
        if hand_id != self._hand_id:
            self._hand_id, self._hand_used_s = hand_id, 0.0
            self._num_hands += 1
        limits = self.limits
        left_s = min(
            limits.response_s,
            limits.hand_s - self._hand_used_s,
            limits.per_hand_s * self._num_hands - self._match_used_s,
        )
        return asked_s + max(
            0.0, left_s - min(limits.margin_s, MAX_MARGIN_SHARE * limits.response_s)
        )

    def charge(self, used_s: float) -> None:
        """Count a reply that took *used_s*."""
        self._hand_used_s += used_s
        self._match_used_s += used_s
