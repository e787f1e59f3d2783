"""Recipes: TOML files with the game, the learner, the budget and the measurements of a training.

    game = "leduc.limit.2p"             # a shipped game or the path of a definition
    seed = 1
    threads = 1
    snapshot = "strategies/leduc.limit.2p/smooth_uct"
    play = "average"                    # play settings when measured, and by default later

    [abstraction]                       # hold'em only: see acpcbot.abstraction.holdem_abstraction
    [bets]                              # no-limit games only: see acpcbot.trees.bet_menu
    [learner]                           # name, and the settings of that learner
    [budget]                            # count = 85_000_000 and/or seconds = 3600
    [curve]                             # see CurveSettings
    [snapshots]                         # see SnapshotSettings

Everything is checked before training starts; faults raise UsageError with the key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import find_definition
from acpcbot.strategies.finding import find_recipe, missing_text
from acpcbot.trees.bet_menu import HINT, BetMenu, menu_from_settings

VALUES = {"game", "seed", "threads", "snapshot", "play"}
TABLES = {"abstraction", "bets", "learner", "budget", "curve", "snapshots"}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Budget:
    """End of training: after *count* episodes or iterations, or *seconds*, the first reached."""

    count: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.count is None and self.seconds is None:
            raise UsageError(
                "[budget] says neither count nor seconds", "count = 1_000_000, for example"
            )
        if (self.count is not None and self.count < 1) or (
            self.seconds is not None and self.seconds <= 0
        ):
            raise UsageError(
                "[budget] leaves no time to train", "count and seconds have to be positive"
            )


@dataclass(frozen=True, slots=True)
class CurveSettings:
    """Points and opponents of the learning curve.

    Points lie at ``points_per_decade`` counts a power of ten and at every ``every``; none by
    default. Small games are measured exactly. In large ones the policy meets each of ``opponents``
    (call, raise, random, fold, or snapshots) for ``deals`` deals, dealt from ``seed``, each played
    in all seats.
    """

    points_per_decade: int = 0
    every: int = 0
    opponents: tuple[str, ...] = ()
    deals: int = 200_000
    seed: int = 1

    @property
    def has_points(self) -> bool:
        """True if a curve is asked for."""
        return bool(self.points_per_decade or self.every)


@dataclass(frozen=True, slots=True)
class SnapshotSettings:
    """Contents of snapshots (``average`` and/or ``greedy``), and how often one is kept.

    Kept snapshots lie beside the run, one every *every* counts; 0 is never.
    """

    hold: tuple[str, ...] = ("average",)
    every: int = 0


@dataclass(frozen=True, slots=True)
class Recipe:
    """A whole recipe; *text* is the file's own."""

    definition: GameDefinition
    game_name: str
    seed: int
    threads: int
    snapshot: str
    play: str
    learner_name: str
    learner: dict[str, Any]
    abstraction: dict[str, Any]
    menu: BetMenu | None
    budget: Budget
    curve: CurveSettings
    snapshots: SnapshotSettings
    text: str = field(repr=False)

    def identity(self) -> dict[str, Any]:
        """Return the part of the recipe that must be equal for a run to be resumed.

        That is everything but budget and measurements.
        """
        bets = {"bets": self.menu.spec()} if self.menu else {}
        return {
            **bets,
            "game": self.definition.fingerprint,
            "seed": self.seed,
            "threads": self.threads,
            "learner": {"name": self.learner_name, **self.learner},
            "abstraction": self.abstraction,
        }


def load_recipe(name: str | Path) -> Recipe:
    """Return the recipe called *name*: a file, or a strategy's folder that has one.

    Raises UsageError.
    """
    path = find_recipe(str(name))
    if path is None:
        raise UsageError(
            f"no recipe {name}", f"a TOML file or a shipped strategy; {missing_text(str(name))}"
        )
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"no recipe can be read at {path}: {error.strerror}",
            "docs/guides/train.md shows recipes",
        ) from None
    return parse_recipe(text, str(path))


