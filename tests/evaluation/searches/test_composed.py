"""Strategies composed of separate searches: known NashConv, and each the search's own answer."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.evaluation.searches.composed import (
    ComposedISMCTS,
    composed_policy,
    infoset_histories,
)
from acpcbot.evaluation.searches.players import (
    ISMCTSPlayer,
    MoveBudget,
    OOSPlayer,
    PolicyPlayer,
    RandomPlayer,
    SimultaneousPlayer,
    state_after,
)
from acpcbot.games.game import Game, make_target
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.sequence_form import sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.random_kernels import seed_state
from acpcbot.tree_search.is_mcts import FinalMove, InfosetSearch
from acpcbot.tree_search.oos import OOSSettings
from acpcbot.tree_search.selection.infoset_regrets import InfosetRegrets
from acpcbot.tree_search.selection.matched_regrets import RegretMatching
from acpcbot.tree_search.selection.policy import InfosetPolicy
from acpcbot.tree_search.selection.uct import UCT

KUHN = Kuhn()
HIDDEN = Goofspiel(4, hides_bids=True, is_ascending=True, lowest_point=0)


@pytest.mark.parametrize("game", [KUHN, LEDUC, HIDDEN, LiarsDice(1, 3)], ids=str)
def test_every_information_set_has_a_history_of_its_own(game: Game) -> None:
    form = sequence_form(game)
    histories = infoset_histories(game, form)
    for infoset, actions in enumerate(histories):
        seat = int(form.infoset_seats[infoset])
        state = state_after(game, actions)
        assert game.actor(state) == seat
        assert state[seat] == form.infoset_keys[infoset]


def test_a_composed_policy_is_the_players_own() -> None:
    """Catches strategies at the wrong information set; the uniform NashConv of Kuhn is known."""
    form = sequence_form(KUHN)
    policy = form.normalised(np.random.default_rng(1).random(form.num_slots))
    budget = MoveBudget(simulations=1)
    player = PolicyPlayer(KUHN, form, policy)
    assert composed_policy(KUHN, form, player, budget, 1) == pytest.approx(policy)
    uniform = composed_policy(KUHN, form, RandomPlayer(KUHN), budget, 1)
    assert sequence_best_response(form, uniform).nash_conv == pytest.approx(0.916667, abs=1e-6)


def test_oos_at_every_information_set_is_near_an_equilibrium_and_is_mcts_is_not() -> None:
    """Catches a target at another information set than the one that is asked for."""
    form, budget = sequence_form(KUHN), MoveBudget(simulations=100_000)
    oos = composed_policy(KUHN, form, OOSPlayer(KUHN, OOSSettings(delta=0.5)), budget, 1)
    uct = composed_policy(KUHN, form, ISMCTSPlayer(KUHN, UCT(2.0)), budget, 1)
    assert sequence_best_response(form, oos).nash_conv < 0.06
    assert sequence_best_response(form, uct).nash_conv > 0.15


def test_simultaneous_moves_are_composed_too() -> None:
    game = Goofspiel(3)
    form = sequence_form(game)
    player = SimultaneousPlayer(game, RegretMatching(0.1))
    few = composed_policy(game, form, player, MoveBudget(simulations=9), 1)
    many = composed_policy(game, form, player, MoveBudget(simulations=20_000), 1)
    far, near = (sequence_best_response(form, found).nash_conv for found in (few, many))
    assert near < 0.1 < far


@pytest.mark.parametrize("by_chance", [True, False])
@pytest.mark.parametrize("policy", [UCT(5.0), InfosetRegrets(0.2)], ids=["uct", "rm"])
def test_all_searches_in_one_kernel_are_those_of_their_information_sets(
    policy: InfosetPolicy, *, by_chance: bool
) -> None:
    """Against a search each, with equal random numbers: the same to the last bit."""
    form = sequence_form(KUHN)
    found = ComposedISMCTS(KUHN, form, by_chance=by_chance).policies(policy, 150, 9)
    finals: list[FinalMove] = ["visits", "most-visits", "best-value"]
    for infoset, actions in enumerate(infoset_histories(KUHN, form)):
        search = InfosetSearch(KUHN, policy, 1, by_chance=by_chance)
        search.random_state[:] = seed_state(9, infoset)
        target = make_target(KUHN, actions, int(form.infoset_seats[infoset]))
        search.begin(target)
        search.simulate(150)
        for final in finals:
            first, end = form.first_slots[infoset : infoset + 2]
            expected = search.strategy(target.key, final)
            assert expected is not None
            assert found[final][first:end].tolist() == expected.tolist()


def test_more_simulations_of_leduc_than_a_small_table_holds() -> None:
    """Catches a table that fills up, and one that keeps sums of the search before."""
    form = sequence_form(LEDUC)
    composed = ComposedISMCTS(LEDUC, form)
    few, again = (composed.policies(UCT(13.0), 10, 1) for _ in range(2))
    many = composed.policies(UCT(13.0), 2000, 1)
    assert all((few[final] == again[final]).all() for final in few)
    by_visits = [
        sequence_best_response(form, found["visits"]).exploitability for found in (few, many)
    ]
    # Student of Games has 741 mbb with 1,000 simulations and C = 13, far from what 10 give.
    assert by_visits[0] > 1.2
    assert by_visits[1] == pytest.approx(0.65, abs=0.15)


@pytest.mark.slow
def test_the_best_cell_of_student_of_games_table_s5() -> None:
    """10,000 simulations, C = 13, most visits: the paper has 465 mbb, the mean of five."""
    form = sequence_form(LEDUC)
    composed = ComposedISMCTS(LEDUC, form)
    found = [
        sequence_best_response(form, composed.policies(UCT(13.0), 10_000, seed)["most-visits"])
        for seed in range(5)
    ]
    assert np.mean([response.exploitability for response in found]) == pytest.approx(
        0.465, abs=0.05
    )
