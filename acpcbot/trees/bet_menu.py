"""Bet menus: the bets and raises of a no-limit tree, street by street and raise by raise.

A size is a share of the pot as it is after the call: half a pot is 0.5. ``ALL_IN`` is everything,
``SMALLEST`` the smallest legal raise. What is too small becomes the smallest raise and what is too
large all-in; sizes that come out alike count once. Chips are whole: shares are rounded to the
nearest chip, halves to the even one.

A row without a size ends the raises of its street. Settings write it as ``max_raises``, the most
bets and raises on a street; blinds are none. With ``max_players`` a seat that faces a bet cannot
call where so many others owe no call and have chips behind: at most so many bet on later streets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.errors import UsageError
from acpcbot.jit import shared
from acpcbot.poker import rules
from acpcbot.poker.definition import STREET_NAMES, GameDefinition
from acpcbot.poker.definition_parser import MAX_PLAYERS

Sizes = tuple[float, ...]

SMALLEST, ALL_IN = 0.0, float("inf")
NAMES = {"min": SMALLEST, "all-in": ALL_IN}
MAX_SIZES = 62
MOST_RAISES, MOST_PLAYERS = "max_raises", "max_players"
RAISES_HINT = f"{MOST_RAISES} is a number from 1 on for all streets, or a table with one for each"
HINT = (
    'sizes are shares of the pot, "min" and "all-in", by street: '
    '{"flop": [[0.5, 1, "all-in"], [1, "all-in"]]}'
)
TEXT_HINT = (
    'bets are shares of the pot, "min" or "all-in", as in 0.5,1,all-in;1,all-in: '
    "bets first, then raises"
)


@dataclass(frozen=True, slots=True)
class BetMenu:
    """The sizes on each street: first those of a bet, then of a raise, a re-raise and so on.

    The last row of a street repeats, and so does the last street.
    """

    streets: tuple[tuple[Sizes, ...], ...]
    max_players: int = MAX_PLAYERS

    def sizes(self, street: int, num_raises: int) -> Sizes:
        """Return the sizes of a bet on *street* after *num_raises* bets and raises there."""
        rows = self.streets[min(street, len(self.streets) - 1)]
        return rows[min(num_raises, len(rows) - 1)]

    def for_streets(self, num_streets: int) -> BetMenu:
        """Return the same menu with a row for each of *num_streets* streets."""
        last = len(self.streets) - 1
        streets = [self.streets[min(street, last)] for street in range(num_streets)]
        return replace(self, streets=tuple(streets))

    @property
    def table(self) -> NDArray[np.float64]:
        """The sizes for kernels, float64 [seat, street, raise, size], with one row for all seats.

        Rows are repeated at the end, and NaN stands where there is no more size.
        """
        depth = max(len(rows) for rows in self.streets)
        width = max(len(sizes) for rows in self.streets for sizes in rows)
        table = np.full((1, len(self.streets), depth, width), np.nan)
        for street in range(len(self.streets)):
            for num_raises in range(depth):
                sizes = self.sizes(street, num_raises)
                table[0, street, num_raises, : len(sizes)] = sizes
        return table

    def with_size(self, street: int, num_raises: int, size: float) -> BetMenu:
        """Return the menu with one more *size* on *street* after *num_raises* bets and raises."""
        streets = list(self.for_streets(max(street + 2, len(self.streets))).streets)
        rows = list(streets[street])
        rows += [rows[-1]] * (num_raises + 2 - len(rows))
        rows[num_raises] = (*rows[num_raises], size)
        streets[street] = tuple(rows)
        return replace(self, streets=tuple(streets))

    def capped(self, max_raises: Sequence[int]) -> BetMenu:
        """Return the menu with at most so many bets and raises on each street.

        *max_raises* has a number from 1 on for each street.
        """
        streets = [
            (*[self.sizes(street, num_raises) for num_raises in range(most)], ())
            for street, most in enumerate(max_raises)
        ]
        return replace(self, streets=tuple(streets))

    @property
    def is_capped(self) -> bool:
        """True if raises end, or calls are missing, where the rules have them."""
        return self.max_players < MAX_PLAYERS or not all(
            sizes for rows in self.streets for sizes in rows
        )

    def spec(self) -> dict[str, Any]:
        """Return the menu as settings, for recipes and manifests."""
        names = {size: name for name, size in NAMES.items()}
        players = {MOST_PLAYERS: self.max_players} if self.max_players < MAX_PLAYERS else {}
        return players | {
            name: [[names.get(size, size) for size in sizes] for sizes in rows]
            for name, rows in zip(STREET_NAMES, self.streets, strict=False)
        }


@dataclass(frozen=True, slots=True)
class SeatMenus:
    """A menu for each of two seats, as when a searching player bets few sizes and expects more."""

    seats: tuple[BetMenu, BetMenu]

    @property
    def table(self) -> NDArray[np.float64]:
        """The sizes for kernels, as those of ``BetMenu``, with a row for each seat."""
        tables = [menu.table[0] for menu in self.seats]
        shape = np.max([table.shape for table in tables], axis=0)
        return np.stack([_widened(table, shape) for table in tables])

    @property
    def max_players(self) -> int:
        """The largest of both menus' numbers."""
        return max(menu.max_players for menu in self.seats)


Menu: TypeAlias = BetMenu | SeatMenus

LIMIT_MENU = BetMenu((((1.0,),),))
"""For limit games, where any size is the one there is."""


