"""The card abstraction of a hold'em game: one bucketing for each street.

Settings choose them, by the names of the streets, the first ones of ``STREETS``:

    {"preflop": "lossless", "flop": {"grid": 1000}, "turn": {"kmeans": 500, "seed": 7},
     "river": {"ochs": 200}}

Before the flop hands are told apart entirely ("lossless"). On other streets they are cut by E[HS2]
("grid", "percentile") or clustered ("kmeans", on rivers also "ochs"), with a "seed" where another
sample of hands is wanted than the usual one.

Wrong settings raise ``UsageError``, which names the key.

Stored strategies have the buckets of all flops written down, as ``TabledFlops``: looked up at the
table in microseconds instead of being worked out. A table has the bucket of every hand on every
flop, uint8 (up to 256 buckets) or uint16 [number of the hand]. Impossible hands have bucket 0
there. It belongs to another bucketing, whose answers it repeats; whole boards are still asked of
that one.

The hands on flops have one number for all that differ only in the names of suits. Of a flop and its
changes of suits the one that comes first, cards ascending, is canonical. Flops are of ten
*patterns*: which of their ranks are equal, and the suits of the canonical one. Numbers go pattern
by pattern, in it flop by flop, and on a flop through the classes of combos that the changes of
suits which leave it alone turn into one another. Combos that the flop blocks have numbers too. All
is made when first asked for, in some milliseconds of plain Python: no kernel, and nothing kept on
disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations
from math import comb
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import (
    Arrays,
    Bucketing,
    Buckets,
    EquityBuckets,
    Lossless169,
    Spec,
    bucket_type,
    grid,
    percentiles,
)
from acpcbot.abstraction.canonical_boards import BOARD_SIZES, canonical_boards
from acpcbot.abstraction.kmeans_buckets import (
    DEFAULT_SEED,
    KMEANS,
    OCHS,
    KMeansBuckets,
    kmeans_buckets,
    ochs_buckets,
)
from acpcbot.arrays import Ints
from acpcbot.cards.combos import all_combos, combo_masks
from acpcbot.cards.deck import NUM_CARDS, NUM_RANKS, NUM_SUITS, format_cards, mask_of
from acpcbot.errors import BadCards, UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.worker_threads import Progress

STREETS = ("preflop", "flop", "turn", "river")
MAX_BUCKETS = 1 << 16
FLOP_SIZE = 3
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


TABLE = "table"
"""The name of a table among the arrays of a bucketing."""


@dataclass(frozen=True, slots=True, eq=False)
class TabledFlops:
    """The flop buckets of *worked_out*, with the *table* of them all."""

    worked_out: Bucketing
    table: Buckets
    _quick: memoryview = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Numbers come out of it in a tenth of the time that they take out of an array.
        object.__setattr__(self, "_quick", self.table.data)

    @property
    def board_size(self) -> int:
        return FLOP_SIZE

    @property
    def num_buckets(self) -> int:
        return self.worked_out.num_buckets

    def bucket(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        found: int = self._quick[flop_hand_number(hole_cards, board)]
        return found

    def board_buckets(self, board: Sequence[int]) -> Buckets:
        found: Buckets = self.table[flop_numbers(board)]
        return found

    def fill_table(self, on_progress: Progress | None = None) -> Buckets:
        return self.worked_out.fill_table(on_progress)

    def spec(self) -> Spec:
        return self.worked_out.spec()

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {**self.worked_out.arrays(), TABLE: self.table}


def tabled(worked_out: Bucketing, on_progress: Progress | None = None) -> TabledFlops:
    """Return the flop buckets *worked_out* with their table, for which all of them are computed."""
    rows, flops = worked_out.fill_table(on_progress), canonical_boards(FLOP_SIZE).boards
    table = np.zeros(num_flop_hands(), bucket_type(worked_out.num_buckets))
    for row, flop in zip(rows, flops.tolist(), strict=True):
        free = combo_masks() & np.uint64(mask_of(flop)) == 0
        table[flop_numbers(flop)[free]] = row[free]
    return TabledFlops(worked_out, table)


def restored(worked_out: Bucketing, arrays: Mapping[str, NDArray[Any]]) -> Bucketing:
    """Return *worked_out* with the table among *arrays*, where there is one.

    Raises ValueError for one that cannot be its.
    """
    table = arrays.get(TABLE)
    if table is None:
        return worked_out
    wanted = bucket_type(worked_out.num_buckets)
    if (
        worked_out.board_size != FLOP_SIZE
        or table.dtype != wanted
        or table.shape != (num_flop_hands(),)
    ):
        raise ValueError(
            f"a table of {table.dtype} {list(table.shape)} for {worked_out.board_size} board cards"
        )
    if int(table.max()) >= worked_out.num_buckets:
        raise ValueError(f"a table with bucket {table.max()} of {worked_out.num_buckets}")
    return TabledFlops(worked_out, np.ascontiguousarray(table))


Flop: TypeAlias = tuple[int, int, int]
Change: TypeAlias = tuple[int, ...]
"""The suit that each suit becomes."""

DISTINCT, LOW_PAIR, HIGH_PAIR, TRIPS = range(4)
# One flop of each shape, its ranks as low as can be; the order of cards of other ranks is the same.
_RANKS = ((0, 1, 2), (0, 0, 1), (0, 1, 1), (0, 0, 0))
_FLOPS_OF_SHAPE = (comb(NUM_RANKS, 3), comb(NUM_RANKS, 2), comb(NUM_RANKS, 2), NUM_RANKS)
_TWO_BELOW = tuple([comb(rank, 2) for rank in range(NUM_RANKS)])
_THREE_BELOW = tuple([comb(rank, 3) for rank in range(NUM_RANKS)])


@dataclass(frozen=True, slots=True, eq=False)
class _Suits:
    """The numbering for the suits of a flop.

    ``start`` is the first number of the flop's pattern.
    """

    start: int
    num_classes: int
    changed: tuple[int, ...]
    """The card that the change to the canonical flop makes of each card."""
    class_of: Sequence[int]
    """The class of the changed combo, [combo]."""


@dataclass(frozen=True, slots=True)
class _Numbering:
    """*suits* by shape and the suits of the ascending cards, as a number of six bits."""

    suits: tuple[tuple[_Suits | None, ...], ...]
    count: int


def num_flop_hands() -> int:
    """Return the number of all numbers."""
    return _numbering().count


def flop_hand_number(hole_cards: Sequence[int], flop: Sequence[int]) -> int:
    """Return the number of one hand; raises BadCards unless it is two cards and three others.

    >>> flop_hand_number((51, 50), (0, 5, 10)) == flop_hand_number((48, 49), (3, 6, 9))
    True
    """
    if len(hole_cards) != 2 or len(flop) != FLOP_SIZE or len({*hole_cards, *flop}) != FLOP_SIZE + 2:
        raise BadCards(format_cards([*hole_cards, *flop]), "not two hole cards and three others")
    suits, start = _place(flop)
    first, second = suits.changed[hole_cards[0]], suits.changed[hole_cards[1]]
    # The combo's number, in the place of a call of ``combo_index``.
    combo = (
        (first * (first - 1) >> 1) + second
        if first > second
        else (second * (second - 1) >> 1) + first
    )
    return start + suits.class_of[combo]


def flop_numbers(flop: Sequence[int]) -> Ints:
    """Return the number of every combo on *flop*, [combo]."""
    suits, start = _place(flop)
    cards = np.array(suits.changed)[all_combos()]
    return start + np.array(suits.class_of)[_combos(cards)]


def _place(flop: Sequence[int]) -> tuple[_Suits, int]:
    """Return the numbering for the suits of *flop*, and the first of its numbers."""
    low, middle, high = sorted(flop)
    first, second, third = low >> 2, middle >> 2, high >> 2
    if first < second < third:
        shape, number = DISTINCT, _THREE_BELOW[third] + _TWO_BELOW[second] + first
    elif first == third:
        shape, number = TRIPS, first
    else:
        shape, number = LOW_PAIR if first == second else HIGH_PAIR, _TWO_BELOW[third] + first
    suits = _numbering().suits[shape][(low & 3) << 4 | (middle & 3) << 2 | high & 3]
    assert suits is not None, flop
    return suits, suits.start + number * suits.num_classes


@cache
def _numbering() -> _Numbering:
    """Return all patterns, in the order in which their canonical suits come."""
    changes = list(permutations(range(NUM_SUITS)))
    classes: dict[tuple[Change, ...], tuple[Sequence[int], int]] = {}
    starts: dict[Flop, tuple[int, int, Sequence[int]]] = {}
    found, count = [], 0
    for ranks, num_flops in zip(_RANKS, _FLOPS_OF_SHAPE, strict=True):
        starts.clear()
        of_shape: list[_Suits | None] = []
        for code in range(NUM_SUITS**FLOP_SIZE):
            flop = _cards(ranks, (code >> 4, code >> 2 & 3, code & 3))
            if not flop[0] < flop[1] < flop[2]:
                # One card twice, or a pair's suits in the other order.
                of_shape.append(None)
                continue
            images = [_changed(flop, change) for change in changes]
            canonical = min(images)
            if canonical not in starts:
                group = tuple(
                    [change for change in changes if _changed(canonical, change) == canonical]
                )
                if group not in classes:
                    classes[group] = _classes(group)
                class_of, num_classes = classes[group]
                starts[canonical] = count, num_classes, class_of
                count += num_flops * num_classes
            start, num_classes, class_of = starts[canonical]
            change = changes[images.index(canonical)]
            changed = tuple([card & ~3 | change[card & 3] for card in range(NUM_CARDS)])
            of_shape.append(_Suits(start, num_classes, changed, class_of))
        found.append(tuple(of_shape))
    return _Numbering(tuple(found), count)


def _cards(ranks: Sequence[int], suits: Sequence[int]) -> Flop:
    first, second, third = [rank << 2 | suit for rank, suit in zip(ranks, suits, strict=True)]
    return first, second, third


def _changed(flop: Flop, change: Change) -> Flop:
    first, second, third = sorted([card & ~3 | change[card & 3] for card in flop])
    return first, second, third


def _classes(group: tuple[Change, ...]) -> tuple[Sequence[int], int]:
    """Return the class of each combo under the changes of *group*, [combo], and their number."""
    cards = all_combos()
    images = [_combos(cards & 0xFC | np.array(change, np.uint8)[cards & 3]) for change in group]
    firsts, class_of = np.unique(np.min(images, axis=0), return_inverse=True)
    return tuple(class_of.tolist()), len(firsts)


def _combos(cards: NDArray[np.integer]) -> Ints:
    """Return the numbers of combos, [combo, 2] in either order."""
    wide = cards.astype(np.int64)
    high, low = wide.max(axis=1), wide.min(axis=1)
    combos: Ints = (high * (high - 1) >> 1) + low
    return combos
