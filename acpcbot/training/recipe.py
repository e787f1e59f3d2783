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

Everything is checked before training starts; faults raise UsageError with the file and the key.
"""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec import Meta

from acpcbot.decoding import decode_settings
from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import find_definition
from acpcbot.strategies.finding import find_recipe, missing_text
from acpcbot.strategies.policy import WHOLE
from acpcbot.trees.bet_menu import HINT as MENU_HINT
from acpcbot.trees.bet_menu import BetMenu, menu_from_settings

HINT = "docs/guides/train.md shows recipes"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Budget:
    """End of training: after *count* episodes or iterations, or *seconds*, the first reached."""

    count: Annotated[int, Meta(ge=1)] | None = None
    seconds: Annotated[float, Meta(gt=0)] | None = None

    def __post_init__(self) -> None:
        if self.count is None and self.seconds is None:
            raise ValueError("expected count or seconds, found neither")


@dataclass(frozen=True, slots=True)
class MeasureSettings:
    """Measures of a curve in whole hold'em for two.

    With *flops*, two or more, that is bounds on the exploitability from so many flops; 0 is none.
    """

    flops: Annotated[int, Meta(ge=0)] = 0

    def __post_init__(self) -> None:
        if self.flops == 1:
            raise ValueError("expected two flops or more, or none (0), found 1")


@dataclass(frozen=True, slots=True)
class CurveSettings:
    """Points and opponents of the learning curve.

    Points lie at ``points_per_decade`` counts a power of ten and at every ``every``; none by
    default. Small games are measured exactly. In large ones the policy meets each of ``opponents``
    (call, fold, raise, random, or snapshots) for ``deals`` deals, dealt from ``seed``, each played
    in all seats. In hold'em for two ``measure = { flops = 8 }`` adds bounds on the exploitability,
    from flops that the same seed draws.
    """

    points_per_decade: int = 0
    every: int = 0
    opponents: tuple[str, ...] = ()
    deals: int = 200_000
    seed: int = 1
    measure: MeasureSettings = MeasureSettings()

    @property
    def has_points(self) -> bool:
        """True if a curve is asked for."""
        return bool(self.points_per_decade or self.every)


@dataclass(frozen=True, slots=True)
class SnapshotSettings:
    """Contents of snapshots (``average`` and/or ``greedy``), and how often one is kept.

    Kept snapshots lie beside the run, one every *every* counts; 0 is never. Probabilities that are
    stored in bytes are rounded to whole *steps* of 1/steps, a divisor of 255: with fewer steps a
    large strategy's files are smaller.
    """

    hold: tuple[str, ...] = ("average",)
    every: int = 0
    steps: Annotated[int, Meta(ge=1, le=WHOLE)] = WHOLE


@dataclass(frozen=True, slots=True, kw_only=True)
class _RecipeFile:
    """The entries of a recipe's file, before game, bets and learner are looked up."""

    game: str
    snapshot: str
    learner: dict[str, Any]
    budget: Budget
    seed: int = 0
    threads: Annotated[int, Meta(ge=1)] = 1
    play: str = "average"
    abstraction: dict[str, Any] = field(default_factory=dict)
    bets: dict[str, Any] = field(default_factory=dict)
    curve: CurveSettings = CurveSettings()
    snapshots: SnapshotSettings = SnapshotSettings()


@dataclass(frozen=True, slots=True)
class Recipe:
    """A whole recipe; *text* is the file's own, and *source* its path, for errors."""

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
    source: str = field(default="the recipe", repr=False, compare=False)

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
        raise UsageError(f"no recipe can be read at {path}: {error.strerror}", HINT) from None
    return parse_recipe(text, str(path))


def is_self_play_recipe(path: Path) -> bool:
    """Return whether the file at *path* is a recipe of self-play: one with that table."""
    return _has_table(path, "self_play")


def is_chance_recipe(path: Path) -> bool:
    """Return whether *path* is a recipe for a network at chance states: one with its table."""
    return _has_table(path, "chance_self_play")


def _has_table(path: Path, name: str) -> bool:
    try:
        return name in tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        # load_recipe says what is wrong with it.
        return False


def parse_recipe(text: str, source: str = "the recipe") -> Recipe:
    """Return the recipe that *text* is; raises UsageError that names *source*."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{source} is no TOML: {error}", HINT) from None
    table = decode_settings(_RecipeFile, found, source, HINT)
    name, definition = find_definition(table.game)
    learner_name = decode_settings(
        str, table.learner.pop("name", None), source, HINT, "learner.name"
    )
    return Recipe(
        definition=definition,
        game_name=name,
        seed=table.seed,
        threads=table.threads,
        snapshot=table.snapshot,
        play=table.play,
        learner_name=learner_name,
        learner=table.learner,
        abstraction=table.abstraction,
        menu=_menu(definition, table.bets, source),
        budget=table.budget,
        curve=table.curve,
        snapshots=table.snapshots,
        text=text,
        source=source,
    )


def _menu(
    definition: GameDefinition, settings: Mapping[str, object], source: str
) -> BetMenu | None:
    """Return the bets of a no-limit game; raises UsageError."""
    if definition.is_limit:
        if settings:
            raise UsageError(
                f"{source}, bets: expected none in a limit game, found {', '.join(settings)}",
                "remove [bets]",
            )
        return None
    if not settings:
        raise UsageError(
            f"{source}: no bets (a table), without which a no-limit game has no tree", MENU_HINT
        )
    menu = menu_from_settings(settings, definition)
    if not all(sizes for rows in menu.streets for sizes in (rows[:1] + rows[1:-1])):
        raise UsageError(
            f"{source}, bets: a row without a size before the last one",
            "only the last row of a street may be empty: it ends the raises, as max_raises does",
        )
    return menu


def make_settings(kind: type[T], values: Mapping[str, Any], where: str) -> T:
    """Return a settings dataclass of type *kind* from a TOML table; raises UsageError.

    Deprecated: pass a whole recipe to ``parse_recipe``.
    """
    warnings.warn("make_settings: use parse_recipe", DeprecationWarning, stacklevel=2)
    return decode_settings(kind, values, where, HINT)


def settings_table(settings: Any) -> dict[str, Any]:
    """Return the settings in the form that a manifest records."""
    return asdict(settings)
