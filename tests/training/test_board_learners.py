"""Learners of whole boards from settings: the response's own buckets in the trunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.betting_lines.cfr_br import CFRBRLearner, CFRBRSettings
from acpcbot.betting_lines.lines import HandBuckets
from acpcbot.betting_lines.public_sampling import PublicSamplingLearner
from acpcbot.errors import UnknownStrategy, UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.hands import all_hands
from acpcbot.poker.shipped import shipped_definition
from acpcbot.random_kernels import seed_states
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.policy import parse_play_settings
from acpcbot.strategies.whole_policy import played_policy
from acpcbot.training.board_learners import board_learner, flop_by_flop, learner_bytes
from acpcbot.training.recipe import Recipe, parse_recipe
from acpcbot.training.session import learner_settings, needed_bytes, verify_recipe
from acpcbot.trees.bet_menu import LIMIT_MENU
from acpcbot.trees.betting_tree import MenuGame, build_betting_tree
from tests.strategies.random_snapshots import saved
from tests.support.games import LIMIT_2P

LIMIT = shipped_definition("holdem.limit.2p.reverse_blinds")
NUM_BUCKETS = (169, 4, 4, 4)


def test_buckets_of_each_flop_are_apart() -> None:
    """Catches flops that share buckets, and those alike but for suits that do not."""

    def find(street: int, board: Sequence[int]) -> np.ndarray:
        return (all_hands(LIMIT)[:, 0] % 3).astype(np.uint8)

    preflop, flop, turn = flop_by_flop(HandBuckets((169, 3, 5), find)).num_buckets
    assert (preflop, flop, turn) == (169, 1755 * 3, 1755 * 5)
    found = flop_by_flop(HandBuckets((169, 3, 5), find)).find
    assert found(0, ()).tolist() == find(0, ()).tolist()
    rainbow, alike, other = (0, 17, 30), (1, 16, 30), (0, 16, 32)
    for cards in ((), (51,)):
        one, same, apart = (
            found(1 + len(cards), (*flop, *cards)) for flop in (rainbow, alike, other)
        )
        assert one.tolist() == same.tolist()
        assert not set(one.tolist()) & set(apart.tolist())
        assert ((one - one.min()) == find(1, rainbow)).all()


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"trunk_by_flop": True}, r"there is no \[learner.trunk\]"),
        ({"trunk": {"preflop": "lossless"}}, r"\[learner.trunk\]: preflop$"),
        (
            {"trunk": {"preflop": "lossless", "flop": {"grid": 2}, "turn": {"grid": 2}}}
            | {"response_streets": 2},
            "preflop, flop, turn$",
        ),
        ({"trunk": {"preflop": "lossless", "flop": {"grid": 0}, "turn": {"grid": 2}}}, "grid: 0"),
    ],
)
def test_a_trunk_of_other_streets_is_refused(settings: dict[str, Any], error: str) -> None:
    with pytest.raises(UsageError, match=error):
        learner_bytes(LIMIT, LIMIT_MENU, NUM_BUCKETS, CFRBRSettings(**settings), 1)


def test_memory_grows_with_the_buckets_of_the_trunk() -> None:
    """Catches regrets or tables of the trunk that are not counted."""
    own = CFRBRSettings()
    trunk = {"preflop": "lossless", "flop": {"grid": 4}, "turn": {"grid": 4}}
    same = CFRBRSettings(trunk=trunk)
    by_flop = CFRBRSettings(trunk=trunk, trunk_by_flop=True)
    bytes_of = [
        learner_bytes(LIMIT, LIMIT_MENU, NUM_BUCKETS, settings, 1)
        for settings in (own, same, by_flop)
    ]
    tables = (1 + 1755 + 16432) * 1326
    assert bytes_of[1] == bytes_of[0] + tables
    # 7 and 63 lines in lanes of 16, for each seat a regret an action, and whether any is there
    actions = 1754 * 4 * 4 * (16 + 64) * 20
    assert actions / 2 < bytes_of[2] - bytes_of[1] < actions * 2


RECIPE = """
game = "holdem.nolimit.2p.reverse_blinds"
snapshot = "x"
[abstraction]
preflop = "lossless"
flop = { grid = 4 }
turn = { grid = 4 }
river = { grid = 4 }
[bets]
preflop = [[1, "all-in"]]
flop = [[1, "all-in"], ["all-in"]]
turn = [["all-in"]]
river = [["all-in"]]
[learner]
name = "cfr_br"
[budget]
count = 1
[curve]
every = 1
measure = { flops = 2 }
"""


def test_a_no_limit_game_is_learnt_with_its_bets() -> None:
    """Catches bets that are lost on the way from a recipe, and memory that is foretold for others."""
    recipe = parse_recipe(RECIPE)
    verify_recipe(recipe)
    assert recipe.menu is not None
    definition = recipe.definition

    def find(street: int, board: Sequence[int]) -> np.ndarray:
        return (all_hands(definition)[:, 1] >> 2) % NUM_BUCKETS[street]

    buckets, settings = HandBuckets(NUM_BUCKETS, find), learner_settings(recipe)
    learner, deals = board_learner(definition, recipe.menu, buckets, settings)
    arrays = sum(array.nbytes for array in learner.arrays.values())
    needed = needed_bytes(recipe, NUM_BUCKETS)
    assert needed["statistics"] == arrays + learner.thread_bytes
    game = MenuGame(build_betting_tree(BettingRules(definition).start, recipe.menu), NUM_BUCKETS)
    assert learner.average_strategy().shape == (game.layout.num_slots,)
    state = seed_states([(1,)])[0]
    cards = np.zeros((1, deals.width), np.uint16)
    deals.fill(cards, state)
    learner.walk(cards, state)
    regrets = learner.sums.slot_sums(learner.sums.regrets)
    for street in range(definition.num_streets):
        assert np.abs(game.layout.street_rows(regrets, street)).max() > 0, street


def opponents_recipe(folder: Path, river: int = 8) -> Recipe:
    """A recipe in the buckets of random snapshots, against one that is kept in *folder*."""
    if not folder.exists():
        saved(folder, LIMIT_2P)
    return parse_recipe(f"""
