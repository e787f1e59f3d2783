"""The decisions of a hand beside what a strategy would have done there.

A seat's range is every hand that the board leaves, weighted by how likely the strategy is to
have played it as the seat did so far; probabilities and shares are between 0 and 1.

A hand's result to one player taken apart: chips = AIVAT value + luck, event by event.

Luck is what an event brought beyond its expectation: a deal, or an action drawn by a strategy
that is known. Last come the cards after the last decision, and the player's own hand against
all others that he would have played alike. Chips; luck is good for the player where positive.
Each line is only as good as the guesses behind it; their sum is exact whatever is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimator import AIVAT, PlayedHand, Term, ValueFunction, Walk
from acpcbot.evaluation.aivat.showdowns import end_values
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands, hand_number, hands_without
from acpcbot.strategies.public_play import SnapshotStrategy, TableRow
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the seat *seat*, and the strategy's answer.

    A *row* only where that stands in a table.

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
    """A decision of a seat whose strategy is known, and the strategy's *answer*, None if it has
    none.

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
            yield Asked(
                betting, board, taken, answer, ranges[seat] * hands_without(definition, board)
            )
            ranges[seat] = ranges[seat] * _chances(answer, taken)


def _asked(strategy: PublicStrategy, betting: BettingState, board: Cards) -> ActionTable | None:
    """The strategy's answer, None if it has none."""
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
    """How likely each hand was to do what was done, [hand].

    An answer that is missing says nothing.
    """
    if answer is None:
        return 1.0
    return answer.probabilities[:, answer.actions.index(taken)] if taken in answer.actions else 0.0


DEAL, ACTION, LAST_CARDS, OWN_HAND = "deal", "action", "last cards", "own hand"


@dataclass(frozen=True, slots=True)
class Luck:
    """What one *event* brought the player: a deal on *street*, on the first that of the others' hole cards;
    the *action* of the seat *actor*; the cards after the last decision; his own hand.
    """

    event: str
    street: int
    chips: float
    actor: int | None = None
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """What the seat *hero* won, and what of it was not luck.

    *chips* is *value_chips* and all *lucks* together.
    """

    hero: int
    chips: float
    value_chips: float
    lucks: tuple[Luck, ...]


def account(
    hand: PlayedHand, hero: int, strategies: Mapping[int, PublicStrategy], values: ValueFunction
) -> Account:
    """The account of *hand* to the seat *hero*; *strategies* are the known ones, by seat.

    Raises UsageError if a known strategy would never have done what it did.
    """
    walk = Walk(hand, hero, strategies, values, AIVAT)
    terms = list(walk.terms())
    reach, ends = walk.end()
    held = hand_number(walk.definition, hand.hole_cards[hero])
    chips = float(end_values(hand.betting, walk.view.hole_cards, hero, hand.board)[held])
    own, mean = float(ends[held]), float(reach @ ends / reach.sum())
    lucks = [_luck(term) for term in terms if term.actor is None or term.actor in strategies]
    if chips != own:
        lucks.append(Luck(LAST_CARDS, walk.street, chips - own))
    lucks.append(Luck(OWN_HAND, walk.street, own - mean))
    return Account(hero, chips, mean + sum(float(term.chips[0]) for term in terms), tuple(lucks))


def _luck(term: Term) -> Luck:
    event = DEAL if term.action is None else ACTION
    return Luck(event, term.street, -float(term.chips[0]), term.actor, term.action)
