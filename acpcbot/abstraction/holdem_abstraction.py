"""The card abstraction of a hold'em game: one bucketing for each street.

Settings choose them, by the names of the streets, the first ones of ``STREETS``:

    {"preflop": "lossless", "flop": {"grid": 1000}, "turn": {"kmeans": 500, "seed": 7},
     "river": {"ochs": 200}}

Before the flop hands are told apart entirely ("lossless"). On other streets they are cut by E[HS2]
("grid", "percentile") or clustered ("kmeans", on rivers also "ochs"), with a "seed" where another
sample of hands is wanted than the usual one.

Stored strategies have the buckets of all flops written down (``flop_tables.py``).

Wrong settings raise ``UsageError``, which names the key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from acpcbot.abstraction.buckets import (
    Arrays,
    Bucketing,
    Buckets,
    EquityBuckets,
    Lossless169,
    Spec,
    grid,
    percentiles,
)
from acpcbot.abstraction.canonical_boards import BOARD_SIZES
from acpcbot.abstraction.flop_tables import restored, tabled
from acpcbot.abstraction.kmeans_buckets import (
    DEFAULT_SEED,
    KMEANS,
    OCHS,
    KMeansBuckets,
    kmeans_buckets,
    ochs_buckets,
)
from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.worker_threads import Progress

STREETS = ("preflop", "flop", "turn", "river")
MAX_BUCKETS = 1 << 16
HINT = (
    'settings are like "lossless" (preflop), {"grid": 1000}, {"percentile": 200} or '
    '{"kmeans": 1000, "seed": 1} (other streets), {"ochs": 1000} (river)'
)

_RESTORE: dict[str, Callable[[Mapping[str, object], Arrays], Bucketing]] = {
    "lossless": Lossless169.restore,
    "grid": EquityBuckets.restore,
    "percentile": EquityBuckets.restore,
    KMEANS: KMeansBuckets.restore,
    OCHS: KMeansBuckets.restore,
}


@dataclass(frozen=True, slots=True, eq=False)
class HoldemAbstraction:
    """The buckets of the hands of a hold'em game, with a bucketing for each of *streets*."""

    streets: tuple[Bucketing, ...]

    @property
    def num_buckets(self) -> tuple[int, ...]:
        """The number of buckets of each street."""
        return tuple([bucketing.num_buckets for bucketing in self.streets])

    def bucket(self, street: int, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of a hand on *street*; later board cards are ignored."""
        return self.streets[street].bucket(hole_cards, board[: BOARD_SIZES[street]])

    def board_buckets(self, street: int, board: Sequence[int]) -> Buckets:
        """Return the bucket of every combo on *street*, [combo]; later board cards are ignored."""
        return self.streets[street].board_buckets(board[: BOARD_SIZES[street]])

    def tables(self, on_progress: Progress | None = None) -> tuple[Buckets, ...]:
        """Return the buckets of all hands of each street, [canonical board, combo]."""
        return tuple([bucketing.fill_table(on_progress) for bucketing in self.streets])

    def with_flop_table(self, on_progress: Progress | None = None) -> HoldemAbstraction:
        """Return the same buckets with those of all flops written down, as in stored strategies."""
        preflop, *later = self.streets
        return HoldemAbstraction(
            (preflop, *[tabled(flop, on_progress) for flop in later[:1]], *later[1:])
        )

    def spec(self) -> Spec:
        """Return the specification for JSON, without the arrays."""
        return {
            name: bucketing.spec() for name, bucketing in zip(STREETS, self.streets, strict=False)
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of all streets, by names that suit files."""
        return {
            f"{street}_{name}": array
            for street, bucketing in zip(STREETS, self.streets, strict=False)
            for name, array in bucketing.arrays().items()
        }

    def verify_fits(self, definition: GameDefinition) -> None:
        """Raise ``UsageError`` unless *definition* is a hold'em game of these streets."""
        num_streets = len(self.streets)
        board_sizes = tuple(
            [definition.board_size(street) for street in range(definition.num_streets)]
        )
        shape = (definition.num_suits, definition.num_ranks, definition.num_hole_cards)
        if shape != (4, 13, 2) or board_sizes != BOARD_SIZES[:num_streets]:
            games = f"hold'em of {num_streets} streets"
            raise UsageError(
                f"the abstraction is for {games}, and this is another game",
                "name another game or abstraction",
            )

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any], arrays: Arrays) -> HoldemAbstraction:
        """Return the abstraction of which ``spec`` and ``arrays`` were kept."""
        return cls(
            tuple([_restored(street, spec[street], arrays) for street in STREETS[: len(spec)]])
        )

    @classmethod
    def from_settings(
        cls, settings: Mapping[str, object], on_progress: Progress | None = None
    ) -> HoldemAbstraction:
        """Return the abstraction that *settings* ask for.

        Percentiles and k-means take time to look at all hands.
        """
        if not settings or tuple(settings) != STREETS[: len(settings)]:
            given = ", ".join(settings) or "none"
            raise UsageError(
                f"streets of the abstraction: {given}",
                f"they have to be the first of {', '.join(STREETS)}",
            )
        return cls(
            tuple([_made(street, setting, on_progress) for street, setting in settings.items()])
        )


def _restored(street: str, spec: Mapping[str, object], arrays: Arrays) -> Bucketing:
    prefix = f"{street}_"
    own = {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix)
    }
    return restored(_RESTORE[str(spec["kind"])](spec, own), own)


def _made(street: str, setting: object, on_progress: Progress | None) -> Bucketing:
    board_size = BOARD_SIZES[STREETS.index(street)]
    match setting:
        case "lossless" if board_size == 0:
            return Lossless169()
        case {"grid": num_buckets, **others} if board_size and not others:
            return grid(board_size, _checked(street, "grid", num_buckets))
        case {"percentile": num_buckets, **others} if board_size and not others:
            return percentiles(board_size, _checked(street, "percentile", num_buckets), on_progress)
        case {"kmeans": num_buckets, **others} if board_size and others.keys() <= {"seed"}:
            count, seed = _checked(street, KMEANS, num_buckets), _seed(street, others)
            return kmeans_buckets(board_size, count, seed=seed, on_progress=on_progress)
        case {"ochs": num_buckets, **others} if board_size == 5 and others.keys() <= {"seed"}:
            count, seed = _checked(street, OCHS, num_buckets), _seed(street, others)
            return ochs_buckets(count, seed=seed, on_progress=on_progress)
    raise UsageError(f"abstraction, {street}: {setting!r} cannot be had there", HINT)


def _checked(street: str, kind: str, num_buckets: object) -> int:
    if type(num_buckets) is not int or not 1 <= num_buckets <= MAX_BUCKETS:
        problem = f"abstraction, {street}, {kind}: {num_buckets!r} is no number of buckets"
        raise UsageError(problem, f"a whole number from 1 to {MAX_BUCKETS}")
    return num_buckets


def _seed(street: str, others: Mapping[Any, object]) -> int:
    seed = others.get("seed", DEFAULT_SEED)
    if type(seed) is not int or seed < 0:
        raise UsageError(
            f"abstraction, {street}, seed: {seed!r} is no seed", "a whole number from 0 on"
        )
    return seed
