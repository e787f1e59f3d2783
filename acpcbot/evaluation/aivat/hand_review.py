"""Review of one hand: each decision beside the strategy's answer, and the player's luck.

Two views of a finished hand whose cards are all known:

* ``review_hand`` lists the decisions of the seats whose strategies are known, with the probability
  of each action for the hand held and for the whole range. A seat's range is every hand that the
  board leaves, weighted by the reach of the strategy with it: the product of the probabilities of
  the seat's own actions so far.
* ``luck_breakdown`` splits one player's chips into AIVAT value + luck, event by event. Luck is what
  an event (a deal, or an action sampled by a known strategy) brought beyond its expectation; it
  is good for the player where positive. The last terms are the cards after the last decision, and
  the hand held against all others with which the player would have acted alike.

Single terms are only as good as the value function; their sum is exact for any value function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimator import PlayedHand, Term, ValueFunction, Walk
from acpcbot.evaluation.aivat.estimator_kinds import AIVAT
from acpcbot.evaluation.aivat.showdowns import end_values
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands, hand_number, hands_without
from acpcbot.strategies.public_play import SnapshotStrategy, TableRow
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy

Cards = tuple[int, ...]
DEAL, ACTION, LAST_CARDS, OWN_HAND = "deal", "action", "last cards", "own hand"


def review_hand(hand: PlayedHand, strategies: Mapping[int, PublicStrategy]) -> list[Decision]:
    """Return the decisions of the seats whose *strategies* are given."""
    return [_decision(hand, strategies, query) for query in strategy_queries(hand, strategies)]


def luck_breakdown(
    hand: PlayedHand, hero: int, strategies: Mapping[int, PublicStrategy], values: ValueFunction
) -> LuckBreakdown:
    """Return the breakdown of *hand* for the seat *hero*; *strategies* are the known ones, by seat.

    Raises UsageError if a known strategy gives the action taken probability 0.
    """
    walk = Walk(hand, hero, strategies, values, AIVAT)
    corrections = list(walk.terms())
    reach, ends = walk.end()
    held = hand_number(walk.definition, hand.hole_cards[hero])
    chips = float(end_values(hand.betting, walk.view.hole_cards, hero, hand.board)[held])
    own, mean = float(ends[held]), float(reach @ ends / reach.sum())
    terms = [_luck(term) for term in corrections if term.actor is None or term.actor in strategies]
    if chips != own:
        terms.append(LuckTerm(LAST_CARDS, walk.street, chips - own))
    terms.append(LuckTerm(OWN_HAND, walk.street, own - mean))
    return LuckBreakdown(
        hero, chips, mean + sum(float(term.chips[0]) for term in corrections), tuple(terms)
    )


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the seat *seat*, and the strategy's answer.

    *probabilities* of the *actions* are those with the hand held, *range_shares* those of the whole
    range, both between 0 and 1. *range_left* is the share of the hands left by the board that are
    still in the range before the decision. Without an answer *actions* is empty; without a range
    *range_left* is 0. *row* is the place of the answer in a stored table, if it is in one place.
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
        """Probability of the action taken, with the hand held; 0 if the strategy lacks it."""
        return dict(zip(self.actions, self.probabilities, strict=True)).get(self.taken, 0.0)


@dataclass(frozen=True, slots=True)
class LuckTerm:
    """Chips that one *event* brought the player beyond its expectation.

    Events are a deal on *street* (on the first, that of the other players' hole cards), the
    *action* of the seat *actor*, the cards after the last decision, and the player's own hand.
    """

    event: str
    street: int
    chips: float
    actor: int | None = None
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class LuckBreakdown:
    """Chips won by the seat *hero*, split into AIVAT value and luck.

    ``chips`` equals ``value_chips`` plus the chips of all ``terms``.
    """

    hero: int
    chips: float
    value_chips: float
    terms: tuple[LuckTerm, ...]


@dataclass(frozen=True, slots=True, eq=False)
class StrategyQuery:
    """One decision of a seat with a known strategy, and its *answer*, None if it has none.

    *reach* float64 [hand] is the probability that the seat's own actions lead here with each hand;
    0 for hands that the *board* blocks.
    """

    betting: BettingState
    board: Cards
    taken: Action
    answer: ActionTable | None
    reach: Floats


def strategy_queries(
    hand: PlayedHand, strategies: Mapping[int, PublicStrategy]
) -> Iterator[StrategyQuery]:
    """Yield the same decisions with the strategy's answer for every hand of the seat.

    The reach of a seat is multiplied by the probability of each of its actions, hand by hand.
    """
    definition = hand.betting.game.definition
    ranges = {seat: np.ones(len(all_hands(definition))) for seat in strategies}
    for betting, taken in hand.betting.decisions():
        seat, board = betting.actor, hand.board[: definition.board_size(betting.street)]
        if seat in strategies:
            answer = _answer(strategies[seat], betting, board)
            yield StrategyQuery(
                betting, board, taken, answer, ranges[seat] * hands_without(definition, board)
            )
            ranges[seat] = ranges[seat] * _action_likelihood(answer, taken)


def _answer(strategy: PublicStrategy, betting: BettingState, board: Cards) -> ActionTable | None:
    """Return the strategy's answer, None if it has none for this state."""
    try:
        return strategy.table(betting, board)
    except UsageError:
        return None


def _row(
    strategy: PublicStrategy, betting: BettingState, hole_cards: Cards, board: Cards
) -> TableRow | None:
    return (
        strategy.row(betting, hole_cards, board) if isinstance(strategy, SnapshotStrategy) else None
    )


def _decision(
    hand: PlayedHand, strategies: Mapping[int, PublicStrategy], query: StrategyQuery
) -> Decision:
    """Return the decision behind *query*, seen with the hand that was held."""
    betting, answer, seat = query.betting, query.answer, query.betting.actor
    definition = betting.game.definition
    weights = query.reach / hands_without(definition, query.board).sum()
    left = float(weights.sum())
    held_row, shares = np.zeros((2, 0))
    if answer is not None:
        held = hand_number(definition, hand.hole_cards[seat])
        held_row, shares = (
            answer.probabilities[held],
            weights @ answer.probabilities / (left or 1.0),
        )
    return Decision(
        street=betting.street,
        seat=seat,
        pot_chips=betting.pot,
        to_call_chips=betting.to_call,
        taken=query.taken,
        actions=answer.actions if answer is not None else (),
        probabilities=tuple(held_row.tolist()),
        range_shares=tuple(shares.tolist()),
        range_left=left,
        row=_row(strategies[seat], betting, hand.hole_cards[seat], query.board),
    )


def _action_likelihood(answer: ActionTable | None, taken: Action) -> Floats | float:
    """Return the probability of the action *taken* with each hand, [hand].

    A missing answer carries no information, so every hand counts as likely as before.
    """
    if answer is None:
        return 1.0
    return answer.probabilities[:, answer.actions.index(taken)] if taken in answer.actions else 0.0


def _luck(term: Term) -> LuckTerm:
    event = DEAL if term.action is None else ACTION
    return LuckTerm(event, term.street, -float(term.chips[0]), term.actor, term.action)
