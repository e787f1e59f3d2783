"""What a match consists of: which entrants sit where, at which tables, with which cards.

A match of several entrants is a list of tables. Each table is one dealer's match:
a seed and an order of seats. In a duplicate match every seed is played once in each
order of the entrants, so that everybody gets everybody's cards in every seat.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path

from acpcbot.errors import UsageError
from acpcbot.matches.settings import DEFAULT_HAND_MS, DEFAULT_PER_HAND_MS, DEFAULT_RESPONSE_MS, MatchSettings
from acpcbot.matches.time_limits import TimeLimits
from acpcbot.poker.definition import GameDefinition, parse_definition

PLAN_FILE = "match.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class TablePlan:
    """One table: *seating* names the entrant (by number) in each seat, *name* its files."""

    number: int
    name: str
    seed: int
    seating: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A whole match; *strategies* has one entry an entrant."""

    strategies: tuple[str, ...]
    game_name: str
    game_text: str
    num_hands: int
    seed: int
    num_seeds: int = 1
    is_duplicate: bool = False
    is_in_process: bool = False

    @property
    def definition(self) -> GameDefinition:
        """The game that is played."""
        return parse_definition(self.game_text)

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each entrant, no two alike and without characters that logs give a meaning to."""
        names: list[str] = []
        for strategy in self.strategies:
            base = _plain(strategy)
            same = sum(name.partition(".")[0] == base for name in names)
            names.append(f"{base}.{same + 1}" if same else base)
        return tuple(names)

    def tables(self) -> list[TablePlan]:
        """Every table, the seatings of one seed together."""
        entrants = range(len(self.strategies))
        seatings = list(permutations(entrants)) if self.is_duplicate else [tuple(entrants)]
        plans = [(self.seed + step, seating) for step in range(self.num_seeds) for seating in seatings]
        return [TablePlan(number, f"table{number:03d}", *plan) for number, plan in enumerate(plans)]

    def settings(self, table: TablePlan, folder: Path) -> MatchSettings:
        """The dealer's settings for *table*, its files in *folder*."""
        return MatchSettings(
            name=str(folder / table.name),
            game_name=self.game_name,
            definition=self.definition,
            num_hands=self.num_hands,
            seed=table.seed,
            player_names=tuple(self.names[entrant] for entrant in table.seating),
            limits=TimeLimits.from_milliseconds(
                DEFAULT_RESPONSE_MS, DEFAULT_HAND_MS, DEFAULT_PER_HAND_MS, self.num_hands
            ),
            keeps_transactions=not self.is_in_process,
        )

    def verify(self) -> None:
        """Raise UsageError unless there are as many entrants as the game has seats."""
        wanted = self.definition.num_players
        if len(self.strategies) != wanted:
            hint = f"{self.game_name} is for {wanted} players; name {wanted} strategies (one may stand twice)"
            raise UsageError(f"{len(self.strategies)} entrants for {wanted} seats", hint)

    def save(self, folder: Path) -> None:
        """Write the plan to *folder*, so that the match can be gone on with."""
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f"{PLAN_FILE}.part"
        draft.write_text(json.dumps({"format": FORMAT, **asdict(self)}, indent=2) + "\n", encoding="utf-8")
        os.replace(draft, folder / PLAN_FILE)


def load_plan(folder: Path) -> MatchPlan:
    """The plan that *folder* holds; raises UsageError."""
    try:
        found = json.loads((folder / PLAN_FILE).read_text(encoding="utf-8"))
        if not isinstance(found, dict) or found.pop("format") != FORMAT:
            raise ValueError("another format")
        return MatchPlan(**{**found, "strategies": tuple(found["strategies"])})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{folder} holds no match to go on with ({error})", f"it needs a whole {PLAN_FILE}") from None


def _plain(strategy: str) -> str:
    """A short name for *strategy*: the last part of a path or of a module's class."""
    last = strategy.rstrip("/").replace("\\", "/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]
    return (
        "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "-" for letter in last)
        or "bot"
    )
