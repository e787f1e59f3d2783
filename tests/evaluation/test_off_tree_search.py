"""What a searcher answers to a bet that its blueprint lacks, in the whole of no-limit Leduc."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.composed_search import SearchSettings
from acpcbot.evaluation.continuations import SelfGenerated
from acpcbot.evaluation.known_mind import Play
from acpcbot.evaluation.off_tree_search import OffTreeSearch, translated_response
from acpcbot.evaluation.range_plays import PlayStrategy, solved_play
from acpcbot.evaluation.range_response import Walker, hand_values, responding
from acpcbot.poker.actions import Action, raising
from acpcbot.poker.betting import BettingRules
from acpcbot.solvers.range_cfr import RangeCFR
from acpcbot.solvers.range_game import RangeGame, make_range_game
from acpcbot.trees.bet_menu import BetMenu
from tests.support.games import LEDUC_NOLIMIT, definition_of

RULES = BettingRules(definition_of(LEDUC_NOLIMIT))
BET = raising(250)
LATER = ((0.5, 1.0), (1.0,), ())


def leduc(*first_bets: float) -> RangeGame:
    menu = BetMenu(((first_bets, *LATER), LATER))
    return make_range_game(RULES.start, menu=menu, suits_alike=False)


@cache
def known() -> SelfGenerated:
    """The game without the bet, and a blueprint of a thousand iterations."""
    game = leduc(0.5, 1.0)
    solver = RangeCFR(game)
    solver.step(1000)
    return SelfGenerated(game, solved_play(solver), 1000)


@cache
def search(first_iterations: int = 100) -> OffTreeSearch:
    settings = SearchSettings("maxmargin", first_iterations, second_iterations=200)
    return OffTreeSearch(leduc(0.5, 0.75, 1.0), known(), BET, settings)


def won_mbb(game: RangeGame, play: Play, seat: int) -> float:
    """What a best response of *seat* wins."""
    values = hand_values(game, responding(seat, play), Walker())
    return 1000 * float(game.ranges[seat] @ values) / game.num_pairs / game.definition.big_blind


@pytest.mark.slow
def test_values_to_choose_from_make_the_answer_harder_to_exploit() -> None:
    """With one value the opponent gains forty thousandths of a blind by the bet, with eight less than half."""
    thorough = search(1000)
    game, other = thorough.game, 1 - thorough.seat
    without = won_mbb(known().game, known().blueprint, other)
    gains = [won_mbb(game, thorough.play(number), other) - without for number in (1, 8)]
    assert gains[0] > 20
    assert -0.5 < gains[1] < gains[0] / 2


def test_the_answer_is_the_blueprint_where_the_bet_was_not_made() -> None:
    composed = PlayStrategy(search().game, search().play(1))
    blueprint = PlayStrategy(known().game, known().blueprint)
    board = known().game.boards.boards[1]
    places = (("c", ()), ("r200", ()), ("r300", ()), ("r200c/r400", board), ("r300c/r600", board))
    states = [(RULES.parse(text), cards) for text, cards in places]
    asked = [(betting, cards) for betting, cards in states if betting.actor == search().seat]
    assert len(asked) >= 3
    for betting, cards in asked:
        ours, theirs = composed.table(betting, cards), blueprint.table(betting, cards)
        shared = [ours.actions.index(action) for action in theirs.actions]
        assert np.array_equal(ours.probabilities[:, shared], theirs.probabilities)
        assert ours.probabilities.sum() == pytest.approx(theirs.probabilities.sum())


def test_a_translated_bet_is_answered_like_its_neighbours() -> None:
    """0.75 of the pot is 0.5 in three of seven cases; the bet itself is answered by the mixture of both answers."""
    translated = PlayStrategy(search().game, translated_response(search().game, known().game, known().blueprint))
    blueprint = PlayStrategy(known().game, known().blueprint)
    twins = [blueprint.table(RULES.parse(text), ()) for text in ("r200", "r300")]
    folds = [twin.probabilities[:, 0] for twin in twins]
    table = translated.table(RULES.parse(BET.text), ())
    assert [action.text for action in table.actions[:2]] == ["f", "c"]
    assert table.probabilities[:, 0] == pytest.approx(3 / 7 * folds[0] + 4 / 7 * folds[1])
    assert table.probabilities.sum(axis=1) == pytest.approx(1.0)


def test_a_bet_that_is_known_is_answered_as_well_as_by_the_blueprint_once_there_are_values_to_choose_from() -> None:
    """Catches leaves, boards and promises that are taken for others: it plays near its own exact blueprint."""
    game, blueprint = known().game, known().blueprint
    settings = SearchSettings("maxmargin", first_iterations=1000, second_iterations=300)
    own = OffTreeSearch(game, known(), raising(300), settings)
    before = won_mbb(game, blueprint, 1 - own.seat)
    assert won_mbb(game, own.play(1), 1 - own.seat) - before > 5
    assert won_mbb(game, own.play(4), 1 - own.seat) - before < 1.5


@pytest.mark.parametrize("bet", [raising(350), raising(450)])
def test_bets_that_are_not_between_two_others_are_refused(bet: Action) -> None:
    with pytest.raises(UsageError):
        OffTreeSearch(leduc(0.5, 0.75, 1.0, 1.5), known(), bet, SearchSettings())
