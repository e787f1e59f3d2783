"""The decisions of a hand beside what a strategy would have done there.

A seat's range is every hand that the board leaves, weighted by how likely the strategy is to
have played it as the seat did so far; probabilities and shares are between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat import PlayedHand
from acpcbot.matches.public_strategy import ActionTable, PublicStrategy
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands, hand_number, hands_without
from acpcbot.snapshots.public_play import SnapshotStrategy, TableRow

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the seat *seat*, and the strategy's answer; a *row* only where that stands in a table.

    *probabilities* of the *actions* are those with the hand held, *range_shares* those of all
    hands that the seat may hold. *range_left* is how many of the hands that the board leaves
    are still in the range before the decision. Without an answer *actions* is empty, without
    a range *range_left* is 0.
    """

    street: int
    seat: int
    pot_chips: int
    to_call_chips: int
    taken: Action
    actions: tuple[Action, ...]
    probabilities: tuple[float, ...]
    range_shares: tuple[float, ...]
    range_left: float
    row: TableRow | None

    @property
    def taken_probability(self) -> float:
        """How likely the strategy was to do what was done; 0 if it does not know the action."""
        return dict(zip(self.actions, self.probabilities, strict=True)).get(self.taken, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A decision of a seat whose strategy is known, and the strategy's *answer*, None if it has none.

    *reach* float64 [hand] is how likely the strategy was to come here with each hand by the seat's own
    actions; 0 for the hands that the *board* blocks.
    """

    betting: BettingState
    board: Cards
    taken: Action
    answer: ActionTable | None
    reach: Floats


def judge(hand: PlayedHand, strategies: Mapping[int, PublicStrategy]) -> list[Decision]:
    """The decisions of the seats whose *strategies* are given."""
    return [_decision(hand, strategies, asked) for asked in asked_decisions(hand, strategies)]


def asked_decisions(hand: PlayedHand, strategies: Mapping[int, PublicStrategy]) -> Iterator[Asked]:
    """The same decisions, with what is done there with every hand that the seat may hold."""
    definition = hand.betting.game.definition
    ranges = {seat: np.ones(len(all_hands(definition))) for seat in strategies}
    for betting, taken in hand.betting.decisions():
        seat, board = betting.actor, hand.board[: definition.board_size(betting.street)]
        if seat in strategies:
            answer = _asked(strategies[seat], betting, board)
            yield Asked(betting, board, taken, answer, ranges[seat] * hands_without(definition, board))
            ranges[seat] = ranges[seat] * _chances(answer, taken)


def _asked(strategy: PublicStrategy, betting: BettingState, board: Cards) -> ActionTable | None:
    """The strategy's answer, None if it has none."""
    try:
        return strategy.table(betting, board)
    except UsageError:
        return None


def _row(strategy: PublicStrategy, betting: BettingState, hole_cards: Cards, board: Cards) -> TableRow | None:
    return strategy.row(betting, hole_cards, board) if isinstance(strategy, SnapshotStrategy) else None


def _decision(hand: PlayedHand, strategies: Mapping[int, PublicStrategy], asked: Asked) -> Decision:
    """The decision *asked*, with the hand that was held."""
    betting, answer, seat = asked.betting, asked.answer, asked.betting.actor
    definition = betting.game.definition
    weights = asked.reach / hands_without(definition, asked.board).sum()
    left = float(weights.sum())
    chances, shares = np.zeros((2, 0))
    if answer is not None:
        held = hand_number(definition, hand.hole_cards[seat])
        chances, shares = answer.probabilities[held], weights @ answer.probabilities / (left or 1.0)
    return Decision(
        street=betting.street,
        seat=seat,
        pot_chips=betting.pot,
        to_call_chips=betting.to_call,
        taken=asked.taken,
        actions=answer.actions if answer is not None else (),
        probabilities=tuple(chances.tolist()),
        range_shares=tuple(shares.tolist()),
        range_left=left,
        row=_row(strategies[seat], betting, hand.hole_cards[seat], asked.board),
    )


def _chances(answer: ActionTable | None, taken: Action) -> Floats | float:
    """How likely each hand was to do what was done, [hand]; an answer that is missing says nothing."""
    if answer is None:
        return 1.0
    return answer.probabilities[:, answer.actions.index(taken)] if taken in answer.actions else 0.0
