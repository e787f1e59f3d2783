"""Values of all hands at once, against the values of single hands that judging decisions lists deal
by deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.evaluation.decisions import range_values as module
from acpcbot.evaluation.decisions.judged_hands import Judge
from acpcbot.evaluation.decisions.range_values import (
    TooManyDecisions,
    action_range_values,
    range_values,
)
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.hands import all_hands, hand_number, hands_without
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.range_update import update_range
from tests.evaluation.decisions.plain_values import drawn_hand
from tests.evaluation.decisions.test_judged_hands import holdem_strategy, strategy_of
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT, LIMIT_2P, definition_of


def reach_of(
    strategy: SnapshotStrategy, betting: BettingState, board: Sequence[int], seat: int
) -> Floats:
    """Return the probability of all actions of *seat* with each hand."""
    definition = betting.game.definition
    reach: Floats = np.ones(len(all_hands(definition)))
    for before, action in betting.decisions():
        if before.actor == seat:
            table = strategy.table(before, board[: definition.board_size(before.street)])
            reach = update_range(reach, table.probabilities[:, table.actions.index(action)])
    return reach * hands_without(definition, board)


def check_decisions(strategy: SnapshotStrategy, hand: PlayedHand, first_street: int = 0) -> int:
    """Compare all decisions of *hand* with their judgement; return their number."""
    definition, num_checked = hand.betting.game.definition, 0
    decisions = list(hand.betting.decisions())
    for seat in range(2):
        for one in Judge(strategy).judge_hand(hand, seat):
            betting = decisions[one.place][0]
            if one.note or one.street < first_street:
                continue
            board = hand.board[: definition.board_size(betting.street)]
            against = reach_of(strategy, betting, board, 1 - seat)
            found = action_range_values(betting, board, one.actions, against, strategy.table)
            held = hand_number(definition, hand.hole_cards[seat])
            expected = [
                value * definition.big_blind + betting.spent[seat] for value in one.values_bb
            ]
            assert one.is_exact
            assert found[held].tolist() == pytest.approx(expected, abs=1e-6)
            own = range_values(betting, board, seat, against, strategy.table)[held]
            assert own == pytest.approx(np.dot(one.probabilities, expected), abs=1e-6)
            num_checked += 1
    return num_checked


@pytest.mark.parametrize(("game", "num_hands"), [(KUHN, 8), (LEDUC, 4), (LEDUC_NOLIMIT, 2)])
def test_values_in_small_games_are_those_of_single_hands(game: str, num_hands: int) -> None:
    """Catches cards to come of wrong probability, and chips already put in that are left out."""
    strategy, random = strategy_of(game), Random(f"{game} ranges")
    hands = [drawn_hand(strategy, definition_of(game), random) for _ in range(num_hands)]
    assert sum(check_decisions(strategy, hand) for hand in hands) >= num_hands


@pytest.mark.parametrize("text", ["cc/cc/cc/rc", "rc/rc/cc/crrc", "crc/cc/rc/rrc"])
def test_values_on_a_river_of_holdem_are_those_of_single_hands(text: str) -> None:
    """Catches hands that share a card, and ties and pots of another size."""
    betting = BettingRules(definition_of(LIMIT_2P)).parse(text)
    for first, second in (((1, 2), (51, 46)), ((6, 10), (22, 35))):
        hand = PlayedHand(betting, (first, second), (0, 5, 18, 31, 44))
        assert check_decisions(holdem_strategy(), hand, first_street=3) >= 1


def test_chips_won_by_one_player_are_lost_by_the_other() -> None:
    """Catches a pot that is not shared out whole."""
    strategy, board = holdem_strategy(), (0, 5, 18, 31, 44)
    betting = BettingRules(definition_of(LIMIT_2P)).parse("cc/cc/cc/r")
    reaches = [reach_of(strategy, betting, board, seat) for seat in range(2)]
    total = 0.0
    masks = [set(cards) for cards in all_hands(definition_of(LIMIT_2P)).tolist()]
    for seat in range(2):
        values = range_values(betting, board, seat, reaches[1 - seat], strategy.table)
        for hand in np.flatnonzero(reaches[seat]).tolist():
            met = sum(
                float(reaches[1 - seat][other])
                for other in np.flatnonzero(reaches[1 - seat]).tolist()
                if not masks[hand] & masks[other]
            )
            if met:
                total += (
                    float(reaches[seat][hand]) * met * float(values[hand] - betting.spent[seat])
                )
    assert total == pytest.approx(0.0, abs=1e-5)


def test_too_many_decisions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches a table that waits for a walk without end."""
    monkeypatch.setattr(module, "MAX_DECISIONS", 1)
    strategy, board = holdem_strategy(), (0, 5, 18, 31, 44)
    betting = BettingRules(definition_of(LIMIT_2P)).parse("cc/cc/cc/")
    reach = reach_of(strategy, betting, board, 1)
    with pytest.raises(TooManyDecisions):
        range_values(betting, board, 0, reach, strategy.table)
