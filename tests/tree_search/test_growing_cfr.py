"""Growing-tree CFR against plain Python, the project's CFR, and laws of counterfactual values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games import tic_tac_toe
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.game import OVER, Game, State, new_state, states_after
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.sequence_form import SequenceForm, sequence_form
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.games.solvers.sequence_cfr import add_policy_values, write_end_values, write_reaches
from acpcbot.games.tic_tac_toe import TicTacToe
from acpcbot.tree_search.growing_cfr import Gadget, GrowingCFR, GrowingCFRSettings, SearchResult
from acpcbot.tree_search.growing_cfr_arrays import NUM_STATES, OUTSIDE
from acpcbot.tree_search.leaf_evaluators import LeafEvaluator
from acpcbot.tree_search.public_tree import ROOT, PublicArrays, PublicTree
from acpcbot.tree_search.subgame_oracle import SubgameOracle

from .plain_growing_cfr import Answer, Pair, PlainGrowingCFR, PlainState

LEDUC_ROWS = np.ones(6)


def rooted(game: Game, simulations: int, per_update: float = 1.0) -> GrowingCFR:
    settings = GrowingCFRSettings(simulations=simulations, simulations_per_update=per_update)
    return GrowingCFR(PublicTree(game), settings)


def compare(search: GrowingCFR, node: int, plain: PlainState, tolerance: float = 1e-12) -> int:
    """Compare what both keep below *node*; the number of states compared."""
    tree, arrays = search.tree, search.arrays
    assert arrays.weights[node] == plain.weight
    for seat in range(2):
        rows = tree.rows_of(node, seat)
        keys = tree.arrays.rows["key"][rows].tolist()
        mine = dict(zip(keys, arrays.value_sums[rows].tolist(), strict=True))
        # A state that no update has met since it was added has no sums yet.
        assert mine == pytest.approx(
            plain.sums[seat] or dict.fromkeys(mine, 0.0), rel=tolerance, abs=tolerance
        )
    compared = 1
    if plain.is_inside:
        if plain.actor >= 0:
            for row in tree.arrays.rows[tree.rows_of(node, plain.actor)]:
                slots = slice(int(row["first_slot"]), int(row["first_slot"] + row["count"]))
                key = int(row["key"])
                for own, theirs in (
                    (arrays.regrets, plain.regrets),
                    (arrays.averages, plain.averages),
                    (arrays.visits, plain.visits),
                ):
                    assert own[slots].tolist() == pytest.approx(
                        theirs[key], rel=tolerance, abs=tolerance
                    )
        for child in tree.children(node):
            key = int(tree.states[tree.arrays.nodes["first_history"][child]][2])
            assert (key in plain.children) == (arrays.status[child] != OUTSIDE)
            if key not in plain.children:
                continue
            compared += compare(search, child, plain.children[key], tolerance)
    return compared


@pytest.mark.parametrize(
    ("game", "greatest", "simulations", "per_update"),
    [
        (Kuhn(), 2, 40, 1.0),
        (Kuhn(), 2, 12, 0.2),
        (LEDUC, 13, 60, 1.0),
        (LEDUC, 13, 10, 0.1),
        (LEDUC, 13, 64, 4.0),
    ],
    ids=str,
)
def test_a_search_is_that_of_the_plain_program(
    game: Game, greatest: float, simulations: int, per_update: float
) -> None:
    """Catches any other order of updates, weights, selection, virtual losses or random numbers."""
    search = rooted(game, simulations, per_update)
    result = search.search(ROOT, ROOT, np.ones(6), seed=5)
    plain = PlainGrowingCFR(game, greatest, 1.5, seed=5)
    plain.search(simulations, per_update)
    assert compare(search, ROOT, plain.root) == result.num_states
    assert result.num_updates == plain.num_updates


@pytest.mark.parametrize("power", [0.0, 2.5, 3.0])
def test_other_weights_of_averages_are_those_of_the_plain_program(power: float) -> None:
    """Catches a power that is not passed on, or not to all of the averages."""
    settings = GrowingCFRSettings(simulations=40, averaging_power=power)
    search = GrowingCFR(PublicTree(Kuhn()), settings)
    result = search.search(ROOT, ROOT, np.ones(6), seed=5)
    plain = PlainGrowingCFR(Kuhn(), 2, 1.5, seed=5, power=power)
    plain.search(40, 1.0)
    assert compare(search, ROOT, plain.root) == result.num_states


class KeyedEvaluator(NamedTuple):
    """Values and priors by a state's key, which mean nothing; linear in the other's reach."""

    greatest: float

    def leaf_values(
        self, tree: PublicArrays, leaves: Ints, num_leaves: int, reach: Floats, values: Floats
    ) -> None:
        for place in range(num_leaves):
            first = tree.nodes[leaves[place]]["first_row"]
            worth = self.greatest * (tree.rows[first]["key"] % 1000 / 1000 - 0.5)
            values[first], values[first + 1] = worth * reach[first + 1], -worth * reach[first]

    def write_priors(self, tree: PublicArrays, node: int, reach: Floats, priors: Floats) -> None:
        first, key = tree.nodes[node]["first_slot"], tree.rows[tree.nodes[node]["first_row"]]["key"]
        for slot in range(first, tree.nodes[node]["end_slot"]):
            priors[slot] = 1.0 + (key + slot - first) % 3


class KeyedValues:
    def on(self, _tree: PublicTree) -> LeafEvaluator:
        return KeyedEvaluator(1.0)


def keyed_answer(node: PlainState) -> Answer:
    """The answers of a KeyedEvaluator of 1 under the reaches of *node*."""
    ((state, _),) = node.histories
    first, second, worth = int(state[0]), int(state[1]), int(state[0]) % 1000 / 1000 - 0.5
    values: Pair = (
        {first: worth * node.reach[1][second]},
        {second: -worth * node.reach[0][first]},
    )
    priors = [1.0 + (first + action) % 3 for action in range(node.game.num_actions(state))]
    return values, {int(state[node.actor]): [prior / sum(priors) for prior in priors]}


@pytest.mark.parametrize(
    ("game", "simulations", "per_update"),
    [
        (ConnectFour(), 80, 1.0),
        (ConnectFour(3, 3, 3), 200, 0.3),
        (TicTacToe(), 60, 1.0),
        (TicTacToe(), 64, 4.0),
    ],
    ids=str,
)
@pytest.mark.parametrize("is_keyed", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_one_evaluation_scaled_is_one_in_every_update(
    game: Game,
    simulations: int,
    per_update: float,
    is_keyed: bool,
) -> None:
    """The plain program asks for the values of each leaf in every update, under the reaches there.

    Catches a leaf that is scaled by its own seat's reach, evaluated again or not at all, a child
    that is added twice, and regrets of actions whose child is not in the tree.
    """
    settings = GrowingCFRSettings(
        simulations=simulations, simulations_per_update=per_update, adds_one_child=True
    )
    tree = PublicTree(game, greatest_payoff=1.0)
    search = GrowingCFR(tree, settings, KeyedValues() if is_keyed else None)
    result = search.search(ROOT, ROOT, np.ones(2), seed=5)
    ask = keyed_answer if is_keyed else None
    plain = PlainGrowingCFR(game, 1, 1.5, 5, ask, adds_one=True)
    plain.search(simulations, per_update)
    assert compare(search, ROOT, plain.root) == result.num_states
    assert result.num_states > 0.8 * simulations
    ends = search.tree.arrays.nodes["actor"][search.arrays.order[: result.num_states]] == OVER
    assert result.num_queries == result.num_states - ends.sum()


def minimax(game: Game, state: State) -> float:
    """The value for seat 0, by recursion."""
    actor = game.actor(state)
    if actor == OVER:
        return game.payoff(state, 0)
    found = []
    for action in range(game.num_actions(state)):
        after = state.copy()
        game.apply(after, action)
        found.append(minimax(game, after))
    return max(found) if actor == 0 else min(found)


@pytest.mark.parametrize("moves", [[], [1], [1, 1], [0], [0, 1, 2]], ids=str)
def test_one_child_at_a_time_finds_values_and_moves(moves: list[int]) -> None:
    """From any start of Connect Three: minimax's value, and a move that keeps it."""
    game = ConnectFour(3, 3, 3)
    start = states_after(game, moves)[-1]
    search = GrowingCFR(
        PublicTree(game, start=start), GrowingCFRSettings(simulations=2000, adds_one_child=True)
    )
    result = search.search(ROOT, ROOT, np.ones(2), seed=1)
    value = minimax(game, start)
    # The mean value has early updates in it, which saw little of the game.
    assert result.values[0] == pytest.approx(value, abs=0.2)
    assert result.values[1] == pytest.approx(-result.values[0], abs=1e-12)
    after = start.copy()
    game.apply(after, int(result.policy[: game.num_actions(start)].argmax()))
    assert minimax(game, after) == value


