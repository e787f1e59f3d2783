"""The card abstraction of any game and its deals, and both for small games.

An abstraction is made from settings or from what a snapshot holds. Settings are "exact" for small
games, or what ``HoldemAbstraction`` takes. It and its deals (``dealing.py``) are imported where
they are met: a player of a small game needs none of their kernels. Wrong settings, and games that
they do not suit, raise ``UsageError``.

In the exact abstraction of a small game no two hands share a bucket, and all deals can be listed.
Kuhn, Leduc and their like have hands of fewer than five cards, the board's included. These make
neither straights nor flushes, so suits never matter: a hand is the ranks of its hole cards and,
street by street, of the board. A deck's lowest cards count like its highest
(``poker/deck_convention.py``), so a hand has one bucket under both conventions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, pairwise
from math import comb
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Uints16
from acpcbot.cards.any_strength import strength
from acpcbot.cards.orderings import MAX_SEATS, ordering_code, ordering_numbers
from acpcbot.errors import UsageError
from acpcbot.poker.deck_convention import DeckConvention
from acpcbot.poker.definition import GameDefinition

if TYPE_CHECKING:
    from acpcbot.abstraction.buckets import Arrays
    from acpcbot.abstraction.dealing import HoldemDeals
    from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
    from acpcbot.random_kernels import RandomState
    from acpcbot.worker_threads import Progress

EXACT = "exact"
MAX_DEALS = 1_000_000
MAX_HAND_CARDS = 4
MAX_BUCKETS = 1 << 16

Cards: TypeAlias = tuple[int, ...]

Abstraction: TypeAlias = "ExactAbstraction | HoldemAbstraction"
"""The buckets of a game's hands, street by street."""


def make_abstraction(
    definition: GameDefinition, settings: object, on_progress: Progress | None = None
) -> Abstraction:
    """Return the abstraction of the game that *settings* ask for."""
    if settings == EXACT:
        return ExactAbstraction(definition)
    from acpcbot.abstraction.holdem_abstraction import HINT, HoldemAbstraction

    if not isinstance(settings, Mapping):
        raise UsageError(
            f"abstraction: {settings!r} is neither {EXACT!r} nor a setting for each street", HINT
        )
    abstraction = HoldemAbstraction.from_settings(settings, on_progress)
    abstraction.verify_fits(definition)
    return abstraction


def restore_abstraction(
    definition: GameDefinition, spec: Mapping[str, Any], arrays: Arrays
) -> Abstraction:
    """Return the abstraction of which ``spec`` and ``arrays`` were kept.

    Raises ValueError if they are none for the game.
    """
    try:
        if spec.get("kind") == EXACT:
            return ExactAbstraction(definition)
        from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction

        holdem = HoldemAbstraction.from_spec(spec, arrays)
        holdem.verify_fits(definition)
        return holdem
    except (UsageError, KeyError, TypeError, IndexError) as error:
        raise ValueError(str(error) or repr(error)) from None


def quick_at_the_table(abstraction: Abstraction) -> Abstraction:
    """Return the same buckets, with those of all flops written down, as strategies are stored."""
    return (
        abstraction if isinstance(abstraction, ExactAbstraction) else abstraction.with_flop_table()
    )


class DealSource(Protocol):
    """A source of a learner's deals.

    One source may serve several threads, each with a random state of its own.
    """

    @property
    def num_buckets(self) -> tuple[int, ...]:
        """The number of buckets of each street."""

    @property
    def width(self) -> int:
        """The number of columns of a deal."""

    def fill(self, deals: Uints16, random_state: RandomState) -> None:
        """Fill every row of *deals* with a random deal."""


def make_deal_source(
    definition: GameDefinition,
    abstraction: Abstraction,
    on_progress: Progress | None = None,
) -> SmallGameDeals | HoldemDeals:
    """Return the source of the game's deals through *abstraction*."""
    if isinstance(abstraction, ExactAbstraction):
        return SmallGameDeals(definition, abstraction)
    from acpcbot.abstraction.dealing import HoldemDeals

    return HoldemDeals(definition, abstraction, on_progress=on_progress)


