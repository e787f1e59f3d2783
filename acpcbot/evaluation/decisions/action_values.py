"""Value of each action of one player if everybody then plays on by one strategy.

The betting below an action is walked with all deals at once, an array over deals at each public
state. ``Continuation`` either sums over all actions, so that in each deal the value is exact, or,
where more than MAX_WALKED decisions lie below, draws one action for each deal and decision, by the
same random numbers below every action. With all deals listed and all actions summed, values are
exact. Otherwise the mean over drawn deals is unbiased, and its variance is at most that of
independent deals (``latin_hypercube.py``).

Values are chips that the player wins over the whole hand, [deal].
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.cards.any_strength import strength
from acpcbot.cards.hand_keys import MAX_CARDS, MIN_CARDS
from acpcbot.evaluation.decisions.deal_play import DealPlay
from acpcbot.evaluation.decisions.hidden_cards import HiddenCards
from acpcbot.evaluation.decisions.latin_hypercube import latin_hypercube
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands
from acpcbot.poker.payoffs import fill_values

MAX_WALKED = 8000
"""Most decisions below an action at which all actions are summed."""
MAX_PLIES = 64
"""Number of random numbers for each deal: one for each later decision, from the first again."""


def can_sum(betting: BettingState, actions: Sequence[Action], play: DealPlay) -> bool:
    """Return true if at most MAX_WALKED decisions lie below *actions* after *betting*."""
    left = MAX_WALKED
    for action in actions:
        left -= play.num_decisions(betting.apply(action), left)
    return left > 0


def action_values(
    betting: BettingState,
    actions: Sequence[Action],
    cards: HiddenCards,
    play: DealPlay,
    generator: np.random.Generator | None = None,
) -> Floats:
    """Return the value of each of *actions* of the player who acts after *betting*.

    Values are chips [deal, action]. Later actions are drawn by *generator*; without one all are
    summed.
    """
    count = len(cards.hands)
    draws = None if generator is None else latin_hypercube(count, MAX_PLIES, generator)
    continuation = Continuation(cards, play, draws)
    values = [continuation.value(betting.apply(action), np.arange(count)) for action in actions]
    return np.stack(values, axis=1)


class Continuation:
    """Values in the deals of *cards* to their player if everybody plays on as *play* does.

    *draws* [deal, ply] decide over single actions; without them all actions are summed.
    """

    def __init__(self, cards: HiddenCards, play: DealPlay, draws: Floats | None) -> None:
        self._cards, self._play, self._draws = cards, play, draws
        self._orderings = cache(self._find_orderings)

    def value(self, betting: BettingState, deals: Ints, ply: int = 0) -> Floats:
        """Return the value after *betting* in each of *deals*, [deal]."""
        if betting.is_over or betting.folded[self._cards.hero]:
            return self._end(betting, deals)
        actions, probabilities = self._play.table(betting, deals)
        weights = (
            probabilities
            if self._draws is None
            else _drawn(probabilities, self._draws[deals, ply % MAX_PLIES])
        )
        values = np.zeros(len(deals))
        for action, column in zip(actions, weights.T, strict=True):
            live = np.flatnonzero(column)
            if len(live):
                after = self.value(betting.apply(action), deals[live], ply + 1)
                values[live] += column[live] * after
        return values

    def _end(self, betting: BettingState, deals: Ints) -> Floats:
        """Return the payoffs after *betting*: nobody acts any more, or the player has folded."""
        hero, num_players = self._cards.hero, self._cards.definition.num_players
        if betting.folded[hero]:
            return np.full(len(deals), -float(betting.spent[hero]))
        paid = [0.0] * num_players
        if not betting.is_showdown:
            fill_values(betting.game.vector, betting.vector, [0] * num_players, paid)
            return np.full(len(deals), paid[hero])
        patterns, number = self._orderings()
        by_pattern = []
        for strengths in patterns:
            fill_values(betting.game.vector, betting.vector, strengths, paid)
            by_pattern.append(paid[hero])
        return np.array(by_pattern)[number[deals]]

    def _find_orderings(self) -> tuple[list[list[int]], Ints]:
        """Return the different orders of the seats' hands at showdown, and each deal's order."""
        ranks = np.stack(
            [self._strengths(seat) for seat in range(self._cards.definition.num_players)],
            axis=1,
        )
        # The number of seats that each seat beats: all that payoffs depend on.
        beaten = (ranks[:, :, None] > ranks[:, None, :]).sum(axis=2)
        patterns, number = np.unique(beaten, axis=0, return_inverse=True)
        return patterns.tolist(), number.reshape(-1)

    def _strengths(self, seat: int) -> Ints:
        """Return the strength of the hand of *seat* on each deal's board, [deal]."""
        held = all_hands(self._cards.definition)[self._cards.hands[:, seat]]
        cards = np.concatenate([held, self._cards.boards], axis=1)
        if MIN_CARDS <= cards.shape[1] <= MAX_CARDS and len(self._cards.definition.deck) == 52:
            from acpcbot.cards.strength import strengths  # compiled, which small games do not need

            return strengths(np.ascontiguousarray(cards)).astype(np.int64)
        return np.array([strength(row) for row in cards.tolist()], np.int64)


def _drawn(probabilities: Floats, draws: Floats) -> Floats:
    """Return 1 for the action that each deal's draw [deal] picks and 0 for others, [deal, action]."""
    total = probabilities.cumsum(axis=1)
    picked = (draws[:, None] * total[:, -1:] >= total).sum(axis=1)
    # A draw next to the total may be rounded to it: then the last possible action is taken.
    last = probabilities.shape[1] - 1 - np.argmax(probabilities[:, ::-1] > 0, axis=1)
    chosen = np.zeros_like(probabilities)
    chosen[np.arange(len(draws)), np.minimum(picked, last)] = 1.0
    return chosen
