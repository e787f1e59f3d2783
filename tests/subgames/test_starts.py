"""Warm starts: what a later subgame's solver takes over, hand by hand, and what that is worth."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solution import Place, place_after, street_decisions
from acpcbot.subgames.solver import RangeCFR
from acpcbot.subgames.starts import ranges_at, start_from
from acpcbot.trees.bet_menu import ALL_IN, Menu, same_menu
from tests.support.range_games import TURN_MENU, even_game, spot

# Hearts and clubs are alike on this turn, so that one of the cards 9h and 9c stands for the other.
TURN = "KsTs4s2d"
WORDS = ("check", "bet 75", "call")


def turn_solver(num_iterations: int, *, is_int16: bool = False) -> RangeCFR:
    solver = RangeCFR(spot("cc/cc/", TURN, TURN_MENU), is_int16=is_int16)
    solver.step(num_iterations)
    return solver


def game_at(last: RangeCFR, place: Place, menu: Menu) -> RangeGame:
    return make_range_game(place.betting, place.board, menu, ranges_at(last, place))


def started(last: RangeCFR, words: tuple[str, ...], *, is_int16: bool = False) -> RangeCFR:
    place = place_after(last.game, words)
    solver = RangeCFR(game_at(last, place, last.game.tree.menu), is_int16=is_int16)
    start_from(solver, last, place)
    return solver


def assert_same_decisions(
    last: RangeCFR, solver: RangeCFR, words: tuple[str, ...], after: tuple[str, ...] = ()
) -> None:
    known = list(street_decisions(last, place_after(last.game, (*words, *after))))
    found = list(street_decisions(solver, place_after(solver.game, after)))
    assert len(known) == len(found) > 1
    for one, other in zip(known, found, strict=True):
        assert one.choices == other.choices
        assert one.hands.tolist() == other.hands.tolist()
        np.testing.assert_allclose(other.weights, one.weights, rtol=1e-4, atol=1e-9)
        np.testing.assert_allclose(other.probabilities, one.probabilities, atol=1e-4)


@pytest.mark.parametrize("is_int16", [False, True])
@pytest.mark.parametrize("card", ["9h", "9c"])
def test_a_river_is_entered_and_played_as_the_turns_solution_does(
    card: str, *, is_int16: bool
) -> None:
    """Catch hands in another order, and suits that are not changed with the board's."""
    last = turn_solver(8, is_int16=is_int16)
    solver = started(last, (*WORDS, card), is_int16=is_int16)
    assert_same_decisions(last, solver, (*WORDS, card))


def test_later_streets_are_taken_over_too() -> None:
    """Catch slots and boards of later streets that are those of other betting."""
    definition = even_game("0 1 1", 5, 1, suits=2, ranks=4, hole_cards=1)
    last = RangeCFR(make_range_game(BettingRules(definition).start, menu=same_menu([1.0, ALL_IN])))
    last.step(20)
    words = ("bet 2", "call", "Js")
    solver = started(last, words)
    assert_same_decisions(last, solver, words)
    assert_same_decisions(last, solver, words, ("check", "check", "Qh"))
    assert_same_decisions(last, solver, words, ("check", "check", "Ks"))


@pytest.mark.parametrize("is_int16", [False, True])
def test_iterations_go_on_from_the_start(*, is_int16: bool) -> None:
    """Catch regrets of other hands or in other units: the strategy would be lost at once."""
    last = turn_solver(60, is_int16=is_int16)
    warm = started(last, (*WORDS, "9h"), is_int16=is_int16)
    cold = RangeCFR(warm.game, is_int16=is_int16)
    before, start = warm.exploitability(), warm.num_iterations
    assert 0 < start <= 60
    warm.step(30)
    cold.step(60)
    assert warm.exploitability() < before
    assert warm.exploitability() < cold.exploitability()


def test_other_bets_are_refused() -> None:
    last = turn_solver(1)
    place = place_after(last.game, (*WORDS, "9h"))
    solver = RangeCFR(game_at(last, place, same_menu([0.5, ALL_IN], [ALL_IN])))
    with pytest.raises(UsageError, match="other bets"):
        start_from(solver, last, place)


def test_cells_of_another_kind_are_refused() -> None:
    last = turn_solver(1)
    place = place_after(last.game, (*WORDS, "9h"))
    solver = RangeCFR(game_at(last, place, TURN_MENU), is_int16=True)
    with pytest.raises(UsageError, match="16 bits"):
        start_from(solver, last, place)