def parse_recipe(text: str, source: str = "the recipe") -> Recipe:
    """Return the recipe that *text* is; raises UsageError that names *source*."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(
            f"{source} is no TOML: {error}", "docs/guides/train.md shows recipes"
        ) from None
    _refuse_unknown(table, VALUES | TABLES, source)
    name, definition = find_definition(_typed(table, "game", str))
    learner = dict(_typed(table, "learner", dict))
    return Recipe(
        definition=definition,
        game_name=name,
        seed=_typed(table, "seed", int, 0),
        threads=_positive("threads", _typed(table, "threads", int, 1)),
        snapshot=_typed(table, "snapshot", str),
        play=_typed(table, "play", str, "average"),
        learner_name=_typed({**learner}, "name", str),
        learner={key: value for key, value in learner.items() if key != "name"},
        abstraction=_typed(table, "abstraction", dict, {}),
        menu=_menu(definition, _typed(table, "bets", dict, {})),
        budget=make_settings(Budget, _typed(table, "budget", dict), "[budget]"),
        curve=make_settings(CurveSettings, _typed(table, "curve", dict, {}), "[curve]"),
        snapshots=make_settings(
            SnapshotSettings, _typed(table, "snapshots", dict, {}), "[snapshots]"
        ),
        text=text,
    )


def _menu(definition: GameDefinition, settings: Mapping[str, object]) -> BetMenu | None:
    """Return the bets of a no-limit game; raises UsageError."""
    if definition.is_limit:
        _refuse_unknown(settings, set(), "[bets] of a limit game")
        return None
    if not settings:
        raise UsageError(
            "the recipe does not say [bets], without which a no-limit game has no tree", HINT
        )
    menu = menu_from_settings(settings, definition)
    if not all(sizes for rows in menu.streets for sizes in rows):
        raise UsageError(
            "[bets] has a row without a size",
            "every raise is translated to one of its sizes; add all-in, for example",
        )
    return menu


def make_settings(kind: type[T], values: Mapping[str, Any], where: str) -> T:
    """Return a settings dataclass of type *kind* from a TOML table.

    Raises UsageError for unknown keys, wrong types and missing ones.
    """
    known = {item.name: item for item in fields(kind)}  # type: ignore[arg-type]
    _refuse_unknown(values, set(known), where)
    for name, item in known.items():
        if name not in values and item.default is MISSING and item.default_factory is MISSING:
            raise UsageError(f"{where} does not say {name}", f"{name} = ..., of type {item.type}")
    converted = {
        key: _converted(value, str(known[key].type), f"{where} {key}")
        for key, value in values.items()
    }
    return kind(**converted)


def settings_table(settings: Any) -> dict[str, Any]:
    """Return the settings in the form that a manifest records."""
    return asdict(settings)


def _converted(value: Any, annotation: str, where: str) -> Any:
    """Return *value* from TOML as the type of a field with *annotation*."""
    if (
        annotation.startswith("tuple")
        and isinstance(value, list)
        and all(isinstance(item, str) for item in value)
    ):
        return tuple(value)
    if "float" in annotation and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    for name, kind in (
        ("int", int),
        ("bool", bool),
        ("str", str),
        ("Literal", str),
        ("Storage", str),
    ):
        if name in annotation and type(value) is kind:
            return value
    raise UsageError(f"{where}: {value!r} is not of type {annotation}")


def _typed(table: Mapping[str, Any], key: str, kind: type[T], default: T | None = None) -> T:
    value = table.get(key, default)
    if value is None:
        raise UsageError(f"the recipe does not say {key}", "docs/guides/train.md shows recipes")
    if not isinstance(value, kind) or isinstance(value, bool):
        raise UsageError(f"{key} is {value!r} in the recipe, and should be of type {kind.__name__}")
    return value


def _positive(key: str, value: int) -> int:
    if value < 1:
        raise UsageError(f"{key} is {value} in the recipe", "at least 1")
    return value


def _refuse_unknown(table: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        raise UsageError(f"{where} has no {unknown[0]}", f"known are {', '.join(sorted(known))}")
