"""Sampled self-play of a stored hold'em strategy, for fitting value functions.

All deals walk the betting together: at each betting state of the strategy's tree, the deals that
reached it act at once, so that a state costs a few array operations however many deals are there.
States that no deal reaches are never visited. The hands depend on the seed alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.arrays import Floats, Ints, Number
from acpcbot.cards.deck import NUM_CARDS
from acpcbot.cards.orderings import orderings
from acpcbot.cards.strength import Cards, mask_strength
from acpcbot.jit import kernel
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.payoffs import fill_values
from acpcbot.random_kernels import RandomState, below, seed_state

FindPolicy = Callable[[BettingState], Floats]
"""From a betting to the action probabilities there, [bucket, action]."""
FindSuccessors = Callable[[BettingState], list[BettingState]]
"""From a betting to the states after its actions, in the same order."""
MAX_CARDS_TO_COME = 2


@dataclass(frozen=True, slots=True, eq=False)
class SelfPlayHands:
    """Result of self-play: *cards* uint8 [deal, card], *won* float64 [deal, seat] in chips.

    Cards are two for each seat and the board. *reached* lists, for each betting with which a new
    street begins, the indices of the deals that came there.
    """

    cards: Cards
    won: Floats
    reached: list[tuple[BettingState, Ints]]


def self_play_hands(
    rules: BettingRules,
    play: FindPolicy,
    successors: FindSuccessors,
    source: HoldemDeals,
    num_deals: int,
    seed: int,
) -> SelfPlayHands:
    """Play *num_deals* hands of one strategy in all seats.

    *source* deals them and has the strategy's buckets.
    """
    cards = np.empty((num_deals, source.num_cards), np.uint8)
    deals = np.zeros((num_deals, source.width), np.uint16)
    source.draw_cards(cards, seed_state(seed, 0))
    source.fill_buckets(cards, deals)
    draws, num_seats = np.random.default_rng([seed, 1]), source.num_seats
    won, reached = np.empty((num_deals, num_seats)), []
    waiting = [(rules.start, np.arange(num_deals))]
    while waiting:
        betting, own = waiting.pop()
        buckets = deals[own, betting.street * num_seats + betting.actor]
        chosen = _drawn(play(betting), buckets, draws.random(len(own)))
        for action, after in enumerate(successors(betting)):
            taken = own[chosen == action]
            if not len(taken):
                continue
            if after.is_over:
                won[taken] = _payoffs(after, deals[taken, -1])
                continue
            if after.street > betting.street:
                reached.append((after, taken))
            waiting.append((after, taken))
    return SelfPlayHands(cards, won, reached)


def _drawn(play: Floats, buckets: NDArray[np.uint16], draws: Floats) -> Ints:
    """Return the action of each of *buckets* that its number of *draws*, in [0, 1), selects.

    *play* holds probabilities [bucket, action]; an action is the number of cumulative ends below.
    """
    ends = np.cumsum(play, axis=1)[:, :-1]
    chosen: Ints = np.zeros(len(buckets), np.int64)
    for end in ends.T:
        chosen += draws >= end[buckets]
    return chosen


def _payoffs(betting: BettingState, numbers: NDArray[np.uint16]) -> Floats:
    """Return the payoffs of a finished hand under the orderings *numbers* [deal], [deal, seat]."""
    num_seats = betting.game.definition.num_players
    # Seven seats have 47,293 orderings. Of those few that differ in the hands shown, each is paid
    # once.
    shown = orderings(num_seats)[numbers] * ~np.array(betting.folded) * betting.is_showdown
    rows, numbers_of_rows = np.unique(shown, axis=0, return_inverse=True)
    paid: Floats = np.zeros((len(rows), num_seats))
    for strengths, values in zip(rows.tolist(), paid, strict=True):
        fill_values(betting.game.vector, betting.vector, strengths, values)
    return paid[numbers_of_rows.reshape(-1)]


@kernel
def fill_shares(
    cards: Cards,
    staying: Ints,
    num_known: int,
    num_hole_cards: int,
    num_drawn: int,
    random_state: RandomState,
    shares: Floats,
) -> None:
    """Write each *staying* seat's expected share of the pot to *shares* [deal, place].

    Of each board *num_known* cards are known. Boards with up to two cards to come are enumerated;
    with more, *num_drawn* sampled boards stand for all. *cards* are [deal, card]; only they are
    dead.
    """
    # Cards are bits of one word, so that a hand with its board is two or-instructions, and
    # ``mask_strength`` evaluates it without sorting. The scratch arrays serve all deals.
    rest: Number = np.uint64(0)
    masks, values = np.zeros(len(staying), np.uint64), np.zeros(len(staying), np.int64)
    deck = np.zeros(NUM_CARDS, np.uint8)
    for deal in range(len(cards)):
        used = np.uint64(0)
        for card in cards[deal, : num_hole_cards + num_known]:
            used |= np.uint64(1) << np.uint64(card)
        # The live deck, packed to the front: pairs of it are the boards to enumerate.
        size = 0
        for card in range(NUM_CARDS):
            if used >> np.uint64(card) & np.uint64(1) == np.uint64(0):
                deck[size] = card
                size += 1
        board = np.uint64(0)
        for card in cards[deal, num_hole_cards : num_hole_cards + num_known]:
            board |= np.uint64(1) << np.uint64(card)
        for place in range(len(staying)):
            first, second = cards[deal, 2 * staying[place]], cards[deal, 2 * staying[place] + 1]
            masks[place] = (
                np.uint64(1) << np.uint64(first) | np.uint64(1) << np.uint64(second) | board
            )
        num_missing = cards.shape[1] - num_hole_cards - num_known
        shares[deal] = 0.0
        # Before the flop five cards are to come, 1.7 million boards a deal: samples stand for them.
        # Two cards are about a thousand boards, one card a few dozen; those are enumerated.
        if num_missing > MAX_CARDS_TO_COME:
            for _ in range(num_drawn):
                rest = _drawn_cards(deck, size, num_missing, random_state)
                _add_shares(masks, rest, 1.0 / num_drawn, values, shares[deal])
        elif num_missing == 2:
            weight = 2.0 / (size * (size - 1))
            for high in range(size):
                for low in range(high):
                    rest = np.uint64(1) << np.uint64(deck[high]) | np.uint64(1) << np.uint64(
                        deck[low]
                    )
                    _add_shares(masks, rest, weight, values, shares[deal])
        else:
            for place in range(size):
                rest = np.uint64(1) << np.uint64(deck[place])
                _add_shares(masks, rest, 1.0 / size, values, shares[deal])


@kernel
def _drawn_cards(deck: Cards, size: int, count: int, random_state: RandomState) -> Number:
    """Return *count* random cards of the first *size* of *deck* as bits; shuffles the deck."""
    # The first steps of a Fisher-Yates shuffle. The order of *deck* persists between draws,
    # which leaves every set of cards as likely as any other.
    drawn: Number = np.uint64(0)
    for place in range(count):
        other = np.int64(place) + np.int64(below(random_state, size - place))
        deck[place], deck[other] = deck[other], deck[place]
        drawn |= np.uint64(1) << np.uint64(deck[place])
    return drawn


@kernel
def _add_shares(
    masks: NDArray[np.uint64],
    rest: Number,
    weight: float,
    values: NDArray[np.int64],
    shares: Floats,
) -> None:
    """Add *weight* to the shares of the best of the hands *masks* with the cards *rest*."""
    # One pass finds the best strength and counts its ties; the second pays.
    best, num_best = 0, 0
    for place in range(len(masks)):
        values[place] = mask_strength(masks[place] | rest)
        if values[place] > best:
            best, num_best = values[place], 0
        num_best += values[place] == best
    for place in range(len(masks)):
        if values[place] == best:
            shares[place] += weight / num_best
