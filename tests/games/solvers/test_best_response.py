"""Best responses over sequences against OpenSpiel's, and by what must hold of any."""

from __future__ import annotations

import pytest

from tests.support.research_games import (
    SMALL_GAMES,
    TWINS,
    Twin,
    beside_openspiel,
    form_of,
    random_policy,
    respond,
    uniform,
)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("twin", TWINS, ids=str)
def test_gains_are_not_missed_or_invented(twin: Twin, seed: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    beside, form = beside_openspiel(twin), form_of(twin.game)
    policy = beside.shared(form, random_policy(form, seed))
    table = pyspiel.TabularPolicy(beside.to_spiel(form, policy))
    ours = respond(twin.game, policy)
    assert twin.scale * ours.nash_conv == pytest.approx(
        pyspiel.nash_conv(beside.spiel_game, table), abs=1e-9
    )
    returns = pyspiel.expected_returns(beside.spiel_game.new_initial_state(), table, -1, True)
    assert [twin.scale * value for value in ours.policy_values] == pytest.approx(returns, abs=1e-9)


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_nobody_loses_by_a_best_response_and_nothing_is_won_from_nobody(name: str) -> None:
    form = form_of(SMALL_GAMES[name])
    for policy in (uniform(form), random_policy(form, 3)):
        response = respond(SMALL_GAMES[name], policy)
        assert min(response.gains) >= -1e-12
        assert sum(response.policy_values) == pytest.approx(0, abs=1e-12)
