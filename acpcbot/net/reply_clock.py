"""When a reply must be on its way, by the dealer's three limits.

The limits are those of the dealer's options: one reply, one hand, and the
average over the match. The number of hands is unknown here, so the average is
kept as the match goes: time saved in earlier hands may be spent, time of hands to
come may not.
"""

from __future__ import annotations

from dataclasses import dataclass

from acpcbot.matches.settings import (
    DEFAULT_HAND_MS,
    DEFAULT_PER_HAND_MS,
    DEFAULT_RESPONSE_MS,
    TimeLimits,
)

LARGEST_MARGIN = 0.3
MICROS = 1e6
LONGEST_S = 1e7
"""What counts as no limit: four months. Timers of the system take no times without an end."""


@dataclass(frozen=True, slots=True)
class ReplyLimits:
    """Seconds for one reply, for one hand, and for a hand on average.

    Of these *margin_s* is left for the way.

    Of a short time it is a part of it, ``LARGEST_MARGIN``: who is given a tenth of a second has
    some to think.
    """

    response_s: float = DEFAULT_RESPONSE_MS / 1000
    hand_s: float = DEFAULT_HAND_MS / 1000
    per_hand_s: float = DEFAULT_PER_HAND_MS / 1000
    margin_s: float = 0.1

    @classmethod
    def of_match(cls, limits: TimeLimits, num_hands: int) -> ReplyLimits:
        """The limits of a match of so many hands whose dealer keeps *limits*."""
        times_us = limits.response_us, limits.hand_us, limits.match_us / num_hands
        return cls(*[min(time_us / MICROS, LONGEST_S) for time_us in times_us])


class ReplyClock:
    """Keeps account of one seat's thinking time; moments are on ``time.monotonic()``'s clock."""

    def __init__(self, limits: ReplyLimits) -> None:
        self.limits = limits
        self._num_hands = 0
        self._hand_id = -1
        self._hand_used_s = 0.0
        self._match_used_s = 0.0

    def deadline_s(self, hand_id: int, asked_s: float) -> float:
        """The moment before which a state that came at *asked_s* must be answered."""
        if hand_id != self._hand_id:
            self._hand_id, self._hand_used_s = hand_id, 0.0
            self._num_hands += 1
        limits = self.limits
        left_s = min(
            limits.response_s,
            limits.hand_s - self._hand_used_s,
            limits.per_hand_s * self._num_hands - self._match_used_s,
        )
        return asked_s + max(0.0, left_s - min(limits.margin_s, LARGEST_MARGIN * limits.response_s))

    def charge(self, used_s: float) -> None:
        """Count a reply that took *used_s*."""
        self._hand_used_s += used_s
        self._match_used_s += used_s