@pytest.mark.parametrize("seed", range(5))
def test_connect_four_is_searched_without_its_whole_tree(seed: int) -> None:
    """Each seat has three in the leftmost columns: who is to move wins there at once."""
    game = ConnectFour()
    tree = PublicTree(game, greatest_payoff=1.0)
    settings = GrowingCFRSettings(simulations=300, adds_one_child=True)
    node = tree.node_after([0, 1, 0, 1, 0, 1])
    result = GrowingCFR(tree, settings).search(node, node, np.ones(2), seed)
    first = int(tree.arrays.nodes["first_slot"][node])
    assert result.policy[first : first + 7].argmax() == 0
    assert result.values[tree.rows_of(node, 0)] == pytest.approx([1.0], abs=0.2)
    # Where it is seat 1's turn instead, it takes its own column.
    node = tree.node_after([0, 1, 0, 1, 0, 1, 6])
    result = GrowingCFR(tree, settings).search(node, node, np.ones(2), seed)
    first = int(tree.arrays.nodes["first_slot"][node])
    assert result.policy[first : first + 7].argmax() == 1
    assert result.num_states <= 301


def test_a_refutation_is_added_soon() -> None:
    """Seat 1 wins by a fork; with a half of average play, one search in thirteen missed it.

    Then the only child of the state that the fork leads to is a loss, so hardly any simulation
    comes back there, and one that does draws this child again.
    """
    game, state = TicTacToe(), new_state(TicTacToe())
    # X X O / O . . / X . . and seat 1 to move, which wins by taking the middle of the right side.
    state[tic_tac_toe.MARKS], state[tic_tac_toe.MARKS + 1] = 0b001_000_011, 0b000_001_100
    state[tic_tac_toe.ACTOR] = 1
    tree = PublicTree(game, start=state)
    search = GrowingCFR(tree, GrowingCFRSettings(simulations=800, adds_one_child=True))
    for seed in range(40):
        assert search.search(ROOT, ROOT, np.ones(2), seed).policy[:4].argmax() == 1


