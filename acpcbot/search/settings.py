"""Search settings, as the file ``search.toml`` of a strategy's folder says them::

    blueprint = "../external_sampling"
    profile = "match"

    [profiles.fast.river]
    iterations = 60
    menus = ["0.5,1,all-in;1,all-in", ["1,all-in;all-in", "0.5,1,all-in;all-in"]]

A profile has a table for each street that is searched; on others the blueprint plays. A menu is the
bets of both seats, or those of the searcher and of its opponent, in the notation of ``parse_menu``,
from the street that is searched on. Before the first profile, ``preflop_values =
"../preflop_values"`` names a table of values for searches that end with the first street, or
``values = "network"`` the folder of a network that has them. Keys of older files are
read under their new names, with a notice on stderr. Any fault raises UsageError.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from msgspec import Meta

from acpcbot.decoding import decode_settings
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import STREET_NAMES, GameDefinition
from acpcbot.search.names import HINT, SearchOutline, read_outline
from acpcbot.subgames.block_rows import NUM_SEATS
from acpcbot.subgames.game import verify_root
from acpcbot.trees.bet_menu import BetMenu, parse_menu
from acpcbot.trees.board_tree import DrawnBoards

if TYPE_CHECKING:
    from acpcbot.search.leaves import LeafMaker

UNSAFE: Final = "unsafe"
MAXMARGIN: Final = "maxmargin"
REACH: Final = "reach"
ALL: Final = "all"
OFF_TREE: Final = "off_tree"
FOREVER = float("inf")
OFF = "off"

Count = Annotated[int, Meta(ge=1)]
Share = Annotated[float, Meta(gt=0, le=1)]
Gadget = Literal["unsafe", "resolve", "maxmargin", "reach"]
MenuTexts = Annotated[
    list[str | Annotated[list[str], Meta(min_length=2, max_length=2)]], Meta(min_length=1)
]
MENU_HINT = f"a menu is one text, or two: the searcher's bets and the opponent's; {HINT}"


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
    ``wanted_iterations``     where there is no time for so many, a poorer menu is taken
    ``min_iterations``        where there is no time for so many on the last menu, the blueprint
                              answers
    ``seconds``               the time for a decision, exceeded only for its min_iterations
    ``max_cells``             the largest tree, in slots times hands times boards
    ``root_gadget``           the opponent's way into a hand's first subgame: unsafe, or a gadget as
                              below whose alternative values are those against the blueprint; with
                              one a search that is off_tree begins behind the bet
    ``gadget``                the opponent's way into a later subgame: unsafe, resolve, maxmargin,
                              or reach, which is maxmargin with its gifts on the way
    ``follow_solution``       later decisions of the street follow its first solution, as long as
                              that holds the opponent's bets; else each is solved anew
    ``max_pot_ratio``         a bet of the opponent between two sizes of the tree is translated to one
                              of them, and not added to the tree, if the pots after them differ by
                              this factor at most; 1: every bet is added
    ``int16``                 sums of 16 bits in the solver: half the memory, and less time
    ``trembles``              the probability with which either seat errs in a solution, so that
                              ranges behind actions that are never taken make sense
    ``weak_prior``            on the last street: the probability before a hand that the opponent is
                              a weak player, which its actions raise or lower; above 0 the solution
                              is good against such a player, too
    ``all_in_scale``          above 0, and before the first board card: an all-in that can only be
                              called or folded is answered as if the opponent made it in error, the
                              rarer by a factor of e for every so many big blinds that it costs;
                              in place of the blueprint's or the search's answer
    ``drawn_boards``          above 0, on a street with another one before the last: the subgame goes
                              to the end of the hand on so many boards of the last street, drawn for
                              each board of the one before; the next street begins anew
    ``num_continuations``     0: the subgame goes to the end of the hand; else it ends with the
                              street, and the opponent chooses among so many continuations beyond
    ``rollout_boards``        the number of boards on which these are rolled out,
    ``rollout_hand_buckets``  the number of hands for either seat on each,
    ``translation_samples``   and the number of sampled translations of the betting
    """

    menus: tuple[Menus, ...]
    decisions: Literal["all", "off_tree"] = ALL
    iterations: Count = 100
    wanted_iterations: Count = 5
    min_iterations: Count = 5
    seconds: float = FOREVER
    max_cells: float = 4e6
    root_gadget: Gadget = UNSAFE
    gadget: Gadget = "resolve"
    follow_solution: bool = False
    max_pot_ratio: Annotated[float, Meta(ge=1)] = 1.0
    int16: bool = False
    trembles: Annotated[float, Meta(ge=0, lt=1)] = 0.0
    weak_prior: Annotated[float, Meta(ge=0, lt=1)] = 0.0
    all_in_scale: Annotated[float, Meta(ge=0)] = 0.0
    drawn_boards: Annotated[int, Meta(ge=0)] = 0
    num_continuations: Annotated[int, Meta(ge=0)] = 0
    rollout_boards: Count = 98
    rollout_hand_buckets: Count = 64
    translation_samples: Count = 4

    @property
    def one_street(self) -> bool:
        """True if the subgame ends with the street, and values beyond it come from elsewhere."""
        return self.num_continuations > 0

    def drawn(self, seed: int) -> DrawnBoards | None:
        """Return the boards of the last street that stand for all, drawn from *seed*, if any."""
        return DrawnBoards(self.drawn_boards, seed) if self.drawn_boards else None


