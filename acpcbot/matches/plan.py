"""The plan of a match: its entrants, tables, seatings and seeds.

A match of several entrants is a list of tables. Each table is one dealer's match: a seed and
an order of seats. In a duplicate match every seed is played once in each order of the
entrants, so that each entrant gets the cards of every other one in every seat.

A plan is stored in its folder as one JSON file. A plan that cannot be played or read back
raises UsageError.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path
from typing import ClassVar, Self

from acpcbot.errors import UsageError
from acpcbot.matches.settings import (
    DEFAULT_HAND_MS,
    DEFAULT_PER_HAND_MS,
    DEFAULT_RESPONSE_MS,
    MatchSettings,
    TimeLimits,
)
from acpcbot.poker.definition import GameDefinition, parse_definition

FORMAT = 1


@dataclass(frozen=True, slots=True)
class TablePlan:
    """One table: *seating* is the number of the entrant in each seat, *name* that of its files."""

    number: int
    name: str
    seed: int
    seating: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Entrants, game, length, seeds and time limits; *strategies* has one entry an entrant.

    *given_names* are the entrants' names if they are not made from the strategies. Times are
    those of the dealer's options, in milliseconds; a negative one is no limit.
    """

    KIND: ClassVar[str]
    FILE: ClassVar[str]

    strategies: tuple[str, ...]
    game_name: str
    game_text: str
    num_hands: int
    seed: int
    num_seeds: int = 1
    is_duplicate: bool = False
    is_in_process: bool = False
    given_names: tuple[str, ...] = ()
    response_ms: int = DEFAULT_RESPONSE_MS
    hand_ms: int = DEFAULT_HAND_MS
    per_hand_ms: int = DEFAULT_PER_HAND_MS
    start_timeout_ms: int | None = None
    """None: the caller that plays the match decides."""

    @classmethod
    def has_room(cls, definition: GameDefinition, num_entrants: int) -> bool:
        """Return whether *num_entrants* can play *definition*."""
        raise NotImplementedError

    @property
    def definition(self) -> GameDefinition:
        """The game that is played."""
        return parse_definition(self.game_text)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each entrant: distinct, without the separators of log lines."""
        if self.given_names:
            return self.given_names
        names: list[str] = []
        for strategy in self.strategies:
            base = _plain(strategy)
            same = sum(name.partition(".")[0] == base for name in names)
            names.append(f"{base}.{same + 1}" if same else base)
        return tuple(names)

    def save(self, folder: Path) -> None:
        """Write the plan to *folder*, so that the match can be resumed."""
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f"{self.FILE}.part"
        draft.write_text(
            json.dumps({"format": FORMAT, **asdict(self)}, indent=2) + "\n", encoding="utf-8"
        )
        os.replace(draft, folder / self.FILE)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Return the plan that *folder* holds; raises UsageError."""
        try:
            found = json.loads((folder / cls.FILE).read_text(encoding="utf-8"))
            if not isinstance(found, dict) or found.pop("format") != FORMAT:
                raise ValueError("another format")
            tuples = {name: tuple(found.get(name, ())) for name in ("strategies", "given_names")}
            return cls(**{**found, **tuples})
        except (OSError, ValueError, KeyError, TypeError) as error:
            problem = f"{folder} holds no {cls.KIND} to go on with ({error})"
            raise UsageError(problem, f"it needs a whole {cls.FILE}") from None


@dataclass(frozen=True, slots=True)
class MatchPlan(Plan):
    """A match with an entrant for each seat of the game."""

    KIND: ClassVar[str] = "match"
    FILE: ClassVar[str] = "match.json"

    @classmethod
    def has_room(cls, definition: GameDefinition, num_entrants: int) -> bool:
        return num_entrants == definition.num_players

    def tables(self) -> list[TablePlan]:
        """Return all tables, the seatings of one seed together."""
        entrants = range(len(self.strategies))
        seatings = list(permutations(entrants)) if self.is_duplicate else [tuple(entrants)]
        plans = [
            (self.seed + step, seating) for step in range(self.num_seeds) for seating in seatings
        ]
        return [TablePlan(number, f"table{number:03d}", *plan) for number, plan in enumerate(plans)]

    def settings(self, table: TablePlan, folder: Path) -> MatchSettings:
        """Return the dealer's settings for *table*, its files in *folder*."""
        return MatchSettings(
            name=str(folder / table.name),
            game_name=self.game_name,
            definition=self.definition,
            num_hands=self.num_hands,
            seed=table.seed,
            player_names=tuple(self.names[entrant] for entrant in table.seating),
            limits=TimeLimits.from_milliseconds(
                self.response_ms, self.hand_ms, self.per_hand_ms, self.num_hands
            ),
            keeps_transactions=not self.is_in_process,
        )

    def verify(self) -> None:
        """Raise UsageError unless there are as many entrants as the game has seats."""
        wanted = self.definition.num_players
        if not self.has_room(self.definition, len(self.strategies)):
            hint = (
                f"{self.game_name} is for {wanted} players; "
                f"name {wanted} strategies (one may stand twice)"
            )
            raise UsageError(f"{len(self.strategies)} entrants for {wanted} seats", hint)


def load_plan(folder: Path) -> MatchPlan:
    """Return the match plan that *folder* holds; raises UsageError."""
    return MatchPlan.load(folder)


def _plain(strategy: str) -> str:
    """Return a short name for *strategy*: the last part of a path or of a module's class.

    Settings stay in it, unless they name a path of their own.
    """
    place, mark, options = strategy.partition("?")
    last = place.rstrip("/").replace("\\", "/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]
    if "/" not in options:
        last += mark + options
    return (
        "".join(
            letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "-"
            for letter in last
        )
        or "bot"
    )
