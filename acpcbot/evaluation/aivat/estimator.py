"""AIVAT: an unbiased estimate of a hand's value to one player with most of the luck removed.

All cards of the hand are known, and the strategies of some players, the hero perhaps among them.
Two ideas are combined:

* Imaginary observations: the result is averaged over all hands that the hero could have held,
  weighted by the hero's reach.
* Control variates: at each event of known probabilities (a deal, or an action of a known strategy)
  the estimate adds E[v] - v, where v is the value function of what followed. The expectation of
  each such term is zero for any value function, so the estimate keeps the mean of the chips won;
  the better the value function, the lower the variance.

``reach`` float64 [hand] is the probability that the hero plays as observed with each hand, hands as
in ``poker/hands.py``. Values are chips won by the hero.

The estimate is unbiased if the strategies are those really played, the value function was fixed
before the hand was seen, and no player acts on cards it does not see. Averages are over the hands
of the hero alone; the terms of a known opponent use the hand that it held. That is a finer
partition than needed, but no joint range has to be kept.

Sources: Burch, Schmid, Moravcik & Bowling (2018), AIVAT; White & Bowling (2009), MIVAT; Bowling,
Johanson, Burch & Szafron (2008), imaginary observations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.deal_sums import mean_after_deal, means_after_deal
from acpcbot.evaluation.aivat.estimator_kinds import AIVAT, Estimator
from acpcbot.evaluation.aivat.showdowns import end_values
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands, hand_number, hands_without
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy


@dataclass(frozen=True, slots=True)
class View:
    """The cards of one hand that a value function may see: all hole cards but the hero's.

    *hero* is a seat; its entry of *hole_cards* is empty.
    """

    hero: int
    hole_cards: tuple[tuple[int, ...], ...]


class ValueFunction(Protocol):
    """Expected chips of the hero at the end of the hand, for each hand that it may hold.

    Arrays have an axis [hand], or one of length 1 in its place where all hands share the value.
    """

    def start(self, view: View) -> tuple[float, Floats]:
        """Return the mean over all deals, and the value given the other players' cards, [hand]."""
        ...

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """Return the value after each of *actions* of the actor of *betting*, [hand, action]."""
        ...

    def after_deals(
        self, view: View, betting: BettingState, board: Sequence[int]
    ) -> tuple[NDArray[np.uint8], Floats]:
        """Return all deals of a new street, and the value after each, [deal, hand].

        *betting* has come to a street whose cards *board* still lacks. Deals are uint8 [deal,
        card], ascending, without the other players' cards.
        """
        ...


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A finished hand: canonical cards, all hole cards known, the board as far as it was dealt."""

    betting: BettingState
    hole_cards: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]

    def view(self, hero: int) -> View:
        """Return the part of the hand that value functions of *hero* may see."""
        return View(
            hero,
            tuple([() if seat == hero else cards for seat, cards in enumerate(self.hole_cards)]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """Correction for one event in the hero's chips, [hand], or [1] if the same for all hands.

    The event is the *action* of the seat *actor*, or without one the deal of *street* (on the
    first, that of the other players' hole cards).
    """

    street: int
    chips: Floats
    actor: int | None = None
    action: Action | None = None


def estimate(
    hand: PlayedHand,
    hero: int,
    strategies: Mapping[int, PublicStrategy],
    values: ValueFunction | None,
    estimator: Estimator = AIVAT,
) -> float:
    """Return the value of *hand* to *hero* in chips; *strategies* are the known ones, by seat.

    *values* may be None for estimators without correction terms. Without the hero's own strategy
    its hands are not averaged over. Raises UsageError if a known strategy gives an action taken
    probability 0.
    """
    return Walk(hand, hero, strategies, values, estimator).total()


class Walk:
    """Traversal of one hand that yields the correction terms and keeps the hero's reach.

    The arguments are those of ``estimate``.
    """

    def __init__(
        self,
        hand: PlayedHand,
        hero: int,
        strategies: Mapping[int, PublicStrategy],
        values: ValueFunction | None,
        estimator: Estimator,
    ) -> None:
        self.hand, self.hero, self.strategies, self.estimator = hand, hero, strategies, estimator
        self._values = values
        self.definition = hand.betting.game.definition
        self.view = hand.view(hero)
        self.reach, self.street = self._first_reach(), 0

    @property
    def values(self) -> ValueFunction:
        """Value function, which every correction term needs."""
        assert self._values is not None, self.estimator
        return self._values

    def total(self) -> float:
        """Return the value of the end with all corrections, averaged under the hero's reach."""
        chips = sum((term.chips for term in self.terms()), np.zeros(1))
        reach, ends = self.end()
        return _mean(reach, ends + chips)

    def terms(self) -> Iterator[Term]:
        """Yield the terms of all events in their order; a walk can be used once."""
        if self.estimator.corrects_deals:
            yield self._start_term()
        for betting, action in self.hand.betting.decisions():
            if betting.folded[self.hero]:
                break
            for street in range(self.street + 1, betting.street + 1):
                yield Term(street, self._deal(betting, street))
            self.street = betting.street
            yield Term(self.street, self._act(betting, action), betting.actor, action)

    def end(self) -> tuple[Floats, Floats]:
        """Return the hero's reach after all terms, and the value of the end to it, both [hand]."""
        board = self._certain_board()
        values = end_values(self.hand.betting, self.view.hole_cards, self.hero, board)
        return self.reach * hands_without(self.definition, board), values

    def _first_reach(self) -> Floats:
        if self.estimator.averages_hands and self.hero in self.strategies:
            others = [card for cards in self.view.hole_cards for card in cards]
            return hands_without(self.definition, others).astype(np.float64)
        reach = np.zeros(len(all_hands(self.definition)))
        reach[hand_number(self.definition, self.hand.hole_cards[self.hero])] = 1.0
        return reach

    def _start_term(self) -> Term:
        mean, values = self.values.start(self.view)
        return Term(0, self._correction(np.array([mean]), self.reach, values))

    def _deal(self, betting: BettingState, street: int) -> Floats:
        """Return the correction for the cards of *street*, and drop the hands that they block."""
        first, end = self.definition.board_size(street - 1), self.definition.board_size(street)
        dealt, before = self.hand.board[first:end], self.reach
        self.reach = before * hands_without(self.definition, dealt)
        if not dealt or not self.estimator.corrects_deals:
            return np.zeros(1)
        deals, values = self.values.after_deals(self.view, betting, self.hand.board[:first])
        seen = int(np.flatnonzero((deals == sorted(dealt)).all(axis=1))[0])
        if self.estimator.corrects_actions:
            expected = np.array([mean_after_deal(self.definition, before, deals, values)])
        else:
            expected = means_after_deal(self.definition, deals, values)
        return self._correction(expected, self.reach, values[seen])

    def _act(self, betting: BettingState, action: Action) -> Floats:
        """Return the correction for an *action*.

        An action of the hero multiplies its reach by the action's probability.
        """
        strategy = self.strategies.get(betting.actor)
        is_averaged = betting.actor == self.hero and self.estimator.averages_hands
        if strategy is None or not (is_averaged or self.estimator.corrects_actions):
            return np.zeros(1)
        board = self.hand.board[: self.definition.board_size(betting.street)]
        table = strategy.table(betting, board)
        chosen = _action_index(table, action, betting)
        before, probabilities = self.reach, self._probabilities(table, betting.actor)
        after = before * probabilities[:, chosen]
        if not after.any():
            raise UsageError(
                f"the strategy of seat {betting.actor + 1} gives {action} probability 0"
                f" after {betting.text!r}"
            )
        if is_averaged:
            self.reach = after
        if not self.estimator.corrects_actions:
            return np.zeros(1)
        values = self.values.after_actions(self.view, betting, board, table.actions)
        expected = np.array([_mean(before, (probabilities * values).sum(axis=1))])
        return self._correction(expected, after, values[:, chosen])

    def _probabilities(self, table: ActionTable, seat: int) -> Floats:
        """Return the probability of each action, [hero's hand, action].

        An opponent has the hand that it held, so all rows are alike.
        """
        if seat == self.hero:
            return table.probabilities
        held = hand_number(self.definition, self.hand.hole_cards[seat])
        return np.broadcast_to(table.probabilities[held], (len(self.reach), len(table.actions)))

    def _correction(self, expected: Floats, reach: Floats, values: Floats) -> Floats:
        """Return E[v] - v, with v averaged under *reach*, or hand by hand without action terms."""
        return expected - (_mean(reach, values) if self.estimator.corrects_actions else values)

    def _certain_board(self) -> Sequence[int]:
        """Return the board without the cards after the last decision, which are averaged over."""
        size = self.definition.board_size(self.street) if self.estimator.corrects_deals else None
        return self.hand.board[:size]


def _mean(weights: Floats, values: Floats) -> float:
    """Return the mean of *values* [hand], or of the only one [1], under *weights* [hand]."""
    return float(values[0]) if len(values) == 1 else float(weights @ values / weights.sum())


def _action_index(table: ActionTable, action: Action, betting: BettingState) -> int:
    if action not in table.actions:
        raise UsageError(
            f"the strategy of seat {betting.actor + 1} has no action {action}"
            f" after {betting.text!r}; it has {', '.join(map(str, table.actions))}"
        )
    return table.actions.index(action)