@dataclass(frozen=True, slots=True)
class _Menus:
    """The menus of a street as they stand in the file."""

    menus: MenuTexts


@dataclass(frozen=True, slots=True)
class _Profile:
    """A profile as it stands in the file."""

    preflop: dict[str, Any] | None = None
    flop: dict[str, Any] | None = None
    turn: dict[str, Any] | None = None
    river: dict[str, Any] | None = None
    threads: Count = 1
    max_share_of_clock: Share = 0.5
    seed: int = 1


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

    *tables* are the profiles as they stand in the file. *preflop_values* is the folder of the
    blueprint's table of values, *values* that of a network, if there is one.
    """

    path: Path
    blueprint: Path
    profiles: Mapping[str, SearchSettings]
    usual: str
    tables: Mapping[str, Any]
    preflop_values: Path | None = None
    values: Path | None = None

    def profile(self, name: str | None, changes: Mapping[str, str] | None = None) -> SearchSettings:
        """Return the profile called *name*, or the usual one; raises UsageError.

        *changes* are settings of streets, as in ``{"turn.iterations": "60"}``; several menus
        stand between vertical lines, and the opponent's bets behind a colon. A street that is
        ``OFF`` is left to the blueprint.
        """
        found = self.profiles.get(name or self.usual)
        if found is None:
            raise UsageError(
                f"{self.path}: unknown profile {name or self.usual!r}",
                f"expected one of {', '.join(self.profiles)}",
            )
        if not changes:
            return found
        table = _changed(self.tables[name or self.usual], changes)
        return _profile(str(self.path), f"profiles.{name or self.usual}", table)


def read_search_folder(folder: Path) -> SearchFolder:
    """Return the contents of the ``search.toml`` in *folder*; raises UsageError."""
    outline = read_outline(folder)
    tables = _renamed_profiles(outline)
    profiles = {
        name: _profile(str(outline.path), f"profiles.{name}", found)
        for name, found in tables.items()
    }
    settings = SearchFolder(
        folder,
        outline.blueprint,
        profiles,
        outline.usual,
        tables,
        outline.preflop_values,
        outline.values,
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
    gadgets: dict[str, Any] = {
        name: options[name] for name in ("root_gadget", "gadget") if name in options
    }
    decode_settings(StreetSettings, {"menus": [], **gadgets}, "search settings", HINT)
    streets = dict(settings.streets)
    for street, own in streets.items():
        num_continuations = (
            _whole("num_continuations", options["num_continuations"])
            if own.num_continuations and "num_continuations" in options
            else own.num_continuations
        )
        streets[street] = replace(own, num_continuations=num_continuations, **gadgets)
    threads = _whole("threads", options["threads"]) if "threads" in options else settings.threads
    return replace(settings, streets=streets, threads=threads)


def _changed(table: Mapping[str, Any], changes: Mapping[str, str]) -> dict[str, Any]:
    """Return the *table* of a profile with *changes* of streets."""
    changed = {
        name: dict(value) if isinstance(value, dict) else value for name, value in table.items()
    }
    for name, text in changes.items():
        street, point, setting = name.partition(".")
        if street not in STREET_NAMES:
            raise UsageError(
                f"{name}={text}: unknown street {street!r}",
                f"expected one of {', '.join(STREET_NAMES)}, a point, and a setting",
            )
        if not point:
            if text != OFF:
                raise UsageError(
                    f"{name}={text}: expected {OFF}",
                    "with settings of a street write a point after it, as in flop.iterations=100",
                )
            changed.pop(street, None)
            continue
        own = changed.setdefault(street, {})
        own[setting] = (
            [menus.split(":") if ":" in menus else menus for menus in text.split("|")]
            if setting == "menus"
            else _number(text)
        )
    return changed


def _number(text: str) -> int | float | bool | str:
    """Return what *text* would be in a file: a number, true, false, or a word."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


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