class ExactAbstraction:
    """A bucket for every hand of a small game, up to the names of suits.

    Raises ``UsageError`` if the game is too big.

    >>> from acpcbot.poker.shipped import shipped_definition
    >>> leduc = ExactAbstraction(shipped_definition("leduc.limit.2p"))
    >>> leduc.num_buckets, leduc.bucket(1, [51], [50])  # a pair of aces
    ((3, 9), 8)
    """

    def __init__(self, definition: GameDefinition) -> None:
        _verify_small(definition)
        self._definition = definition
        self._numbers = [
            {hand: number for number, hand in enumerate(sorted(set(self._hands(street))))}
            for street in range(definition.num_streets)
        ]
        if max(self.num_buckets) > MAX_BUCKETS:
            raise UsageError(
                f"{max(self.num_buckets)} different hands on a street, more than {MAX_BUCKETS}"
            )

    @property
    def num_buckets(self) -> tuple[int, ...]:
        """The number of buckets of each street."""
        return tuple([len(numbers) for numbers in self._numbers])

    def bucket(self, street: int, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of a hand on *street*, from either deck; later board cards are ignored.

        Raises ``BadCards`` for cards that neither deck has.
        """
        board_so_far = board[: self._definition.board_size(street)]
        convention = DeckConvention(self._definition.num_suits, self._definition.num_ranks)
        convention.see([*hole_cards, *board_so_far])
        translate = convention.to_canonical
        return self.canonical_bucket(
            street, list(map(translate, hole_cards)), list(map(translate, board_so_far))
        )

    def canonical_bucket(self, street: int, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of a hand of canonical cards with the *board* as it is on *street*."""
        return self._numbers[street][self._hand(hole_cards, board)]

    def spec(self) -> dict[str, object]:
        """Return the specification for JSON: the definition tells all the rest."""
        return {"kind": "exact"}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return none: the definition tells all."""
        return {}

    def _hands(self, street: int) -> Iterator[Cards]:
        definition = self._definition
        sizes = [definition.num_hole_cards, *definition.num_board_cards[: street + 1]]
        for hole_cards, *groups in _divisions(definition.deck, sizes):
            yield self._hand(hole_cards, list(chain.from_iterable(groups)))

    def _hand(self, hole_cards: Sequence[int], board: Sequence[int]) -> Cards:
        """Return the ranks of a hand: those that came together in ascending order."""
        ends = [
            self._definition.board_size(street) for street in range(self._definition.num_streets)
        ]
        groups = [hole_cards, *[board[start:end] for start, end in pairwise([0, *ends])]]
        return tuple([rank for group in groups for rank in sorted([card >> 2 for card in group])])


def all_deals(definition: GameDefinition, abstraction: ExactAbstraction) -> NDArray[np.uint16]:
    """Return every deal of a small game, uint16 [deal, column] as in ``dealing.py``.

    Each is as likely as any other.
    """
    num_seats = definition.num_players
    sizes = [*[definition.num_hole_cards] * num_seats, *definition.num_board_cards]
    bucket, showdown = cache(abstraction.canonical_bucket), cache(lambda *cards: strength(cards))
    numbers = ordering_numbers(num_seats)

    def row(groups: tuple[Cards, ...]) -> list[int]:
        hands, board = groups[:num_seats], tuple(chain.from_iterable(groups[num_seats:]))
        boards = [
            board[: definition.board_size(street)] for street in range(definition.num_streets)
        ]
        buckets = [
            bucket(street, hand, known) for street, known in enumerate(boards) for hand in hands
        ]
        ordering = numbers[ordering_code([showdown(*hand, *board) for hand in hands], num_seats)]
        return [*buckets, int(ordering)]

    return np.array([row(groups) for groups in _divisions(definition.deck, sizes)], np.uint16)


def merge_deals(deals: NDArray[np.uint16]) -> tuple[NDArray[np.uint16], NDArray[np.float64]]:
    """Return the distinct ones of equally likely *deals*, ascending, and their probabilities.

    They are uint16 [row, column] and float64 [row].
    """
    rows, counts = np.unique(deals, axis=0, return_counts=True)
    return rows, counts / len(deals)


class SmallGameDeals:
    """Deals of a small game, drawn from all that there are."""

    def __init__(self, definition: GameDefinition, abstraction: ExactAbstraction) -> None:
        self.num_buckets = abstraction.num_buckets
        self._all_deals = all_deals(definition, abstraction)
        self.width = self._all_deals.shape[1]

    def fill(self, deals: Uints16, random_state: RandomState) -> None:
        """Fill every row of *deals* with one of all deals, each as likely as any other."""
        # Imported here: compiled code, which only training and the arena need.
        from acpcbot.abstraction.dealing import draw_rows

        draw_rows(self._all_deals, random_state, deals)


def _verify_small(definition: GameDefinition) -> None:
    num_seats = definition.num_players
    if num_seats > MAX_SEATS:
        raise UsageError(f"{num_seats} players are too many", f"at most {MAX_SEATS}")
    if definition.num_hole_cards + sum(definition.num_board_cards) > MAX_HAND_CARDS:
        raise UsageError(
            "an exact abstraction is for hands of fewer than five cards",
            "choose an abstraction for each street",
        )
    left, num_deals = definition.num_suits * definition.num_ranks, 1
    for size in (*[definition.num_hole_cards] * num_seats, *definition.num_board_cards):
        num_deals *= comb(left, size)
        left -= size
    if num_deals > MAX_DEALS:
        raise UsageError(f"the game has {num_deals:,} deals, more than {MAX_DEALS:,}")


def _divisions(deck: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[Cards, ...]]:
    """Yield all ways to draw sets of these *sizes* from *deck*."""
    if not sizes:
        yield ()
        return
    for group in combinations(deck, sizes[0]):
        rest = [card for card in deck if card not in group]
        for others in _divisions(rest, sizes[1:]):
            yield (group, *others)
