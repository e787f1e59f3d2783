"""Value of the end of a hand, and equity when nobody bets any more, for every hand of one player.

``end_values`` is the entry: chips float64 [hand], hands as in ``poker/hands.py``, against known
cards of the other players, averaged over the rest of the board.

Below it stand pot shares, float32 [combo]: the part of the pot that a hand wins on average over the
boards still possible, split among ties; a hand that holds a dead card wins 0. With two cards to
come or fewer all boards are enumerated, otherwise *num_drawn* sampled ones stand for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Number
from acpcbot.cards.combos import NUM_COMBOS, combo_index, combo_masks
from acpcbot.cards.deck import NUM_CARDS, mask_of
from acpcbot.cards.strength import Cards, Strengths, fill_board_strengths
from acpcbot.evaluation.aivat.deal_sums import possible_deals
from acpcbot.jit import kernel
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_number, hand_strengths, hands_without
from acpcbot.poker.payoffs import fill_values

Equities = NDArray[np.float32]
BOARD_CARDS = 5
MAX_CARDS_TO_COME = 2
NUM_DRAWN = 20_000
NUM_KEPT = 64
"""Boards and hands kept for repeated queries, as in the middle of a hand."""
HoleCards = Sequence[Sequence[int]]


def end_values(
    betting: BettingState, hole_cards: HoleCards, hero: int, board: Sequence[int]
) -> Floats:
    """Return the value of a finished hand to *hero*, chips [hand].

    It is the mean over the boards that begin with *board*; in hold'em with more than two cards to
    come, over boards sampled for these hands. Hands that hold cards of other players get an
    arbitrary number.
    """
    definition = betting.game.definition
    if betting.folded[hero] or not betting.is_showdown:
        return np.full(len(all_hands(definition)), _settled(betting)[hero])
    num_missing = definition.board_size(definition.num_streets - 1) - len(board)
    if num_missing == 0:
        return showdown_values(betting, hole_cards, hero, board)
    if can_check_down(definition):
        return _checked_down(betting, hole_cards, hero, board)
    return _mean_over_boards(betting, hole_cards, hero, board)


def _checked_down(
    betting: BettingState, hole_cards: HoleCards, hero: int, board: Sequence[int]
) -> Floats:
    """Return the shares of every layer of the pot that the hero's stake reaches, less the stake.

    A layer lies between two stakes; only players who put in its upper end compete for it.
    """
    definition = betting.game.definition
    staying = [
        seat for seat, has_folded in enumerate(betting.folded) if not has_folded and seat != hero
    ]
    values, floor = np.full(len(all_hands(definition)), -float(betting.spent[hero])), 0
    for level in sorted({stake for stake in betting.spent if 0 < stake <= betting.spent[hero]}):
        chips = sum([min(stake, level) - min(stake, floor) for stake in betting.spent])
        rivals = [hole_cards[seat] for seat in staying if betting.spent[seat] >= level]
        dead = {*chain.from_iterable(hole_cards)}.difference(*rivals)
        values += chips * pot_shares(
            rivals, board, tuple(dead), board_cards=sum(definition.num_board_cards)
        )
        floor = level
    return values


def _mean_over_boards(
    betting: BettingState, hole_cards: HoleCards, hero: int, board: Sequence[int]
) -> Floats:
    definition = betting.game.definition
    dead = (*board, *chain.from_iterable(hole_cards))
    sums, counts = np.zeros((2, len(all_hands(definition))))
    for dealt in possible_deals(
        definition, dead, sum(definition.num_board_cards) - len(board)
    ).tolist():
        free = hands_without(definition, dealt)
        sums += free * showdown_values(betting, hole_cards, hero, (*board, *dealt))
        counts += free
    return sums / np.maximum(counts, 1)


def showdown_values(
    betting: BettingState, hole_cards: HoleCards, hero: int, board: Sequence[int]
) -> Floats:
    """Return the value of a showdown on the complete *board* to *hero*, [hand]."""
    definition = betting.game.definition
    own = hand_strengths(definition, board)
    rivals = [seat for seat, folded in enumerate(betting.folded) if not folded and seat != hero]
    against = {seat: int(own[hand_number(definition, hole_cards[seat])]) for seat in rivals}
    values = np.empty(len(own))
    # The payoff depends on the order of strengths alone: all hands of the hero between two rivals'
    # strengths, or equal to one, are worth the same and are settled once.
    places = np.searchsorted(sorted({*against.values()}), own) * 2 + np.isin(
        own, list(against.values())
    )
    for place in np.unique(places):
        strengths = [against.get(seat, -1) for seat in range(definition.num_players)]
        strengths[hero] = int(own[places == place][0])
        values[places == place] = _settled(betting, strengths)[hero]
    return values


def _settled(betting: BettingState, strengths: Sequence[int] = ()) -> list[float]:
    """Return the chips that every seat wins or loses; *strengths* matter at a showdown only."""
    values = [0.0] * betting.game.definition.num_players
    fill_values(betting.game.vector, betting.vector, strengths or [0] * len(values), values)
    return values


def can_check_down(definition: GameDefinition) -> bool:
    """Return True if showdowns of a game are those of hold'em hands.

    That is two hole cards from the whole deck with three to five cards on the board.
    """
    whole_board = sum(definition.num_board_cards)
    return (definition.num_hole_cards, len(definition.deck)) == (
        2,
        NUM_CARDS,
    ) and 3 <= whole_board <= BOARD_CARDS


def hand_equities(hole_cards: Sequence[int], board: Sequence[int]) -> Equities:
    """Return the equity of *hole_cards* against each hand on *board*, [combo], read-only.

    The board is empty or has three to five cards.
    """
    high, low = sorted(hole_cards, reverse=True)
    return _equities_on(high, low, tuple(board)) if board else _equities_before_the_flop(high, low)


@cache
def _equities_before_the_flop(high: int, low: int) -> Equities:
    return _equities((high, low), ())


@lru_cache(maxsize=NUM_KEPT)
def _equities_on(high: int, low: int, board: tuple[int, ...]) -> Equities:
    return _equities((high, low), board)


def _equities(hole_cards: tuple[int, int], board: Sequence[int]) -> Equities:
    shares: Equities = 1 - pot_shares([hole_cards], board)
    shares[_are_blocked((*hole_cards, *board))] = 0
    shares.flags.writeable = False
    return shares


def pot_shares(
    rivals: Sequence[Sequence[int]],
    board: Sequence[int],
    dead: Sequence[int] = (),
    *,
    board_cards: int = BOARD_CARDS,
    num_drawn: int = NUM_DRAWN,
) -> Equities:
    """Return the pot share of each hand against *rivals*, hands of two cards.

    *dead* cards are not in the deck either. The whole board has *board_cards*, three to five. If
    more than two are to come, *num_drawn* sampled boards stand for all, the same ones for the same
    cards.
    """
    gone = (*chain.from_iterable(rivals), *dead, *board)
    rest = np.array([card for card in range(NUM_CARDS) if card not in gone], np.uint8)
    num_missing = board_cards - len(board)
    is_drawn = num_missing > MAX_CARDS_TO_COME
    ways = (
        _drawn(rest, num_missing, num_drawn, gone)
        if is_drawn
        else np.array([*combinations(rest, num_missing)])
    )
    boards = np.empty((len(ways), board_cards), np.uint8)
    boards[:, : len(board)], boards[:, len(board) :] = board, ways
    shares = np.zeros(NUM_COMBOS, np.float32)
    _fill_shares(np.array([combo_index(*rival) for rival in rivals], np.int64), boards, shares)
    shares[_are_blocked(gone)] = 0
    return shares


def _drawn(rest: Cards, num_cards: int, num_drawn: int, seeds: Sequence[int]) -> Cards:
    draw = np.random.default_rng(sorted(seeds, reverse=True))
    places = np.argpartition(draw.random((num_drawn, len(rest))), num_cards, axis=1)[:, :num_cards]
    return rest[places]


def _are_blocked(cards: Sequence[int]) -> NDArray[np.bool_]:
    """Return True for the combos that hold one of *cards*, [combo]."""
    blocked: NDArray[np.bool_] = combo_masks() & np.uint64(mask_of(cards)) != 0
    return blocked


@kernel
def _fill_shares(rivals: NDArray[np.int64], boards: Cards, shares: Equities) -> None:
    """Write each combo's mean share against the combos *rivals* to *shares*.

    The mean is over those of *boards* that hold none of the combo's cards.
    """
    # Boards outside, combos inside: a board's strengths of all 1,326 combos are made at once and
    # fill 2.6 KB, so that both loops over them stay in the first-level cache.
    strengths = np.empty(NUM_COMBOS, np.uint16)
    counts = np.zeros(NUM_COMBOS, np.float32)
    for board in range(len(boards)):
        fill_board_strengths(boards[board], strengths)
        # Only the best rival counts for a win; ties share the pot with all who tie.
        best, num_best = np.int32(0), 0
        for rival in rivals:
            other = np.int32(strengths[rival])
            num_best = 1 if other > best else num_best + (other == best)
            best = max(best, other)
        _compare(strengths, best, np.float32(1 / (num_best + 1)), shares, counts)
    for combo in range(NUM_COMBOS):
        shares[combo] /= max(counts[combo], np.float32(1))


@kernel(inline=True)
def _compare(
    strengths: Strengths, best: Number, tied: Number, shares: Equities, counts: Equities
) -> None:
    """Add the board of *strengths* to the *shares* and *counts* of the combos that it leaves.

    A win adds 1, a tie *tied*. Blocked combos have strength 0.
    """
    # No branches: comparisons become numbers, and the loop vectorises over combos. Counts are
    # floats because shares are, so that no lane has to convert.
    for combo in range(np.uint64(NUM_COMBOS)):
        own = np.int32(strengths[combo])
        is_free = np.float32(own > 0)
        counts[combo] += is_free
        shares[combo] += is_free * (np.float32(own > best) + np.float32(own == best) * tied)
