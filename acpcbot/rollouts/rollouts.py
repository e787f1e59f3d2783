"""Leaf values of a hold'em street by rollouts of the blueprint.

Beyond each action that ends the street the blueprint plays on for both seats, and the chooser
takes one of several continuations with each hand: the blueprint, or the blueprint with folds, calls
or raises multiplied by a factor.

Of the boards that can follow, some are drawn: of the next card all in turn, of later ones any, none
twice until all have come. On each board one hand of each hand bucket is drawn for either seat, and
the values of all pairs of these are exact, over all betting: the reaches of both at each end of a
hand are two matrices, and the values are their product. Only the difference to what equity alone
would win is estimated this way; equities themselves are exact (``abstraction/pair_equities.py``).
With all boards, and as many buckets as hands, everything is exact.

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games,
sections 4 (bias approach) and 6 (rollouts).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.hand_groups import HandGroups, group_hands
from acpcbot.abstraction.pair_equities import pair_equities, run_out_ranks
from acpcbot.arrays import Floats32
from acpcbot.errors import UsageError
from acpcbot.poker.hands import hand_masks
from acpcbot.rng import Stream
from acpcbot.rollouts.control_variates import (
    RolloutSums,
    draw_boards,
    expected_controls,
    nut_strengths_in_buckets,
    nut_strengths_of,
)
from acpcbot.rollouts.kernels import Rollouts
from acpcbot.rollouts.plans import find_leaves
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.subgames.game import RangeGame
from acpcbot.subgames.leaf_values import BucketedValues, ChosenContinuations, HandFeatures


class Bias(NamedTuple):
    """Factors of the probabilities of folds, calls and raises, before these are normalised."""

    folds: float = 1.0
    calls: float = 1.0
    raises: float = 1.0


PLAIN = Bias()
BIASES = (PLAIN, Bias(folds=10), Bias(calls=10), Bias(raises=10))


@dataclass(frozen=True, slots=True)
class RolloutSettings:
    """The chooser's continuations, *biases*, and the sizes of the samples.

    These are the numbers of boards, of hand buckets and of translations of the betting. With
    *cap_at_blueprint*, no continuation wins more than the first against the other seat's range at
    the root: what beats a blueprint that is no equilibrium makes a searcher play too carefully.
    """

    biases: tuple[Bias, ...] = BIASES
    num_boards: int = 98
    num_hand_buckets: int = 64
    translation_samples: int = 4
    cap_at_blueprint: bool = False

    def __post_init__(self) -> None:
        if not self.biases or any(not factor > 0 for bias in self.biases for factor in bias):
            raise UsageError(
                f"biases = {self.biases!r}", "expected at least one, of factors above zero"
            )
        if min(self.num_boards, self.num_hand_buckets, self.translation_samples) < 1:
            raise UsageError(
                f"rollouts on {self.num_boards} boards with {self.num_hand_buckets} hand buckets "
                f"and {self.translation_samples} translation samples",
                "expected at least one of each",
            )


def rollout_leaves(
    game: RangeGame,
    blueprint: SnapshotStrategy,
    chooser: int,
    settings: RolloutSettings,
    stream: Stream,
    num_threads: int = 1,
    deadline_s: float = float("inf"),
) -> ChosenContinuations:
    """Return leaf values for *game*, which ends with its root's street.

    The *chooser* takes the continuations. The values are the same for the same *stream*, but for
    rounding with other numbers of threads, and for a deadline: after *deadline_s* seconds no
    further board is begun; the first one always is. Raises UsageError where the blueprint has no
    betting tree or is played greedily, or where too many boards can follow.
    """
    return ChosenContinuations(
        rollout_values(game, blueprint, chooser, settings, stream, num_threads, deadline_s),
        chooser,
    )


def rollout_values(
    game: RangeGame,
    blueprint: SnapshotStrategy,
    chooser: int,
    settings: RolloutSettings,
    stream: Stream,
    num_threads: int = 1,
    deadline_s: float = float("inf"),
) -> BucketedValues:
    """Return the continuations of ``rollout_leaves``."""
    deadline = time.monotonic() + deadline_s
    leaves = find_leaves(game, blueprint, chooser, settings.translation_samples, stream)
    board, hands = (
        game.boards.boards[0],
        game.boards.arrays.hands[game.boards.rows(0)].astype(np.int64),
    )
    equities = pair_equities(game.definition, board, num_threads)
    weights = (game.ranges / game.ranges.sum(axis=1, keepdims=True)).sum(axis=0)
    # Hands that the ranges never hold get a little weight too.
    hand_buckets = group_hands(equities, weights + 1 / len(hands), settings.num_hand_buckets)
    boards = draw_boards(game.definition, board, settings.num_boards, stream)
    uses_nut_strength = len(run_out_ranks(game.definition, board)) > 0
    factors = np.array(settings.biases, np.float32)
    rollouts = Rollouts(
        blueprint, hands, hand_buckets, leaves, factors, uses_nut_strength=uses_nut_strength
    )
    sums = rollouts.sums([(full, stream.bits()) for full in boards], num_threads, deadline)
    values = _estimated(
        game, equities, hand_buckets, np.array([leaf.chips for leaf in leaves]), sums
    )
    if not settings.cap_at_blueprint:
        return values
    return values.capped_at_blueprint(
        np.tile(game.ranges[1 - chooser].astype(np.float32), (len(leaves), 1))
    )


def _estimated(
    game: RangeGame,
    equities: Floats32,
    hand_buckets: HandGroups,
    chips: NDArray[np.float64],
    sums: RolloutSums,
) -> BucketedValues:
    """Return the values by *sums* over boards; *chips* [leaf] are those of either seat."""
    rows, board = game.boards.rows(0), game.boards.boards[0]
    masks, ranks = (
        hand_masks(game.definition)[game.boards.arrays.hands[rows]],
        run_out_ranks(game.definition, board),
    )
    strengths = nut_strengths_of(ranks)
    expected = expected_controls(
        equities, masks[:, None] & masks == 0, ranks, strengths, hand_buckets
    )
    residual, slopes = sums.estimates(expected)
    # The slope of the showdown's sign belongs to each pair's equity, not to its bucket's mean.
    residual -= slopes[:, :, 0, None, None] * expected[0]
    by_equity, by_nut_strength = (
        (chips[:, None] + slopes[:, :, 0]).astype(np.float32),
        slopes[:, :, 1].astype(np.float32),
    )
    cards = game.boards.arrays.cards[rows].astype(np.int64)
    features = HandFeatures(
        equities,
        nut_strengths_in_buckets(ranks, strengths, hand_buckets),
        hand_buckets.groups,
        cards,
    )
    return BucketedValues(features, by_equity, by_nut_strength, residual.astype(np.float32))
