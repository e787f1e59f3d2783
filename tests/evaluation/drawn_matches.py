"""Matches drawn at random between players of small games of whom everything is known, the true
value included.

Every hand that can come of the players is listed with its probability, its chips and AIVAT's
estimate, so that thousands of matches are drawn in a second. The first player is the shipped
equilibrium (no-limit: near to one).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import permutations
from random import Random

import numpy as np
from numpy.typing import NDArray

from acpcbot.agents.public_strategies import CardlessStrategy
from acpcbot.arrays import Floats
from acpcbot.evaluation.aivat.estimator import estimate
from acpcbot.evaluation.aivat.estimator_kinds import AIVAT
from acpcbot.poker.actions import CALLING, FOLDING
from acpcbot.poker.baselines import chosen_actions
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from tests.evaluation.every_hand import all_played, few_actions, memo, shipped

HERO, BOTH = "hero", "both"
ROUNDING_CHIPS = 1e-9


class Mistaken:
    """Plays as *strategy*, but in a share of its information sets takes what it likes least, as
    often as *rate*.
    """

    def __init__(self, strategy: PublicStrategy, share: float, rate: float, seed: int) -> None:
        self._strategy, self._share, self._rate, self._seed = strategy, share, rate, seed

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        known = self._strategy.table(betting, board)
        rows = known.probabilities.copy()
        for hand, row in enumerate(rows):
            # Suits do not matter: there are two of them.
            seen = f"{self._seed} {betting.text} {[card >> 2 for card in board]} {hand // 2}"
            if row.any() and Random(seen).random() < self._share:
                least = row.argmin()
                row *= 1 - self._rate
                row[least] += self._rate
        return ActionTable(known.actions, rows)


class Careful:
    """Raises a pair and the highest rank, and folds the rest wherever it may."""

    def __init__(self, definition: GameDefinition) -> None:
        self._hands = all_hands(definition).tolist()
        self._highest = max(definition.deck) >> 2

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        actions = few_actions(betting)
        rows = np.zeros((len(self._hands), len(actions)))
        weak = FOLDING if FOLDING in actions else CALLING
        strong = actions[-1]
        for row, (card,) in zip(rows, self._hands, strict=True):
            is_strong = card >> 2 == self._highest or card >> 2 in {other >> 2 for other in board}
            row[actions.index(strong if is_strong else weak)] = 1
        return ActionTable(actions, rows)


@dataclass(frozen=True, slots=True)
class SeatHands:
    """All hands with the hero in one seat, those of a deal together: probabilities, chips and
    AIVAT's estimate.
    """

    shares: Floats
    chips: Floats
    aivat: Floats

    def pick(self, points: Floats) -> NDArray[np.intp]:
        """The hands at *points* of [0, 1)."""
        return np.minimum(np.searchsorted(np.cumsum(self.shares), points), len(self.shares) - 1)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Matches with what each sample brought in *chips* and by *aivat* [match, sample], summed
    over its hands.

    *hand_rms* [match] is the root mean square of a hand's chips.
    """

    chips: Floats
    aivat: Floats
    hand_rms: Floats


