"""Online outcome sampling (OOS): a search of imperfect-information games that converges.

Samples go from the start of the game to an end, with probability delta towards the target of the
match, an information set or a public state, and else anywhere. Regrets and average strategies are
those of outcome sampling, corrected for both ways of sampling: algorithm 1 of the paper. A sample
adds one information set and plays on from there by a playout policy. The memory stays when the
target moves on with the match.

A *sample* is one call of the paper's algorithm. Seats take turns to update, and both of a pair of
samples are targeted or neither is.

Each seat plays regret matching mixed with a little of the uniform strategy (gamma), so that no
action's probability is 0; the seat that updates explores besides (epsilon). The average strategy is
that of regret matching alone. (The paper does not say which it averages; with gamma in it, no
average comes nearer to an equilibrium than gamma lets it.)

Source: Lisy, Lanctot & Bowling (2015), Online Monte Carlo counterfactual regret minimization for
search in imperfect information games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import (
    Game,
    State,
    make_target,
    new_state,
    no_target,
    play_out,
    unobserved,
)
from acpcbot.jit import shared_methods
from acpcbot.random_kernels import RandomState, seed_state
from acpcbot.tree_search.infoset_table import (
    TABLE_INFOSETS,
    TABLE_IS_FULL,
    InfosetTable,
    empty_table,
    grow,
    slots_of,
)
from acpcbot.tree_search.oos_kernels import (
    SAMPLED_OTHERS,
    SCENARIO_LENGTH,
    STEP_LENGTH,
    STRATEGY,
    OOSParameters,
    SamplePath,
    run_samples,
    target_probability,
)

DEFAULT_MEMORY_BYTES = 1 << 30
WEIGHT_WALKS = 1000


@shared_methods
class PlayoutPolicy(Protocol):
    """A way to play on beyond the tree, chance by its probabilities."""

    def finish(self, game: Game, state: State, random_state: RandomState) -> None:
        """Play on from *state* to the end. Keys need not be kept."""
        ...


class UniformPlayouts(NamedTuple):
    """Uniformly random play."""

    # numba cannot pass a tuple without fields to a method.
    no_field: int = 0

    def finish(self, game: Game, state: State, random_state: RandomState) -> None:
        play_out(game, unobserved(state), random_state)


@dataclass(frozen=True, slots=True, kw_only=True)
class OOSSettings:
    """Probability *delta* of targeting, exploration *epsilon*, uniform part *gamma* of strategies.

    With *weighs_targets* updates carry the weighting factor w_T, which makes up for sampling the
    target more often than before.
    """

    delta: float = 0.9
    epsilon: float = 0.4
    gamma: float = 0.01
    weighs_targets: bool = True

    def __post_init__(self) -> None:
        for name, value, is_good, expected in (
            ("delta", self.delta, 0 <= self.delta <= 1, "a number from 0 to 1"),
            ("epsilon", self.epsilon, 0 < self.epsilon <= 1, "a number above 0 and at most 1"),
            ("gamma", self.gamma, 0 < self.gamma <= 1, "a number above 0 and at most 1"),
        ):
            if not is_good:
                raise UsageError(f"{name} = {value} is out of range", f"use {expected}")

    @property
    def warning(self) -> str:
        """A warning about these settings, or nothing."""
        if self.delta < 1:
            return ""
        return (
            "delta = 1 samples nothing but the target: the search does not converge to an"
            " equilibrium; use a number below 1"
        )


class OOSSearch:
    """OOS of *game*, whose memory lasts from target to target.

    Equal seeds give equal searches. Raises UsageError for a game that is not for two.
    """

    def __init__(
        self,
        game: Game,
        settings: OOSSettings,
        seed: int,
        memory_bytes: int = DEFAULT_MEMORY_BYTES,
        playouts: PlayoutPolicy | None = None,
    ) -> None:
        if game.num_seats() != 2:
            raise UsageError(f"OOS is for 2 seats, not {game.num_seats()}", "choose a game for two")
        self.game, self.settings, self.memory_bytes = game, settings, memory_bytes
        self.playouts: PlayoutPolicy = playouts or UniformPlayouts()
        self.random_state = seed_state(seed)
        self.table: InfosetTable = empty_table(game.max_actions(), memory_bytes)
        self.target, self.weight = no_target(game), 1.0
        self.is_targeted = False
        depth, width = game.max_moves() + 1, game.max_actions()
        self._path = SamplePath(
            np.zeros((depth, STEP_LENGTH), np.int64),
            np.zeros(depth),
            np.zeros(width),
            new_state(game),
            new_state(game),
            np.zeros(SCENARIO_LENGTH, np.int64),
            np.zeros(SAMPLED_OTHERS + 1),
        )

    @property
    def is_full(self) -> bool:
        """True when the tree has stopped growing because its memory is full."""
        return bool(self.table.used[TABLE_IS_FULL])

    @property
    def num_infosets(self) -> int:
        """The number of information sets in memory."""
        return int(self.table.used[TABLE_INFOSETS])

    def reserve(self, num_infosets: int, num_slots: int) -> None:
        """Forget everything, and make room at once for so many information sets and actions."""
        self.table = empty_table(
            self.game.max_actions(), self.memory_bytes, num_infosets, num_slots
        )

    def aim(self, actions: list[int], viewer: int) -> None:
        """Target the information set or public state of *viewer* after *actions* from the start.

        A seat as viewer has to be the one to move; the number of seats stands for the public.
        """
        self.target, self.is_targeted = make_target(self.game, actions, viewer), True
        self.weight = 1.0
        if self.settings.weighs_targets and self.settings.delta > 0:
            reach = self.target_probability(WEIGHT_WALKS)
            # w_T: the probability of the target with targeting over that without. (The printed
            # formula has the sum over the information set for the 1 here, which for information
            # set targeting would make every w_T 1; the text's example wants this one.)
            self.weight = 1 - self.settings.delta + self.settings.delta / reach

    def aim_nowhere(self) -> None:
        """Sample the whole game from now on."""
        self.target, self.is_targeted, self.weight = no_target(self.game), False, 1.0

    def target_probability(self, num_walks: int) -> float:
        """Return an estimate, unbiased, of the target's probability by the average strategies.

        They are mixed with gamma of the uniform strategy.
        """
        return float(
            target_probability(
                self.game,
                self.target,
                self.table,
                self._path,
                float(self.settings.gamma),
                num_walks,
                self.random_state,
            )
        )

    def sample(self, num_samples: int) -> None:
        """Add so many samples, aimed at the target if there is one."""
        left = num_samples
        while left > 0:
            left -= self._run(left, np.zeros(0, np.int64), 0)
            if left > 0:
                self.table = grow(self.table, self.memory_bytes)

    def follow(self, actions: list[int], updater: int) -> tuple[float, float]:
        """Learn from the sample that takes *actions* to the end, by both ways of sampling.

        Return the probabilities with which targeted and untargeted sampling take it, as far as the
        tree goes. *updater* is the seat whose regrets are updated.
        """
        while not self._run(1, np.array(actions, np.int64), updater):
            self.table = grow(self.table, self.memory_bytes)
        targeted, untargeted, others = self._path.sampled.tolist()
        return targeted * others, untargeted * others

    def _run(self, num_samples: int, forced: Ints, updater: int) -> int:
        settings = self.settings
        return int(
            run_samples(
                self.game,
                self.playouts,
                OOSParameters(
                    float(settings.delta) if self.is_targeted else 0.0,
                    float(settings.epsilon),
                    float(settings.gamma),
                    float(self.weight),
                ),
                self.target,
                self.table,
                self._path,
                forced,
                updater,
                num_samples,
                self.random_state,
            )
        )

    def strategy(self, key: int) -> Floats | None:
        """Return the average strategy [action] at the information set *key*, or None.

        None where no sample was; uniform where none of the other seat's has updated it.
        """
        slots = slots_of(self.table, key)
        if slots is None:
            return None
        weights = self.table.sums[slots, STRATEGY]
        total = weights.sum()
        return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))
