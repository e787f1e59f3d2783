"""Views of a state by network and search, against plain sums over histories."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.agents.tree_search.sog import sog_maker
from acpcbot.agents.tree_search.state_views import AverageValues, view_state
from acpcbot.arrays import Floats
from acpcbot.games.game import OVER
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings, SearchResult
from acpcbot.tree_search.public_tree import PublicTree
from tests.agents.test_sog import FOLDER
from tests.support.games import LEDUC, rules_of


def plain_values(
    tree: PublicTree, found: SearchResult, node: int, reach: Floats
) -> dict[int, float]:
    """Return counterfactual values by row of *node*, history by history to the end."""
    arrays = tree.arrays
    result: dict[int, float] = {}

    def payoff(node: int, history: int) -> float:
        """Return seat 0's payoff times chance, from *history* on by the policies."""
        own, actor = arrays.histories[history], int(arrays.nodes["actor"][node])
        if actor == OVER:
            return float(own["payoff"] * own["chance"])
        total = 0.0
        for move in arrays.moves[own["first_move"] : own["end_move"]]:
            weight = 1.0
            if actor >= 0:
                row = arrays.rows[own[f"row{actor}"]]
                weight = float(found.policy[row["first_slot"] + move["action"]])
            total += weight * payoff(int(move["child"]), int(move["history"]))
        return total

    record = arrays.nodes[node]
    for history in range(record["first_history"], record["end_history"]):
        row0, row1 = (int(arrays.histories[f"row{seat}"][history]) for seat in range(2))
        won = payoff(node, history)
        result[row0] = result.get(row0, 0.0) + won * reach[row1]
        result[row1] = result.get(row1, 0.0) - won * reach[row0]
    return result


def test_values_of_a_whole_tree_are_sums_over_its_histories() -> None:
    """Caught: a reach that counts twice, a seat's own play in its counterfactual value."""
    played = sog_maker(f"{FOLDER}?network=no").strategy()
    tree = PublicTree(played.game.encoding.game)
    searcher = GrowingCFR(tree, GrowingCFRSettings(simulations=4000))
    node = tree.node_after(played.game.history(rules_of(LEDUC).parse("rc/c"), (51,)))
    reach = np.random.default_rng(1).random(tree.num_rows)
    record = tree.arrays.nodes[node]
    found = searcher.search(node, node, reach[record["first_row"] : record["end_row"]], 3)
    values = AverageValues(searcher, found).at(node, reach)
    expected = plain_values(tree, found, node, reach)
    assert len(expected) == 6
    for row, value in expected.items():
        assert values[row] == pytest.approx(value, abs=1e-12)


def test_a_hand_that_folds_loses_what_it_has_put_in() -> None:
    """Caught: values of another unit, or of updates in which the gadget's ranges were others."""
    played = sog_maker(f"{FOLDER}?s=400").strategy()
    betting = rules_of(LEDUC).parse("rc/rr")
    found = played.searched(betting, (51,))
    view = view_state(played, found)
    table = played.table(betting, (51,))
    queens = [0, 1]
    assert table.probabilities[queens, 0] == pytest.approx(1, abs=0.02)
    assert view.search_values[betting.actor, queens] == pytest.approx(
        -betting.spent[betting.actor], abs=0.3
    )
    assert view.network_policy is not None
    assert view.network_policy.sum(axis=1) == pytest.approx(1)
    means = [view.beliefs[seat][np.ix_([0, 2, 4])].mean() for seat in range(2)]
    assert means == pytest.approx([1, 1])


def test_values_of_both_seats_add_up_to_nothing() -> None:
    """By either source; hands are as likely as the beliefs and the deck make them."""
    played = sog_maker(f"{FOLDER}?s=60").strategy()
    for text in ("", "c", "cr", "r"):
        view = view_state(played, played.searched(rules_of(LEDUC).parse(text), ()))
        pairs = 1 - np.eye(6)
        weights = pairs * np.outer(view.beliefs[0], view.beliefs[1])
        for values in (view.search_values, view.network_values):
            assert values is not None
            total = (weights.sum(axis=1) * values[0]).sum() + (
                weights.sum(axis=0) * values[1]
            ).sum()
            assert total == pytest.approx(0, abs=1e-6)
