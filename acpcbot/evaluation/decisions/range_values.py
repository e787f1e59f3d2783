"""Values of every hand if two players play on by known strategies, exactly.

The betting below a decision is walked with vectors over all hands: at the opponent's decisions its
reach is multiplied by the probability of each action, at the player's own values are their means
under its strategy. Board cards that are to come are all dealt. So this is for last streets, and for
small games, where at most MAX_DECISIONS decisions follow.

Values are chips from the decision on, so that folding is 0, [hand]; hands are numbered as in
``poker/hands.py``. They are NaN where no hand of the opponent fits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hands_without
from acpcbot.poker.payoffs import fill_values
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.subgames.equities import met_reach, showdown_reaches

MAX_DECISIONS = 1_500
"""Most decisions that are walked, boards told apart."""
LEAST_SHARE = 1e-12
"""Of the opponent's reach: what is less is the rounding error of nothing."""
Cards = tuple[int, ...]
Tables = Callable[[BettingState, Cards], ActionTable]
"""Action probabilities of the actor with every hand; raises UsageError where they are not known."""


class TooManyDecisions(Exception):
    """More than MAX_DECISIONS decisions follow."""


def action_range_values(
    betting: BettingState,
    board: Sequence[int],
    actions: Sequence[Action],
    opponent_reach: Floats,
    tables: Tables,
) -> Floats:
    """Return the value of each of *actions* to the player who acts after *betting*, [hand, action].

    Raises TooManyDecisions, and UsageError where *tables* does.
    """
    walk = _Walk(betting, betting.actor, tables)
    reach = opponent_reach * hands_without(walk.definition, board)
    values = [walk.value(betting.apply(action), tuple(board), reach) for action in actions]
    return walk.from_here(np.stack(values, axis=1), reach)


def range_values(
    betting: BettingState,
    board: Sequence[int],
    seat: int,
    opponent_reach: Floats,
    tables: Tables,
) -> Floats:
    """Return the value of each hand of *seat* after *betting*, [hand]; raises as above."""
    walk = _Walk(betting, seat, tables)
    reach = opponent_reach * hands_without(walk.definition, board)
    return walk.from_here(walk.value(betting, tuple(board), reach)[:, None], reach)[:, 0]


@dataclass(slots=True)
class _Walk:
    """Values to *seat*, one of the two players who are left after *root*.

    They are counterfactual: summed over the opponent's hands, weighted by their reach.
    """

    root: BettingState
    seat: int
    tables: Tables
    num_decisions: int = 0

    @property
    def definition(self) -> GameDefinition:
        return self.root.game.definition

    def from_here(self, values: Floats, reach: Floats) -> Floats:
        """Return counterfactual *values* [hand, action] as chips from the root on."""
        met = met_reach(self.definition, reach)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            chips = values / met + self.root.spent[self.seat]
        found: Floats = np.where(met > LEAST_SHARE * reach.sum(), chips, np.nan)
        return found

    def value(self, betting: BettingState, board: Cards, reach: Floats) -> Floats:
        """Return the value after *betting*; *reach* is the opponent's."""
        if betting.is_over and not betting.is_showdown:
            return self._payoff(betting, {}) * met_reach(self.definition, reach)
        street = self.definition.num_streets - 1 if betting.is_over else betting.street
        missing = self.definition.board_size(street) - len(board)
        if missing:
            return self._deal(betting, board, reach, missing)
        if betting.is_over:
            return self._showdown(betting, board, reach)
        self.num_decisions += 1
        if self.num_decisions > MAX_DECISIONS:
            raise TooManyDecisions
        table, found = self.tables(betting, board), np.zeros(len(reach))
        for action, column in zip(table.actions, table.probabilities.T, strict=True):
            if betting.actor == self.seat:
                if column.any():
                    found += column * self.value(betting.apply(action), board, reach)
            elif (reach * column).any():
                found += self.value(betting.apply(action), board, reach * column)
        return found

    def _deal(self, betting: BettingState, board: Cards, reach: Floats, missing: int) -> Floats:
        """Return the mean over the boards that *missing* cards more make."""
        definition, found = self.definition, np.zeros(len(reach))
        rest = [card for card in definition.deck if card not in board]
        if comb(len(rest), missing) > MAX_DECISIONS:
            raise TooManyDecisions
        for cards in combinations(rest, missing):
            free = hands_without(definition, cards)
            found += free * self.value(betting, (*board, *cards), reach * free)
        # Of two hands that are held none of the cards can come.
        return found / comb(len(rest) - 2 * definition.num_hole_cards, missing)

    def _showdown(self, betting: BettingState, board: Cards, reach: Floats) -> Floats:
        (other,) = [
            seat for seat, folded in enumerate(betting.folded) if not folded and seat != self.seat
        ]
        won = self._payoff(betting, {self.seat: 1})
        lost = self._payoff(betting, {other: 1})
        # Who ties gets half of what is won and lost, whatever others have put in.
        ahead, met = showdown_reaches(self.definition, board, reach)
        value: Floats = met * (won + lost) / 2 + ahead * (won - lost) / 2
        return value

    def _payoff(self, betting: BettingState, strengths: Mapping[int, int]) -> float:
        """Return what the seat wins after *betting*, with these *strengths* at a showdown."""
        num_players = self.definition.num_players
        paid = [0.0] * num_players
        shown = [strengths.get(seat, 0) for seat in range(num_players)]
        fill_values(betting.game.vector, betting.vector, shown, paid)
        return paid[self.seat]
