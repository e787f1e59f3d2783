"""What lies beyond a subgame that ends with its street: roll-outs of the blueprint, as the
settings have them.

What lies beyond the first street, from a stored table: leaf values for searches before the flop.

A leaf is seen as the strategy's tree sees its betting: with the same actions, where a bet that the
tree does not have stands between two that it has, weighted pseudo-harmonically
(``translation.py``). Where that is too many ways, it lies between the pots next to its own. What
these win in shares of their pots is then won of the real pot, but never more than the stacks. Where
the tree's hand is over and the real one is not, both check down.

Continuations are levelled: none of them wins more than the blueprint, where the other seat comes as
the blueprint plays it there.

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games,
sections 4 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol
from zlib import crc32

import numpy as np

from acpcbot.abstraction.pair_equities import pair_equities
from acpcbot.arrays import Floats, Floats32
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.hand_classes import game_classes, num_class_pairs, sums_by_class
from acpcbot.rng import Stream
from acpcbot.rollouts.plans import leaf_states
from acpcbot.rollouts.preflop_table import PreflopValues
from acpcbot.rollouts.rollouts import BIASES, RollOutSettings, roll_out_leaves
from acpcbot.search.settings import StreetSettings
from acpcbot.search.subgame import LEAST_REACH
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.translation import translations
from acpcbot.subgames.game import RangeGame
from acpcbot.subgames.leaf_values import (
    ChosenContinuations,
    ClassValues,
    LeafValues,
    cap_classes_at_blueprint,
)


class LeafMaker(Protocol):
    """Makes leaf values."""

    def __call__(
        self, game: RangeGame, chooser: int, street: StreetSettings, left_s: float
    ) -> LeafValues:
        """What lies beyond *game*, where the *chooser* takes a continuation, made in about
        *left_s* seconds.
        """
        ...


@dataclass(frozen=True, slots=True)
class RolledOut:
    """Leaf values by roll-outs of *blueprint* on boards that *seed* and the state decide."""

    blueprint: SnapshotStrategy
    seed: int
    num_threads: int

    def __call__(
        self, game: RangeGame, chooser: int, street: StreetSettings, left_s: float
    ) -> LeafValues:
        """The blueprint, and for further values it with more folds, calls or raises, none worth
        more than it.
        """
        root = game.tree.root
        stream = Stream(self.seed, crc32(root.text.encode()), *game.boards.boards[0], chooser)
        settings = RollOutSettings(
            BIASES[: street.values], street.boards, street.groups, street.views, levelled=True
        )
        return roll_out_leaves(
            game, self.blueprint, chooser, settings, stream, self.num_threads, left_s
        )


def verify_values(street: StreetSettings) -> None:
    """Raise UsageError unless there are so many continuations."""
    if street.values > len(BIASES):
        raise UsageError(f"{street.values} values of a state", f"at most {len(BIASES)}")


CHECKED_DOWN = -1
"""In place of a state's number."""
NUM_SEATS = 2