def test_with_an_oracle_one_child_at_a_time_finds_values_at_once() -> None:
    """Catches values that are scaled by the own seat's reach, and evaluated twice."""
    game = ConnectFour(3, 3, 3)
    start = states_after(game, [0, 1, 2])[-1]
    settings = GrowingCFRSettings(simulations=8, simulations_per_update=0.01, adds_one_child=True)
    search = GrowingCFR(PublicTree(game, start=start), settings, SubgameOracle(100))
    result = search.search(ROOT, ROOT, np.ones(2), seed=1)
    assert result.values[0] == pytest.approx(minimax(game, start), abs=0.2)
    assert result.num_queries <= result.num_states <= 9
    blind = GrowingCFR(search.tree, settings).search(ROOT, ROOT, np.ones(2), seed=1)
    assert blind.num_states <= 9


@pytest.mark.parametrize("game", [LEDUC, Goofspiel(3)], ids=str)
def test_one_child_at_a_time_is_refused_where_something_is_hidden(game: Game) -> None:
    settings = GrowingCFRSettings(simulations=10, adds_one_child=True)
    search = GrowingCFR(PublicTree(game), settings)
    target = ROOT if game is LEDUC else search.tree.children(ROOT)[0]
    ranges = np.ones(6 if game is LEDUC else 2)
    with pytest.raises(UsageError, match="histories, expected 1") as caught:
        search.search(ROOT, target, ranges, seed=1)
    assert "all children" in caught.value.hint


