"""Exact values over both kinds of trees: one against the other, against hands played out, and
laws beside the menu.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from acpcbot.cards.deck import parse_cards
from acpcbot.evaluation.aivat.estimator import View
from acpcbot.evaluation.aivat.value_functions import ExactValues
from acpcbot.poker.actions import Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.hands import hand_number
from acpcbot.poker.payoffs import payoffs
from acpcbot.trees.betting_tree import MenuGame, build_betting_tree
from tests.evaluation.every_hand import all_played, memo, shipped, summary
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT, rules_of
from tests.support.menu_games import menu_game
from tests.support.playouts import generators, play
from tests.support.small_games import random_policy, shipped_small_game

HOLE_CARDS, BOARD = parse_cards("QsKs"), parse_cards("Ah")
MENU_GAME = menu_game()
VALUES_GAME = MENU_GAME.definition
VALUES = ExactValues(MENU_GAME.abstraction, MENU_GAME.game, random_policy(MENU_GAME, 5))


@pytest.mark.parametrize("name", [KUHN, LEDUC])
def test_a_limit_game_is_worth_the_same_on_either_tree(name: str) -> None:
    """Catches ends that pay the wrong seat, and children out of order."""
    small = shipped_small_game(name)
    policy = random_policy(small, 3)
    menu = MenuGame(
        build_betting_tree(BettingRules(small.definition).start), small.game.num_buckets
    )
    on_trees = [ExactValues(small.abstraction, game, policy) for game in (small.game, menu)]
    for hero in range(2):
        view = View(
            hero, tuple([() if seat == hero else (small.definition.deck[2],) for seat in range(2)])
        )
        (mean, values), (other_mean, others) = (on_tree.start(view) for on_tree in on_trees)
        assert mean == pytest.approx(other_mean, abs=1e-12)
        assert values == pytest.approx(others, abs=1e-12)


def test_before_the_cards_a_hand_is_worth_what_all_hands_bring() -> None:
    definition, strategy, values = shipped(LEDUC_NOLIMIT)
    hands = all_played(definition, [memo(strategy)] * 2, suits_matter=False)
    for hero in range(2):
        truth = summary(hands, [hand.chips[hero] for hand in hands])[0]
        assert values.start(hands[0].hand.view(hero))[0] == pytest.approx(truth, abs=1e-9)


@given(generators)
@settings(max_examples=60, deadline=None)
def test_exact_values_of_both_players_cancel(random: Random) -> None:
    for betting, action in play(random, rules_of(LEDUC_NOLIMIT)).end.decisions():
        assert sum(values_after(betting, action)) == pytest.approx(0, abs=1e-9)


@given(generators)
@settings(max_examples=60, deadline=None)
def test_an_end_is_worth_its_payoff(random: Random) -> None:
    end = play(random, rules_of(LEDUC_NOLIMIT)).end
    *_, (last, action) = end.decisions()
    paid = payoffs(end, [(card,) for card in HOLE_CARDS], BOARD)
    if end.is_showdown and last.street == 0:
        # All-in before the flop the queen wins if the other queen comes, one card of four.
        paid = tuple([min(end.spent) * sign / 2 for sign in (-1, 1)])
    assert values_after(last, action) == pytest.approx(paid, abs=1e-9)


def test_beside_the_menu_the_pot_is_shared_as_in_the_tree() -> None:
    rules = rules_of(LEDUC_NOLIMIT)
    seen, real = (rules.parse(text) for text in ("r300", "r330"))
    found = values_after(rules.start, raising(330))
    known = values_after(rules.start, raising(300))
    for seat in range(2):
        share, same_share = (
            (found[seat] + real.spent[seat]) / real.pot,
            (known[seat] + seen.spent[seat]) / seen.pot,
        )
        assert share == pytest.approx(same_share, abs=1e-12)


def values_after(betting: BettingState, action: Action) -> list[float]:
    """Return the value of *action* to each of the two players with the card that it holds."""
    board = BOARD if betting.street else ()
    values = []
    for hero, own in enumerate(HOLE_CARDS):
        view = View(
            hero, tuple([() if seat == hero else (card,) for seat, card in enumerate(HOLE_CARDS)])
        )
        worth = VALUES.after_actions(view, betting, board, (action,))
        values.append(float(worth[hand_number(VALUES_GAME, (own,)), 0]))
    return values
