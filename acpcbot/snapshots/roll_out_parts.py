"""What follows a street: its betting as a stored strategy sees it, ready to be rolled out.

Betting of other sizes than the strategy's is seen as in ``translation.py``; of several ways to see it
some are drawn, and shared out among the boards. Where the strategy's hand is over and the real one is
not, there is nothing to roll out: both check down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingState
from acpcbot.rng import Stream
from acpcbot.snapshots.public_play import SnapshotStrategy
from acpcbot.snapshots.roll_out_plans import NUM_SEATS, RollOutPlan, plan_roll_out
from acpcbot.snapshots.translation import drawn_translation
from acpcbot.solvers.range_game import RangeGame
from acpcbot.trees.betting_places import BettingPlaces
from acpcbot.trees.betting_record import SPENT, STREET
from acpcbot.trees.betting_tree import BettingTree


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of the game that follows the street: the *chips* of either seat, and the plans for its views, if any."""

    chips: float
    plans: tuple[RollOutPlan | None, ...]

    def plan(self, number: int) -> RollOutPlan | None:
        """The plan for board *number*."""
        return self.plans[number % len(self.plans)] if self.plans else None


def find_leaves(
    game: RangeGame, blueprint: SnapshotStrategy, chooser: int, num_views: int, stream: Stream
) -> list[Leaf]:
    """What follows the root's street of *game*; raises UsageError if *blueprint* cannot be rolled out there."""
    tree, place = rolled_tree(blueprint), blueprint.snapshot.place
    if blueprint.definition != game.definition:
        raise UsageError(f"{blueprint.snapshot.path} plays another game", "name a strategy of the game that is solved")
    known: dict[tuple[str, str], RollOutPlan] = {}

    def plan(real: BettingState) -> RollOutPlan | None:
        seen = drawn_translation(place, real, lambda _: stream.unit())
        if seen is None:
            return None
        key = seen.text, real.text
        if key not in known:
            known[key] = plan_roll_out(tree, place(seen).node, seen, real, chooser)
        return known[key]

    return [
        Leaf(chips, () if real is None else tuple([plan(real) for _ in range(num_views)]))
        for chips, real in leaf_states(game)
    ]


def rolled_tree(blueprint: SnapshotStrategy) -> BettingTree:
    """The tree of bets of *blueprint*; raises UsageError where it has none, or is played greedily."""
    snapshot, is_greedy = blueprint.snapshot, blueprint.settings.mode == "greedy"
    if not isinstance(snapshot.places, BettingPlaces) or snapshot.policy is None or is_greedy:
        raise UsageError(
            f"{snapshot.path} cannot be rolled out", "name a no-limit strategy that is not played greedily"
        )
    return snapshot.places.tree


def leaf_states(game: RangeGame) -> Iterator[tuple[float, BettingState | None]]:
    """The parts that follow the root's street: the chips of either seat, and the betting unless all are all-in."""
    states = {0: game.tree.root}
    street = game.tree.root.street
    for node in range(len(game.tree.nodes)):
        if game.tree.nodes[node, STREET] == street:
            for action, child in game.tree.children(node).items():
                if child >= 0:
                    states[child] = states[node].apply(action)
    betting = game.betting
    for part in betting.parts[betting.first_parts[0] : betting.first_parts[1]].tolist():
        if part >= 0:
            yield min(states[part].spent), states[part]
        else:
            yield float(game.tree.ends[~part, SPENT : SPENT + NUM_SEATS].min()), None