def whole_tree_policy(search: GrowingCFR, form: SequenceForm, result: SearchResult) -> Floats:
    policy, slots = np.ones(form.num_slots), form.slots_by_key()
    for row in search.tree.arrays.rows[: search.tree.num_rows]:
        if row["count"]:
            first = int(row["first_slot"])
            policy[slots[int(row["key"])]] = result.policy[first : first + int(row["count"])]
    return policy


@pytest.mark.parametrize(("game", "value"), [(Kuhn(), -1 / 18), (LEDUC, -0.0856)], ids=str)
def test_the_whole_tree_solves_the_game(game: Game, value: float) -> None:
    """The game's known value, and the exploitability of one search's whole tree."""
    search, form = rooted(game, 1), sequence_form(game)
    result = search.solve_whole(ROOT, np.ones(6), num_updates=3000)
    assert result.is_known.all()
    response = sequence_best_response(form, whole_tree_policy(search, form, result))
    assert response.exploitability < 5e-3
    assert response.policy_values[0] == pytest.approx(value, abs=1e-3)


def simultaneous_cfr_plus(form: SequenceForm, num_updates: int) -> Floats:
    """The linear average of simultaneous CFR+ by the project's sweeps over sequences."""
    regrets, averages = np.zeros(form.num_slots), np.zeros(form.num_slots)
    seats = form.infoset_seats
    for number in range(1, num_updates + 1):
        policy, gains = form.normalised(regrets), np.zeros(form.num_slots)
        reaches, values = np.empty(form.num_slots), np.empty(form.num_slots)
        for seat in range(2):
            write_reaches(form, policy, reaches, seat)
        for seat in range(2):
            write_end_values(form, reaches, values, seat)
            add_policy_values(form, policy, values, seat)
            for infoset in np.flatnonzero(seats == seat):
                slots = slice(form.first_slots[infoset], form.first_slots[infoset + 1])
                gains[slots] = values[slots] - policy[slots] @ values[slots]
        regrets = np.maximum(0.0, regrets + gains)
        averages += number * reaches
    return form.normalised(averages)


def test_the_whole_tree_gives_the_policy_of_the_projects_sweeps() -> None:
    """With all of Kuhn in the tree from the first update, both programs do the same sums."""
    search, form = rooted(Kuhn(), 200), sequence_form(Kuhn())
    search.search(ROOT, ROOT, np.ones(6), seed=1)
    assert search.arrays.counts[NUM_STATES] == search.tree.num_nodes
    result = search.solve_whole(ROOT, np.ones(6), num_updates=500)
    expected = simultaneous_cfr_plus(form, 500)
    assert whole_tree_policy(search, form, result) == pytest.approx(expected, abs=1e-9)
    assert result.num_updates == 500


def test_values_scale_with_the_others_range() -> None:
    ranges = np.array([0.2, 0.5, 1.0, 0.9, 0.3, 0.6])
    scaled = ranges * np.array([1, 1, 1, 2.5, 2.5, 2.5])
    search = rooted(LEDUC, 60)
    first = search.search(ROOT, ROOT, ranges, seed=2)
    second = search.search(ROOT, ROOT, scaled, seed=2)
    assert second.values[:3] == pytest.approx(2.5 * first.values[:3])
    assert second.values[3:6] == pytest.approx(first.values[3:6])
    assert second.policy == pytest.approx(first.policy)


@pytest.mark.parametrize("simulations", [1, 10, 300])
def test_values_are_zero_sum_under_the_beliefs(simulations: int) -> None:
    ranges = np.array([0.2, 0.5, 1.0, 0.9, 0.3, 0.6])
    result = rooted(LEDUC, simulations).search(ROOT, ROOT, ranges, seed=2)
    assert ranges @ result.values[:6] == pytest.approx(0, abs=1e-12)


def test_equal_seeds_give_equal_searches_in_a_tree_of_any_size() -> None:
    """Catches results that depend on what other searches have added to the tree before."""
    search = rooted(LEDUC, 50)
    first = search.search(ROOT, ROOT, LEDUC_ROWS, seed=7)
    known = [search.tree.path_to(node) for node in np.flatnonzero(first.is_known).tolist()]
    search.tree.grow_all()
    second = search.search(ROOT, ROOT, LEDUC_ROWS, seed=7)
    other = search.search(ROOT, ROOT, LEDUC_ROWS, seed=8)
    assert [search.tree.path_to(n) for n in np.flatnonzero(second.is_known).tolist()] == known
    assert second.values[:6].tolist() == first.values[:6].tolist()
    assert second.policy[:6].tolist() == first.policy[:6].tolist()
    assert other.values[:6].tolist() != first.values[:6].tolist()


