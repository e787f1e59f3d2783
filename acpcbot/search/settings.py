"""How decisions are searched, as the file ``search.toml`` of a strategy's folder says it::

    blueprint = "../external_sampling"
    profile = "match"

    [profiles.fast.river]
    iterations = 60
    menus = ["0.5,1,all-in;1,all-in", ["1,all-in;all-in", "0.5,1,all-in;all-in"]]

A profile has a table for each street that is searched; on others the blueprint plays. A menu is the
bets of both, or those of the searcher and of his opponent, in the notation of ``parse_menu``, from
the street that is searched on. ``preflop_values = "../preflop_values"`` before the first profile
names a table of values for searches that end with the first street. Whatever is wrong raises
UsageError.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from acpcbot.errors import UsageError
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.search.names import HINT, read_outline, verify_rest
from acpcbot.subgames.gadgets import GADGETS
from acpcbot.trees.bet_menu import BetMenu, parse_menu

UNSAFE, MAXMARGIN, REACH = "unsafe", "maxmargin", "reach"
GADGET_NAMES = (*GADGETS, REACH)
ALL, OFF_TREE = "all", "off_tree"
FOREVER = float("inf")


@dataclass(frozen=True, slots=True)
class Menus:
    """The bets of the searcher and those that he expects of his *other*."""

    own: BetMenu
    other: BetMenu


@dataclass(frozen=True, slots=True)
class StreetSettings:
    """How the decisions of one street are searched.

    ``menus``             the richest first; the first that is cheap enough is taken
    ``decisions``         all of them, or only those off_tree: after a bet that the blueprint's tree does not have
    ``iterations``        at most so many
    ``least_iterations``  where there is no time for so many, the blueprint answers
    ``seconds``           so long for a decision, and longer only for its least_iterations
    ``most_cells``        the largest tree, in slots times hands times boards
    ``first_gadget``      how the opponent comes into a hand's first subgame: unsafe, or as below with what he
                          has against the blueprint
    ``gadget``            how the opponent comes into a subgame after an earlier one: unsafe, resolve,
                          maxmargin, or reach, which is maxmargin with what he gave away on the way
    ``values``            0: the subgame goes to the end of the hand; else it ends with the street, and the
                          opponent chooses among so many continuations beyond it
    ``boards``            by how many runs of the board these are valued,
    ``groups``            with how many hands for either seat on each,
    ``views``             and in how many ways to see the betting
    """

    menus: tuple[Menus, ...]
    decisions: str = ALL
    iterations: int = 100
    least_iterations: int = 5
    seconds: float = FOREVER
    most_cells: float = 4e6
    first_gadget: str = UNSAFE
    gadget: str = "resolve"
    values: int = 0
    boards: int = 98
    groups: int = 64
    views: int = 4


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The streets that are searched, and with how many *threads*.

    Of the time that is left a decision takes no more than *share*: others may follow. *seed*
    decides which runs of the board are looked at beyond a depth limit.
    """

    streets: Mapping[int, StreetSettings]
    threads: int = 1
    share: float = 0.5
    seed: int = 1


@dataclass(frozen=True, slots=True)
class SearchFolder:
    """What a ``search.toml`` says: the folder of the *blueprint*, and the *profiles*, one of
    them the *usual* one.

    *preflop_values* is the folder of the blueprint's table of values, if there is one.
    """

    path: Path
    blueprint: Path
    profiles: Mapping[str, SearchSettings]
    usual: str
    preflop_values: Path | None = None

    def profile(self, name: str | None) -> SearchSettings:
        """The profile called *name*, or the usual one; raises UsageError."""
        found = self.profiles.get(name or self.usual)
        if found is None:
            raise UsageError(
                f"{self.path} has no profile {name or self.usual!r}",
                f"it has {', '.join(self.profiles)}",
            )
        return found


def read_search_folder(folder: Path) -> SearchFolder:
    """What the ``search.toml`` in *folder* says; raises UsageError."""
    outline = read_outline(folder)
    usual, values = verify_rest(outline)
    read = {
        name: _profile(f"{outline.path}, profile {name}", found)
        for name, found in outline.tables.items()
    }
    settings = SearchFolder(
        folder,
        outline.blueprint,
        read,
        usual or next(iter(read)),
        folder / values if values is not None else None,
    )
    settings.profile(None)
    return settings


