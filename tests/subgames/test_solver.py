"""The solver with ranges against linear programmes, known values of well-known spots, and exact
best responses.
"""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.cards.deck import parse_cards
from acpcbot.poker.betting import BettingRules
from acpcbot.regret_matching import CFR, CFR_PLUS, DCFR, LINEAR_CFR, DiscountSettings
from acpcbot.strategies.range_play import tabulate_solution
from acpcbot.subgames.best_response import response_values
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solver import RangeCFR, solver_bytes
from acpcbot.trees.bet_menu import ALL_IN, same_menu
from tests.support.games import KUHN, LEDUC, definition_of
from tests.support.range_games import even_game, range_sequence_form, river_spot, spot, turn_spot
from tests.support.sequence_lp import value_by_lp

MENU = same_menu([0.5, 1.0, ALL_IN], [1.0])
SMALL = {
    "one card": even_game("0 1", 6, 1, suits=2, ranks=3, hole_cards=1),
    "one card, three streets": even_game("0 1 1", 3, 1, suits=1, ranks=5, hole_cards=1),
    "two cards": even_game("0 1", 4, 1, suits=1, ranks=6, hole_cards=2),
}


def whole(name: str) -> RangeGame:
    return make_range_game(BettingRules(SMALL[name]).start, menu=MENU)


def value(solver: RangeCFR) -> float:
    """Return seat 1's value if both play the average strategy, in chips."""
    play = tabulate_solution(solver)
    return (
        response_values(solver.game, (play, play)).policy_values[0]
        * solver.game.definition.big_blind
    )


@pytest.mark.parametrize(
    "name",
    [
        "one card",
        *[pytest.param(name, marks=pytest.mark.slow) for name in SMALL if name != "one card"],
    ],
)
def test_values_are_those_of_a_linear_programme(name: str) -> None:
    pytest.importorskip("scipy")
    game = whole(name)
    apart = make_range_game(game.tree.root, menu=MENU, suits_alike=False)
    solver = RangeCFR(game)
    solver.step(3000)
    assert value(solver) == pytest.approx(value_by_lp(range_sequence_form(apart)), abs=1e-6)
    assert 0 <= solver.exploitability() < 1e-4


@pytest.mark.parametrize("name", [KUHN, LEDUC])
def test_limit_games_are_solved_to_their_known_values(name: str) -> None:
    solver = RangeCFR(make_range_game(BettingRules(definition_of(name)).start))
    solver.step(2000)
    assert value(solver) == pytest.approx({KUHN: -1 / 18, LEDUC: -0.0856064241}[name], abs=1e-5)
    assert solver.exploitability() < 3e-4


@pytest.mark.parametrize("settings", [CFR, CFR_PLUS, LINEAR_CFR, DCFR, DiscountSettings(1.5, 0, 5)])
def test_every_variant_of_cfr_lowers_exploitability(settings: DiscountSettings) -> None:
    solver = RangeCFR(make_range_game(BettingRules(definition_of(LEDUC)).start), settings)
    solver.step(20)
    before = solver.exploitability()
    solver.step(480)
    assert solver.exploitability() < before / 4
    assert before < 2.3736 / 2  # half of what the uniform strategy loses