def test_a_search_goes_on_where_the_tree_had_to_grow() -> None:
    """Kernels stop for new states; a tree made before gives the same numbers."""
    made, grown = rooted(LEDUC, 80), rooted(LEDUC, 80)
    made.tree.grow_all()
    first = made.search(ROOT, ROOT, LEDUC_ROWS, seed=3)
    second = grown.search(ROOT, ROOT, LEDUC_ROWS, seed=3)
    assert first.num_queries == second.num_queries
    assert first.values[:6].tolist() == second.values[:6].tolist()
    assert grown.tree.num_nodes < made.tree.num_nodes


def test_only_what_lies_behind_the_target_grows() -> None:
    search = rooted(LEDUC, 200)
    target = search.tree.children(ROOT)[1]
    result = search.search(ROOT, target, LEDUC_ROWS, seed=1)
    beside = search.tree.children(ROOT)[0]
    assert result.knows(beside)
    for node in np.flatnonzero(result.is_known).tolist():
        assert target in search.tree.path_to(node) or node in (ROOT, beside)
    assert result.num_states > 20


def test_simultaneous_bids_and_public_chance_are_searched() -> None:
    """Goofspiel begins with a card turned up, and seat 1 does not see seat 0's bid."""
    game = Goofspiel(3)
    search, form = rooted(game, 400, 0.1), sequence_form(game)
    target = search.tree.children(ROOT)[2]
    result = search.search(ROOT, target, np.ones(2), seed=1)
    assert result.num_updates == 4000
    key = int(search.tree.arrays.rows["key"][search.tree.rows_of(target, 0)][0])
    assert key in form.infoset_keys.tolist()
    value = result.values[search.tree.rows_of(target, 0)]
    assert value == pytest.approx([0.0], abs=0.02)


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"simulations": 0}, "simulations = 0"),
        ({"simulations_per_update": 0.0}, "simulations_per_update = 0"),
        ({"exploration": -1.0}, "exploration = -1"),
        ({"alpha": 1.5}, "alpha = 1.5"),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, float], fault: str) -> None:
    with pytest.raises(UsageError, match=fault) as caught:
        GrowingCFRSettings(**settings)  # type: ignore[arg-type]
    assert caught.value.hint


def test_ranges_that_cannot_be_are_refused() -> None:
    search = rooted(Kuhn(), 10)
    # One of the three hands of seat 1 is the card that seat 0 holds.
    refused = 0
    for row in range(3):
        blocked = np.zeros(6)
        blocked[0] = blocked[3 + row] = 1.0
        try:
            search.search(ROOT, ROOT, blocked, seed=1)
        except UsageError:
            refused += 1
    assert refused == 1
    for ranges in (np.zeros(6), -np.ones(6)):
        with pytest.raises(UsageError, match="cannot be reached"):
            search.search(ROOT, ROOT, ranges, seed=1)
    for ranges in (np.ones(5), np.full(6, np.nan)):
        with pytest.raises(UsageError, match="ranges of public state 0"):
            search.search(ROOT, ROOT, ranges, seed=1)
    with pytest.raises(UsageError, match="alternatives of public state 0"):
        search.search(ROOT, ROOT, np.ones(6), 1, Gadget(1, np.ones(2)))


def test_targets_that_cannot_be_searched_are_refused() -> None:
    search = rooted(Kuhn(), 10)
    first, second = search.tree.children(ROOT)
    with pytest.raises(UsageError, match=f"{second} does not lie behind {first}"):
        search.search(first, second, np.ones(6), seed=1)
    search.tree.grow_all()
    ends = np.flatnonzero(search.tree.arrays.nodes["actor"][: search.tree.num_nodes] == -2)
    with pytest.raises(UsageError, match=f"the game is over in public state {ends[0]}"):
        search.search(ROOT, int(ends[0]), np.ones(6), seed=1)
