"""What a hand was worth to one player, with as much luck taken out of it as is known to be luck.

Of the hand all cards are known, and of some players, the hero perhaps among them, their
strategies. The result is averaged over all hands that the hero could have had (imaginary
observations), and at each event whose probabilities are known, a deal or an action of a
known strategy, the guess of what followed it is taken away and its expectation put in its
place. Every such term is zero on average whatever is guessed, so the estimate has the mean
of the chips won; the better the guess, the less it varies.

``reach`` float64 [hand] is the probability that the hero plays as observed with each hand,
hands as in ``poker/hands.py``. Values are chips won by the hero.

Unbiased if the strategies are those really played, the guesses were fixed before the hand
was seen, and nobody's play depends on cards that he does not see. Averages are over the
hands of the hero alone; a known opponent's terms are taken with the hand that he held, a
finer partition than needed, for which no joint range has to be kept.

Sources: Burch, Schmid, Moravcik & Bowling (2018), AIVAT; White & Bowling (2009), MIVAT;
Bowling, Johanson, Burch & Szafron (2008), imaginary observations.
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
from acpcbot.evaluation.aivat.showdowns import end_values
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands, hand_number, hands_without
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy


@dataclass(frozen=True, slots=True)
class View:
    """One hand as guesses may see it: the *hero*'s seat, and everybody's hole cards but his
    (empty).
    """

    hero: int
    hole_cards: tuple[tuple[int, ...], ...]


class ValueFunction(Protocol):
    """Guesses of the chips that the hero will have won at the end of the hand; what differs little between
    his hands may be told once for all, with an axis of length 1 in place of [hand].
    """

    def start(self, view: View) -> tuple[float, Floats]:
        """Before the cards: the mean over all deals, and the value with those dealt to the
        others, [hand].
        """
        ...

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """After each of *actions* of the actor of *betting*, [hand, action]."""
        ...

    def after_deals(
        self, view: View, betting: BettingState, board: Sequence[int]
    ) -> tuple[NDArray[np.uint8], Floats]:
        """When *betting* has come to a new street that *board* still lacks: all ways to deal its cards, ascending
        uint8 [way, card], and the value after each, [way, hand]. None of the cards is the others'.
        """
        ...


@dataclass(frozen=True, slots=True)
class Estimator:
    """What is done about luck: averaging over the hero's hands, terms for deals, terms for
    known actions.

    Without terms for actions, those for deals are each hand's own, and averaged with it in
    the end; the terms of AIVAT are worked out for all of the hero's hands together.
    """

    averages_hands: bool = False
    corrects_deals: bool = False
    corrects_actions: bool = False


CHIPS = Estimator()
IMAGINARY = Estimator(averages_hands=True)
MIVAT = Estimator(corrects_deals=True)
MIVAT_IMAGINARY = Estimator(averages_hands=True, corrects_deals=True)
AIVAT = Estimator(averages_hands=True, corrects_deals=True, corrects_actions=True)


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A finished hand: canonical cards, all hole cards known, the board as far as it was dealt."""

    betting: BettingState
    hole_cards: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]

    def view(self, hero: int) -> View:
        """What guesses about *hero* may see."""
        return View(
            hero,
            tuple([() if seat == hero else cards for seat, cards in enumerate(self.hole_cards)]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """What the estimate puts in for one event, in the hero's chips, [hand] or the same for all,
    [1].

    The event is the deal of *street*, on the first that of the others' hole cards, or where
    there is an *action* that one, by the seat *actor*.
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
    """What *hand* was worth to *hero* in chips; *strategies* are the known ones, by seat.

    Only an estimator without terms needs no *values*. Where the hero's own strategy is not
    among those known, his hands are not averaged over. Raises UsageError if a known strategy
    would never have done what it did.
    """
    return Walk(hand, hero, strategies, values, estimator).total()


class Walk:
    """The way through one hand, with the hero's reach so far.

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
        """The guesses, which every term needs."""
        assert self._values is not None, self.estimator
        return self._values

    def total(self) -> float:
        """The value of the end with all terms, under the hero's reach."""
        chips = sum((term.chips for term in self.terms()), np.zeros(1))
        reach, ends = self.end()
        return _mean(reach, ends + chips)

    def terms(self) -> Iterator[Term]:
        """The terms of all events, in their order; one walk can be gone once."""
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
        """When all terms are through: the hero's reach, and what the end is worth to him, both
        [hand].
        """
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
        return Term(0, self._replaced(np.array([mean]), self.reach, values))

    def _deal(self, betting: BettingState, street: int) -> Floats:
        """What the cards of *street* are replaced by; hands that they block drop out."""
        first, end = self.definition.board_size(street - 1), self.definition.board_size(street)
        dealt, before = self.hand.board[first:end], self.reach
        self.reach = before * hands_without(self.definition, dealt)
        if not dealt or not self.estimator.corrects_deals:
            return np.zeros(1)
        ways, values = self.values.after_deals(self.view, betting, self.hand.board[:first])
        seen = int(np.flatnonzero((ways == sorted(dealt)).all(axis=1))[0])
        if self.estimator.corrects_actions:
            expected = np.array([mean_after_deal(self.definition, before, ways, values)])
        else:
            expected = means_after_deal(self.definition, ways, values)
        return self._replaced(expected, self.reach, values[seen])

    def _act(self, betting: BettingState, action: Action) -> Floats:
        """What an *action* is replaced by.

        If it is the hero's, his reach is what it was times its probability.
        """
        strategy = self.strategies.get(betting.actor)
        is_averaged = betting.actor == self.hero and self.estimator.averages_hands
        if strategy is None or not (is_averaged or self.estimator.corrects_actions):
            return np.zeros(1)
        board = self.hand.board[: self.definition.board_size(betting.street)]
        table = strategy.table(betting, board)
        chosen = _number_of(table, action, betting)
        before, shares = self.reach, self._shares(table, betting.actor)
        after = before * shares[:, chosen]
        if not after.any():
            raise UsageError(
                f"the strategy of seat {betting.actor + 1} would not {action} after {betting.text!r}"
            )
        if is_averaged:
            self.reach = after
        if not self.estimator.corrects_actions:
            return np.zeros(1)
        values = self.values.after_actions(self.view, betting, board, table.actions)
        expected = np.array([_mean(before, (shares * values).sum(axis=1))])
        return self._replaced(expected, after, values[:, chosen])

    def _shares(self, table: ActionTable, seat: int) -> Floats:
        """How likely each action is, [hero's hand, action]: an opponent has the hand that he
        had.
        """
        if seat == self.hero:
            return table.probabilities
        held = hand_number(self.definition, self.hand.hole_cards[seat])
        return np.broadcast_to(table.probabilities[held], (len(self.reach), len(table.actions)))

    def _replaced(self, expected: Floats, reach: Floats, values: Floats) -> Floats:
        """The expectation in place of what happened: for all hands alike, or for each its own."""
        return expected - (_mean(reach, values) if self.estimator.corrects_actions else values)

    def _certain_board(self) -> Sequence[int]:
        """The board but for what came after the last decision, which is averaged over."""
        size = self.definition.board_size(self.street) if self.estimator.corrects_deals else None
        return self.hand.board[:size]


def _mean(weights: Floats, values: Floats) -> float:
    """The mean of *values* [hand], or of the only one [1], under *weights* [hand]."""
    return float(values[0]) if len(values) == 1 else float(weights @ values / weights.sum())


def _number_of(table: ActionTable, action: Action, betting: BettingState) -> int:
    if action not in table.actions:
        raise UsageError(
            f"the strategy of seat {betting.actor + 1} does not know {action} after {betting.text!r}"
        )
    return table.actions.index(action)
