"""Kernels for the ends of a block of betting: what folds and showdowns are worth with each hand.

The value of an end needs the opponent's reach of all hands that share no card with one's own. That
is the total, less the sums over the hands that hold either card, which are added up class by class
(``fill_card_sums``). At showdowns a walk along the hands by strength does it for weaker hands, and
for those that are not stronger (``walk_showdowns``). Classes that nobody reaches are passed over.

Source: Johanson, Waugh, Bowling & Zinkevich (2011), section 3.2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import AnyArray, Ints, Number
from acpcbot.betting_lines.lines import FOLD, SHOWDOWN, BlockPlan
from acpcbot.betting_lines.street_arrays import ONE, WIDE, ZERO, LineScratch, StreetArrays
from acpcbot.jit import kernel
from acpcbot.wide_lanes import larger, load_wide, store_wide, wide_zeros

FIRST, BEST, SUM = range(3)


@kernel
def fill_card_sums(number: Number, cards: AnyArray, scratch: LineScratch, num_cards: int) -> None:
    """Fill the card sums of the reach class *number*."""
    reaches, sums, num_hands = scratch.reaches, scratch.sums, np.uint64(len(cards))
    first, base = np.uint64(number) * num_hands * WIDE, np.uint64(number * num_cards) * WIDE
    clear_sums(sums, base, num_cards)
    for place in range(np.uint64(scratch.num_held[0])):
        hand = np.uint64(scratch.held[place])
        reach = load_wide(reaches, first + hand * WIDE)
        low, high = card_places(cards, hand)
        add_wide(sums, base + low, reach)
        add_wide(sums, base + high, reach)


@kernel(inline=True)
def card_places(cards: AnyArray, hand: Number) -> tuple[np.uint64, np.uint64]:
    """Return where the sums of the cards of a *hand* stand, from where those of a class begin."""
    return np.uint64(cards[hand, ZERO]) * WIDE, np.uint64(cards[hand, ONE]) * WIDE


@kernel(inline=True)
def add_wide(vectors: AnyArray, place: Number, more: AnyArray) -> None:
    """Add *more* to the numbers at *place*."""
    store_wide(vectors, place, load_wide(vectors, place) + more)


@kernel(inline=True)
def less_cards(
    total: AnyArray, sums: AnyArray, base: Number, low: Number, high: Number
) -> AnyArray:
    """Return *total* less the sums, from *base* on, of the cards at *low* and *high*."""
    free: AnyArray = total - load_wide(sums, base + low) - load_wide(sums, base + high)
    return free


@kernel(inline=True)
def clear_sums(sums: AnyArray, base: Number, num_cards: int) -> None:
    """Clear the card sums from *base* on."""
    for card in range(np.uint64(num_cards)):
        store_wide(sums, base + card * WIDE, wide_zeros(sums))


class Walk(NamedTuple):
    """The vectors of a showdown.

    Its reaches begin at ``reach``, its card sums at ``sum`` of ``sums`` and its values at ``value``
    of ``values``.
    """

    reach: Number
    sums: AnyArray
    sum: Number
    values: AnyArray
    value: Number


@kernel
def walk_showdowns(
    street: StreetArrays, board: tuple[AnyArray, AnyArray], scratch: LineScratch, num_cards: int
) -> None:
    """Fill the values of all showdowns that anybody reaches, and the card sums of their classes.

    They lack the sums over all hands that do not share a card, which ``backward`` subtracts.
    """
    vector, size = np.uint64(len(board[1])) * WIDE, np.uint64(num_cards) * WIDE
    nothing = Walk(ZERO, scratch.spare, vector, scratch.spare, ZERO)
    one, two, count = nothing, nothing, 0
    for end in range(len(street.plan.ends)):
        number = np.uint64(street.plan.ends[end])
        if scratch.has[number]:
            three = Walk(
                number * vector,
                scratch.sums,
                number * size,
                scratch.values,
                np.uint64(end) * vector,
            )
            if count < 2:
                one, two = two, three
                count += 1
            else:
                walk_three(one, two, three, board, scratch, num_cards)
                one, two, count = nothing, nothing, 0
    if count:
        walk_three(one, two, nothing, board, scratch, num_cards)


@kernel
def walk_three(
    one: Walk,
    two: Walk,
    three: Walk,
    board: tuple[AnyArray, AnyArray],
    scratch: LineScratch,
    num_cards: int,
) -> None:
    """Fill the values of three showdowns."""
    # Weaker hands, and weaker or tied ones, are added up on the way, as in ``showdown_lanes``. A
    # card's sum often waits for that of the hand before: a showdown alone takes 1.4 times as long, two
    # a little longer a showdown than three, nine as long; in a loop, which keeps totals in memory, they
    # gain nothing. Tried: the sums subtracted here at the end, where they are in the first cache, 1.2
    # times the time.
    cards, ranks = board
    reaches, held, num_held = scratch.reaches, scratch.held, np.uint64(scratch.num_held[0])
    num_hands, start, place = np.uint64(len(ranks)), ZERO, ZERO
    for walk in (one, two, three):
        clear_sums(walk.sums, walk.sum, num_cards)
    total_one = total_two = total_three = wide_zeros(reaches)
    while start < num_hands:
        # Up to the rank of the next hand that the opponent holds nothing is added: both sums are equal.
        rank = np.int64(ranks[held[place]]) if place < num_held else np.int64(-1)
        while start < num_hands and ranks[start] != rank:
            at, (low, high) = start * WIDE, card_places(cards, start)
            weaker = less_cards(total_one, one.sums, one.sum, low, high)
            store_wide(one.values, one.value + at, weaker + weaker)
            weaker = less_cards(total_two, two.sums, two.sum, low, high)
            store_wide(two.values, two.value + at, weaker + weaker)
            weaker = less_cards(total_three, three.sums, three.sum, low, high)
            store_wide(three.values, three.value + at, weaker + weaker)
            start += ONE
        stop = start
        while stop < num_hands and ranks[stop] == rank:
            at, (low, high) = stop * WIDE, card_places(cards, stop)
            weaker = less_cards(total_one, one.sums, one.sum, low, high)
            store_wide(one.values, one.value + at, weaker)
            weaker = less_cards(total_two, two.sums, two.sum, low, high)
            store_wide(two.values, two.value + at, weaker)
            weaker = less_cards(total_three, three.sums, three.sum, low, high)
            store_wide(three.values, three.value + at, weaker)
            stop += ONE
        while place < num_held and np.uint64(held[place]) < stop:
            own = np.uint64(held[place])
            at, (low, high) = own * WIDE, card_places(cards, own)
            reach_one = load_wide(reaches, one.reach + at)
            reach_two = load_wide(reaches, two.reach + at)
            reach_three = load_wide(reaches, three.reach + at)
            total_one = total_one + reach_one
            total_two = total_two + reach_two
            total_three = total_three + reach_three
            add_wide(one.sums, one.sum + low, reach_one)
            add_wide(two.sums, two.sum + low, reach_two)
            add_wide(three.sums, three.sum + low, reach_three)
            add_wide(one.sums, one.sum + high, reach_one)
            add_wide(two.sums, two.sum + high, reach_two)
            add_wide(three.sums, three.sum + high, reach_three)
            place += ONE
        for hand in range(start, stop):
            at, (low, high) = hand * WIDE, card_places(cards, hand)
            no_stronger = less_cards(total_one, one.sums, one.sum, low, high)
            add_wide(one.values, one.value + at, no_stronger)
            no_stronger = less_cards(total_two, two.sums, two.sum, low, high)
            add_wide(two.values, two.value + at, no_stronger)
            no_stronger = less_cards(total_three, three.sums, three.sum, low, high)
            add_wide(three.values, three.value + at, no_stronger)
        start = stop


@kernel(inline=True)
def put(tile: AnyArray, place: Number, value: AnyArray, way: int) -> None:
    """Put *value* to *place*: alone (FIRST), or the larger (BEST) or the SUM of it and what is there."""
    if way == BEST:
        value = larger(load_wide(tile, place), value)
    elif way == SUM:
        value = load_wide(tile, place) + value
    store_wide(tile, place, value)


@kernel
def put_end(
    tile: AnyArray,
    target: Number,
    vectors: AnyArray,
    source: Number,
    sums_of: tuple[AnyArray, Number, AnyArray, AnyArray],
    won: AnyArray,
    span: tuple[Number, Number],
    is_fold: bool,  # noqa: FBT001
    way: int,
) -> None:
    """Put the values of a showdown or a fold, of the hands of *span*, to *target*.

    *vectors* are the showdown's sums or the fold's reaches; *sums_of* the card sums of its reach
    class, where they begin, the cards of hands, and the total.
    """
    sums, base, cards, total = sums_of
    first, last = span
    for hand in range(first, last):
        low, high = card_places(cards, hand)
        free = less_cards(total, sums, base, low, high)
        own = load_wide(vectors, source + hand * WIDE)
        value = won * (own + free if is_fold else own - free)
        put(tile, target + (hand - first) * WIDE, value, way)


@kernel(inline=True)
def has_fold_and_showdown(plan: BlockPlan, node: int, has: Ints) -> bool:
    """Return whether a *node* begins with a fold and a showdown, both of which somebody reaches.

    Where the responder acts both have one reach class: it has not answered yet.
    """
    action, count = plan.nodes[node, 0], plan.nodes[node, 1]
    if count < 2 or plan.actions[action, 0] != FOLD or plan.actions[action + 1, 0] != SHOWDOWN:
        return False
    return bool(has[plan.actions[action, 1]] and has[plan.ends[plan.actions[action + 1, 1]]])


@kernel
def put_fold_and_showdown(
    tile: AnyArray,
    target: Number,
    reaches: AnyArray,
    fold: Number,
    values: AnyArray,
    showdown: Number,
    sums: AnyArray,
    fold_base: Number,
    base: Number,
    fold_total: AnyArray,
    total: AnyArray,
    fold_won: AnyArray,
    won: AnyArray,
    cards: AnyArray,
    first: Number,
    last: Number,
    acts: int,
) -> None:
    """Put the values of a fold and a showdown, of the hands from *first* to *last*, to *target*.

    A responder that *acts* takes the larger; else they are added. The fold's reaches, the showdown's
    values and the card sums of both begin at *fold*, *showdown*, *fold_base* and *base*.
    """
    # Put one after the other, both took 1.3 times as long: what is there is written and read, and so
    # are the sums of a class that the responder's fold and call share. With tuples of arguments, 1.2
    # times.
    if acts:
        for hand in range(first, last):
            low, high = card_places(cards, hand)
            free = less_cards(total, sums, base, low, high)
            folded = fold_won * (load_wide(reaches, fold + hand * WIDE) + free)
            shown = won * (load_wide(values, showdown + hand * WIDE) - free)
            store_wide(tile, target + (hand - first) * WIDE, larger(folded, shown))
        return
    for hand in range(first, last):
        low, high = card_places(cards, hand)
        free = less_cards(fold_total, sums, fold_base, low, high)
        folded = fold_won * (load_wide(reaches, fold + hand * WIDE) + free)
        free = less_cards(total, sums, base, low, high)
        shown = won * (load_wide(values, showdown + hand * WIDE) - free)
        store_wide(tile, target + (hand - first) * WIDE, folded + shown)