game = "holdem.limit.2p.reverse_blinds"
snapshot = "x"
[abstraction]
preflop = "lossless"
flop = {{ grid = 7 }}
turn = {{ grid = 5 }}
river = {{ grid = {river} }}
[learner]
name = "cfr_br"
opponents = ["{folder}", "{folder}?play=purified"]
[budget]
count = 1
""")


def test_opponents_are_the_stored_strategies_as_they_play(tmp_path: Path) -> None:
    """Catches an opponent in other places or play settings, and its memory left out."""
    recipe = opponents_recipe(tmp_path / "random")
    verify_recipe(recipe)
    abstraction = HoldemAbstraction.from_settings(recipe.abstraction)
    buckets = HandBuckets(abstraction.num_buckets, lambda street, board: np.zeros(1326, np.int64))
    settings = learner_settings(recipe)
    learner, _ = board_learner(LIMIT, LIMIT_MENU, buckets, settings, abstraction)
    assert isinstance(learner, CFRBRLearner)
    snapshot = load_snapshot(tmp_path / "random")
    game = MenuGame(learner.lines.tree, abstraction.num_buckets)
    assert len(learner.opponents) == 2
    for opponent, play in zip(learner.opponents, ("average", "purified"), strict=True):
        expected = played_policy(snapshot, game, parse_play_settings(play))
        assert learner.sums.slot_sums(opponent) == pytest.approx(expected, abs=1e-6)
        regrets = learner.arrays["regrets_3_0_0"]
        assert opponent[3][0][0].shape == regrets.shape
    alone = CFRBRSettings()
    needed = learner_bytes(LIMIT, LIMIT_MENU, abstraction.num_buckets, settings, 2)
    without = learner_bytes(LIMIT, LIMIT_MENU, abstraction.num_buckets, alone, 2)
    lanes = sum(own.nbytes for name, own in learner.arrays.items() if name.startswith("regrets_"))
    plain = PublicSamplingLearner(learner.lines, HandBuckets(abstraction.num_buckets, buckets.find))
    assert needed - without == 2 * lanes + 2 * plain.thread_bytes


def test_opponents_of_other_games_or_buckets_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "random"
    recipe = opponents_recipe(folder, river=9)
    abstraction = HoldemAbstraction.from_settings(recipe.abstraction)
    buckets = HandBuckets(abstraction.num_buckets, lambda street, board: np.zeros(1326, np.int64))
    with pytest.raises(UsageError, match="random has other buckets"):
        board_learner(LIMIT, LIMIT_MENU, buckets, learner_settings(recipe), abstraction)
    other = replace(
        recipe, learner=recipe.learner | {"opponents": ["strategies/leduc.limit.2p/dcfr"]}
    )
    with pytest.raises(UsageError, match=r"leduc\.limit\.2p"):
        verify_recipe(other)
    nobody = replace(recipe, learner=recipe.learner | {"opponents": ["nobody"]})
    with pytest.raises(UnknownStrategy, match="nobody"):
        verify_recipe(nobody)
