"""What the end of a hand is worth to one player with each hand that he may hold.

Chips, float64 [hand], hands as in ``poker/hands.py``. The others' cards are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.evaluation.checkdown import can_check_down, pot_shares
from acpcbot.evaluation.deal_sums import deal_ways
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands, hand_number, hand_strengths, hands_without
from acpcbot.poker.payoffs import fill_values

HoleCards = Sequence[Sequence[int]]


def end_values(betting: BettingState, hole_cards: HoleCards, hero: int, board: Sequence[int]) -> Floats:
    """The value of a hand that is over to *hero*, [hand]; the mean over the boards that begin with *board*.

    In hold'em with more than two cards to come, over boards drawn for these hands. Hands that
    hold somebody else's cards have some number.
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


def _checked_down(betting: BettingState, hole_cards: HoleCards, hero: int, board: Sequence[int]) -> Floats:
    """The share of every layer of the pot that the hero's stake reaches, less the stake."""
    definition = betting.game.definition
    staying = [seat for seat, has_folded in enumerate(betting.folded) if not has_folded and seat != hero]
    values, floor = np.full(len(all_hands(definition)), -float(betting.spent[hero])), 0
    for level in sorted({stake for stake in betting.spent if 0 < stake <= betting.spent[hero]}):
        chips = sum([min(stake, level) - min(stake, floor) for stake in betting.spent])
        rivals = [hole_cards[seat] for seat in staying if betting.spent[seat] >= level]
        dead = {*chain.from_iterable(hole_cards)}.difference(*rivals)
        values += chips * pot_shares(rivals, board, tuple(dead), board_cards=sum(definition.num_board_cards))
        floor = level
    return values


def _mean_over_boards(betting: BettingState, hole_cards: HoleCards, hero: int, board: Sequence[int]) -> Floats:
    definition = betting.game.definition
    dead = (*board, *chain.from_iterable(hole_cards))
    sums, counts = np.zeros((2, len(all_hands(definition))))
    for way in deal_ways(definition, dead, sum(definition.num_board_cards) - len(board)).tolist():
        free = hands_without(definition, way)
        sums += free * showdown_values(betting, hole_cards, hero, (*board, *way))
        counts += free
    return sums / np.maximum(counts, 1)


def showdown_values(betting: BettingState, hole_cards: HoleCards, hero: int, board: Sequence[int]) -> Floats:
    """The value of a showdown on the whole *board* to *hero*, [hand]."""
    definition = betting.game.definition
    own = hand_strengths(definition, board)
    rivals = [seat for seat, folded in enumerate(betting.folded) if not folded and seat != hero]
    against = {seat: int(own[hand_number(definition, hole_cards[seat])]) for seat in rivals}
    values = np.empty(len(own))
    # Between two hands of the others all of the hero's are worth the same.
    places = np.searchsorted(sorted({*against.values()}), own) * 2 + np.isin(own, list(against.values()))
    for place in np.unique(places):
        strengths = [against.get(seat, -1) for seat in range(definition.num_players)]
        strengths[hero] = int(own[places == place][0])
        values[places == place] = _settled(betting, strengths)[hero]
    return values


def _settled(betting: BettingState, strengths: Sequence[int] = ()) -> list[float]:
    """What every seat wins or loses, with hands of these *strengths* where there is a showdown."""
    values = [0.0] * betting.game.definition.num_players
    fill_values(betting.game.vector, betting.vector, strengths or [0] * len(values), values)
    return values
