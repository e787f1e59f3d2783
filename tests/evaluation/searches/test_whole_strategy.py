"""Whole strategies of searches: known NashConv, and the same as asked one by one."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.evaluation.searches.whole_strategy import WholeStrategy, completing_policy
from acpcbot.games.game import CHANCE, Game, State, make_target, new_state
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.sequence_form import sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.tree_search.is_mcts import FinalMove, InfosetSearch
from acpcbot.tree_search.oos import OOSSearch, OOSSettings
from acpcbot.tree_search.selection.duct import DecoupledUCT
from acpcbot.tree_search.selection.infoset_regrets import InfosetRegrets
from acpcbot.tree_search.selection.matched_regrets import RegretMatching
from acpcbot.tree_search.selection.policy import InfosetPolicy, SelectionPolicy
from acpcbot.tree_search.selection.uct import UCT
from acpcbot.tree_search.simultaneous import WIN_LOSS, SimultaneousSearch

KUHN = Kuhn()
OPEN = Goofspiel(3, pays_points=True)


@pytest.mark.parametrize(
    ("game", "nash_conv"),
    [(KUHN, 0.916667), (LEDUC, 4.747222), (Goofspiel(4, hides_bids=True), 1.416667)],
    ids=["Kuhn", "Leduc", "II Goofspiel(4)"],
)
def test_a_search_that_never_began_is_uniform(game: Game, nash_conv: float) -> None:
    whole = WholeStrategy(game, sequence_form(game))
    assert whole.nash_conv(OOSSearch(game, OOSSettings(), 1)) == pytest.approx(nash_conv, abs=1e-6)
    search = InfosetSearch(game, UCT(2.0), 1)
    assert whole.nash_conv(search) == pytest.approx(nash_conv, abs=1e-6)


@pytest.mark.parametrize(
    ("game", "nash_conv"),
    [(Goofspiel(4), 1.493056), (Goofspiel(4, pays_points=True), 2 * 2.5)],
    ids=["WL", "PD"],
)
def test_a_joint_tree_that_never_grew_is_uniform(game: Game, nash_conv: float) -> None:
    """The known value by points, 2.5, is of OpenSpiel's payoffs, which are half the difference."""
    whole = WholeStrategy(game, sequence_form(game))
    search = SimultaneousSearch(game, RegretMatching(0.1), 1)
    assert whole.nash_conv(search) == pytest.approx(nash_conv, abs=1e-6)


def as_asked(game: Game, search: OOSSearch | InfosetSearch, final: FinalMove) -> Floats:
    """The policy of *search*, asked for one information set after the other."""
    form = sequence_form(game)
    policy = completing_policy(form, "uniform")
    for key, slots in form.slots_by_key().items():
        found = search.strategy(key, final) if isinstance(search, InfosetSearch) else None
        if isinstance(search, OOSSearch):
            found = search.strategy(key)
        if found is not None:
            policy[slots] = found
    return policy


@pytest.mark.parametrize("number", [50, 3000])
def test_strategies_of_oos_are_those_of_its_table(number: int) -> None:
    search = OOSSearch(LEDUC, OOSSettings(), 3)
    search.sample(number)
    whole = WholeStrategy(LEDUC, sequence_form(LEDUC))
    assert whole.policy(search) == pytest.approx(as_asked(LEDUC, search, "visits"), abs=1e-14)


@pytest.mark.parametrize("final", ["visits", "most-visits", "best-value"])
@pytest.mark.parametrize("policy", [UCT(2.0), InfosetRegrets(0.2)], ids=["uct", "rm"])
def test_strategies_of_is_mcts_are_those_of_its_table(
    policy: InfosetPolicy, final: FinalMove
) -> None:
    search = InfosetSearch(KUHN, policy, 3)
    search.begin()
    search.simulate(200)
    whole = WholeStrategy(KUHN, sequence_form(KUHN))
    assert whole.policy(search, final) == pytest.approx(as_asked(KUHN, search, final), abs=1e-14)


