"""A solution against a model of the opponent: good against the model, and little is lost otherwise.

The oracle plays Kuhn poker out hand by hand, in plain Python.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from acpcbot.arrays import Floats, Floats32
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.payoffs import payoffs
from acpcbot.subgames.game import make_range_game
from acpcbot.subgames.opponent_model import OpponentModel, no_model
from acpcbot.subgames.solver import RangeCFR
from acpcbot.trees.betting_tree import NODE_SEAT
from tests.support.games import KUHN, LEDUC, definition_of

GAME = make_range_game(BettingRules(definition_of(KUHN)).start)
HANDS = GAME.boards.arrays.cards[GAME.boards.rows(0), 0].tolist()
UNIFORM = np.full((int(GAME.tree.row_widths[0]), len(HANDS)), 0.5, np.float32)
"""Whatever its hand, either action half of the time."""


def solved(share: float, seat: int = 1) -> RangeCFR:
    """A solution in which *seat* has a model."""
    shares = np.zeros(2, np.float32)
    shares[seat] = share
    solver = RangeCFR(GAME, model=OpponentModel(shares, UNIFORM))
    solver.step(600)
    return solver


def slots_of(seat: int) -> list[int]:
    """The slots at which *seat* acts."""
    nodes = GAME.tree.nodes
    found: list[int] = []
    for node in range(len(nodes)):
        if nodes[node, NODE_SEAT] == seat:
            first = GAME.tree.first_slot(node)
            found += range(first, first + len(GAME.tree.children(node)))
    return found


def value(strategies: list[Floats32], seat: int) -> float:
    """The chips of *seat* a hand by the *strategies* of both seats, by plain enumeration."""
    pairs = list(permutations(range(len(HANDS)), 2))
    won = sum(_below(GAME.tree.root, 0, pair, strategies)[seat] for pair in pairs)
    return float(won / len(pairs))


def _below(
    betting: BettingState, node: int, pair: tuple[int, ...], strategies: list[Floats32]
) -> Floats:
    if betting.is_over:
        return np.array(payoffs(betting, [(HANDS[hand],) for hand in pair], ()))
    seat, found = betting.actor, np.zeros(2)
    slot = GAME.tree.first_slot(node)
    for number, (action, child) in enumerate(GAME.tree.children(node).items()):
        probability = strategies[seat][slot + number, pair[seat]]
        found += probability * _below(betting.apply(action), child, pair, strategies)
    return found


def best_value(opponent: Floats32, seat: int) -> float:
    """The most that *seat* can win from the *opponent*, over all of its pure strategies."""
    best, own = -np.inf, slots_of(seat)
    firsts = own[::2]
    for number in range(2 ** (len(firsts) * len(HANDS))):
        choices = [(number >> bit) & 1 for bit in range(len(firsts) * len(HANDS))]
        pure = np.zeros_like(UNIFORM)
        for index, first in enumerate(firsts):
            for hand in range(len(HANDS)):
                pure[first + choices[index * len(HANDS) + hand], hand] = 1
        strategies = [pure, opponent] if seat == 0 else [opponent, pure]
        best = max(best, value(strategies, seat))
    return best


def test_without_a_share_nothing_is_other_than_before() -> None:
    plain = RangeCFR(GAME)
    plain.step(600)
    assert np.array_equal(plain.average_strategy(0), solved(0.0).average_strategy(0))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("share", [0.2, 0.7])
def test_the_model_acts_as_often_as_its_share(seat: int, share: float) -> None:
    strategy = solved(share, seat).average_strategy(0)
    modelled, free = slots_of(seat), slots_of(1 - seat)
    assert strategy[modelled].min() == pytest.approx(share / 2, abs=1e-3)
    assert strategy[modelled].max() == pytest.approx(1 - share / 2, abs=1e-3)
    assert strategy[free].min() < 1e-3, "the other seat has actions that it never takes"


@pytest.mark.parametrize("seat", [0, 1])
def test_the_other_seat_is_a_best_response_to_both_parts(seat: int) -> None:
    """It wins what a search through all pure strategies finds."""
    strategy = solved(0.5, 1 - seat).average_strategy(0)
    assert value([strategy, strategy], seat) == pytest.approx(best_value(strategy, seat), abs=2e-3)


def test_a_larger_share_wins_more_from_the_model_and_loses_more_otherwise() -> None:
    won, lost = [], []
    for share in (0.0, 0.3, 0.9):
        own = solved(share).average_strategy(0)
        won.append(value([own, UNIFORM], 0))
        lost.append(best_value(own, 1))
    assert won[0] + 0.01 < won[1] <= won[2] + 1e-3
    assert won[2] == pytest.approx(best_value(UNIFORM, 0), abs=2e-3)
    assert lost[0] < lost[1] - 1e-3
    assert lost[1] < lost[2]


def test_a_game_with_more_boards_is_refused() -> None:
    game = make_range_game(BettingRules(definition_of(LEDUC)).start)
    with pytest.raises(UsageError, match="a model of the opponent on"):
        RangeCFR(game, model=no_model())
