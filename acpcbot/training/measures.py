"""What a learning curve shows: exact values in small games and with bets, mbb/hand against opponents elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.abstraction.table_lookup import table_row
from acpcbot.evaluation.arena import play
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.best_response import best_response_values
from acpcbot.evaluation.entrants import find_entrant
from acpcbot.evaluation.kuhn_distance import mean_squared_distance
from acpcbot.evaluation.range_plays import policy_play
from acpcbot.evaluation.range_response import Walker, response_values
from acpcbot.evaluation.response_result import BestResponse
from acpcbot.evaluation.table_policies import TablePolicy
from acpcbot.poker.shipped import recognise
from acpcbot.snapshots.policy import parse_play_settings
from acpcbot.snapshots.public_play import all_buckets
from acpcbot.snapshots.whole_policy import sharpened_policy
from acpcbot.solvers.abstract_game import AbstractGame, MenuGame
from acpcbot.solvers.learner import Deals
from acpcbot.solvers.policies import greedy_probabilities
from acpcbot.solvers.range_game import make_range_game
from acpcbot.solvers.uct import UCTLearner
from acpcbot.training.learners import GREEDY
from acpcbot.training.picture import INTERVAL
from acpcbot.training.preparation import Workplace
from acpcbot.trees.public_tree import PublicTree

Measure = Callable[[], dict[str, float]]
KUHN = "kuhn.limit.2p"


def make_measure(workplace: Workplace) -> Measure:
    """What measures the learner of *workplace* as it is when called."""
    game = workplace.game
    if isinstance(game, MenuGame):
        return _menu_measure(workplace, game)
    if workplace.lanes is not None:
        return _exact_measure(workplace, game, *workplace.lanes)
    return _arena_measure(workplace, game.tree)


def _exact_measure(workplace: Workplace, game: AbstractGame, rows: Deals, weights: NDArray[np.float64]) -> Measure:
    """Best responses, and in Kuhn poker the distance to the nearest equilibrium."""
    is_kuhn = recognise(game.definition) == KUHN

    def measure() -> dict[str, float]:
        policy = workplace.solver.learner.average_strategy()
        values = _gains(best_response_values(game, rows, weights, policy))
        return {**values, "squared_distance": mean_squared_distance(game, policy)} if is_kuhn else values

    return measure


def _menu_measure(workplace: Workplace, game: MenuGame) -> Measure:
    """Best responses with the bets of the tree, by players who see all of their cards."""
    ranges, source = make_range_game(game.tree.root, menu=game.tree.menu), workplace.source

    def buckets(street: int, board: Sequence[int]) -> NDArray[Any]:
        if isinstance(source, HoldemDeals):
            return table_row(source.tables[street], board)
        return all_buckets(game.definition, workplace.abstraction, street, board)

    def measure() -> dict[str, float]:
        policy = workplace.solver.learner.average_strategy()
        play = policy_play(ranges, game.layout, policy, buckets)
        return _gains(response_values(ranges, (play, play), Walker(workplace.recipe.threads)))

    return measure


def _gains(found: BestResponse) -> dict[str, float]:
    return {"nash_conv": found.nash_conv, "exploitability": found.exploitability, "largest_gain": max(found.gains)}


def _arena_measure(workplace: Workplace, tree: PublicTree) -> Measure:
    """Matches with every opponent in turn, on the same cards at every point."""
    settings = workplace.recipe.curve
    opponents = {name: find_entrant(name, tree) for name in settings.opponents}
    dealer = ArenaDealer(tree.definition)
    dealer.adopt(workplace.abstraction, workplace.source)

    def measure() -> dict[str, float]:
        learner = learner_policy(workplace, workplace.recipe.play)
        values = {}
        for name, opponent in opponents.items():
            seats = [learner, *[opponent] * (tree.num_seats - 1)]
            result = play(tree, seats, settings.deals, settings.seed, dealer=dealer).results[0]
            values[f"{name}_mbb"] = result.mean_mbb
            values[f"{name}_mbb{INTERVAL}"] = result.half_width_mbb
        return values

    return measure


def learner_policy(workplace: Workplace, play_as: str) -> TablePolicy:
    """What the learner of *workplace* has learnt, played as a snapshot of it can be."""
    learner, game = workplace.solver.learner, workplace.game
    settings = parse_play_settings(play_as)
    if settings.mode == GREEDY:
        assert isinstance(learner, UCTLearner), "verify_recipe let it through"
        assert isinstance(game, AbstractGame), "verify_recipe let it through"
        probabilities = greedy_probabilities(learner.visits, learner.means, game)
    else:
        probabilities = sharpened_policy(game, learner.average_strategy(), settings)
    return TablePolicy("learner", game.num_buckets, probabilities, workplace.abstraction)
