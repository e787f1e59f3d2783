"""A duplicate match of local best response against a strategy, and what it won.

Each deal is played in both seats and is one sample. Of a hand counts the mean over all
hands that the strategy could have had (imaginary observations), since all is known of it.
Results are in mbb, thousandths of a big blind a hand; intervals hold 95 % by the normal
approximation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from acpcbot.evaluation.aivat import IMAGINARY, PlayedHand, estimate
from acpcbot.evaluation.local_best_response import LocalBestResponse
from acpcbot.matches.score import NORMAL_95
from acpcbot.poker.dealing import Dealing
from acpcbot.rng import Stream

Progress = Callable[[int, int], None]
MBB = 1000.0


@dataclass(frozen=True, slots=True)
class Winnings:
    """What local best response won a hand in *num_deals* deals, each in both seats."""

    num_deals: int
    mean_mbb: float
    half_width_mbb: float


def play_match(player: LocalBestResponse, num_deals: int, seed: int, on_progress: Progress | None = None) -> Winnings:
    """*num_deals* deals from *seed*, which also decides what the strategy draws."""
    dealing, samples = Dealing(player.definition, seed), np.empty(num_deals)
    for number in range(num_deals):
        deal = dealing.next_deal()
        hands = [player.play(deal, seat, Stream(seed, number, seat)) for seat in range(2)]
        samples[number] = np.mean([_won_chips(player, hand, seat) for seat, hand in enumerate(hands)])
        if on_progress is not None:
            on_progress(number + 1, num_deals)
    mbb = samples * MBB / player.definition.big_blind
    error = mbb.std(ddof=1) / np.sqrt(num_deals) if num_deals > 1 else np.inf
    return Winnings(num_deals, float(mbb.mean()), float(NORMAL_95 * error))


def _won_chips(player: LocalBestResponse, hand: PlayedHand, seat: int) -> float:
    target = 1 - seat
    return -estimate(hand, target, {target: player.target}, None, IMAGINARY)
