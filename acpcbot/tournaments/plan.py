"""Plan of a tournament: a round robin, in which every table full of entrants plays one match.

In a game for two every pair meets once, in a game for three every triple. All matches are played
under the same terms but with cards of their own: match number k has the seeds from ``seed + k *
num_seeds`` up, so that their results are independent.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import combinations
from math import comb
from typing import ClassVar

from acpcbot.errors import UsageError
from acpcbot.matches.plan import MatchPlan, Plan
from acpcbot.poker.definition import GameDefinition

MAX_FOLDER_NAME = 100
NUM_ALL_SEEDS = 2**32


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """One match of a tournament: its *entrants*, by number, and its *folder*.

    The folder is below the tournament's.
    """

    folder: str
    entrants: tuple[int, ...]
    plan: MatchPlan


@dataclass(frozen=True, slots=True)
class TournamentPlan(Plan):
    """A round robin of at least as many entrants as the game has seats."""

    KIND: ClassVar[str] = "tournament"
    FILE: ClassVar[str] = "tournament.json"

    @classmethod
    def has_room(cls, definition: GameDefinition, num_entrants: int) -> bool:
        return num_entrants >= definition.num_players

    def matches(self) -> list[PlannedMatch]:
        """Return every match, in the order in which they are played."""
        chosen = combinations(range(len(self.strategies)), self.definition.num_players)
        names = self.names
        return [self._match(number, entrants, names) for number, entrants in enumerate(chosen)]

    def _match(
        self, number: int, entrants: tuple[int, ...], names: tuple[str, ...]
    ) -> PlannedMatch:
        own_names = tuple(names[entrant] for entrant in entrants)
        own = {
            "strategies": tuple(self.strategies[entrant] for entrant in entrants),
            "seed": self.seed + number * self.num_seeds,
            "given_names": own_names,
        }
        # Folders are distinct by the number alone: names may differ in nothing but their case.
        folder = f"{number:03d}-{'-'.join(own_names)}"[:MAX_FOLDER_NAME]
        return PlannedMatch(folder, entrants, MatchPlan(**{**asdict(self), **own}))

    def verify(self) -> None:
        """Raise UsageError unless one table can be filled and there are seeds for all matches."""
        wanted = self.definition.num_players
        if not self.has_room(self.definition, len(self.strategies)):
            hint = f"{self.game_name} is for {wanted} players; name {wanted} strategies or more"
            raise UsageError(f"{len(self.strategies)} entrants for {wanted} seats", hint)
        num_matches = comb(len(self.strategies), wanted)
        if self.seed + num_matches * self.num_seeds > NUM_ALL_SEEDS:
            raise UsageError(
                "the seeds of the last match are no 32-bit numbers", "choose a smaller --seed"
            )