def with_options(settings: SearchSettings, options: Mapping[str, str]) -> SearchSettings:
    """*settings* with what is said behind a strategy's name; raises UsageError."""
    streets = dict(settings.streets)
    for street, own in streets.items():
        gadget = _known_gadget("gadget", options.get("gadget", own.gadget))
        first_gadget = _known_gadget("first_gadget", options.get("first_gadget", own.first_gadget))
        values = (
            _whole("values", options["values"])
            if own.values and "values" in options
            else own.values
        )
        streets[street] = replace(own, first_gadget=first_gadget, gadget=gadget, values=values)
    threads = _whole("threads", options["threads"]) if "threads" in options else settings.threads
    return replace(settings, streets=streets, threads=threads)


def _whole(name: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"{name}={text}", f"{name} is a whole number from 1 on")
    return int(text)


def _profile(where: str, found: object) -> SearchSettings:
    if not isinstance(found, dict):
        raise UsageError(f"{where} is no table", HINT)
    streets = {
        STREET_NAMES.index(name): _street(f"{where}, {name}", table)
        for name, table in _streets(found).items()
    }
    rest = {name: value for name, value in found.items() if name not in STREET_NAMES}
    settings = SearchSettings(
        streets, **_typed(where, rest, {"threads": int, "share": float, "seed": int})
    )
    if settings.threads < 1 or not 0 < settings.share <= 1:
        raise UsageError(
            f"{where}: threads must be at least 1, and the share more than 0 and at most 1", HINT
        )
    return settings


def _streets(found: Mapping[str, object]) -> dict[str, object]:
    return {name: table for name, table in found.items() if name in STREET_NAMES}


def _street(where: str, found: object) -> StreetSettings:
    if (
        not isinstance(found, dict)
        or not isinstance(found.get("menus"), list)
        or not found["menus"]
    ):
        raise UsageError(f"{where} needs menus", HINT)
    street = STREET_NAMES.index(where.rpartition(" ")[2])
    kinds = {
        field.name: KINDS[str(field.type)]
        for field in fields(StreetSettings)
        if field.name != "menus"
    }
    given = _typed(where, {name: value for name, value in found.items() if name != "menus"}, kinds)
    settings = StreetSettings(
        tuple([_menus(where, street, menu) for menu in found["menus"]]), **given
    )
    _known_gadget(where, settings.first_gadget)
    _known_gadget(where, settings.gadget)
    if settings.decisions not in (ALL, OFF_TREE):
        raise UsageError(
            f"{where}: no decisions {settings.decisions!r}", f"there are {ALL} and {OFF_TREE}"
        )
    counts = (
        settings.iterations,
        settings.least_iterations,
        settings.boards,
        settings.groups,
        settings.views,
    )
    if min(counts) < 1 or settings.values < 0:
        raise UsageError(f"{where}: values are at least 0, all other numbers at least 1", HINT)
    return settings


KINDS: Mapping[str, type] = {"int": int, "float": float, "str": str}


def _typed(where: str, given: Mapping[str, object], kinds: Mapping[str, type]) -> dict[str, Any]:
    """*given* as it is, where each value is of the kind that its name asks for."""
    for name, value in given.items():
        wanted = (int, float) if kinds.get(name) is float else (kinds.get(name, type(None)),)
        if isinstance(value, bool) or not isinstance(value, wanted):
            raise UsageError(f"{where}: {name} = {value!r}", f"there are {', '.join(kinds)}")
    return dict(given)


def _known_gadget(where: str, name: str) -> str:
    if name not in GADGET_NAMES:
        raise UsageError(f"{where}: no gadget {name!r}", f"there are {', '.join(GADGET_NAMES)}")
    return name


def _menus(where: str, street: int, menu: object) -> Menus:
    pair = [menu, menu] if isinstance(menu, str) else menu
    if (
        not isinstance(pair, list)
        or len(pair) != 2
        or not all(isinstance(text, str) for text in pair)
    ):
        raise UsageError(
            f"{where}: {menu!r} is no menu", "one text, or two: the searcher's bets and the other's"
        )
    return Menus(*[_later_menu(text, street) for text in pair])


def _later_menu(text: str, street: int) -> BetMenu:
    """The menu that *text* spells from *street* on; before it, its first."""
    streets = parse_menu(text).streets
    return BetMenu((streets[0],) * street + streets)
