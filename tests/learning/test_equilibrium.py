"""Convergence of every learner that claims an equilibrium: it reaches its bound, and one that does
not learn, or learns too little, misses it.
"""

from __future__ import annotations

import pytest

from tests.learning.equilibrium_bounds import BOUNDS, EquilibriumBound
from tests.support.games import LEDUC, LEDUC_NOLIMIT
from tests.support.menu_games import MenuSmallGame, menu_game, silly_menu_policies
from tests.support.small_games import SmallGame, shipped_small_game, silly_policies


def game_of(line: EquilibriumBound) -> SmallGame | MenuSmallGame:
    return menu_game(line.game) if line.game == LEDUC_NOLIMIT else shipped_small_game(line.game)


def takes_long(line: EquilibriumBound) -> bool:
    """Return True for millions of episodes in limit Leduc by learners that smaller or no-limit
    games try as well.
    """
    return line.game == LEDUC and line.learner in ("external sampling", "smooth uct")


@pytest.mark.parametrize(
    "line",
    [pytest.param(line, marks=pytest.mark.slow if takes_long(line) else ()) for line in BOUNDS],
    ids=str,
)
def test_a_learner_reaches_its_bound(line: EquilibriumBound) -> None:
    small = game_of(line)
    assert small.respond(line.learn(small, line.budget)).nash_conv <= line.bound


@pytest.mark.parametrize("line", BOUNDS, ids=str)
def test_a_hundredth_of_the_budget_misses_the_bound(line: EquilibriumBound) -> None:
    small = game_of(line)
    assert small.respond(line.learn(small, line.budget // 100)).nash_conv > line.bound


@pytest.mark.parametrize("line", BOUNDS, ids=str)
def test_policies_that_learnt_nothing_miss_the_bound_by_far(line: EquilibriumBound) -> None:
    small = game_of(line)
    silly = (
        silly_menu_policies(small) if isinstance(small, MenuSmallGame) else silly_policies(small)
    )
    for name, policy in silly.items():
        assert small.respond(policy).nash_conv > 2 * line.bound, name
