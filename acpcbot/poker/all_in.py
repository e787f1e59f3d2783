"""All-in values: the mean of a hand's payoffs over all boards that can still come.

Nobody acts after an all-in, so the cards dealt then are luck alone, and the mean over all of
them is the hand's value without that luck. Every remaining board counts once; every known hole
card is out of the deck, those of folded hands too.

Contenders are the players that have not folded, by falling stake. So the last contender that shares
in a pot shares it with all before it, and one pass over them finds the winners of every pot.
``wins`` int64 [contender, set of winners] counts the boards on which the pot that ends with a
contender goes to a set of them (bit = contender). Chips come in at the end, so a value is rounded
once.

Source: the rules of the ACPC server's tool ``all_in_expectation``, release 1.0.42.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, pairwise
from math import comb

import numpy as np

from acpcbot.arrays import Flags, Ints, KernelArray
from acpcbot.cards.any_strength_kernel import any_strength
from acpcbot.cards.hand_keys import CARD_KEYS, FIVE_SUITED, MAX_CARDS, MIN_CARDS, START_KEYS
from acpcbot.cards.strength import Cards, mask_strength, rank_strength
from acpcbot.jit import kernel
from acpcbot.poker.betting import BettingState
from acpcbot.poker.deck_convention import DeckConvention
from acpcbot.poker.definition import GameDefinition


def all_in_street(betting: BettingState) -> int | None:
    """Return the street of the last action of a hand that was all-in before the last street.

    None for other hands.
    """
    street = betting.text.rstrip("/").count("/")
    return street if betting.is_showdown and street < betting.street else None


def all_in_payoffs(
    betting: BettingState,
    hole_cards: Sequence[Sequence[int]],
    board_so_far: Sequence[int],
    *,
    deck: Sequence[int] | None = None,
) -> tuple[float, ...]:
    """Return the mean chips won (positive) or lost by each seat over all boards that begin so.

    *hole_cards* has one entry a seat, which may be empty for a folded hand that nobody knows.
    Without *deck*, the cards tell which of the game's two decks they are from, that of the highest
    cards if they fit both; raises ``BadCards`` if they fit neither.
    """
    definition, spent = betting.game.definition, betting.spent
    dealt = [*chain.from_iterable(hole_cards), *board_so_far]
    rest = [card for card in deck or _deck_of(dealt, definition) if card not in dealt]
    num_missing = definition.board_size(definition.num_streets - 1) - len(board_so_far)
    seats = sorted(
        [seat for seat, has_folded in enumerate(betting.folded) if not has_folded],
        key=lambda s: -spent[s],
    )
    hands = np.array([(*hole_cards[seat], *board_so_far) for seat in seats], np.uint8)
    pots = _pots(spent, [spent[seat] for seat in seats])
    wins = np.zeros((len(seats), 1 << len(seats)), np.int64)
    count_wins(hands, np.array(rest, np.uint8), num_missing, np.array(pots) > 0, wins)
    won = dict(zip(seats, _winnings(pots, wins), strict=True))
    num_boards = comb(len(rest), num_missing)
    return tuple(
        [float(won.get(seat, Fraction()) / num_boards - chips) for seat, chips in enumerate(spent)]
    )


def _deck_of(dealt: Sequence[int], definition: GameDefinition) -> tuple[int, ...]:
    convention = DeckConvention(definition.num_suits, definition.num_ranks)
    convention.see(dealt)
    return definition.lowest_deck if convention.lowest else definition.deck


def _pots(spent: Sequence[int], stakes: Sequence[int]) -> list[int]:
    """Return the chips of the pot of which each contender is the last to share.

    It holds everybody's chips above the next contender's stake, up to the contender's own.
    """
    up_to = [sum(min(chips, stake) for chips in spent) for stake in (*stakes, 0)]
    return [upper - lower for upper, lower in pairwise(up_to)]


def _winnings(pots: Sequence[int], wins: Ints) -> list[Fraction]:
    """Return the chips that each contender wins on all boards together."""
    won = [Fraction()] * len(pots)
    for last, winners in np.argwhere(wins).tolist():
        share = Fraction(pots[last] * int(wins[last, winners]), winners.bit_count())
        for contender in range(last + 1):
            won[contender] += share * (winners >> contender & 1)
    return won


@kernel
def count_wins(
    hands: Cards, rest: Cards, num_missing: int, is_pot: Flags, wins: KernelArray
) -> None:
    """Add to *wins* every choice of *num_missing* board cards from *rest*.

    *hands* are each contender's known cards with those of the board, uint8 [contender, card].
    *is_pot* tells which contenders are the last of a pot.
    """
    # Decided once for all boards: hands of hold'em go through tables, those of Leduc or Kuhn and
    # of other small games through arithmetic.
    # Decided once for all boards: hands of hold'em go through tables, those of Leduc or Kuhn and
    # of other small games through arithmetic.
    if MIN_CARDS <= hands.shape[1] + num_missing <= MAX_CARDS:
        _count_by_table(hands, rest, num_missing, is_pot, wins)
    else:
        _count_by_arithmetic(hands, rest, num_missing, is_pot, wins)


@kernel
def _count_by_table(
    hands: Cards, rest: Cards, num_missing: int, is_pot: Flags, wins: KernelArray
) -> None:
    """Do ``count_wins`` for hands of five to seven cards, by keys summed over hand and board."""
    # A key and a mask for each contender's known cards; those of the coming cards are added once
    # a board for all contenders.
    hand_keys, hand_masks = np.zeros(len(hands), np.uint64), np.zeros(len(hands), np.uint64)
    for row in range(len(hands)):
        hand_keys[row] = START_KEYS[np.uint64(hands.shape[1] + num_missing)]
        for card in hands[row]:
            hand_keys[row] += CARD_KEYS[card]
            hand_masks[row] |= np.uint64(1) << np.uint64(card)
    # Sums over the board's first cards, by their number: boards come in lexicographic order, so
    # most differ from the one before in the last card alone, and only that sum is made anew.
    keys, masks = np.zeros(num_missing + 1, np.uint64), np.zeros(num_missing + 1, np.uint64)
    strengths = np.zeros(len(hands), np.int64)
    places = np.arange(num_missing)
    changed = 0
    while changed >= 0:
        for count in range(np.uint64(changed), np.uint64(num_missing)):
            card = rest[np.uint64(places[count])]
            keys[count + np.uint64(1)] = keys[count] + CARD_KEYS[card]
            masks[count + np.uint64(1)] = masks[count] | np.uint64(1) << np.uint64(card)
        # One addition and one lookup for a contender without a flush. Places are uint64 here, so
        # that numba does not check them for negative ones.
        # One addition and one lookup for a contender without a flush. Places are uint64 here, so
        # that numba does not check them for negative ones.
        for row in range(np.uint64(len(hands))):
            key = hand_keys[row] + keys[np.uint64(num_missing)]
            if key & FIVE_SUITED:
                strengths[row] = mask_strength(hand_masks[row] | masks[np.uint64(num_missing)])
            else:
                strengths[row] = rank_strength(key)
        _add_winners(strengths, is_pot, wins)
        changed = _next_choice(places, len(rest))


@kernel
def _count_by_arithmetic(
    hands: Cards, rest: Cards, num_missing: int, is_pot: Flags, wins: KernelArray
) -> None:
    """Do ``count_wins`` for hands of any size."""
    num_known = hands.shape[1]
    # One row of cards for each contender, known ones first; a new board overwrites the columns
    # that changed.
    cards = np.zeros((len(hands), num_known + num_missing), np.uint8)
    cards[:, :num_known] = hands
    strengths = np.zeros(len(hands), np.int64)
    places = np.arange(num_missing)
    changed = 0
    while changed >= 0:
        for place in range(changed, num_missing):
            cards[:, num_known + place] = rest[places[place]]
        for row in range(len(hands)):
            strengths[row] = any_strength(cards[row], num_known + num_missing)
        _add_winners(strengths, is_pot, wins)
        changed = _next_choice(places, len(rest))


@kernel
def _next_choice(places: KernelArray, num_places: int) -> int:
    """Turn *places*, a rising choice, into the next one; return the first place that changed.

    It is -1 after the last choice.
    """
    # Lexicographic order: the last place that can still rise does, and those behind it follow as
    # closely as they can.
    changed = len(places) - 1
    while changed >= 0 and places[changed] == num_places - len(places) + changed:
        changed -= 1
    if changed >= 0:
        places[changed] += 1
        for place in range(changed + 1, len(places)):
            places[place] = places[place - 1] + 1
    return changed


@kernel
def _add_winners(strengths: KernelArray, is_pot: Flags, wins: KernelArray) -> None:
    """Count one board in *wins*: the best contenders up to the last one of each pot."""
    # Contenders come by falling stake, so those of a side pot are a prefix: one running maximum
    # gives the winners of all pots. Values are selected instead of branches taken, for the leader
    # cannot be predicted.
    best, winners, contender = np.int64(-1), np.uint64(0), np.uint64(1)
    for last in range(np.uint64(len(strengths))):
        strength = strengths[last]
        together = winners | contender if strength == best else winners
        winners = contender if strength > best else together
        best = max(best, strength)
        contender <<= np.uint64(1)
        if is_pot[last]:
            wins[last, winners] += 1
