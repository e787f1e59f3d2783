"""The aggregate method: its law for known strategies, and what it adds from searches."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.aggregate import Aggregate
from acpcbot.evaluation.searches.composed import infoset_histories
from acpcbot.evaluation.searches.players import (
    ISMCTSPlayer,
    MoveBudget,
    OOSPlayer,
    PolicyPlayer,
    state_after,
)
from acpcbot.evaluation.searches.whole_strategy import completing_policy
from acpcbot.games.game import CHANCE, OVER, Game, State, chance_action, new_state
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.sequence_form import sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.rng import Stream
from acpcbot.tree_search.oos import OOSSettings
from acpcbot.tree_search.selection.infoset_regrets import InfosetRegrets
from acpcbot.tree_search.selection.uct import UCT

KUHN = Kuhn()
ONE = MoveBudget(simulations=1)


@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=["Kuhn", "Leduc"])
def test_the_aggregate_of_a_known_strategy_tends_to_its_exploitability(game: Game) -> None:
    """Catches information sets that are missed, and sums that mix strategies."""
    form = sequence_form(game)
    policy = form.normalised(np.random.default_rng(3).random(form.num_slots) + 0.2)
    exact = sequence_best_response(form, policy).nash_conv
    aggregate = Aggregate(game, form, PolicyPlayer(game, form, policy), ONE, 1)
    errors = []
    for num_matches in (5, 200 if game == KUHN else 3000):
        aggregate.play(num_matches - aggregate.num_matches)
        errors.append(abs(aggregate.best_response().nash_conv - exact))
    assert errors[0] > 0.1
    # With 15,000 matches it is exact in Leduc too: all that matters has been reached.
    assert errors[1] < (1e-9 if game == KUHN else 0.1)


def test_unreached_information_sets_take_one_action_for_all_players() -> None:
    form = sequence_form(LEDUC)
    player = ISMCTSPlayer(LEDUC, UCT(5.0))
    aggregate = Aggregate(LEDUC, form, player, MoveBudget(simulations=20), 1, completion_seed=8)
    completion = completing_policy(form, "one-action", 8)
    assert (aggregate.policy() == completion).all()
    aggregate.play(2)
    policy, known = aggregate.policy(), aggregate.is_known()
    assert (policy[~known] == completion[~known]).all()
    assert 10 < known.sum() < len(known) - 10
    assert form.normalised(policy) == pytest.approx(policy)


def test_the_greedy_policy_takes_the_largest_share() -> None:
    """In Kuhn by a known strategy, all of whose information sets 200 matches reach."""
    form = sequence_form(KUHN)
    policy = form.normalised(np.random.default_rng(4).random(form.num_slots) + 0.2)
    aggregate = Aggregate(KUHN, form, PolicyPlayer(KUHN, form, policy), ONE, 1)
    aggregate.play(200)
    greedy = aggregate.greedy_policy()
    pairs = list(zip(greedy[form.num_seats :], policy[form.num_seats :], strict=True))
    assert {share > 0.5 for _, share in pairs} == {True, False}
    assert all(taken == (share > 0.5) for taken, share in pairs)
    exact = sequence_best_response(form, greedy).nash_conv
    assert aggregate.best_response(is_greedy=True).nash_conv == exact
    assert aggregate.best_response().nash_conv != exact


def plain_sums(
    player: OOSPlayer | ISMCTSPlayer, budget: MoveBudget, num_matches: int
) -> dict[int, list[float]]:
    """Sums by key, by asking for every history whether it goes through the present move."""
    form = sequence_form(KUHN)
    histories = infoset_histories(KUHN, form)
    paths = [
        {int(state_after(KUHN, actions[:length])[int(seat)]) for length in range(len(actions) + 1)}
        for actions, seat in zip(histories, form.infoset_seats, strict=True)
    ]
    sums: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for number in range(num_matches):
        for seat in (0, 1):
            stream = Stream(5, 0, number, seat)
            player.begin(seat, Stream(5, 1, number, seat).bits())
            state: State = new_state(KUHN)
            actions: list[int] = []
            while (actor := KUHN.actor(state)) != OVER:
                if actor == CHANCE:
                    action = int(chance_action(KUHN, state, stream.unit()))
                elif actor != seat:
                    action = stream.below(KUHN.num_actions(state))
                else:
                    action = player.choose(actions, budget)
                    assert player.search is not None
                    table = player.search.table
                    for place in table.places[table.places["slot"] > 0]:
                        infoset = form.infoset_keys.tolist().index(int(place["key"]))
                        is_own = form.infoset_seats[infoset] == seat
                        if is_own and int(state[seat]) in paths[infoset]:
                            for which in range(2):
                                slot = int(place["slot"]) + which
                                sums[int(place["key"])][which] += float(table.sums[slot, 1])
                actions.append(action)
                KUHN.apply(state, action)
    return sums


@pytest.mark.parametrize(
    "player",
    [
        OOSPlayer(KUHN, OOSSettings(delta=0.5)),
        ISMCTSPlayer(KUHN, UCT(2.0)),
        ISMCTSPlayer(KUHN, InfosetRegrets(0.2)),
    ],
    ids=["oos", "uct", "rm"],
)
def test_sums_of_a_move_and_of_all_that_follows_are_added(
    player: OOSPlayer | ISMCTSPlayer,
) -> None:
    """Catches the opponent's information sets, and those that the move has ruled out."""
    form, budget = sequence_form(KUHN), MoveBudget(simulations=200)
    aggregate = Aggregate(KUHN, form, player, budget, 5)
    aggregate.play(4)
    expected = plain_sums(player, budget, 4)
    for key, slots in form.slots_by_key().items():
        assert aggregate.sums[slots] == pytest.approx(expected[key], rel=1e-12)
    assert sum(len(sums) for sums in expected.values()) >= 10


def test_oos_is_less_exploitable_than_is_mcts_by_the_aggregate_method() -> None:
    """The paper's order in games with little to hide behind: OOS falls with time, UCT does not."""
    form, found = sequence_form(KUHN), {}
    for name, player in (
        ("oos", OOSPlayer(KUHN, OOSSettings(delta=0.5))),
        ("uct", ISMCTSPlayer(KUHN, UCT(2.0))),
    ):
        aggregate = Aggregate(KUHN, form, player, MoveBudget(simulations=20_000), 1)
        aggregate.play(30)
        found[name] = aggregate.best_response().nash_conv
    assert found["oos"] < 0.08
    assert found["uct"] > 2 * found["oos"]


def test_players_are_begun_by_the_aggregate() -> None:
    form = sequence_form(KUHN)
    with pytest.raises(UsageError, match="no match"):
        ISMCTSPlayer(KUHN, UCT(2.0)).strategy([0, 0], ONE)
    aggregate = Aggregate(KUHN, form, ISMCTSPlayer(KUHN, UCT(2.0)), ONE, 1)
    aggregate.play(1)
    assert aggregate.num_matches == 1
