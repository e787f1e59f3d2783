"""The dealer's settings for one match: game, seats, seed, time limits, and the seats' clocks.

Times are whole microseconds and are charged as the official dealer charges them. Every line
that is not a comment, used or not, is charged the whole time since the state was sent; a limit
is exceeded only when a charge lies strictly above it.

Source: the ACPC server, release 1.0.42.
"""

from __future__ import annotations

from dataclasses import dataclass

from acpcbot.poker.definition import GameDefinition

DEFAULT_RESPONSE_MS = 600_000
DEFAULT_HAND_MS = 600_000
DEFAULT_PER_HAND_MS = 7_000
DEFAULT_START_MS = 600_000
DEFAULT_VERSION_MS = 600_000
MILLI = 1000

_WRAP = 2**64


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """The settings of one match at a dealer; names are in seat order.

    *game_name* is the definition as the command line named it, *name* the path of the match's
    files without their suffix.
    """

    name: str
    game_name: str
    definition: GameDefinition
    num_hands: int
    seed: int
    player_names: tuple[str, ...]
    limits: TimeLimits
    is_fixed: bool = False
    is_quiet: bool = True
    keeps_transactions: bool = False

    @property
    def header(self) -> tuple[str, ...]:
        """The lines at the head of the log and of the dealer's messages."""
        return (
            f"# name/game/hands/seed {self.name} {self.game_name} {self.num_hands} {self.seed}",
            f"#--t_response {self.limits.response_us // MILLI}",
            f"#--t_hand {self.limits.hand_us // MILLI}",
            f"#--t_per_hand {self.limits.match_us // self.num_hands // MILLI}",
        )

    def position(self, seat: int, hand_id: int) -> int:
        """Return the position that *seat* (fixed place in the match) holds in hand *hand_id*."""
        return seat if self.is_fixed else (seat - hand_id) % self.definition.num_players

    def seat(self, position: int, hand_id: int) -> int:
        """Return the seat that holds *position* in hand *hand_id*."""
        return position if self.is_fixed else (position + hand_id) % self.definition.num_players


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """The limits of a match in microseconds: one reply, one seat's hand, one seat's match."""

    response_us: int
    hand_us: int
    match_us: int

    @classmethod
    def from_milliseconds(
        cls, response: int, hand: int, per_hand: int, num_hands: int
    ) -> TimeLimits:
        """Return the limits of the dealer's options; negative ones wrap and so mean no limit."""
        return cls(
            response * MILLI % _WRAP,
            hand * MILLI % _WRAP,
            per_hand * MILLI * num_hands % _WRAP,
        )


class SeatClocks:
    """The time used by each seat: *match_us* in the match, and the most it may be in this hand."""

    def __init__(self, limits: TimeLimits, num_seats: int) -> None:
        self.limits = limits
        self.match_us = [0] * num_seats
        self._response_us = limits.response_us
        self.start_hand()

    def start_hand(self) -> None:
        """Begin a hand: each seat may use the hand's limit, and no more than the match's."""
        limits = self.limits
        self._max_us = [min(used_us + limits.hand_us, limits.match_us) for used_us in self.match_us]

    def charge(self, seat: int, used_us: int) -> bool:
        """Charge *used_us* to *seat*; return False when that exceeds a limit."""
        self.match_us[seat] = total_us = self.match_us[seat] + used_us
        return used_us <= self._response_us and total_us <= self._max_us[seat]
