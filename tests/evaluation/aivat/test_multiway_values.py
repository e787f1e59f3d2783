"""AIVAT for three players in a no-limit game with side pots, by going through all that can happen."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.abstraction.card_abstraction import ExactAbstraction
from acpcbot.evaluation.aivat.estimator import estimate
from acpcbot.evaluation.aivat.estimator_kinds import AIVAT, MIVAT
from acpcbot.evaluation.aivat.value_functions import ExactValues
from acpcbot.poker.definition import parse_definition
from acpcbot.strategies.files import SnapshotContent, load_snapshot, save_snapshot
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.whole_policy import played_policy
from acpcbot.trees.bet_menu import parse_menu
from acpcbot.trees.public_tree import make_game
from tests.evaluation.every_hand import RandomStrategy, all_played, memo, summary
from tests.strategies.random_snapshots import TRAINING

KUHN_STACKS = parse_definition(
    "GAMEDEF\nnolimit\nnumPlayers = 3\nnumRounds = 1\nstack = 200 500 300\nblind = 100 100 100\n"
    "firstPlayer = 1\nnumSuits = 1\nnumRanks = 4\nnumHoleCards = 1\nnumBoardCards = 0\nEND GAMEDEF\n"
)
"""Kuhn poker for three with antes and unequal stacks: a showdown has up to three pots."""


@pytest.fixture(scope="module")
def strategy(tmp_path_factory: pytest.TempPathFactory) -> SnapshotStrategy:
    """A random strategy with one raise after a bet."""
    abstraction = ExactAbstraction(KUHN_STACKS)
    game = make_game(KUHN_STACKS, parse_menu("0.4,all-in;all-in;"), abstraction.num_buckets)
    weights = np.random.default_rng(3).random(game.layout.num_slots)
    folder = tmp_path_factory.mktemp("snapshots") / "x"
    content = SnapshotContent(game, abstraction, TRAINING, policy=game.normalised(weights))
    save_snapshot(folder, content)
    return SnapshotStrategy(load_snapshot(folder))


@pytest.fixture(scope="module")
def values(strategy: SnapshotStrategy) -> ExactValues:
    snapshot = strategy.snapshot
    assert isinstance(snapshot.abstraction, ExactAbstraction)
    game = make_game(snapshot.definition, snapshot.menu, snapshot.abstraction.num_buckets)
    return ExactValues(snapshot.abstraction, game, played_policy(snapshot, game))


def test_no_luck_is_left_with_every_strategy_known(
    strategy: SnapshotStrategy, values: ExactValues
) -> None:
    """Catches payoffs that are wrong in any pot, and values of the wrong seat."""
    players = [memo(strategy)] * 3
    hands = all_played(KUHN_STACKS, players, suits_matter=False)
    assert any(
        hand.hand.betting.is_showdown and len(set(hand.hand.betting.spent)) == 3 for hand in hands
    )
    for hero in range(3):
        found = [estimate(hand.hand, hero, dict(enumerate(players)), values) for hand in hands]
        truth = summary(hands, [hand.chips[hero] for hand in hands])[0]
        assert found == pytest.approx([truth] * len(hands), abs=1e-9)


@pytest.mark.parametrize("estimator", [MIVAT, AIVAT])
def test_bets_that_the_tree_lacks_do_not_move_the_mean(
    strategy: SnapshotStrategy, values: ExactValues, estimator: object
) -> None:
    """The others raise by one chip more than they must, and more often than the tree can."""
    odd = memo(RandomStrategy(KUHN_STACKS, 4, odd_size=1))
    for hero in range(3):
        players = [memo(strategy) if seat == hero else odd for seat in range(3)]
        hands = all_played(KUHN_STACKS, players)
        assert any("r201" in hand.hand.betting.text for hand in hands)
        truth = summary(hands, [hand.chips[hero] for hand in hands])
        found = summary(
            hands,
            [
                estimate(hand.hand, hero, {hero: players[hero]}, values, estimator)  # type: ignore[arg-type]
                for hand in hands
            ],
        )
        assert found[0] == pytest.approx(truth[0], abs=1e-9)
        assert found[1] < truth[1]
