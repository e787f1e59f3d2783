"""The same cards seen through the abstractions of several players.

The tables of a hold'em abstraction take up to 400 MB, so they are made once and kept. A process
that trains and measures in turn lets ``DealSources`` adopt those that the training has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from acpcbot.abstraction.buckets import Buckets, Lossless169, bucket_type
from acpcbot.abstraction.card_abstraction import (
    MAX_HAND_CARDS,
    Abstraction,
    ExactAbstraction,
    SmallGameDeals,
    make_deal_source,
)
from acpcbot.abstraction.dealing import HANDS_PER_BOARD, Deals, HoldemDeals
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.cards.combos import NUM_COMBOS
from acpcbot.poker.definition import GameDefinition
from acpcbot.random_kernels import RandomState
from acpcbot.worker_threads import Progress

Source: TypeAlias = SmallGameDeals | HoldemDeals

NUM_CANONICAL_BOARDS = (1, 1_755, 16_432, 134_459)
"""By street, as many as ``abstraction/canonical_boards.py`` finds."""


class DealSources:
    """Sources of deals of one game, through any abstractions.

    *on_progress* is told of the tables that are made.
    """

    def __init__(self, definition: GameDefinition, on_progress: Progress | None = None) -> None:
        self.definition = definition
        self._on_progress = on_progress
        self._unseen = _unseen_cards(definition)
        self._sources: list[tuple[Abstraction, Source]] = []

    def source(self, abstraction: Abstraction | None) -> Source:
        """Return the deals through *abstraction*, or for a player who sees no cards if it is None.

        Equal abstractions get the same object.
        """
        wanted = abstraction or self._unseen
        for known, source in self._sources:
            if _are_equal(known, wanted):
                return source
        self.adopt(wanted, make_deal_source(self.definition, wanted, self._on_progress))
        return self._sources[-1][1]

    def adopt(self, abstraction: Abstraction, source: Source) -> None:
        """Use *source*, which ``make_deal_source`` made, for the deals through *abstraction*."""
        self._sources.append((abstraction, source))


def run_length(source: Source) -> int:
    """Return the number of deals in a row that share a board, and so are not independent."""
    return 1 if isinstance(source, SmallGameDeals) else HANDS_PER_BOARD


def same_deals(sources: Sequence[Source], num_deals: int, random_state: RandomState) -> list[Deals]:
    """Return random deals, the same ones through each of *sources*.

    These are different ones of one ``DealSources``.
    """
    pools = [np.zeros((num_deals, source.width), np.uint16) for source in sources]
    first = sources[0]
    if isinstance(first, SmallGameDeals):
        first.fill(pools[0], random_state)
        return pools
    cards = np.empty((num_deals, first.num_cards), np.uint8)
    first.draw_cards(cards, random_state)
    for source, deals in zip(sources, pools, strict=True):
        assert isinstance(source, HoldemDeals)
        source.fill_buckets(cards, deals)
    return pools


def tables_bytes(abstractions: Sequence[Abstraction | None]) -> int:
    """Return the memory of the hold'em tables behind *abstractions*, known before they are made."""
    different: list[HoldemAbstraction] = []
    for abstraction in abstractions:
        if isinstance(abstraction, HoldemAbstraction) and not any(
            _are_equal(abstraction, other) for other in different
        ):
            different.append(abstraction)
    return sum(table_bytes(abstraction.num_buckets) for abstraction in different)


def table_bytes(num_buckets: Sequence[int]) -> int:
    """Return the memory of the tables of a hold'em abstraction with *num_buckets* by street."""
    cells = [np.dtype(bucket_type(count)).itemsize * NUM_COMBOS for count in num_buckets]
    return sum(
        size * num_boards for size, num_boards in zip(cells, NUM_CANONICAL_BOARDS, strict=False)
    )


class _UnseenCards(HoldemAbstraction):
    """An abstraction without tables, so that all buckets stay 0."""

    def tables(self, on_progress: Progress | None = None) -> tuple[Buckets, ...]:
        return ()


def _unseen_cards(definition: GameDefinition) -> Abstraction:
    if definition.num_hole_cards + sum(definition.num_board_cards) <= MAX_HAND_CARDS:
        return ExactAbstraction(definition)
    return _UnseenCards((Lossless169(),) * definition.num_streets)


def _are_equal(one: Abstraction, other: Abstraction) -> bool:
    if one is other:
        return True
    arrays, others = one.arrays(), other.arrays()
    return (
        type(one) is type(other)
        and one.spec() == other.spec()
        and arrays.keys() == others.keys()
        and all(np.array_equal(arrays[name], others[name]) for name in arrays)
    )
