"""Learners of whole boards from settings: the response's own buckets in the trunk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from acpcbot.betting_lines.cfr_br import CFRBRSettings
from acpcbot.betting_lines.lines import HandBuckets
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.hands import all_hands
from acpcbot.poker.shipped import shipped_definition
from acpcbot.random_kernels import seed_states
from acpcbot.training.board_learners import board_learner, flop_by_flop, learner_bytes
from acpcbot.training.recipe import parse_recipe
from acpcbot.training.session import learner_settings, needed_bytes, verify_recipe
from acpcbot.trees.bet_menu import LIMIT_MENU
from acpcbot.trees.betting_tree import MenuGame, build_betting_tree

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
