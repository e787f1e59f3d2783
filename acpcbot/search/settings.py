"""Search settings, as the file ``search.toml`` of a strategy's folder says them::

    blueprint = "../external_sampling"
    profile = "match"

    [profiles.fast.river]
    iterations = 60
    menus = ["0.5,1,all-in;1,all-in", ["1,all-in;all-in", "0.5,1,all-in;all-in"]]

A profile has a table for each street that is searched; on others the blueprint plays. A menu is the
bets of both seats, or those of the searcher and of its opponent, in the notation of ``parse_menu``,
from the street that is searched on. ``preflop_values = "../preflop_values"`` before the first
profile names a table of values for searches that end with the first street. Keys of older files are
read under their new names, with a notice on stderr. Any fault raises UsageError.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from acpcbot.errors import UsageError
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.search.names import HINT, SearchOutline, read_outline, verify_rest
from acpcbot.subgames.gadgets import GADGETS
from acpcbot.trees.bet_menu import BetMenu, parse_menu

UNSAFE, MAXMARGIN, REACH = "unsafe", "maxmargin", "reach"
GADGET_NAMES = (*GADGETS, REACH)
ALL, OFF_TREE = "all", "off_tree"
FOREVER = float("inf")


@dataclass(frozen=True, slots=True)
class Menus:
    """The bets of the searcher and those that it expects of the *other* seat."""

    own: BetMenu
    other: BetMenu


@dataclass(frozen=True, slots=True)
class StreetSettings:
    """Settings for the decisions of one street.

    ``menus``                 the richest first; the first that is cheap enough is taken
    ``decisions``             all, or off_tree: after a bet that the blueprint's tree does not have
    ``iterations``            the largest number of iterations
    ``min_iterations``        where there is no time for so many, the blueprint answers
    ``seconds``               the time for a decision, exceeded only for its min_iterations
    ``max_cells``             the largest tree, in slots times hands times boards
    ``root_gadget``           the opponent's way into a hand's first subgame: unsafe, or a gadget as
                              below whose alternative values are those against the blueprint
    ``gadget``                the opponent's way into a later subgame: unsafe, resolve, maxmargin,
                              or reach, which is maxmargin with its gifts on the way
    ``num_continuations``     0: the subgame goes to the end of the hand; else it ends with the
                              street, and the opponent chooses among so many continuations beyond
    ``rollout_boards``        the number of boards on which these are rolled out,
    ``rollout_hand_buckets``  the number of hands for either seat on each,
    ``translation_samples``   and the number of sampled translations of the betting
    """

    menus: tuple[Menus, ...]
    decisions: str = ALL
    iterations: int = 100
    min_iterations: int = 5
    seconds: float = FOREVER
    max_cells: float = 4e6
    root_gadget: str = UNSAFE
    gadget: str = "resolve"
    num_continuations: int = 0
    rollout_boards: int = 98
    rollout_hand_buckets: int = 64
    translation_samples: int = 4


RENAMED_KEYS: Mapping[str, str] = {
    "values": "num_continuations",
    "boards": "rollout_boards",
    "groups": "rollout_hand_buckets",
    "views": "translation_samples",
    "share": "max_share_of_clock",
    "most_cells": "max_cells",
    "least_iterations": "min_iterations",
    "first_gadget": "root_gadget",
}
"""Keys of older files, and their names now."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The streets that are searched, the number of *threads*, and limits on time.

    A decision takes at most *max_share_of_clock* of the time that is left: others may follow.
    *seed* draws the boards of rollouts.
    """

    streets: Mapping[int, StreetSettings]
    threads: int = 1
    max_share_of_clock: float = 0.5
    seed: int = 1


@dataclass(frozen=True, slots=True)
class SearchFolder:
    """The contents of a ``search.toml``: *blueprint* folder and *profiles*, one of them *usual*.

    *preflop_values* is the folder of the blueprint's table of values, if there is one.
    """

    path: Path
    blueprint: Path
    profiles: Mapping[str, SearchSettings]
    usual: str
    preflop_values: Path | None = None

    def profile(self, name: str | None) -> SearchSettings:
        """Return the profile called *name*, or the usual one; raises UsageError."""
        found = self.profiles.get(name or self.usual)
        if found is None:
            raise UsageError(
                f"{self.path}: unknown profile {name or self.usual!r}",
                f"expected one of {', '.join(self.profiles)}",
            )
        return found


def read_search_folder(folder: Path) -> SearchFolder:
    """Return the contents of the ``search.toml`` in *folder*; raises UsageError."""
    outline = read_outline(folder)
    usual, values = verify_rest(outline)
    read = {
        name: _profile(f"{outline.path}, profile {name}", found)
        for name, found in _renamed_profiles(outline).items()
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


def _renamed_profiles(outline: SearchOutline) -> dict[str, Any]:
    """Return the profiles of *outline* with older keys under their new names."""
    # Names of profiles are free, and never renamed themselves.
    merged = renamed_keys(
        str(outline.path), {f"profile {name}": found for name, found in outline.tables.items()}
    )
    return {name: merged[f"profile {name}"] for name in outline.tables}


def with_options(settings: SearchSettings, options: Mapping[str, str]) -> SearchSettings:
    """Return *settings* changed by the *options* behind a strategy's name; raises UsageError."""
    streets = dict(settings.streets)
    for street, own in streets.items():
        gadget = _known_gadget("gadget", options.get("gadget", own.gadget))
        root_gadget = _known_gadget("root_gadget", options.get("root_gadget", own.root_gadget))
        num_continuations = (
            _whole("num_continuations", options["num_continuations"])
            if own.num_continuations and "num_continuations" in options
            else own.num_continuations
        )
        streets[street] = replace(
            own, root_gadget=root_gadget, gadget=gadget, num_continuations=num_continuations
        )
    threads = _whole("threads", options["threads"]) if "threads" in options else settings.threads
    return replace(settings, streets=streets, threads=threads)


