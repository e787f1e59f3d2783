"""A depth-limited searcher in the whole of Leduc, measured exactly; and the pieces it is made of."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from acpcbot.evaluation.composed import pair_values, put_solution, street_reaches
from acpcbot.evaluation.composed_search import ComposedSearch, SearchSettings
from acpcbot.evaluation.known_mind import Play
from acpcbot.evaluation.range_plays import PlayStrategy, solved_play, told_play
from acpcbot.evaluation.range_response import Walker, best_abstract_play, hand_values, playing, response_values
from acpcbot.poker.betting import BettingRules
from acpcbot.solvers.leaf_values import ChosenContinuations, PairValues, levelled
from acpcbot.solvers.range_cfr import RangeCFR
from acpcbot.solvers.range_game import RangeGame, make_range_game
from tests.support.games import LEDUC, definition_of

RULES = BettingRules(definition_of(LEDUC))
BESIDE = 1.0 - np.eye(6)


@cache
def leduc() -> tuple[RangeGame, Play]:
    """The game and a blueprint of thirty iterations, exploitable for 84 mbb."""
    game = make_range_game(RULES.start, suits_alike=False)
    solver = RangeCFR(game)
    solver.step(30)
    return game, solved_play(solver)


def exploitability_mbb(play: Play) -> float:
    return 1000 * response_values(leduc()[0], (play, play)).exploitability


@pytest.mark.slow
def test_values_to_choose_from_make_the_searcher_harder_to_exploit_than_one_value_a_state() -> None:
    """With one value it is worse than its blueprint, with eight about half as exploitable."""
    game, blueprint = leduc()
    search = ComposedSearch(game, blueprint, SearchSettings(first_iterations=600, second_iterations=200))
    before = exploitability_mbb(blueprint)
    assert before == pytest.approx(84.4, abs=1.0)
    assert exploitability_mbb(search.play(1)) > before
    assert exploitability_mbb(search.play(8)) < 0.75 * before


def test_pair_values_are_what_the_game_is_worth_from_the_flop_on() -> None:
    """Catches a part, a hand or a seat that is taken for another: folds aside, they give the whole game's values."""
    game, blueprint = leduc()
    for chooser in range(2):
        won = pair_values(game, blueprint, [blueprint], chooser)[:, 0]
        above = street_reaches(game, (blueprint, blueprint))
        beyond = np.einsum("poc,pc->po", won, above[:, chooser])
        root = make_range_game(RULES.start, suits_alike=False, one_street=True)
        leaves = ChosenContinuations(PairValues(pair_values(game, blueprint, [blueprint], chooser)), chooser)
        assert leaves.values(1 - chooser, above.astype(np.float32), learns=True) == pytest.approx(beyond, abs=1e-5)
        whole = hand_values(game, playing(1 - chooser, blueprint, blueprint), Walker())
        assert whole.sum() / 30 == pytest.approx(folds(blueprint, 1 - chooser) + reached(beyond, above, 1 - chooser))
        assert len(root.boards.boards) == 1


def reached(beyond: np.ndarray, above: np.ndarray, seat: int) -> float:
    return float((beyond * above[:, seat]).sum()) / 30


def folds(play: Play, seat: int) -> float:
    """What *seat* wins before the flop."""
    strategy, total = PlayStrategy(leduc()[0], play), 0.0
    for text in ("rf", "crf", "rrf", "crrf"):
        state = RULES.parse(text)
        reach = np.ones((2, 6))
        for before, action in state.decisions():
            table = strategy.table(before, ())
            reach[before.actor] *= table.probabilities[:, table.actions.index(action)]
        pairs = float(reach[0] @ BESIDE @ reach[1])
        total += pairs / 30 * min(state.spent) * (1 if state.folded[1 - seat] else -1)
    return total


def test_a_levelled_continuation_wins_no_more_than_the_first() -> None:
    game, blueprint = leduc()
    counts = (len(game.boards.arrays.hands),) * 2
    response = best_abstract_play(game, (blueprint, blueprint), 1, counts, Walker())
    values = pair_values(game, blueprint, [blueprint, response], 1)
    reach = street_reaches(game, (blueprint, blueprint))[:, 0]
    found = -np.einsum("pkoc,po->pkc", levelled(values, reach, BESIDE), reach)
    before = -np.einsum("pkoc,po->pkc", values, reach)
    assert (before[:, 1] > before[:, 0] + 1e-3).any()
    assert (found[:, 1] <= found[:, 0] + 1e-9).all()
    assert found == pytest.approx(np.minimum(before, before[:, :1]))


def test_a_solution_is_put_where_it_belongs() -> None:
    """Catches rows or nodes that are shifted: the whole solved by its parts is the whole."""
    game, blueprint = leduc()
    solver = RangeCFR(game)
    solver.step(200)
    copied = blueprint._replace(policy=np.zeros(len(blueprint.policy)))
    put_solution(game, copied, solver, [0, 1])
    assert np.array_equal(copied.policy, solved_play(solver).policy)
    asked = told_play(game, PlayStrategy(game, copied))
    assert np.array_equal(asked.policy, copied.policy)


def test_a_game_of_one_street_needs_no_boards_and_is_solved_by_its_leaves() -> None:
    """With an equilibrium as the only continuation the value before the flop is the game's."""
    game, _ = leduc()
    solver = RangeCFR(game)
    solver.step(1500)
    equilibrium = solved_play(solver)
    leaves = ChosenContinuations(PairValues(pair_values(game, equilibrium, [equilibrium], 1)), 1)
    first = RangeCFR(make_range_game(RULES.start, suits_alike=False, one_street=True), leaves=leaves)
    first.step(800)
    best, lost = first.response_values()
    assert best == pytest.approx(-0.0856, abs=0.02)
    assert lost == pytest.approx(0.0856, abs=0.02)
