"""SM-MCTS: against a plain twin, in matrix games that are known, and in what it refuses."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, Game, State, new_state
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.rock_paper_scissors import RPS_PLUS
from acpcbot.random_kernels import seed_state
from acpcbot.tree_search.joint_tree import ROOT, means
from acpcbot.tree_search.selection.duct import DecoupledUCT
from acpcbot.tree_search.selection.exp3 import Exp3
from acpcbot.tree_search.selection.matched_regrets import RegretMatching
from acpcbot.tree_search.selection.oos_plus import OOSPlus
from acpcbot.tree_search.selection.outcome_sampling import OutcomeSampling
from acpcbot.tree_search.selection.policy import SelectionPolicy
from acpcbot.tree_search.simultaneous import PAYOFFS, WIN_LOSS, Rewards, SimultaneousSearch
from tests.support.plain_simultaneous import History, PlainSearch

POLICIES: dict[str, tuple[SelectionPolicy, float]] = {
    "duct": (DecoupledUCT(1.5), 1.5),
    "exp3": (Exp3(0.2), 0.2),
    "rm": (RegretMatching(0.1), 0.1),
    "oos": (OutcomeSampling(0.5), 0.5),
    "oos+": (OOSPlus(0.4), 0.4),
}
NAMES = pytest.mark.parametrize("name", POLICIES)


def search_of(
    name: str, game: Game, seed: int = 1, rewards: Rewards = PAYOFFS, memory_bytes: int = 1 << 26
) -> SimultaneousSearch:
    """A search with the policy *name* from the start of *game*."""
    search = SimultaneousSearch(game, POLICIES[name][0], seed, rewards, memory_bytes)
    search.begin(new_state(game))
    return search


def nodes_of(search: SimultaneousSearch, twin: PlainSearch) -> dict[History, int]:
    """The node of each history at which the twin has sums."""
    found: dict[History, int] = {(): ROOT}
    for history, _ in twin.first:
        for cut in range(1, len(history) + 1):
            parent, step = found[history[: cut - 1]], history[cut - 1]
            row, column = step if isinstance(step, tuple) else (step, 0)
            node = search.child(parent, row, column)
            assert node is not None, history
            found[history[:cut]] = node
    return found


@NAMES
@pytest.mark.parametrize(
    ("game", "rewards", "depth"),
    [
        (Goofspiel(4), WIN_LOSS, 5),
        (Goofspiel(3, pays_points=True), PAYOFFS, 3),
        (RPS_PLUS, PAYOFFS, 0),
    ],
    ids=["WL-Goof(4)", "PD-Goof(3)", "RPS+"],
)
def test_the_sums_are_those_of_a_plain_twin(
    name: str, game: Game, rewards: Rewards, depth: int
) -> None:
    """Caught: a sum, a draw or a node that differs from algorithm 1 and sections 3.1 to 3.4."""
    search = search_of(name, game, 3, rewards)
    twin, numbers = PlainSearch(game, name, POLICIES[name][1], rewards), seed_state(3)
    num_simulations = 1500
    for _ in range(num_simulations):
        twin.simulate(new_state(game), numbers)
    search.simulate(num_simulations // 2)
    search.simulate(num_simulations // 2)

    nodes = nodes_of(search, twin)
    assert max(len(history) for history, _ in twin.first) == depth
    for (history, seat), sums in twin.first.items():
        node = nodes[history]
        record = search.tree.nodes[node]
        first = int(record["first_slot"]) + (int(record["num_rows"]) if seat else 0)
        ours = search.tree.sums[first : first + len(sums)]
        theirs = np.array([sums, twin.second[history, seat]]).T
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
        assert record["visits"] == twin.visits[history, "n"]
    for history, node in nodes.items():
        record = search.tree.nodes[node]
        for row in range(int(record["num_rows"])):
            for column in range(max(1, int(record["num_columns"]))):
                step = (row, column) if record["num_columns"] else row
                visits = twin.visits[(*history, step)]
                cell = search.tree.cells[
                    int(record["first_cell"]) + row * max(1, int(record["num_columns"])) + column
                ]
                assert cell["visits"] == visits
                assert cell["total"] == pytest.approx(twin.total[(*history, step)], abs=1e-9)


@pytest.mark.parametrize("name", ["exp3", "rm", "oos", "oos+"])
def test_policies_that_converge_find_the_equilibrium_of_a_matrix_game(name: str) -> None:
    """RPS+ of the depth-limited solving paper: two fifths, two fifths, a fifth."""
    policies: dict[str, SelectionPolicy] = {
        "exp3": Exp3(0.02),
        "rm": RegretMatching(0.025),
        "oos": OutcomeSampling(0.5),
        "oos+": OOSPlus(0.4),
    }
    search = SimultaneousSearch(RPS_PLUS, policies[name], 1, Rewards(0.5, 0.25))
    search.begin(new_state(RPS_PLUS))
    search.simulate(1_000_000)
    for seat in range(2):
        assert np.allclose(search.strategy(seat), (0.4, 0.4, 0.2), atol=0.03)
    assert np.allclose(
        means(search.tree, ROOT), np.array([[0, -1, 2], [1, 0, -2], [-2, 2, 0]]) / 4 + 0.5
    )


def opened(game: Goofspiel, upcard: int, first: int, second: int) -> State:
    """The state after both have bid for the first *upcard*."""
    state = new_state(game)
    assert game.actor(state) == CHANCE
    for action in (upcard - 1, first - 1, second - 1):
        game.apply(state, action)
    return state


def test_means_come_near_the_value_of_a_subgame() -> None:
    """The published value of PD-Goof(4) after 4 against 3 on the upcard 4, which seat 0 has won,
    is for what is left; a search counts the points won as well.
    """
    game = Goofspiel(4, pays_points=True)
    search = SimultaneousSearch(game, RegretMatching(0.025), 5)
    search.begin(opened(game, 4, 4, 3))
    search.simulate(400_000)
    cells = search.tree.cells[:3]
    value = cells["total"].sum() / cells["visits"].sum()
    assert value == pytest.approx(4 - 1.383333, abs=0.05)


def test_duct_plays_the_best_mean_or_by_visits() -> None:
    search = search_of("duct", RPS_PLUS)
    search.simulate(1000)
    assert sorted(search.strategy(0)) == [0, 0, 1]
    sums = search.tree.sums[:3]
    mixing = DecoupledUCT(1.5, mixes=True)
    strategy = np.zeros(3)
    mixing.final(search.tree.sums, 0, 3, strategy, 0)
    assert np.allclose(strategy, sums[:, 1] / 1000)
    assert search.strategy(0)[np.argmax(sums[:, 0] / sums[:, 1])] == 1


def test_exp3_takes_its_exploration_out_of_the_final_strategy() -> None:
    """Equation 4 by hand: of 10 visits with gamma 0.3 each of three actions loses one."""
    strategy = np.zeros(3)
    Exp3(0.3).final(np.array([[0.0, 6.0], [0.0, 3.5], [0.0, 0.5]]), 0, 3, strategy, 0)
    assert np.allclose(strategy, (5 / 7.5, 2.5 / 7.5, 0))


@NAMES
def test_a_full_tree_stops_growing_and_the_search_goes_on(name: str) -> None:
    game = Goofspiel(5)
    search = search_of(name, game, memory_bytes=100_000)
    search.simulate(2000)
    assert search.is_full
    num_nodes = search.num_nodes
    search.simulate(2000)
    assert search.num_nodes == num_nodes
    assert search.tree.nodes[ROOT]["visits"] == 4000
    child = search.child(ROOT, 0)
    assert child is not None
    assert search.strategy(1, child).sum() == pytest.approx(1)


@NAMES
def test_a_tree_that_begins_anew_forgets(name: str) -> None:
    """Caught: sums or cells of an earlier search in memory that is used again."""
    game = Goofspiel(4)
    used, fresh = search_of(name, game, 1), search_of(name, game, 2)
    used.simulate(3000)
    used.begin(new_state(game))
    used.random_state[:] = seed_state(2)
    for search in (used, fresh):
        search.simulate(500)
    assert (used.tree.used == fresh.tree.used).all()
    num_cells, num_slots = used.tree.used[1:3]
    assert (used.tree.cells[:num_cells] == fresh.tree.cells[:num_cells]).all()
    assert (used.tree.sums[:num_slots] == fresh.tree.sums[:num_slots]).all()


def test_equal_seeds_give_equal_answers_on_any_number_of_threads() -> None:
    def answer(seed: int) -> list[float]:
        search = search_of("rm", Goofspiel(4), seed)
        search.simulate(3000)
        child = search.child(ROOT, 1)
        assert child is not None
        return [*search.strategy(0, child), *search.strategy(1, child)]

    alone = [answer(seed) for seed in range(6)]
    for num_threads in (2, 4):
        with ThreadPoolExecutor(num_threads) as pool:
            assert list(pool.map(answer, range(6))) == alone
    assert alone[0] != alone[1]


def test_games_in_turns_are_refused() -> None:
    search = search_of("rm", Kuhn())
    with pytest.raises(UsageError, match="do not move at the same time"):
        search.simulate(100)


def test_sm_mcts_refuses_games_memory_and_states_that_do_not_fit() -> None:
    with pytest.raises(UsageError, match="for 2 seats, not 3"):
        search_of("rm", Kuhn(3))
    with pytest.raises(UsageError, match="memory of 100 bytes is too small"):
        search_of("rm", Goofspiel(4), memory_bytes=100)
    over = new_state(RPS_PLUS)
    for _ in range(2):
        RPS_PLUS.apply(over, 0)
    search = search_of("rm", RPS_PLUS)
    search.begin(over)
    with pytest.raises(UsageError, match="over"):
        search.simulate(1)
    with pytest.raises(UsageError, match="not a decision"):
        search.strategy(0)
