"""Leaf values of subgames that end with their street: rollouts, or a stored table for the first.

``RolloutLeaves`` plays the blueprint on sampled boards. ``StoredLeaves`` reads a table of values
for the states that end the first street, and leaves other streets to rollouts.

A leaf is seen as the strategy's tree sees its betting: with the same actions, where a bet that the
tree does not have stands between two that it has, weighted pseudo-harmonically
(``translation.py``). Where that gives too many views, it lies between the pots next to its own.
Their values in shares of their pots are then taken of the real pot, but never more than the stacks.
Where the tree's hand is over and the real one is not, both check down.

Continuations are capped: none wins more than the blueprint, where the other seat's reach is the
blueprint's.

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
from acpcbot.rollouts.rollouts import BIASES, RolloutSettings, rollout_leaves
from acpcbot.search.blueprint import Blueprint
from acpcbot.search.settings import StreetSettings
from acpcbot.search.subgame import MIN_REACH
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
    """Callable that makes leaf values."""

    def __call__(
        self, game: RangeGame, chooser: int, street: StreetSettings, left_s: float
    ) -> LeafValues:
        """Return leaf values beyond *game* with continuations of the *chooser*.

        They are made in about *left_s* seconds.
        """
        ...

    def verify_num_continuations(self, street: int, num_continuations: int) -> None:
        """Raise UsageError unless *street* can have *num_continuations*."""
        ...


class LeafTable(Protocol):
    """Values of the states that end the first street, by pairs of classes of hands."""

    @property
    def states(self) -> tuple[str, ...]:
        """The betting of each state."""
        ...

    @property
    def num_continuations(self) -> int:
        """The number of continuations of either seat."""
        ...

    def of_other(self, state: int, chooser: int) -> Floats32:
        """Return the other seat's values for each continuation of the *chooser*.

        They are [continuation, class of the other, class of the chooser], in shares of the pot.
        """
        ...


@dataclass(frozen=True, slots=True)
class RolloutLeaves:
    """Leaf values by rollouts of *blueprint*, on boards that *seed* and the state decide."""

    blueprint: SnapshotStrategy
    seed: int
    num_threads: int

    def __call__(
        self, game: RangeGame, chooser: int, street: StreetSettings, left_s: float
    ) -> LeafValues:
        """Return leaf values for the blueprint and its biased continuations, all capped at it."""
        root = game.tree.root
        stream = Stream(self.seed, crc32(root.text.encode()), *game.boards.boards[0], chooser)
        settings = RolloutSettings(
            BIASES[: street.num_continuations],
            street.rollout_boards,
            street.rollout_hand_buckets,
            street.translation_samples,
            cap_at_blueprint=True,
        )
        return rollout_leaves(
            game, self.blueprint, chooser, settings, stream, self.num_threads, left_s
        )

    def verify_num_continuations(self, street: int, num_continuations: int) -> None:
        """Raise UsageError unless so many biased continuations are defined."""
        if num_continuations > len(BIASES):
            raise UsageError(
                f"num_continuations = {num_continuations}: "
                f"at most {len(BIASES)} continuation strategies are defined",
                "choose fewer",
            )


CHECKED_DOWN = -1
"""In place of a state's number."""
NUM_SEATS = 2


class StoredLeaves:
    """A ``LeafMaker`` by *table*, which is of *blueprint*, on the first street.

    On others it uses *later_streets*.
    """

    def __init__(
        self, blueprint: Blueprint, table: LeafTable, later_streets: LeafMaker | None = None
    ) -> None:
        self._blueprint, self._table, self._later_streets = blueprint, table, later_streets
        start = BettingRules(blueprint.definition).start
        self._states = [start.game.parse(text) for text in table.states]
        self._numbers = {state.text: number for number, state in enumerate(self._states)}

    def __call__(
        self, game: RangeGame, chooser: int, street: StreetSettings, left_s: float
    ) -> LeafValues:
        """Return leaf values beyond *game*, with the street's continuations of the *chooser*."""
        if game.tree.root.street > 0:
            assert self._later_streets is not None, "verify_num_continuations refuses that"
            return self._later_streets(game, chooser, street, left_s)
        won = self.values(game, chooser, street.num_continuations)
        definition = game.definition
        return ChosenContinuations(
            ClassValues(won, game_classes(definition), num_class_pairs(definition)), chooser
        )

    def verify_num_continuations(self, street: int, num_continuations: int) -> None:
        """Raise UsageError unless the table has *num_continuations*, or later streets do."""
        if street > 0 and self._later_streets is not None:
            self._later_streets.verify_num_continuations(street, num_continuations)
            return
        known = self._table.num_continuations if street == 0 else 0
        if num_continuations > known:
            raise UsageError(
                f"num_continuations = {num_continuations}: the table of preflop values has "
                f"at most {known}",
                "choose fewer, or make the table anew",
            )

    def values(self, game: RangeGame, chooser: int, num_continuations: int) -> Floats:
        """Return the other seat's values in chips.

        They are [part, continuation, class of the other, class of the chooser].
        """
        most = min(game.definition.stacks)
        won = np.empty((0, num_continuations, *self._equities.shape))
        parts = [
            chips * np.broadcast_to(self._equities, won.shape[1:])
            if real is None
            else np.clip(real.pot * self._shares(real, chooser, num_continuations), -most, most)
            for chips, real in leaf_states(game)
        ]
        return np.stack(parts) if parts else won

    def weights(self, real: BettingState) -> dict[int, float]:
        """Return the states whose values are mixed after *real*, with their weights.

        CHECKED_DOWN stands for a hand that is checked down.
        """
        try:
            views = translations(self._blueprint.place, real, self._blueprint.start)
        except UsageError:
            return self._neighbouring_pots(real.pot)
        found: dict[int, float] = {}
        for view in views:
            seen = view.seen[-1]
            number = CHECKED_DOWN if seen is None else self._numbers[seen.text]
            found[number] = found.get(number, 0.0) + view.probability
        return found

    def _neighbouring_pots(self, pot: int) -> dict[int, float]:
        """Return the states with the pots next to *pot*, the nearer pot weighing more.

        States with one pot weigh alike.
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

    def _shares(self, real: BettingState, chooser: int, num_continuations: int) -> Floats:
        """Return the other seat's values in shares of the pot.

        They are [continuation, class of the other, class of the chooser].
        """
        mixed = np.zeros((num_continuations, *self._equities.shape))
        for number, weight in self.weights(real).items():
            # The winner gets what the other has in the pot.
            checked_down = min(real.spent) / real.pot * self._equities
            mixed += weight * (
                checked_down
                if number == CHECKED_DOWN
                else self._capped[chooser][number, :num_continuations]
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
    def _capped(self) -> tuple[Floats32, ...]:
        """The capped values of all states, by chooser.

        They are [state, continuation, class of the other, class of the chooser].
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
        """Return the reach of the blueprint's *seat* at *state* by class, [class].

        The largest is 1, and none is 0.
        """
        classes = game_classes(self._blueprint.definition)
        reach = np.ones(len(classes))
        for before, action in state.decisions():
            if before.actor == seat:
                played = self._blueprint.table(before, ())
                reach *= played.probabilities[:, played.actions.index(action)]
        class_means = np.bincount(classes, reach) / np.bincount(classes)
        most = class_means.max()
        shares: Floats = class_means / most if most > 0 else np.ones_like(class_means)
        return np.maximum(shares, MIN_REACH)