def _profile(source: str, key: str, found: object) -> SearchSettings:
    own = decode_settings(_Profile, found, source, HINT, key)
    streets = {
        street: _street(source, f"{key}.{name}", street, table)
        for street, name in enumerate(STREET_NAMES)
        if (table := getattr(own, name)) is not None
    }
    return SearchSettings(streets, own.threads, own.max_share_of_clock, own.seed)


def _street(source: str, key: str, street: int, table: dict[str, Any]) -> StreetSettings:
    """Return the settings of *street*, whose menus are parsed when all else is right."""
    given = {name: table[name] for name in ("menus",) if name in table}
    texts = decode_settings(_Menus, given, source, MENU_HINT, key).menus
    settings = decode_settings(StreetSettings, {**table, "menus": []}, source, HINT, key)
    return replace(settings, menus=tuple([_menus(street, text) for text in texts]))


def _menus(street: int, texts: str | list[str]) -> Menus:
    own, other = (texts, texts) if isinstance(texts, str) else texts
    return Menus(_later_menu(own, street), _later_menu(other, street))


def _later_menu(text: str, street: int) -> BetMenu:
    """Return the menu that *text* spells from *street* on; before it, its first."""
    streets = parse_menu(text).streets
    return BetMenu((streets[0],) * street + streets)


def verify_game(
    definition: GameDefinition, settings: SearchSettings, leaves: LeafMaker | None
) -> None:
    """Raise UsageError unless the game *definition* can be searched by *settings* with *leaves*."""
    if definition.num_players != NUM_SEATS or definition.num_hole_cards > 2:
        raise UsageError(
            "search is for two players with hands of one or two cards", "name another game"
        )
    for street, found in settings.streets.items():
        if street >= definition.num_streets:
            raise UsageError(
                f"the game has no street number {street + 1} to search",
                "leave it out of search.toml",
            )
        if found.num_continuations:
            if leaves is None:
                raise UsageError(
                    f"num_continuations = {found.num_continuations}: there are no leaf values",
                    "set num_continuations to 0",
                )
            leaves.verify_num_continuations(street, found.num_continuations)
        if found.weak_prior and street < definition.num_streets - 1:
            raise UsageError(
                f"weak_prior on street number {street + 1}: board cards follow it",
                f"set it on the last street, number {definition.num_streets}",
            )
        if found.drawn_boards and (found.one_street or street > definition.num_streets - 3):
            raise UsageError(
                f"drawn_boards = {found.drawn_boards} on street number {street + 1}",
                "a subgame to the end of the hand, with another street before the last, has them",
            )
        if street == 0 and not found.one_street:
            verify_root(BettingRules(definition).start)
