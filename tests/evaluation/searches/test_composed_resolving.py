"""Strategies composed of re-solving searches: exploitability falls, with a chain for each seat."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.evaluation.searches.composed_resolving import ComposedResolving
from acpcbot.games.game import Game
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.kuhn import Kuhn
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.sequence_form import SequenceForm, sequence_form
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.public_tree import PublicTree
from acpcbot.tree_search.subgame_oracle import SubgameOracle

SEEDS = range(4)
KUHN = Kuhn()


@pytest.fixture(scope="module")
def leduc() -> tuple[PublicTree, SequenceForm]:
    return PublicTree(LEDUC), sequence_form(LEDUC)


def mean_mbb(
    game: tuple[PublicTree, SequenceForm],
    simulations: int,
    seeds: range = SEEDS,
    *,
    is_safe: bool = True,
    shares_chain: bool = False,
) -> float:
    tree, form = game
    own = GrowingCFR(tree, GrowingCFRSettings(simulations=simulations))
    composed = ComposedResolving(own, form, is_safe=is_safe, shares_chain=shares_chain)
    found = [composed.compose(seed).best_response(form).exploitability for seed in seeds]
    return 1000 * float(np.mean(found))


def test_exploitability_in_leduc_falls_with_simulations(
    leduc: tuple[PublicTree, SequenceForm],
) -> None:
    found = [mean_mbb(leduc, simulations) for simulations in (100, 400, 1600, 6400)]
    assert found == sorted(found, reverse=True)
    assert found[0] < 600
    assert found[2] < 40
    assert found[3] <= 5


def test_a_chain_for_both_seats_does_not_converge(leduc: tuple[PublicTree, SequenceForm]) -> None:
    """The reason for chains of their own: a shared one is bound by values that nobody keeps to."""
    few, many = (mean_mbb(leduc, s, range(2), shares_chain=True) for s in (400, 1600))
    assert many > 150
    assert many > 0.5 * few
    assert mean_mbb(leduc, 1600, range(2)) < 40


def test_without_the_gadget_the_opponent_gains(leduc: tuple[PublicTree, SequenceForm]) -> None:
    assert mean_mbb(leduc, 1600, range(2), is_safe=False) > 200


@pytest.mark.parametrize(
    ("game", "bound"),
    [(LiarsDice(1, 3), 0.02), (Goofspiel(3, pays_points=True), 0.05)],
    ids=str,
)
def test_other_games_are_solved_as_well(game: Game, bound: float) -> None:
    tree, form = PublicTree(game), sequence_form(game)
    own = GrowingCFR(tree, GrowingCFRSettings(simulations=600))
    assert ComposedResolving(own, form).compose(1).best_response(form).exploitability < bound


def test_equal_seeds_compose_equal_strategies(leduc: tuple[PublicTree, SequenceForm]) -> None:
    tree, form = leduc
    composed = ComposedResolving(GrowingCFR(tree, GrowingCFRSettings(simulations=30)), form)
    first, second, other = (composed.compose(seed) for seed in (1, 1, 2))
    assert first.policy.tolist() == second.policy.tolist()
    assert first.policy.tolist() != other.policy.tolist()
    assert first.num_searches > 50
    assert first.num_updates == 30 * first.num_searches


@pytest.mark.parametrize("simulations", [1, 4])
def test_with_an_oracle_updates_alone_lower_exploitability(simulations: int) -> None:
    """Without values a search of so few states stays bad whatever it computes."""
    tree, form = PublicTree(KUHN), sequence_form(KUHN)
    found = []
    for per_update, oracle in ((0.1, True), (0.003, True), (0.003, False)):
        settings = GrowingCFRSettings(simulations=simulations, simulations_per_update=per_update)
        own = GrowingCFR(tree, settings, SubgameOracle(1000) if oracle else None)
        composed = ComposedResolving(own, form).compose(1)
        found.append(composed.best_response(form).exploitability)
    few, many, blind = found
    assert many < 0.5 * few
    assert many < 0.012
    assert blind > 0.05


def test_forced_actions_are_not_searched() -> None:
    """After the highest bid of liar's dice only the call is left: in half of all decisions."""
    tree, form = PublicTree(LiarsDice(1, 3)), sequence_form(LiarsDice(1, 3))
    own = GrowingCFR(tree, GrowingCFRSettings(simulations=5))
    composed = ComposedResolving(own, form).compose(1)
    deciding = [node for node in range(tree.num_nodes) if tree.arrays.nodes["actor"][node] >= 0]
    assert len(deciding) == 64
    assert [tree.is_choice(node) for node in deciding].count(True) == 32
    # A seat's first search serves at the first decision of both; rows out of reach have none.
    assert composed.num_searches <= 32 + 2
