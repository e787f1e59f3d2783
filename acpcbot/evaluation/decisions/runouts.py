"""Runouts, which are the board cards to come, and values of all hands on one of them.

The betting below a decision is walked with vectors over all hands: at the opponent's decisions its
reach is multiplied by the probability of each action, at the player's own values are their means
under its strategy. With a *draw* for each ply one action of the opponent is drawn at each of its
decisions instead, by its frequency over the range that is left there, and weighs as much more as it
was less than certain: the mean over draws is the same for every hand. All actions of the player
itself are walked either way.

Values are counterfactual chips over the whole hand: summed over the opponent's hands, weighted by
their reach, [hand]; hands are numbered as in ``poker/hands.py``. Those of hands that the runout
blocks are not meaningful.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, prod

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import hands_without
from acpcbot.poker.payoffs import fill_values
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.subgames.equities import Showdown, met_reach

Cards = tuple[int, ...]
Tables = Callable[[BettingState, Cards], ActionTable]
"""Action probabilities of the actor with every hand; raises UsageError where they are not known."""


class Runouts:
    """The whole boards that can follow *board*, equally probable; later cards street by street."""

    def __init__(self, definition: GameDefinition, board: Cards) -> None:
        self._definition, self._board = definition, board
        sizes = [definition.board_size(street) for street in range(definition.num_streets)]
        steps = zip([0, *sizes], sizes, strict=False)
        self._missing = [new - max(old, len(board)) for old, new in steps if new > len(board)]

    @property
    def number(self) -> int:
        """The number of runouts."""
        left = len(self._definition.deck) - len(self._board)
        return prod(
            comb(left - sum(self._missing[:step]), count)
            for step, count in enumerate(self._missing)
        )

    def every(self) -> Iterator[Cards]:
        """Yield all of them; those that share cards of the next street follow each other."""
        return self._below(self._board, self._missing)

    def drawn(self, generator: np.random.Generator) -> Cards:
        """Return one of them at random."""
        rest = [card for card in self._definition.deck if card not in self._board]
        cards = generator.choice(rest, sum(self._missing), replace=False)
        return (*self._board, *cards.tolist())

    def _below(self, board: Cards, missing: list[int]) -> Iterator[Cards]:
        if not missing:
            yield board
            return
        rest = [card for card in self._definition.deck if card not in board]
        for cards in combinations(rest, missing[0]):
            yield from self._below((*board, *cards), missing[1:])


class Runout:
    """A whole *board* of a game: its hands in the order of their strength are found once."""

    def __init__(self, definition: GameDefinition, board: Cards) -> None:
        self.definition, self._board = definition, board
        self.free = hands_without(definition, board)
        self._showdown: Showdown | None = None

    def board(self, street: int) -> Cards:
        """Return the board as it lies on *street*."""
        return self._board[: self.definition.board_size(street)]

    def showdown(self, reach: Floats, won: float, lost: float) -> Floats:
        """Return what each hand wins against *reach*: *won* if it is better, *lost* if it is worse.

        Who ties gets half of both. It is 0 for hands that the board blocks.
        """
        if self._showdown is None:
            self._showdown = Showdown(self.definition, self._board)
        ahead, met = self._showdown.values(reach)
        found = np.zeros(len(reach))
        found[self._showdown.hands] = met * ((won + lost) / 2) + ahead * ((won - lost) / 2)
        return found


@dataclass(slots=True)
class RunoutWalk:
    """Values to *seat* if it and *opponent*, the two players who are left, play on by *tables*.

    *num_decisions* counts the decisions that were walked.
    """

    seat: int
    opponent: int
    tables: Tables
    num_decisions: int = 0
    _chips: dict[str, tuple[float, float]] = field(default_factory=dict)

    def value(
        self,
        betting: BettingState,
        reach: Floats,
        runout: Runout,
        draws: Floats | None = None,
        ply: int = 0,
    ) -> Floats:
        """Return the value after *betting* on *runout*; *reach* is the opponent's.

        Hands that the runout blocks must be out of it. *draws* [ply] are from 0 to 1.
        """
        if betting.is_over:
            return self._end(betting, reach, runout)
        self.num_decisions += 1
        table = self.tables(betting, runout.board(betting.street))
        columns, found = table.probabilities.T, np.zeros(len(reach))
        if betting.actor != self.seat and draws is not None:
            following = [betting.apply(action) for action in table.actions]
            return self._drawn_action(betting, following, reach * columns, runout, draws, ply)
        for action, column in zip(table.actions, columns, strict=True):
            if betting.actor == self.seat:
                if column.any():
                    after = self.value(betting.apply(action), reach, runout, draws, ply + 1)
                    found += column * after
            else:
                left = reach * column
                if left.any():
                    found += self.value(betting.apply(action), left, runout, draws, ply + 1)
        return found

    def _drawn_action(
        self,
        betting: BettingState,
        following: Sequence[BettingState],
        reaches: Floats,
        runout: Runout,
        draws: Floats,
        ply: int,
    ) -> Floats:
        """Return the value at a decision of the opponent, with *reaches* [action, hand] after it.

        Actions that end the hand are all walked. Of the others one is drawn; what they would bring
        if nobody bet any more is known for all of them, and only the difference is estimated.
        """
        found, open_places = np.zeros(reaches.shape[1]), []
        for place, after in enumerate(following):
            if not after.is_over:
                open_places.append(place)
            elif reaches[place].any():
                found += self._end(after, reaches[place], runout)
        if not open_places:
            return found
        left = reaches[open_places]
        picked, weight = _drawn(left.sum(axis=1), draws[ply % len(draws)])
        if not left[picked].any():
            return found
        after, own = following[open_places[picked]], left[picked]
        won, lost = self._unbet_payoffs(betting)
        value = self.value(after, own, runout, draws, ply + 1)
        unbet = runout.showdown(left.sum(axis=0) - weight * own, won, lost)
        return found + weight * value + unbet

    def _unbet_payoffs(self, betting: BettingState) -> tuple[float, float]:
        """Return what the seat would win at a showdown for the chips that are matched.

        These are its own, and as many of the opponent, who is to act.
        """
        spent = betting.spent
        own = max(spent[self.seat], spent[self.opponent])
        dead = betting.pot - spent[self.seat] - spent[self.opponent]
        return float(dead + own), -float(own)

    def _end(self, betting: BettingState, reach: Floats, runout: Runout) -> Floats:
        won, lost = self._payoffs(betting)
        if betting.is_showdown:
            return runout.showdown(reach, won, lost)
        return won * met_reach(runout.definition, reach)

    def _payoffs(self, betting: BettingState) -> tuple[float, float]:
        """Return what the seat wins after *betting* with the better hand and with the worse one."""
        found = self._chips.get(betting.text)
        if found is None:
            best = ({self.seat: 1}, {self.opponent: 1})
            found = (self._payoff(betting, best[0]), self._payoff(betting, best[1]))
            self._chips[betting.text] = found
        return found

    def _payoff(self, betting: BettingState, strengths: Mapping[int, int]) -> float:
        num_players = betting.game.definition.num_players
        paid = [0.0] * num_players
        shown = [strengths.get(seat, 0) for seat in range(num_players)]
        fill_values(betting.game.vector, betting.vector, shown, paid)
        return paid[self.seat]


def num_decisions(betting: BettingState, tables: Tables, runout: Runout, most: int) -> int:
    """Return the number of decisions from *betting* on, or *most* if there are more.

    Actions are those that the strategy may take with some hand.
    """
    if betting.is_over or most <= 0:
        return 0
    count = 1
    for action in tables(betting, runout.board(betting.street)).actions:
        if count >= most:
            break
        count += num_decisions(betting.apply(action), tables, runout, most - count)
    return min(count, most)


def _drawn(frequencies: Floats, draw: float) -> tuple[int, float]:
    """Return the place that *draw* picks by *frequencies* [place], and 1 / its probability.

    Where no hand is left any will do: all that follows is 0.
    """
    sums = np.cumsum(frequencies)
    total = float(sums[-1])
    if not total > 0:
        return 0, 1.0
    picked = int(np.searchsorted(sums, draw * total, side="right"))
    # A draw next to the total may be rounded to it: then the last possible action is taken.
    picked = min(picked, int(np.flatnonzero(frequencies)[-1]))
    return picked, total / float(frequencies[picked])
