"""Policies at play, in one byte a slot, from the numbers of a learner.

Probabilities are uint8 [slot] in the layout of the game, in steps of 1/255: each
information set has the sum 255. Weights, visits and means are [slot], of any type and
spacing; they are read where they lie, street by street, and never copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import AnyArray, Bytes
from acpcbot.solvers.abstract_game import AbstractGame, BucketGame
from acpcbot.solvers.policy_kernels import (
    fill_byte_probabilities,
    fill_greedy_actions,
    fill_pure_probabilities,
    sums_are_whole,
)
from acpcbot.trees.node_record import INFO, info_kinds, info_street


def byte_probabilities(weights: AnyArray, game: BucketGame) -> Bytes:
    """Probabilities in proportion to *weights* (none negative); uniform where an information set has none.

    No probability is off by a whole step. An average strategy, N(u, a) of UCT or a strategy
    sum are such weights.
    """
    probabilities = np.empty(game.layout.num_slots, np.uint8)
    for counts, slots in _street_counts(game):
        fill_byte_probabilities(counts, weights[slots], probabilities[slots])
    return probabilities


def greedy_actions(visits: AnyArray, means: AnyArray, game: AbstractGame) -> Bytes:
    """The legal action (by index) with the highest mean among those visited, [infoset]; a call if none was.

    Information sets are numbered street after street, on each by bucket and node.
    """
    actions = np.empty(game.layout.num_infosets, np.uint8)
    for kinds, slots, infosets in _streets(game):
        fill_greedy_actions(kinds, visits[slots], means[slots], actions[infosets])
    return actions


def pure_probabilities(actions: Bytes, game: AbstractGame) -> Bytes:
    """The policy that takes *actions* [infoset], as ``greedy_actions`` numbers them."""
    probabilities = np.empty(game.layout.num_slots, np.uint8)
    for kinds, slots, infosets in _streets(game):
        fill_pure_probabilities(kinds, actions[infosets], probabilities[slots])
    return probabilities


def greedy_probabilities(visits: AnyArray, means: AnyArray, game: AbstractGame) -> Bytes:
    """The policy that takes the ``greedy_actions``."""
    return pure_probabilities(greedy_actions(visits, means, game), game)


def is_policy(probabilities: Bytes, game: BucketGame) -> bool:
    """Whether *probabilities* are of this game and every information set has the sum 255."""
    if probabilities.dtype != np.uint8 or probabilities.shape != (game.layout.num_slots,):
        return False
    return all(sums_are_whole(counts, probabilities[slots]) for counts, slots in _street_counts(game))


def _street_counts(game: BucketGame) -> Iterator[tuple[NDArray[np.int32], slice]]:
    """Of each street the numbers of its nodes' actions, and its slots."""
    first_slot = 0
    for street, num_buckets in enumerate(game.num_buckets):
        end_slot = first_slot + num_buckets * int(game.layout.row_widths[street])
        yield game.tree.street_nodes(street)[1], slice(first_slot, end_slot)
        first_slot = end_slot


def _streets(game: AbstractGame) -> Iterator[tuple[Bytes, slice, slice]]:
    """Of each street the legal actions of its nodes, its slots and its information sets."""
    info: Any = game.tree.nodes[:, INFO]  # the functions of a record's numbers take whole columns as well
    streets: Any = info_street(info)
    kinds: Any = info_kinds(info)
    first_infoset = 0
    for street, (_, slots) in enumerate(_street_counts(game)):
        street_kinds = kinds[streets == street].astype(np.uint8)
        end_infoset = first_infoset + game.num_buckets[street] * len(street_kinds)
        yield street_kinds, slots, slice(first_infoset, end_infoset)
        first_infoset = end_infoset
