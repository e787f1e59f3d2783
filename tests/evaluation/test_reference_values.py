"""Published and recomputed values of small games; docs/methods/small_games.md lists them.

Values come from a linear programme over the sequences of our own rules, so that they are
exact; gains against fixed policies from best responses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.games.coordination import Coordination
from acpcbot.games.game import CHANCE, OVER, Game, State, new_state
from acpcbot.games.generic_poker import LEDUC, SPENT, GenericPoker
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.rock_paper_scissors import RPS_PLUS
from acpcbot.games.sequence_form import sequence_form
from acpcbot.games.solvers.sequence_cfr import SequenceCFR
from acpcbot.poker.actions import CALLING, FOLDING, Action
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.payoffs import payoffs
from acpcbot.regret_matching import CFR_PLUS, DCFR
from tests.support.games import LIMIT_2P, NOLIMIT_2P, definition_of
from tests.support.research_games import form_of, respond, uniform
from tests.support.sequence_lp import value_by_lp

Choice = Callable[[State], int]

VALUES: list[tuple[Game, float]] = [
    (Kuhn(), -1 / 18),
    (LEDUC, -0.0856064240780),
    (LiarsDice(1, 3), 1 / 9),
    (LiarsDice(1, 4), 1 / 16),
    (LiarsDice(1, 5), 1 / 125),
    (LiarsDice(1, 6), -7 / 258),
    (GenericPoker(3, 3, 2, 2), -0.11135308803867),
    (Goofspiel(4, hides_bids=True, is_ascending=True), 0),
    (Goofspiel(5, hides_bids=True, is_ascending=True, lowest_point=0), 0),
    (Goofspiel(4), 0),
    (Goofspiel(4, pays_points=True), 0),
    (RPS_PLUS, 0),
    (Coordination(), 1),
    (Coordination(left_leaf=2.0), 1.25),
]

LARGEST = (GenericPoker(3, 3, 2, 2), LiarsDice(1, 6))

# The fractions of small denominators that are nearest to the published figures: .916667, 4.747222,
# 1.416667, 1.493056. The one of liar's dice has no such fraction.
UNIFORM_NASH_CONVS: list[tuple[Game, float, float]] = [
    (Kuhn(), 11 / 12, 1e-9),
    (LEDUC, 1709 / 360, 1e-9),
    (LiarsDice(1, 6), 1.561489, 5e-7),
    (Goofspiel(4, hides_bids=True, is_ascending=True), 17 / 12, 1e-9),
    (Goofspiel(4), 215 / 144, 1e-9),
    # OpenSpiel's 2.5 is in halves of the difference in points.
    (Goofspiel(4, pays_points=True), 2 * 2.5, 1e-9),
]


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        pytest.param(*pair, marks=[pytest.mark.slow] if pair[0] in LARGEST else [])
        for pair in VALUES
    ],
    ids=str,
)
def test_the_value_of_a_game_is_not_another(game: Game, expected: float) -> None:
    pytest.importorskip("scipy")
    assert value_by_lp(form_of(game)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("game", "expected", "error"), UNIFORM_NASH_CONVS, ids=str)
def test_exploitability_of_uniform_play_is_half_its_nash_conv(
    game: Game, expected: float, error: float
) -> None:
    response = respond(game, uniform(form_of(game)))
    assert response.nash_conv == pytest.approx(expected, abs=error)
    assert response.exploitability == pytest.approx(expected / 2, abs=error)


def always_call(state: State) -> int:
    return int(state[SPENT] != state[SPENT + 1])


@pytest.mark.parametrize(
    ("game", "choose", "expected"),
    [
        (LEDUC, lambda state: 0, 2.0),
        (LEDUC, always_call, 44 / 15),
        (LEDUC, lambda state: LEDUC.num_actions(state) - 1, 71 / 15),
        (Kuhn(), lambda state: 0, 2.0),
        (Kuhn(), lambda state: 1, 2 / 3),
    ],
    ids=["Leduc, fold", "Leduc, call", "Leduc, raise", "Kuhn, fold", "Kuhn, bet"],
)
def test_one_action_over_and_over_loses_what_it_should(
    game: Game, choose: Choice, expected: float
) -> None:
    assert respond(game, pure_policy(game, choose)).nash_conv == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("num_cards", "first", "second", "upcard", "expected"),
    [
        (4, 4, 3, 4, -1.383333333),
        (4, 3, 4, 4, 1.383333333),
        (4, 1, 4, 4, 3.702731864),
        (5, 5, 4, 5, -1.601256767),
        (5, 4, 5, 5, 1.601256767),
        (5, 1, 5, 5, 5.125285017),
    ],
)
def test_the_rest_of_goofspiel_is_worth_what_backward_induction_says(
    num_cards: int, first: int, second: int, upcard: int, expected: float
) -> None:
    pytest.importorskip("scipy")
    game = Goofspiel(num_cards, pays_points=True)
    state = new_state(game)
    for card in (upcard, first, second):
        game.apply(state, card - 1)
    won = upcard if first > second else -upcard
    assert value_by_lp(sequence_form(game, state)) - won == pytest.approx(expected, abs=1e-9)


def test_goofspiel_does_not_open_otherwise() -> None:
    game = Goofspiel(4, pays_points=True)
    form = form_of(game)
    solver = SequenceCFR(form, DCFR)
    solver.step(3000)
    policy, slots, mixes = solver.average_strategy(), form.slots_by_key(), []
    for upcard in range(4):
        state = new_state(game)
        game.apply(state, upcard)
        mixes.append(policy[slots[int(state[0])]])
    expected = [
        (1, 0, 0, 0),
        (0.337093, 0.136025, 0.526882, 0),
        (0.268731, 0, 0.513981, 0.217288),
        (0, 0, 0, 1),
    ]
    assert np.array(mixes) == pytest.approx(np.array(expected), abs=1e-3)


@pytest.mark.parametrize("alpha", [0, 0.2, 1 / 3])
def test_kuhns_family_of_equilibria_is_one(alpha: float) -> None:
    betting = {
        (0, False): (alpha, 0, 3 * alpha),
        (1, False): (1 / 3, 0, 1),
        (1, True): (0, 1 / 3, 1),
        (2, True): (0, alpha + 1 / 3, 1),
    }
    """By the turns so far and whether there is a bet: the probabilities to bet or call with J,
    Q and K.
    """

    def bets(state: State) -> float:
        _, turns, bettor, _, *cards = state[3:].tolist()
        return betting[turns, bettor > 0][cards[turns % 2]]

    response = respond(Kuhn(), policy_of(Kuhn(), lambda state: [1 - bets(state), bets(state)]))
    assert response.nash_conv == pytest.approx(0, abs=1e-12)
    assert response.policy_values == pytest.approx((-1 / 18, 1 / 18), abs=1e-12)


def test_kuhn_for_three_is_solved_to_a_member_of_its_family() -> None:
    solver = SequenceCFR(form_of(Kuhn(3)), CFR_PLUS)
    solver.step(10_000)
    response = respond(Kuhn(3), solver.average_strategy())
    assert response.nash_conv < 2e-6
    first, second, third = response.policy_values
    beta = 24 * third - 1
    assert 0 <= beta <= 1 / 4
    assert (first, second) == pytest.approx((-(1 + 2 * beta) / 48, -1 / 48), abs=2e-6)


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (RPS_PLUS, [0.4, 0.4, 0.2, 0.4, 0.4, 0.2]),
        (Coordination(), [1 / 2, 1 / 2, 1 / 3, 2 / 3]),
        (Coordination(left_leaf=2.0), [1 / 2, 1 / 2, 1 / 6, 5 / 6]),
    ],
    ids=str,
)
def test_an_equilibrium_on_paper_is_one_and_is_learnt(game: Game, expected: list[float]) -> None:
    assert respond(game, np.array([1, 1, *expected])).nash_conv == pytest.approx(0, abs=1e-12)
    solver = SequenceCFR(form_of(game), DCFR)
    solver.step(100_000)
    assert solver.average_strategy()[2:] == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("name", [LIMIT_2P, NOLIMIT_2P])
def test_folding_always_loses_750_thousandths_of_a_big_blind_a_hand(name: str) -> None:
    definition = definition_of(name)
    lost = 0.0
    for folder in range(2):
        state = BettingRules(definition).start
        while not state.is_over:
            state = state.apply(folding(state) if state.actor == folder else raising(state))
        lost -= payoffs(state, ((), ()), ())[folder] / definition.big_blind
    assert 1000 * lost / 2 == 750


def folding(state: BettingState) -> Action:
    return FOLDING if state.can_act(FOLDING) else CALLING


def raising(state: BettingState) -> Action:
    return state.legal_actions()[-1]


def pure_policy(game: Game, choose: Choice) -> Floats:
    """The policy [slot] that takes the action which *choose* names."""
    return policy_of(game, lambda state: np.eye(game.num_actions(state))[choose(state)].tolist())


def policy_of(game: Game, shares: Callable[[State], list[float]]) -> Floats:
    """The policy [slot] whose probabilities in each state are *shares*."""
    form = form_of(game)
    slots, policy = form.slots_by_key(), np.ones(form.num_slots)
    for state in decisions(game, new_state(game)):
        policy[slots[int(state[game.actor(state)])]] = shares(state)
    return policy


def decisions(game: Game, state: State) -> Iterator[State]:
    """All states below *state* in which a seat moves."""
    actor = game.actor(state)
    if actor == OVER:
        return
    if actor != CHANCE:
        yield state
    for action in range(game.num_actions(state)):
        after = state.copy()
        game.apply(after, action)
        yield from decisions(game, after)