class StoredLeaves:
    """A ``LeafMaker``: by *table*, which is of *blueprint*, on the first street.

    On others as *beyond* has it.
    """

    def __init__(
        self, blueprint: SnapshotStrategy, table: PreflopValues, beyond: LeafMaker
    ) -> None:
        self._blueprint, self._table, self._beyond = blueprint, table, beyond
        start = BettingRules(blueprint.definition).start
        self._states = [start.game.parse(text) for text in table.record.states]
        self._numbers = {state.text: number for number, state in enumerate(self._states)}

    def __call__(
        self, game: RangeGame, chooser: int, street: StreetSettings, left_s: float
    ) -> LeafValues:
        """What lies beyond *game*, where the *chooser* takes one of the street's number of
        continuations.
        """
        if game.tree.root.street > 0:
            return self._beyond(game, chooser, street, left_s)
        won = self.values(game, chooser, street.values)
        definition = game.definition
        return ChosenContinuations(
            ClassValues(won, game_classes(definition), num_class_pairs(definition)), chooser
        )

    def verify_values(self, num_values: int) -> None:
        """Raise UsageError unless the table has so many values of a state."""
        if num_values > len(self._table.record.biases):
            raise UsageError(
                f"{num_values} values of a state", f"the table has {len(self._table.record.biases)}"
            )

    def values(self, game: RangeGame, chooser: int, num_values: int) -> Floats:
        """What the other wins, in chips, [part, continuation, class of the other, class of the
        chooser].
        """
        most = min(game.definition.stacks)
        won = np.empty((0, num_values, *self._equities.shape))
        parts = [
            chips * np.broadcast_to(self._equities, won.shape[1:])
            if real is None
            else np.clip(real.pot * self._shares(real, chooser, num_values), -most, most)
            for chips, real in leaf_states(game)
        ]
        return np.stack(parts) if parts else won

    def weights(self, real: BettingState) -> dict[int, float]:
        """Of which states, or CHECKED_DOWN, the values after *real* are mixed, with their
        weights.
        """
        try:
            ways = translations(self._blueprint.snapshot.place, real)
        except UsageError:
            return self._beside(real.pot)
        found: dict[int, float] = {}
        for way in ways:
            seen = way.seen[-1]
            number = CHECKED_DOWN if seen is None else self._numbers[seen.text]
            found[number] = found.get(number, 0.0) + way.probability
        return found

    def _beside(self, pot: int) -> dict[int, float]:
        """The states with the pots next to *pot*, those of one pot alike, the nearer pot
        weighing more.
        """
        pots = np.array([state.pot for state in self._states])
        lower = max(pots[pots <= pot].tolist(), default=int(pots.min()))
        upper = min(pots[pots >= pot].tolist(), default=int(pots.max()))
        share = (pot - lower) / (upper - lower) if upper > lower else 0.0
        share = min(max(share, 0.0), 1.0)
        found: dict[int, float] = {}
        for wanted, weight in ((lower, 1 - share), (upper, share)):
            own = np.flatnonzero(pots == wanted).tolist()
            for number in own if weight > 0 else ():
                found[number] = found.get(number, 0.0) + weight / len(own)
        return found

    def _shares(self, real: BettingState, chooser: int, num_values: int) -> Floats:
        """What the other wins in shares of the pot, [continuation, class of the other, class of
        the chooser].
        """
        mixed = np.zeros((num_values, *self._equities.shape))
        for number, weight in self.weights(real).items():
            # Who wins gets what the other has in the pot.
            checked_down = min(real.spent) / real.pot * self._equities
            mixed += weight * (
                checked_down
                if number == CHECKED_DOWN
                else self._levelled[chooser][number, :num_values]
            )
        return mixed

    @cached_property
    def _equities(self) -> Floats:
        """The equities of all pairs of classes, [class, class]."""
        definition = self._blueprint.definition
        won, counts = (
            sums_by_class(definition, pair_equities(definition, ())),
            num_class_pairs(definition),
        )
        return np.divide(won, counts, out=np.zeros_like(won), where=counts > 0)

    @cached_property
    def _levelled(self) -> tuple[Floats32, ...]:
        """By chooser, the values of all states, [state, continuation, class of the other, class
        of the chooser].
        """
        num_pairs = num_class_pairs(self._blueprint.definition)
        return tuple(
            [
                np.stack(
                    [
                        cap_classes_at_blueprint(
                            self._table.of_other(number, chooser),
                            num_pairs,
                            self._reach(state, 1 - chooser),
                        ).astype(np.float32)
                        for number, state in enumerate(self._states)
                    ]
                )
                for chooser in range(NUM_SEATS)
            ]
        )

    def _reach(self, state: BettingState, seat: int) -> Floats:
        """How likely the blueprint's *seat* plays to *state* with each class, the likeliest 1,
        none never, [class].
        """
        classes = game_classes(self._blueprint.definition)
        reach = np.ones(len(classes))
        for before, action in state.decisions():
            if before.actor == seat:
                place = self._blueprint.snapshot.place(before)
                reach *= self._blueprint.probabilities(before, ())[:, place.actions.index(action)]
        of_classes = np.bincount(classes, reach) / np.bincount(classes)
        most = of_classes.max()
        shares: Floats = of_classes / most if most > 0 else np.ones_like(of_classes)
        return np.maximum(shares, LEAST_REACH)
