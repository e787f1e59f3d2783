"""Everything that a dealer is told about a match before it starts."""

from __future__ import annotations

from dataclasses import dataclass

from acpcbot.matches.time_limits import MILLI, TimeLimits
from acpcbot.poker.definition import GameDefinition

DEFAULT_RESPONSE_MS = 600_000
DEFAULT_HAND_MS = 600_000
DEFAULT_PER_HAND_MS = 7_000
DEFAULT_START_MS = 600_000
DEFAULT_VERSION_MS = 600_000


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """One match: *game_name* is the definition as the command line named it, names are in seat order."""

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
        """The lines that open the log and the dealer's talk."""
        return (
            f"# name/game/hands/seed {self.name} {self.game_name} {self.num_hands} {self.seed}",
            f"#--t_response {self.limits.response_us // MILLI}",
            f"#--t_hand {self.limits.hand_us // MILLI}",
            f"#--t_per_hand {self.limits.match_us // self.num_hands // MILLI}",
        )

    def position(self, seat: int, hand_id: int) -> int:
        """The position that *seat* (fixed place in the match) holds in hand *hand_id*."""
        return seat if self.is_fixed else (seat - hand_id) % self.definition.num_players

    def seat(self, position: int, hand_id: int) -> int:
        """The seat that holds *position* in hand *hand_id*."""
        return position if self.is_fixed else (position + hand_id) % self.definition.num_players