@dataclass(frozen=True, slots=True)
class Pairing:
    """The hero against one opponent: all hands by the hero's seat, the deals' probabilities, in
    the same order.
    """

    big_blind: int
    deal_shares: Floats
    seats: tuple[SeatHands, SeatHands]
    start: Floats
    """What the guesses say of a hand before the cards, by the hero's seat, chips."""

    @property
    def truth(self) -> float:
        """Return the hero's true winnings, in chips a hand."""
        return float(np.mean([seat.shares @ seat.chips for seat in self.seats]))

    @property
    def events_a_hand(self) -> float:
        """Return the rate of events whose number is as skewed as AIVAT's sums: 1 / skewness^2."""
        values = np.concatenate(
            [seat.aivat - start for seat, start in zip(self.seats, self.start, strict=True)]
        )
        shares = np.concatenate([seat.shares / 2 for seat in self.seats])
        values = values - shares @ values
        variance = float(shares @ values**2)
        # AIVAT leaves rounding of an equilibrium against itself, and then nothing is left to occur.
        return variance**3 / float(shares @ values**3) ** 2 if variance > ROUNDING_CHIPS else 0.0

    def draw(
        self,
        num_hands: int,
        num_matches: int,
        generator: np.random.Generator,
        *,
        is_duplicate: bool,
    ) -> Drawn:
        """Matches of *num_hands*, half of them in either seat.

        A deal of a duplicate match is one sample.
        """
        first, second = self.seats
        points = generator.random((num_matches, num_hands // 2))
        others = generator.random(points.shape)
        if is_duplicate:
            ends = np.cumsum(self.deal_shares)
            deals = np.minimum(np.searchsorted(ends, points), len(ends) - 1)
            others = ends[deals] - self.deal_shares[deals] * others
        one, other = first.pick(points), second.pick(others)
        chips = np.stack([first.chips[one], second.chips[other]])
        aivat = np.stack([first.aivat[one], second.aivat[other]])
        hand_rms = np.sqrt(np.square(chips).mean(axis=(0, 2)))
        if is_duplicate:
            return Drawn(chips.sum(axis=0), aivat.sum(axis=0), hand_rms)
        # The seat is luck, too, as estimates.py has it.
        aivat += (self.start.mean() - self.start)[:, None, None]
        return Drawn(np.concatenate(chips, axis=1), np.concatenate(aivat, axis=1), hand_rms)


Maker = Callable[[GameDefinition, PublicStrategy], PublicStrategy]


def mistaken(share: float, rate: float, seed: int) -> Maker:
    """The hero's own strategy with mistakes."""
    return lambda _, hero: Mistaken(hero, share, rate, seed)


def cardless(name: str) -> Maker:
    """A baseline, which ignores its cards."""
    return lambda definition, _: CardlessStrategy(definition, partial(chosen_actions, name))


OPPONENTS: dict[str, Maker] = {
    "itself": lambda _, hero: hero,
    "one rare mistake": mistaken(0.02, 1, 3),
    "two rare mistakes": mistaken(0.02, 1, 4),
    "some mistakes": mistaken(0.05, 1, 2),
    "mistakes, one time in 50": mistaken(0.05, 0.02, 6),
    "any action, one time in 100": mistaken(1, 0.01, 9),
    "careful": lambda definition, _: Careful(definition),
    "call": cardless("call"),
    "fold": cardless("fold"),
    "random": lambda definition, _: CardlessStrategy(definition, few_actions),
}


@cache
def pairing(game: str, opponent: str, known: str) -> Pairing:
    """The hero against the *opponent* of that name; AIVAT knows the HERO or BOTH."""
    definition, strategy, values = shipped(game)
    hero = memo(strategy)
    other = memo(OPPONENTS[opponent](definition, hero))
    seats, start = [], []
    for seat in range(2):
        hands = all_played(
            definition, [hero, other] if seat == 0 else [other, hero], suits_matter=False
        )
        strategies = {seat: hero, 1 - seat: other} if known == BOTH else {seat: hero}
        estimates = [estimate(played.hand, seat, strategies, values, AIVAT) for played in hands]
        shares, chips = (
            [played.probability for played in hands],
            [played.chips[seat] for played in hands],
        )
        seats.append(SeatHands(np.array(shares), np.array(chips), np.array(estimates)))
        start.append(values.start(hands[0].hand.view(seat))[0])
    return Pairing(
        definition.big_blind, _deal_shares(definition), (seats[0], seats[1]), np.array(start)
    )


def _deal_shares(definition: GameDefinition) -> Floats:
    """Return the probability of each deal up to suits, in the order of ``all_played``."""
    counts: dict[tuple[int, ...], int] = {}
    for cards in permutations(definition.deck, definition.cards_per_hand):
        ranks = tuple([card >> 2 for card in cards])
        counts[ranks] = counts.get(ranks, 0) + 1
    return np.array(list(counts.values())) / float(sum(counts.values()))
