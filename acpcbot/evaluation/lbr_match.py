"""A duplicate match of local best response against a strategy, and what it won.

Each deal is played in both seats and is one sample. Of a hand counts the mean over all
hands that the strategy could have had (imaginary observations), since all is known of it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from acpcbot.evaluation.aivat import IMAGINARY, PlayedHand, estimate
from acpcbot.evaluation.local_best_response import LocalBestResponse
from acpcbot.matches.score import EntrantScore, summarise
from acpcbot.poker.dealing import Dealing
from acpcbot.rng import Stream

Progress = Callable[[int, int], None]


def play_match(
    player: LocalBestResponse, num_deals: int, seed: int, on_progress: Progress | None = None
) -> EntrantScore:
    """What *player* wins in *num_deals* deals from *seed*, which also decides what the strategy draws."""
    dealing, chips = Dealing(player.definition, seed), np.empty((num_deals, 2))
    for number in range(num_deals):
        deal = dealing.next_deal()
        for seat in range(2):
            hand = player.play(deal, seat, Stream(seed, number, seat))
            chips[number, seat] = _won_chips(player, hand, 1 - seat)
        if on_progress is not None:
            on_progress(number + 1, num_deals)
    return summarise("local best response", chips, player.definition.big_blind)


def _won_chips(player: LocalBestResponse, hand: PlayedHand, target: int) -> float:
    return -estimate(hand, target, {target: player.target}, None, IMAGINARY)
