"""What the end of a hand is worth to one player with each hand that he may hold.

Chips, float64 [hand], hands as in ``poker/hands.py``. The others' cards are known.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from acpcbot.evaluation.deal_sums import deal_ways
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands, hand_number, hand_strengths, hands_without
from acpcbot.poker.payoffs import fill_values

Floats = NDArray[np.float64]
HoleCards = Sequence[Sequence[int]]

MOST_CARDS_TO_COME = 2
"""More boards are not gone through: with five cards to come there are two million."""


def end_values(betting: BettingState, hole_cards: HoleCards, hero: int, board: Sequence[int]) -> Floats:
    """The value of a hand that is over to *hero*, [hand]; the mean over all boards that begin with *board*.

    Hands that hold somebody else's cards have some number.
    """
    if betting.folded[hero] or not betting.is_showdown:
        return np.full(len(all_hands(betting.game.definition)), _settled(betting)[hero])
    definition = betting.game.definition
    num_missing = definition.board_size(definition.num_streets - 1) - len(board)
    assert num_missing <= MOST_CARDS_TO_COME, num_missing
    dead = (*board, *[card for cards in hole_cards for card in cards])
    sums, counts = np.zeros((2, len(all_hands(definition))))
    for way in deal_ways(definition, dead, num_missing).tolist():
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
