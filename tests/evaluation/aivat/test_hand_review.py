"""Decisions beside a strategy's answers, against ranges that are followed hand by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.evaluation.aivat.hand_review import review_hand
from acpcbot.poker.actions import CALLING, LIMIT_RAISING
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import ActionTable
from tests.evaluation.every_hand import shipped
from tests.support.games import LEDUC, definition_of

ACE, KING, BOARD = 51, 46, 43


def hand_of(betting: str) -> PlayedHand:
    return PlayedHand(
        BettingRules(definition_of(LEDUC)).parse(betting), ((ACE,), (KING,)), (BOARD,)
    )


def chance(
    strategy: SnapshotStrategy, betting: BettingState, card: int, board: Sequence[int], kind: int
) -> float:
    """Return the probability of the action of *kind* with *card*, one hand at a time."""
    place = strategy.snapshot.place(betting)
    row = strategy.snapshot.probabilities(place, strategy.snapshot.bucket(place, [card], board))
    return float(row[place.kinds.index(kind)])


def test_ranges_are_what_following_every_card_by_itself_gives() -> None:
    """A range that forgets an action, a street or a card on the board is another one."""
    definition, strategy, _ = shipped(LEDUC)
    hand = hand_of("rrc/crrc")
    decisions = review_hand(hand, {0: strategy, 1: strategy})
    weights = [dict.fromkeys(definition.deck, 1.0), dict.fromkeys(definition.deck, 1.0)]
    for decision, (betting, taken) in zip(decisions, hand.betting.decisions(), strict=True):
        board = () if betting.street == 0 else (BOARD,)
        left = {
            card: weight for card, weight in weights[betting.actor].items() if card not in board
        }
        assert decision.range_left == pytest.approx(sum(left.values()) / len(left))
        for number, action in enumerate(decision.actions):
            probabilities = {
                card: chance(strategy, betting, card, board, action.kind) for card in left
            }
            share = sum(left[card] * probabilities[card] for card in left) / sum(left.values())
            assert decision.range_shares[number] == pytest.approx(share)
            assert decision.probabilities[number] == pytest.approx(
                probabilities[(ACE, KING)[betting.actor]]
            )
        place = strategy.snapshot.place(betting)
        assert decision.row is not None
        assert decision.row.node == place.street_node
        assert decision.row.bucket == strategy.snapshot.bucket(
            place, hand.hole_cards[betting.actor], board
        )
        assert (decision.pot_chips, decision.to_call_chips) == (betting.pot, betting.to_call)
        for card in left:
            weights[betting.actor][card] *= chance(strategy, betting, card, board, taken.kind)


def test_only_the_seats_that_are_asked_about_are_judged() -> None:
    _, strategy, _ = shipped(LEDUC)
    assert [decision.seat for decision in review_hand(hand_of("rrc/cc"), {1: strategy})] == [1, 1]


def test_an_action_of_probability_zero_empties_the_range() -> None:
    calling = find_strategy("call", DealSources(definition_of(LEDUC)))
    first, second = review_hand(hand_of("rc/cc"), {0: calling})
    assert first.taken == LIMIT_RAISING
    assert first.row is None
    assert [first.taken_probability, first.range_left] == pytest.approx([0, 1])
    assert [second.taken_probability, second.range_left, *second.range_shares] == [1, 0, 0]


def test_a_strategy_without_an_answer_keeps_its_range() -> None:
    class Unsure:
        def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
            if betting.street == 0:
                raise UsageError("never heard of it")
            return ActionTable((CALLING,), np.ones((len(definition_of(LEDUC).deck), 1)))

    first, second = review_hand(hand_of("rc/cc"), {0: Unsure()})
    assert (first.actions, first.probabilities, first.taken_probability) == ((), (), 0)
    assert [second.range_left, *second.range_shares] == pytest.approx([1, 1])
