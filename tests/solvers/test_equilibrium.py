"""Every learner that claims an equilibrium keeps its promise, and the promise is worth
something.
"""

from __future__ import annotations

import pytest

from tests.solvers.equilibrium_bounds import BOUNDS, EquilibriumBound
from tests.support.games import LEDUC, LEDUC_NOLIMIT
from tests.support.menu_games import MenuSmallGame, menu_game, silly_menu_policies
from tests.support.small_games import SmallGame, shipped_small_game, silly_policies


def promised_game(promise: EquilibriumBound) -> SmallGame | MenuSmallGame:
    return (
        menu_game(promise.game)
        if promise.game == LEDUC_NOLIMIT
        else shipped_small_game(promise.game)
    )


def takes_long(promise: EquilibriumBound) -> bool:
    """Millions of episodes in limit Leduc of those who are held to their word in smaller or
    no-limit games as well.
    """
    return promise.game == LEDUC and promise.learner in ("external sampling", "smooth uct")


@pytest.mark.parametrize(
    "promise",
    [
        pytest.param(promise, marks=pytest.mark.slow if takes_long(promise) else ())
        for promise in BOUNDS
    ],
    ids=str,
)
def test_a_learner_does_not_miss_its_equilibrium(promise: EquilibriumBound) -> None:
    small = promised_game(promise)
    assert small.respond(promise.learn(small, promise.budget)).nash_conv <= promise.bound


@pytest.mark.parametrize("promise", BOUNDS, ids=str)
def test_a_learner_that_hardly_learns_would_be_found_out(promise: EquilibriumBound) -> None:
    small = promised_game(promise)
    assert small.respond(promise.learn(small, promise.budget // 100)).nash_conv > promise.bound


@pytest.mark.parametrize("promise", BOUNDS, ids=str)
def test_silly_policies_would_be_found_out(promise: EquilibriumBound) -> None:
    small = promised_game(promise)
    silly = (
        silly_menu_policies(small) if isinstance(small, MenuSmallGame) else silly_policies(small)
    )
    for name, policy in silly.items():
        assert small.respond(policy).nash_conv > 2 * promise.bound, name
