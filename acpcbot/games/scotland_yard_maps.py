"""Maps of Scotland Yard in TOML files.

    edges = [[1, 2], [2, 3]]     # roads between stations, which are numbered from 1
    mister_x = 3                 # where he starts
    detectives = [1]
    num_rounds = 5
    cards = 5                    # of each: as many as rounds or more
    seen_in_rounds = [3]         # may be empty

``GLASSES`` is the map of this name in Schmid et al. (2023), Student of Games, figure S3.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from acpcbot.decoding import decode_settings
from acpcbot.errors import UsageError
from acpcbot.games.game import MOST_ACTIONS
from acpcbot.games.scotland_yard import ScotlandYard

GLASSES = Path(__file__).parent / "maps" / "glasses.toml"
HINT = "acpcbot/games/maps/glasses.toml is an example"

Number = Annotated[int, Meta(ge=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScotlandYardMap:
    """A map, its stations numbered from 1, and who starts where."""

    edges: tuple[tuple[Number, Number], ...]
    mister_x: Number
    detectives: tuple[Number, ...]
    num_rounds: Number
    cards: Number
    seen_in_rounds: tuple[Number, ...] = ()

    def __post_init__(self) -> None:
        stations = {station for edge in self.edges for station in edge}
        starts = (self.mister_x, *self.detectives)
        for problem, is_found in (
            (f"edges: a road from a station to itself in {self.edges}", _has_loop(self.edges)),
            (
                f"stations {sorted(stations)}: expected all from 1 to the highest, at most"
                f" {MOST_ACTIONS}",
                stations != set(range(1, len(stations) + 1)) or len(stations) > MOST_ACTIONS,
            ),
            ("detectives: expected at least one", not self.detectives),
            (
                f"mister_x and detectives {starts}: expected different stations of the map",
                len(set(starts)) < len(starts) or not set(starts) <= stations,
            ),
            (
                f"cards = {self.cards}: expected a card for each of {self.num_rounds} rounds",
                self.cards < self.num_rounds,
            ),
            (
                f"seen_in_rounds {self.seen_in_rounds}: expected at most {self.num_rounds}",
                any(number > self.num_rounds for number in self.seen_in_rounds),
            ),
        ):
            if is_found:
                raise ValueError(problem)

    def game(self) -> ScotlandYard:
        """Return the game on this map."""
        roads = [0] * len({station for edge in self.edges for station in edge})
        for one, other in self.edges:
            roads[one - 1] |= 1 << (other - 1)
            roads[other - 1] |= 1 << (one - 1)
        return ScotlandYard(
            tuple(roads),
            tuple(station - 1 for station in (self.mister_x, *self.detectives)),
            self.num_rounds,
            sum(1 << (number - 1) for number in set(self.seen_in_rounds)),
        )


def load_map(path: Path) -> ScotlandYardMap:
    """Return the map at *path*; raises UsageError for one with mistakes."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {error}", HINT) from None
    return decode_settings(ScotlandYardMap, table, str(path), HINT)


def glasses() -> ScotlandYard:
    """Return the game on the map "glasses"."""
    return load_map(GLASSES).game()


def _has_loop(edges: tuple[tuple[int, int], ...]) -> bool:
    return any(one == other for one, other in edges)