def _whole(name: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"{name}={text}", "expected a whole number, 1 or more")
    return int(text)


def renamed_keys(where: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return *given* and its tables with older keys under their new names.

    If there are any, one notice on stderr says what to rename. Raises UsageError where a key stands
    under both names.
    """
    old: list[str] = []
    renamed = _renamed(where, given, old)
    if old:
        _print_notice(where, tuple(sorted(set(old))))
    return renamed


def _renamed(where: str, given: Mapping[str, Any], old: list[str]) -> dict[str, Any]:
    """Return *given* with new keys, and append the old ones to *old*."""
    renamed: dict[str, Any] = {}
    for name, value in given.items():
        new = RENAMED_KEYS.get(name, name)
        if new != name:
            old.append(name)
            if new in given:
                raise UsageError(f"{where}: both {name} and {new} are given", f"remove {name}")
        renamed[new] = _renamed(where, value, old) if isinstance(value, dict) else value
    return renamed


@cache
def _print_notice(where: str, old: tuple[str, ...]) -> None:
    """Print what to rename, once a process."""
    renames = ", ".join([f"{name} -> {RENAMED_KEYS[name]}" for name in old])
    print(f"{where}: settings have new names ({renames}); the old ones still work", file=sys.stderr)


def _profile(where: str, found: object) -> SearchSettings:
    if not isinstance(found, dict):
        raise UsageError(f"{where}: expected a table, found {found!r}", HINT)
    streets = {
        STREET_NAMES.index(name): _street(f"{where}, {name}", table)
        for name, table in _streets(found).items()
    }
    rest = {name: value for name, value in found.items() if name not in STREET_NAMES}
    settings = SearchSettings(
        streets, **_typed(where, rest, {"threads": int, "max_share_of_clock": float, "seed": int})
    )
    if settings.threads < 1 or not 0 < settings.max_share_of_clock <= 1:
        raise UsageError(
            f"{where}: threads = {settings.threads}, "
            f"max_share_of_clock = {settings.max_share_of_clock}; "
            "expected threads of at least 1, and a share above 0 and at most 1",
            HINT,
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
        raise UsageError(f"{where} needs menus: a list with at least one", HINT)
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
    _known_gadget(where, settings.root_gadget)
    _known_gadget(where, settings.gadget)
    if settings.decisions not in (ALL, OFF_TREE):
        raise UsageError(
            f"{where}: unknown decisions {settings.decisions!r} (expected {ALL} or {OFF_TREE})",
            HINT,
        )
    counts = (
        settings.iterations,
        settings.min_iterations,
        settings.rollout_boards,
        settings.rollout_hand_buckets,
        settings.translation_samples,
    )
    if min(counts) < 1 or settings.num_continuations < 0:
        raise UsageError(
            f"{where}: num_continuations = {settings.num_continuations} must be at least 0, and "
            f"all other numbers at least 1, found {min(counts)}",
            HINT,
        )
    return settings


KINDS: Mapping[str, type] = {"int": int, "float": float, "str": str}


def _typed(where: str, given: Mapping[str, object], kinds: Mapping[str, type]) -> dict[str, Any]:
    """Return *given*, where each value must be of the type that its key asks for."""
    for name, value in given.items():
        wanted = (int, float) if kinds.get(name) is float else (kinds.get(name, type(None)),)
        if isinstance(value, bool) or not isinstance(value, wanted):
            if name not in kinds:
                raise UsageError(
                    f"{where}: unknown setting {name}", f"expected one of {', '.join(kinds)}"
                )
            expected = {int: "a whole number", float: "a number", str: "a text"}[kinds[name]]
            raise UsageError(f"{where}: {name} = {value!r}: expected {expected}", HINT)
    return dict(given)


def _known_gadget(where: str, name: str) -> str:
    if name not in GADGET_NAMES:
        raise UsageError(
            f"{where}: unknown gadget {name!r} (expected one of {', '.join(GADGET_NAMES)})", HINT
        )
    return name


def _menus(where: str, street: int, menu: object) -> Menus:
    pair = [menu, menu] if isinstance(menu, str) else menu
    if (
        not isinstance(pair, list)
        or len(pair) != 2
        or not all(isinstance(text, str) for text in pair)
    ):
        raise UsageError(
            f"{where}: no menu: {menu!r}",
            "expected one text, or two: the searcher's bets and the opponent's",
        )
    return Menus(*[_later_menu(text, street) for text in pair])


def _later_menu(text: str, street: int) -> BetMenu:
    """Return the menu that *text* spells from *street* on; before it, its first."""
    streets = parse_menu(text).streets
    return BetMenu((streets[0],) * street + streets)