@pytest.mark.parametrize("is_int16", [False, True])
def test_the_river_that_solvers_are_compared_on_has_its_known_value(is_int16: bool) -> None:
    solver = RangeCFR(river_spot(), is_int16=is_int16)
    *_, last = solver.solve(target=0.1, most=400, every=5)
    # Three independent programs agree on -3.16; 0.1 % of the pot takes them 189 to 231 iterations.
    assert last.exploitability <= 0.1
    assert 150 < last.num_iterations < 240
    solver.step(600)
    assert value(solver) == pytest.approx(-3.16, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("is_int16", [False, True])
def test_the_turn_that_solvers_are_compared_on_has_its_known_value(is_int16: bool) -> None:
    game = turn_spot()
    assert 25e6 < solver_bytes(game, is_int16=is_int16) * (1 + is_int16) < 27e6
    solver = RangeCFR(game, num_threads=2, is_int16=is_int16)
    learnt = {
        name: array.nbytes for name, array in solver.arrays.items() if array.dtype != np.int64
    }
    assert sum(learnt.values()) == solver_bytes(game, is_int16=is_int16)
    *_, last = solver.solve(target=1.0, most=100, every=5)
    assert last.exploitability <= 1.0
    assert last.num_iterations < 70
    assert value(solver) == pytest.approx(-4.04, abs=0.3)


def test_the_solvers_own_measure_is_that_of_exact_best_responses() -> None:
    solver = RangeCFR(river_spot())
    solver.step(15)
    play = tabulate_solution(solver)
    found = response_values(solver.game, (play, play))
    big_blind = solver.game.definition.big_blind
    assert solver.response_values() == pytest.approx(
        [best * big_blind for best in found.values], rel=1e-4
    )
    assert solver.exploitability() == pytest.approx(found.exploitability * big_blind, rel=1e-3)


@pytest.mark.parametrize("is_int16", [False, True])
def test_results_are_the_same_to_the_last_bit_at_any_number_of_threads(is_int16: bool) -> None:
    solvers = [
        RangeCFR(turn_spot(), num_threads=threads, is_int16=is_int16) for threads in (1, 2, 3, 8)
    ]
    for solver in solvers:
        solver.step(3)
    one, *others = solvers
    for other in others:
        for name, array in one.arrays.items():
            assert np.array_equal(array, other.arrays[name]), name
        assert other.response_values() == one.response_values()


@pytest.mark.slow
@pytest.mark.parametrize("board", ["KsTs9s", "7c7d7h"])
def test_boards_that_stand_for_others_change_nothing(board: str) -> None:
    menu = same_menu([ALL_IN], [])
    alike = spot("cc/", board, menu)
    apart = make_range_game(alike.tree.root, parse_cards(board), menu, suits_alike=False)
    assert len(alike.boards.boards) < 0.4 * len(apart.boards.boards)
    solvers = [RangeCFR(game, num_threads=2) for game in (alike, apart)]
    for solver in solvers:
        solver.step(2)
    assert solvers[0].response_values() == pytest.approx(solvers[1].response_values(), rel=1e-3)


def test_given_ranges_decide_the_solution() -> None:
    """Catches ranges without effect: a seat that holds the nuts alone wins the pot and more.

    A hand that cannot be held is left out.
    """
    river = river_spot()
    hands = river.boards.arrays.hands
    ranges = np.zeros((2, 1326))
    ranges[0, hands[-3:]] = 1.0
    ranges[1, hands[:200]] = 1.0
    solver = RangeCFR(
        make_range_game(river.tree.root, parse_cards("KsTd9h4s2c"), river.tree.menu, ranges)
    )
    solver.step(300)
    assert value(solver) == pytest.approx(50, abs=0.5)


def test_a_deadline_and_a_number_of_iterations_end_it() -> None:
    solver = RangeCFR(river_spot())
    assert [progress.num_iterations for progress in solver.solve(deadline_s=0.0, every=3)] == [1]
    assert [progress.num_iterations for progress in solver.solve(most=10, every=4)] == [5, 9, 10]
    assert [
        progress.num_iterations for progress in solver.solve(most=99, is_stopped=lambda: True)
    ] == [11]


@pytest.mark.parametrize("is_int16", [False, True])
def test_learning_goes_on_from_arrays_that_were_kept(is_int16: bool) -> None:
    one, other = (RangeCFR(river_spot(), is_int16=is_int16) for _ in range(2))
    one.step(8)
    for name, array in one.arrays.items():
        other.arrays[name][:] = array
    other.num_iterations = one.num_iterations
    for solver in (one, other):
        solver.step(4)
    assert np.array_equal(one.arrays["strategies"], other.arrays["strategies"])


@pytest.mark.parametrize("is_int16", [False, True])
def test_average_strategies_are_probabilities(is_int16: bool) -> None:
    solver = RangeCFR(turn_spot(), is_int16=is_int16)
    solver.step(2)
    for board in (0, 1, 48):
        strategy = solver.average_strategy(board)
        street = solver.game.boards.street_of(board)
        num_nodes = int((solver.game.tree.nodes[:, 3] == street).sum())
        assert strategy.min() >= 0
        assert strategy.sum(axis=0) == pytest.approx(num_nodes, rel=1e-4)
