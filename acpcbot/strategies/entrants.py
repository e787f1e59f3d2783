"""Entrants of the arena by name: stored strategies, and baselines that need no cards.

The baselines have one bucket a street.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from acpcbot.poker.baselines import BASELINES, KINDS, chosen_kinds
from acpcbot.strategies.by_name import find_played
from acpcbot.strategies.policy import WHOLE
from acpcbot.strategies.whole_policy import TablePolicy, num_buckets_of, played_policy
from acpcbot.trees.public_tree import (
    LIMIT_INFO,
    LIMIT_SLOT,
    AbstractGame,
    PublicTree,
    info_kinds,
    info_street,
)


def find_entrant(name: str, tree: PublicTree) -> TablePolicy:
    """Return the policy called *name* for the arena, in the game of *tree*."""
    if name in BASELINES:
        return baseline_policy(name, tree)
    snapshot, settings = find_played(name, tree.definition)
    game = AbstractGame(tree, snapshot.abstraction.num_buckets)
    probabilities = played_policy(snapshot, game, settings, np.uint8)
    return TablePolicy(name, game.num_buckets, probabilities, snapshot.abstraction)


def baseline_policy(name: str, tree: PublicTree) -> TablePolicy:
    """Return the policy of a baseline: its shares of 255 depend on the legal actions alone.

    Of several actions the last has what is left over: of two, 128 and not 127.
    """
    game = AbstractGame(tree, num_buckets_of(tree.definition, None))
    # The functions of a record's numbers take whole columns as well.
    info: Any = tree.nodes[:, LIMIT_INFO]
    first_slots, legal_bits = (
        game.layout.row_starts[info_street(info)] + tree.nodes[:, LIMIT_SLOT],
        info_kinds(info),
    )
    probabilities = np.zeros(game.layout.num_slots, np.uint8)
    for bits in np.unique(legal_bits).tolist():
        slots = first_slots[legal_bits == bits]
        legal = [kind for kind in KINDS if bits >> kind & 1]
        chosen = chosen_kinds(name, legal)
        share, left_over = divmod(WHOLE, len(chosen))
        for kind in chosen:
            probabilities[slots + legal.index(kind)] = share
        probabilities[slots + legal.index(chosen[-1])] += left_over
    return TablePolicy(name, game.num_buckets, probabilities)
