"""Suit isomorphism: one number for all hands that differ only in the names of suits.

A hand is given in groups of cards, one for each street whose cards are told apart: (2, 3)
is two hole cards and a flop, (2, 4) hole cards and four board cards in any order, turn
included. Order inside a group never matters. Hands are numbered from 0 without gaps.

What a hand holds in one suit is its *shape*, how many cards of each group, and an index
among all sets of ranks of that shape: group by group, among the ranks not yet taken. The
four shapes, sorted, are the hand's *configuration*; its hands have consecutive numbers.
Suits of one shape may be exchanged, so of their indices the multiset counts.

Arrays: hands uint8 [hand, card], one group after the other; numbers int64 [hand].

The tables of all 8,192 sets of ranks are constants of the kernels, made at import within
milliseconds; those of a numbering are made with it.

Source: Waugh (2013), A fast and optimal hand isomorphism algorithm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, combinations_with_replacement, pairwise
from math import comb, prod
from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Bytes, Ints
from acpcbot.cards.deck import NUM_RANKS, NUM_SUITS, format_cards
from acpcbot.errors import BadCards
from acpcbot.jit import kernel

Cards = Bytes

# A suit as one number, its shape's code above its index, so that suits sort by shape.
_CODE_SHIFT = 32
_INDEX_MASK = (1 << _CODE_SHIFT) - 1


def _rank_sets() -> tuple[Ints, Ints, Ints]:
    """Return the size of every set of ranks, its index among those of its size, and the inverse.

    Sizes and indices are [set], the inverse is [size, index]; a set is a mask of 13 bits.
    """
    sizes, indices = np.zeros(1 << NUM_RANKS, np.int64), np.zeros(1 << NUM_RANKS, np.int64)
    sets = np.zeros((NUM_RANKS + 1, comb(NUM_RANKS, NUM_RANKS // 2)), np.int64)
    filled = [0] * (NUM_RANKS + 1)
    for ranks in range(1 << NUM_RANKS):
        size = ranks.bit_count()
        sizes[ranks], indices[ranks] = size, filled[size]
        sets[size, filled[size]] = ranks
        filled[size] += 1
    return sizes, indices, sets


SET_SIZE, SET_INDEX, SETS = _rank_sets()
CHOOSE = np.array([[comb(n, k) for k in range(NUM_RANKS + 1)] for n in range(NUM_RANKS + 1)])


class Shapes(NamedTuple):
    """The shapes and configurations of some groups, for kernels.

    A shape's code has one digit a group, its number of cards; ``strides`` [group] are the
    digits' weights, and ``sizes`` [code] counts the sets of ranks of that shape.
    ``configurations`` [configuration, suit] are codes, falling; ``offsets`` [configuration]
    their first numbers, also found by the first three codes in ``offset_of`` [code, code, code].
    """

    strides: Ints
    sizes: Ints
    configurations: Ints
    offsets: Ints
    offset_of: Ints

    def __repr__(self) -> str:
        return f"Shapes({len(self.sizes)} shapes, {len(self.configurations)} configurations)"


class SuitIsomorphism:
    """The numbering of hands in *groups* of so many cards; there are ``size`` numbers."""

    def __init__(self, groups: tuple[int, ...]) -> None:
        self.groups = groups
        self._shapes, self.size = _make_shapes(groups)
        self._group_of_place = np.repeat(np.arange(len(groups)), groups)

    def __repr__(self) -> str:
        return f"SuitIsomorphism({self.groups}: {self.size:,} hands)"

    def index(self, hand: Sequence[Sequence[int]]) -> int:
        """Return the number of *hand*, one sequence of cards a group.

        >>> preflop = SuitIsomorphism((2,))
        >>> preflop.size, preflop.index([(0, 5)]) == preflop.index([(4, 3)])
        (169, True)
        """
        cards = list(chain.from_iterable(hand))
        if tuple(map(len, hand)) != self.groups or len(set(cards)) < len(cards):
            raise BadCards(format_cards(cards), f"not different cards in groups of {self.groups}")
        return int(self.indices(np.array([cards], np.uint8))[0])

    def unindex(self, index: int) -> tuple[tuple[int, ...], ...]:
        """Return the representative hand of number *index*: a tuple of ascending cards a group."""
        assert 0 <= index < self.size
        cards = self.unindices(np.array([index])).ravel().tolist()
        return tuple(
            tuple(cards[start:end]) for start, end in pairwise(accumulate(self.groups, initial=0))
        )

    def indices(self, cards: Cards) -> Ints:
        """Return the number of every hand; *cards* are not checked."""
        numbers = np.empty(len(cards), np.int64)
        _index_hands(cards, self._group_of_place, self._shapes, numbers)
        return numbers

    def unindices(self, indices: Ints) -> Cards:
        """Return the hand that stands for each number."""
        cards = np.empty((len(indices), sum(self.groups)), np.uint8)
        _unindex_hands(indices, np.array(self.groups), self._shapes, cards)
        return cards


def _make_shapes(groups: tuple[int, ...]) -> tuple[Shapes, int]:
    """Return the tables for *groups*, and the number of different hands."""
    shapes = list(np.ndindex(*(count + 1 for count in groups)))
    strides = [prod(count + 1 for count in groups[place + 1 :]) for place in range(len(groups))]
    sizes = [_shape_size(shape) for shape in shapes]
    configurations = list(_configurations(shapes, groups))
    offsets = list(
        accumulate((_configuration_size(codes, sizes) for codes in configurations), initial=0)
    )
    offset_of = np.full((len(shapes),) * (NUM_SUITS - 1), -1)
    for codes, offset in zip(configurations, offsets, strict=False):
        offset_of[codes[:-1]] = offset
    tables = (strides, sizes, configurations, offsets[:-1], offset_of)
    return Shapes(*(np.array(table, np.int64) for table in tables)), offsets[-1]


def _shape_size(shape: tuple[int, ...]) -> int:
    """Return the number of ways to hold *shape* in one suit."""
    taken = accumulate(shape, initial=0)
    return prod(
        comb(NUM_RANKS - before, count)
        for before, count in zip(taken, shape, strict=False)
        if count
    )


def _configurations(
    shapes: list[tuple[int, ...]], groups: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """Yield the falling codes of every four shapes that add up to *groups*."""
    last = len(shapes) - 1
    for codes in combinations_with_replacement(range(last, -1, -1), NUM_SUITS - 1):
        held = [sum(counts) for counts in zip(*(shapes[code] for code in codes), strict=True)]
        remaining = last - sum(codes)
        if 0 <= remaining <= codes[-1] and all(
            count <= limit for count, limit in zip(held, groups, strict=True)
        ):
            yield (*codes, remaining)


def _configuration_size(codes: tuple[int, ...], sizes: list[int]) -> int:
    """Return the number of different hands of four shapes; suits of one shape have no order."""
    return prod(comb(sizes[code] + suits - 1, suits) for code, suits in Counter(codes).items())


@kernel
def _index_hands(cards: Cards, group_of_place: Ints, shapes: Shapes, numbers: Ints) -> None:
    """Fill *numbers* with ``SuitIsomorphism.indices`` of *cards*."""
    # [suit, group] sets of ranks and [suit] numbers: scratch of a few cache lines, reused by all
    # hands so that nothing is allocated in the loop.
    ranks = np.empty((NUM_SUITS, len(shapes.strides)), np.int64)
    suits = np.empty(NUM_SUITS, np.int64)
    for hand in range(len(cards)):
        # From cards to one set of ranks for each suit and group: the order within a group is lost,
        # as it must be.
        ranks[:] = 0
        for place in range(cards.shape[1]):
            card = cards[hand, place]
            ranks[card & 3, group_of_place[place]] |= 1 << (card >> 2)
        for suit in range(NUM_SUITS):
            suits[suit] = _index_suit(ranks[suit], shapes.strides)
        # Sorting is what makes suits exchangeable: hands that differ in the names of suits only
        # are the same four numbers from here on. The shape stands in the high bits, so equal
        # shapes become neighbours, falling as in the table of configurations.
        _sort_falling(suits)
        # All groups are complete, so three shapes determine the fourth, and the table of first
        # numbers needs three axes only.
        first, second, third = (
            suits[0] >> _CODE_SHIFT,
            suits[1] >> _CODE_SHIFT,
            suits[2] >> _CODE_SHIFT,
        )
        numbers[hand] = shapes.offset_of[first, second, third] + _index_in_configuration(
            suits, shapes.sizes
        )


@kernel
def _index_suit(ranks: Ints, strides: Ints) -> int:
    """Return a suit as a number, its shape above its index, from its set of ranks by group."""
    # The index is a number in mixed radix, a digit a group: which of the sets of that size is held
    # among the ranks that no earlier group has taken. Without that renumbering the numbers would
    # have gaps. These are the paper's rank indices of one suit.
    code, index, radix, taken = 0, 0, 1, 0
    for group in range(len(ranks)):
        count = SET_SIZE[ranks[group]]
        code += count * strides[group]
        index += radix * SET_INDEX[_squeeze(ranks[group], taken)]
        radix *= CHOOSE[NUM_RANKS - SET_SIZE[taken], count]
        taken |= ranks[group]
    return code << _CODE_SHIFT | index


@kernel
def _sort_falling(suits: Ints) -> None:
    """Sort the four *suits* in place, the largest first."""
    # The smallest sorting network for four numbers: five exchanges, as minimum and maximum.
    for low, high in ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2)):
        suits[low], suits[high] = max(suits[low], suits[high]), min(suits[low], suits[high])


@kernel
def _index_in_configuration(suits: Ints, sizes: Ints) -> int:
    """Return the mixed-radix number of falling *suits*, one digit for all suits of one shape."""
    index, digit, run = 0, 0, 0
    # Backwards: the smallest index of a run comes first, and the configuration's first run becomes
    # the lowest digit, which _unindex_in_configuration takes off first.
    for slot in range(NUM_SUITS - 1, -1, -1):
        code = suits[slot] >> _CODE_SHIFT
        run += 1
        # The combinatorial number system for multisets: indices i1 <= i2 <= ... of one shape have
        # the number C(i1, 1) + C(i2 + 1, 2) + C(i3 + 2, 3) + ...
        digit += _multisets(suits[slot] & _INDEX_MASK, run)
        if slot == 0 or suits[slot - 1] >> _CODE_SHIFT != code:
            index = index * _multisets(sizes[code], run) + digit
            digit, run = 0, 0
    return index


@kernel
def _multisets(kinds: int, count: int) -> int:
    """Return the number of multisets of *count* (one to four) things of so many *kinds*."""
    # C(kinds + count - 1, count), factor by factor: each division is exact, and no product is more
    # than four times the result.
    if count == 1:
        return kinds
    pairs = kinds * (kinds + 1) // 2
    if count == 2:
        return pairs
    triples = pairs * (kinds + 2) // 3
    return triples if count == 3 else triples * (kinds + 3) // 4


@kernel
def _squeeze(ranks: int, taken: int) -> int:
    """Return *ranks*, renumbered among the ranks not *taken*."""
    # A bit at a time from below: all ranks above a taken one move down by one place, the taken
    # ones still to come among them. As many turns as ranks are taken, which are few.
    while taken:
        lowest = taken & -taken
        below = lowest - 1
        ranks = ranks & below | ranks >> 1 & ~below
        taken = (taken ^ lowest) >> 1
    return ranks


@kernel
def _unsqueeze(ranks: int, taken: int) -> int:
    """Return the set that ``_squeeze`` made into *ranks*."""
    # A gap at each taken rank from below: earlier gaps are open by then, so *taken* does not move.
    while taken:
        lowest = taken & -taken
        below = lowest - 1
        ranks = ranks & below | (ranks & ~below) << 1
        taken ^= lowest
    return ranks


@kernel
def _unindex_hands(numbers: Ints, groups: Ints, shapes: Shapes, cards: Cards) -> None:
    """Fill *cards* with ``SuitIsomorphism.unindices`` of *numbers*."""
    ranks = np.empty((NUM_SUITS, len(groups)), np.int64)
    suits = np.empty(NUM_SUITS, np.int64)
    for hand in range(len(numbers)):
        # The steps of _index_hands backwards: the configuration by its first number, the index of
        # every suit in it, their ranks, their cards. Suits take the shapes in falling order, which
        # is what makes the result the representative of its class.
        configuration = np.searchsorted(shapes.offsets, numbers[hand], side="right") - 1
        index = numbers[hand] - shapes.offsets[configuration]
        _unindex_in_configuration(index, shapes.configurations[configuration], shapes.sizes, suits)
        for suit in range(NUM_SUITS):
            code = shapes.configurations[configuration, suit]
            _unindex_suit(code, suits[suit], groups, shapes.strides, ranks[suit])
        place = 0
        for group in range(len(groups)):
            for card in range(NUM_SUITS * NUM_RANKS):
                if ranks[card & 3, group] >> (card >> 2) & 1:
                    cards[hand, place] = card
                    place += 1


@kernel
def _unindex_in_configuration(index: int, codes: Ints, sizes: Ints, suits: Ints) -> None:
    """Fill *suits* with the index of each suit, from the *index* of all four together."""
    slot = 0
    while slot < NUM_SUITS:
        run = 1
        while slot + run < NUM_SUITS and codes[slot + run] == codes[slot]:
            run += 1
        # One digit for the suits of one shape, and in it the multiset's largest index first: the
        # greedy decoding of the combinatorial number system.
        size = sizes[codes[slot]]
        digit, index = index % _multisets(size, run), index // _multisets(size, run)
        for left in range(run, 0, -1):
            suits[slot] = _largest_kind(digit, left, size)
            digit -= _multisets(suits[slot], left)
            slot += 1


@kernel
def _largest_kind(digit: int, count: int, size: int) -> int:
    """Return the largest number of kinds below *size* with at most *digit* multisets."""
    # Bisection: the number of multisets grows with that of kinds, and has no simple inverse.
    low, high = 0, size
    while high - low > 1:
        middle = (low + high) // 2
        if _multisets(middle, count) <= digit:
            low = middle
        else:
            high = middle
    return low


@kernel
def _unindex_suit(code: int, index: int, groups: Ints, strides: Ints, ranks: Ints) -> None:
    """Fill *ranks* with the suit's set of ranks in every group."""
    taken = 0
    for group in range(len(groups)):
        count = code // strides[group] % (groups[group] + 1)
        ways = CHOOSE[NUM_RANKS - SET_SIZE[taken], count]
        ranks[group] = _unsqueeze(SETS[count, index % ways], taken)
        index //= ways
        taken |= ranks[group]
