"""Weak opponents in search: how likely one is after the actions of a hand, and what it does."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from acpcbot.arrays import Floats32
from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.poker.actions import CALLING
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands
from acpcbot.poker.payoffs import payoffs
from acpcbot.search.blueprint import game_decisions
from acpcbot.search.settings import SearchSettings
from acpcbot.search.strategy import SearchStrategy
from acpcbot.search.subgame import Spot
from acpcbot.search.weak_opponents import MAX_SHARE, REGARDLESS, weak_play, weak_share
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.trees.bet_menu import parse_menu
from tests.search.searching import FLOP, leduc_search, shipped_blueprint
from tests.support.games import LEDUC_NOLIMIT, definition_of, rules_of

KING = parse_cards("Kh")
RAISED = "r300c/"
"""Seat 0 has raised, which the blueprint hardly ever does, and seat 1 has called."""
PRIOR = 0.1


def state(text: str) -> BettingState:
    return rules_of(LEDUC_NOLIMIT).parse(text)


def plain_share(text: str, seat: int, prior: float) -> float:
    """Bayes' rule, one hand at a time."""
    blueprint, definition = shipped_blueprint(LEDUC_NOLIMIT), definition_of(LEDUC_NOLIMIT)
    held = [
        number for number, hand in enumerate(all_hands(definition)) if KING[0] not in hand.tolist()
    ]
    good, weak = 0.0, prior
    decisions = [found for found in state(text).decisions() if found[0].actor == seat]
    for before, _ in decisions:
        weak /= len(blueprint.table(before, ()).actions)
    for hand in held:
        probability = 1.0
        for before, action in decisions:
            table = blueprint.table(before, ())
            probability *= table.probabilities[hand, table.actions.index(action)]
        good += (1 - prior) * probability / len(held)
    return float(weak / (good + weak))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("text", ["cc/", RAISED, "cr300c/"])
def test_the_share_is_by_bayes_rule(text: str, seat: int) -> None:
    blueprint = shipped_blueprint(LEDUC_NOLIMIT)
    found = weak_share(blueprint, Spot(state(text), KING), seat, PRIOR)
    assert found == pytest.approx(min(plain_share(text, seat, PRIOR), MAX_SHARE), rel=1e-9)
    assert 0 < found < 1


def test_a_rare_action_makes_a_weak_player_likelier_than_a_frequent_one() -> None:
    blueprint = shipped_blueprint(LEDUC_NOLIMIT)
    table = blueprint.table(state(""), ())
    frequencies = table.probabilities.mean(axis=0)
    by_frequency = np.argsort(frequencies)
    shares = []
    for number in by_frequency[[0, -1]]:
        betting = state("").apply(table.actions[number]).apply(CALLING)
        shares.append(weak_share(blueprint, Spot(betting, KING), 0, PRIOR))
    assert shares[0] > PRIOR > shares[1]


def test_without_a_decision_the_share_is_the_prior() -> None:
    blueprint = shipped_blueprint(LEDUC_NOLIMIT)
    assert weak_share(blueprint, Spot(state(""), ()), 1, 0.3) == pytest.approx(0.3)


def test_the_model_is_the_blueprint_and_its_mean() -> None:
    """With the bets of the blueprint: hands differ half as much as the blueprint's do."""
    blueprint, root = shipped_blueprint(LEDUC_NOLIMIT), Spot(state(RAISED), KING)
    ranges = np.random.default_rng(1).random((2, len(all_hands(definition_of(LEDUC_NOLIMIT)))))
    game = make_range_game(root.betting, KING, blueprint.menu, ranges)
    play = weak_play(blueprint, root, game, 1)
    hands, acted = game.boards.arrays.hands[game.boards.rows(0)], 0
    for slot, actions, betting in game_decisions(game):
        own = play[slot : slot + len(actions)]
        if betting.actor != 1:
            assert not own.any()
            continue
        table = blueprint.table(betting, KING)
        assert list(table.actions) == actions
        of_hands = table.probabilities[hands].T
        mean = of_hands @ game.ranges[1] / game.ranges[1].sum()
        expected = (1 - REGARDLESS) * of_hands + REGARDLESS * mean[:, None]
        assert own == pytest.approx(expected, abs=1e-6)
        acted += 1
    assert acted > 3


@pytest.mark.parametrize("bets", ["min,0.15,0.4,3,all-in", "0.9,all-in;", "all-in"])
def test_the_model_plays_with_any_bets(bets: str) -> None:
    """Bets that the game lacks are translated, and the probabilities of each hand sum to one."""
    blueprint, root = shipped_blueprint(LEDUC_NOLIMIT), Spot(state(RAISED), KING)
    game = make_range_game(root.betting, KING, parse_menu(bets), None)
    play = weak_play(blueprint, root, game, 0)
    for slot, actions, betting in game_decisions(game):
        if betting.actor == 0:
            own = play[slot : slot + len(actions)]
            assert own.min() >= 0
            assert own.sum(axis=0) == pytest.approx(1, abs=1e-6)


def test_search_wins_more_from_the_model_with_the_prior() -> None:
    """Behind an action that the blueprint hardly ever takes, by plain enumeration of both hands."""
    won = []
    for prior in (0.0, 0.1):
        search = leduc_search(iterations=300, weak_prior=prior)
        root = Spot(state(RAISED), KING)
        solution = search.solution(Spot(state(f"{RAISED}c"), KING))
        assert solution is not None
        play = weak_play(search.blueprint, root, solution.game, 0)
        held = solution.game.boards.arrays.cards[solution.game.boards.rows(0), 0].tolist()
        ranges, value, total = solution.game.ranges, 0.0, 0.0
        for first, second in permutations(range(len(held)), 2):
            weight = ranges[0][first] * ranges[1][second]
            total += weight
            pair = {0: first, 1: second}
            value += weight * _won(search, solution.game, root.betting, 0, pair, held, play)
        won.append(value / total)
    assert won[1] > won[0] + 0.5


def _won(
    search: SearchStrategy,
    game: RangeGame,
    betting: BettingState,
    node: int,
    pair: dict[int, int],
    held: list[int],
    play: Floats32,
) -> float:
    """The chips of seat 1 from *betting* on, against the *play* of seat 0."""
    if betting.is_over:
        return payoffs(betting, [(held[pair[0]],), (held[pair[1]],)], KING)[1]
    slot, children = game.tree.first_slot(node), game.tree.children(node)
    if betting.actor == 0:
        probabilities = play[slot : slot + len(children), pair[0]].tolist()
    else:
        table = search.table(betting, KING)
        assert list(table.actions) == list(children)
        hands = game.boards.arrays.hands[game.boards.rows(0)]
        probabilities = table.probabilities[hands[pair[1]]].tolist()
    return sum(
        float(probability) * _won(search, game, betting.apply(action), child, pair, held, play)
        for probability, (action, child) in zip(probabilities, children.items(), strict=True)
    )


def test_a_street_with_cards_to_come_has_no_weak_players() -> None:
    settings = SearchSettings({0: replace(FLOP, weak_prior=0.1)})
    with pytest.raises(UsageError, match="board cards follow"):
        SearchStrategy(shipped_blueprint(LEDUC_NOLIMIT), settings)
