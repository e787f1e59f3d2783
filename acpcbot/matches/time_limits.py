"""What a seat's time costs it, by the official dealer's book-keeping.

All times are whole microseconds. Every line that is not a comment, used or not,
is charged the whole time since the state was sent; limits are passed only when
a charge lies strictly above them.

Source: the ACPC server, release 1.0.42.
"""

from __future__ import annotations

from dataclasses import dataclass

_WRAP = 2**64
MILLI = 1000


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """The limits of a match in microseconds: one reply, one seat's hand, one seat's match."""

    response_us: int
    hand_us: int
    match_us: int

    @classmethod
    def from_milliseconds(cls, response: int, hand: int, per_hand: int, num_hands: int) -> TimeLimits:
        """The limits that the dealer's options ask for; negative ones wrap and so mean no limit."""
        return cls(
            response * MILLI % _WRAP,
            hand * MILLI % _WRAP,
            per_hand * MILLI * num_hands % _WRAP,
        )


class SeatClocks:
    """The time used by each seat in the match, *match_us*, and how far it may go before this hand is over."""

    def __init__(self, limits: TimeLimits, num_seats: int) -> None:
        self.limits = limits
        self.match_us = [0] * num_seats
        self._response_us = limits.response_us
        self.start_hand()

    def start_hand(self) -> None:
        """Begin the account of a hand."""
        limits = self.limits
        self._most_us = [min(used_us + limits.hand_us, limits.match_us) for used_us in self.match_us]

    def charge(self, seat: int, used_us: int) -> bool:
        """Charge *seat*; False when that breaks a limit."""
        self.match_us[seat] = in_all_us = self.match_us[seat] + used_us
        return used_us <= self._response_us and in_all_us <= self._most_us[seat]
