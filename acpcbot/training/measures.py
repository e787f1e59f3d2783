"""What a learning curve shows: exact values in small games, mbb/hand against opponents in large ones."""

from __future__ import annotations

from collections.abc import Callable

from acpcbot.evaluation.arena import play
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.best_response import best_response_values
from acpcbot.evaluation.entrants import find_entrant
from acpcbot.evaluation.kuhn_distance import mean_squared_distance
from acpcbot.evaluation.table_policies import TablePolicy
from acpcbot.poker.shipped import recognise
from acpcbot.snapshots.policy import parse_play_settings
from acpcbot.snapshots.whole_policy import sharpened_policy
from acpcbot.solvers.policies import greedy_probabilities
from acpcbot.solvers.uct import UCTLearner
from acpcbot.training.learners import GREEDY
from acpcbot.training.picture import INTERVAL
from acpcbot.training.preparation import Workplace

Measure = Callable[[], dict[str, float]]
KUHN = "kuhn.limit.2p"


def make_measure(workplace: Workplace) -> Measure:
    """What measures the learner of *workplace* as it is when called."""
    return _exact_measure(workplace) if workplace.lanes is not None else _arena_measure(workplace)


def _exact_measure(workplace: Workplace) -> Measure:
    """Best responses, and in Kuhn poker the distance to the nearest equilibrium."""
    assert workplace.lanes is not None
    game, (rows, weights) = workplace.game, workplace.lanes
    is_kuhn = recognise(game.tree.definition) == KUHN

    def measure() -> dict[str, float]:
        policy = workplace.solver.learner.average_strategy()
        found = best_response_values(game, rows, weights, policy)
        values = {"nash_conv": found.nash_conv, "exploitability": found.exploitability}
        values["largest_gain"] = max(found.gains)
        return {**values, "squared_distance": mean_squared_distance(game, policy)} if is_kuhn else values

    return measure


def _arena_measure(workplace: Workplace) -> Measure:
    """Matches with every opponent in turn, on the same cards at every point."""
    settings, tree = workplace.recipe.curve, workplace.game.tree
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
        probabilities = greedy_probabilities(learner.visits, learner.means, game)
    else:
        probabilities = sharpened_policy(game, learner.average_strategy(), settings)
    return TablePolicy("learner", game.num_buckets, probabilities, workplace.abstraction)