def joint_policy(game: Game, search: SimultaneousSearch) -> Floats:
    """The policy of a joint tree, by recursion."""
    form = sequence_form(game)
    policy, slots = completing_policy(form, "uniform"), form.slots_by_key()

    def walk(state: State, node: int) -> None:
        count = game.num_actions(state)
        if game.actor(state) == CHANCE:
            for outcome in range(count):
                go_on(state, [outcome], search.child(node, outcome))
            return
        for seat in (0, 1):
            policy[slots[int(state[seat])]] = search.strategy(seat, node)
        for row in range(count):
            for column in range(len(search.strategy(1, node))):
                go_on(state, [row, column], search.child(node, row, column))

    def go_on(state: State, actions: list[int], child: int | None) -> None:
        if child is not None:
            after = state.copy()
            for action in actions:
                game.apply(after, action)
            walk(after, child)

    walk(new_state(game), 0)
    return policy


@pytest.mark.parametrize("policy", [RegretMatching(0.1), DecoupledUCT(2.0)], ids=["rm", "duct"])
def test_strategies_of_joint_trees_are_those_of_their_nodes(policy: SelectionPolicy) -> None:
    """Catches seats and cells that change places, and children of the wrong outcome."""
    search = SimultaneousSearch(OPEN, policy, 5)
    search.simulate(400)
    whole = WholeStrategy(OPEN, sequence_form(OPEN))
    found = whole.policy(search)
    assert found == pytest.approx(joint_policy(OPEN, search), abs=1e-14)
    uniform = completing_policy(whole.form, "uniform")
    assert 20 < np.count_nonzero(found != uniform) < whole.form.num_slots


def test_searches_that_converge_end_near_an_equilibrium() -> None:
    """Catches regrets that are read for average strategies."""
    search = OOSSearch(KUHN, OOSSettings(), 1)
    whole = WholeStrategy(KUHN, sequence_form(KUHN))
    search.sample(300_000)
    assert whole.nash_conv(search) < 0.03
    joint = SimultaneousSearch(Goofspiel(3), RegretMatching(0.1), 1, WIN_LOSS)
    joint.simulate(200_000)
    assert WholeStrategy(Goofspiel(3), sequence_form(Goofspiel(3))).nash_conv(joint) < 0.1


def test_a_search_from_later_on_is_read_in_the_form_from_there() -> None:
    game = Goofspiel(4, pays_points=True)
    root = make_target(game, [3], 0).states[-1]
    form = sequence_form(game, root)
    search = SimultaneousSearch(game, RegretMatching(0.1), 1)
    search.begin(root)
    search.simulate(300)
    policy = WholeStrategy(game, form, root=root).policy(search)
    assert policy[form.slots_by_key()[int(root[1])]] == pytest.approx(search.strategy(1))


def test_one_action_completes_strategies_alike_for_all_searches() -> None:
    form = sequence_form(LEDUC)
    policy = completing_policy(form, "one-action", 4)
    assert set(policy.tolist()) == {0.0, 1.0}
    assert form.normalised(policy) == pytest.approx(policy)
    assert (policy == completing_policy(form, "one-action", 4)).all()
    assert (policy != completing_policy(form, "one-action", 5)).any()
    assert sequence_best_response(form, policy).nash_conv > 1
    # Two searches of few samples agree where neither was.
    whole = WholeStrategy(LEDUC, form, "one-action", 4)
    one, other = OOSSearch(LEDUC, OOSSettings(), 1), InfosetSearch(LEDUC, UCT(5.0), 1)
    one.sample(20)
    other.simulate(20)
    for search in (one, other):
        found = whole.policy(search)
        unseen = [
            slots for key, slots in form.slots_by_key().items() if search.strategy(key) is None
        ]
        assert len(unseen) > 200
        assert all((found[slots] == policy[slots]).all() for slots in unseen)