def same_menu(*rows: Sequence[float]) -> BetMenu:
    """Return the menu with these sizes of bets, raises and so on, on all streets alike."""
    return BetMenu((tuple([tuple(sizes) for sizes in rows]),))


def parse_menu(text: str) -> BetMenu:
    """Return the menu that *text* spells.

    Sizes stand between commas, bets and raises between semicolons, streets between slashes.

    >>> parse_menu("0.5,1,all-in;1,all-in").sizes(3, 7)
    (1.0, inf)
    """
    streets = [
        [row.split(",") if row.strip() else [] for row in street.split(";")]
        for street in text.split("/")
    ]
    return BetMenu(
        tuple(
            [
                tuple([tuple([_parse_size(size.strip()) for size in row]) for row in rows])
                for rows in streets
            ]
        )
    )


def menu_from_settings(settings: Mapping[str, object], definition: GameDefinition) -> BetMenu:
    """Return the menu that *settings* spell, with one entry for each street of *definition*.

    Raises UsageError.
    """
    wanted = STREET_NAMES[: definition.num_streets]
    named = [name for name in settings if name not in (MOST_RAISES, MOST_PLAYERS)]
    if set(named) != set(wanted):
        raise UsageError(
            f"a bet menu for {', '.join(named) or 'no street'}", f"it needs {', '.join(wanted)}"
        )
    menu = BetMenu(
        tuple([_rows(street, settings[street]) for street in wanted]),
        _whole(settings.get(MOST_PLAYERS, MAX_PLAYERS), 2, MAX_PLAYERS, MOST_PLAYERS),
    )
    if MOST_RAISES not in settings:
        return menu
    return menu.capped(_most_raises(settings[MOST_RAISES], wanted))


def _most_raises(setting: object, streets: Sequence[str]) -> list[int]:
    """Return the most raises on each of *streets*; raises UsageError."""
    by_street = setting if isinstance(setting, Mapping) else dict.fromkeys(streets, setting)
    if set(by_street) != set(streets):
        raise UsageError(
            f"bet menu, {MOST_RAISES}: streets {', '.join(map(str, by_street))},"
            f" expected {', '.join(streets)}",
            RAISES_HINT,
        )
    return [
        _whole(by_street[street], 1, rules.MAX_ACTIONS_PER_STREET, f"{MOST_RAISES}, {street}")
        for street in streets
    ]


def _whole(number: object, smallest: int, largest: int, name: str) -> int:
    """Return *number*; raises UsageError unless it is whole and in its range."""
    if type(number) is not int or not smallest <= number <= largest:
        raise UsageError(
            f"bet menu, {name}: expected a whole number from {smallest} to {largest},"
            f" found {number!r}",
            RAISES_HINT if MOST_RAISES in name else f"leave it out to let {largest} in",
        )
    return number


def _widened(table: NDArray[np.float64], shape: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return *table* [street, raise, size] widened to *shape*.

    Its last street and its last rows are repeated; NaN stands for sizes that it lacks.
    """
    streets, depth, width = (shape - table.shape).tolist()
    repeated = np.pad(table, ((0, streets), (0, depth), (0, 0)), mode="edge")
    return np.pad(repeated, ((0, 0), (0, 0), (0, width)), constant_values=np.nan)


def _rows(street: str, rows: object) -> tuple[Sizes, ...]:
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not rows:
        raise UsageError(f"bet menu, {street}: {rows!r} is no list of lists", HINT)
    return tuple([_sizes(street, row) for row in rows])


def _sizes(street: str, row: object) -> Sizes:
    if not isinstance(row, Sequence) or isinstance(row, str) or len(row) > MAX_SIZES:
        raise UsageError(
            f"bet menu, {street}: {row!r} is no list of at most {MAX_SIZES} sizes", HINT
        )
    return tuple([_size(street, size) for size in row])


def _size(street: str, size: object) -> float:
    if isinstance(size, str) and size in NAMES:
        return NAMES[size]
    if isinstance(size, bool) or not isinstance(size, int | float) or not 0 < size < ALL_IN:
        raise UsageError(f"bet menu, {street}: {size!r} is no size", HINT)
    return float(size)


def _parse_size(text: str) -> float:
    if text in NAMES:
        return NAMES[text]
    try:
        return _size("sizes", float(text))
    except ValueError:
        raise UsageError(f"{text!r} is no size of a bet", TEXT_HINT) from None


@shared
def wanted_raise(game: Sequence[int], state: Sequence[int], share: float) -> int:
    """Return the raise_to of a bet of *share* of the pot after the call, within what is legal."""
    smallest, largest = rules.min_raise_to(game, state), rules.max_raise_to(game, state)
    wanted = state[rules.MAX_SPENT] + share * _called_pot(game, state)
    if wanted >= largest:
        return int(largest)
    return max(smallest, round(wanted))


@shared
def pot_share(game: Sequence[int], state: Sequence[int], raise_to: int) -> float:
    """Return the share of the pot after the call that a bet to *raise_to* is.

    If there is no pot, the number of chips.
    """
    return (raise_to - state[rules.MAX_SPENT]) / max(_called_pot(game, state), 1.0)


@shared
def _called_pot(game: Sequence[int], state: Sequence[int]) -> float:
    """Return the pot after the actor's call."""
    pot = float(state[rules.MAX_SPENT] - state[rules.SPENT + state[rules.ACTOR]])
    for seat in range(game[rules.NUM_PLAYERS]):
        pot += state[rules.SPENT + seat]
    return pot
