"""The way from a name to a policy that the arena plays.

A name is ``call``, ``raise``, ``random`` or ``fold``, or the folder of a snapshot, with how
to play it behind a question mark: ``strategies/leduc.limit.2p/smooth_uct?play=greedy``.
What cannot be had raises UnknownStrategy, BadSnapshot or UsageError.
"""

from __future__ import annotations

import numpy as np

from acpcbot.evaluation.played_snapshots import BASELINE_NAMES, find_played
from acpcbot.evaluation.table_policies import TablePolicy, calling, folding, raising, uniform
from acpcbot.snapshots.whole_policy import played_policy
from acpcbot.solvers.abstract_game import AbstractGame
from acpcbot.trees.public_tree import PublicTree

BASELINES = dict(zip(BASELINE_NAMES, (calling, raising, uniform, folding), strict=True))


def find_entrant(name: str, tree: PublicTree) -> TablePolicy:
    """The policy called *name*, for the game of *tree*."""
    if name in BASELINES:
        return BASELINES[name](tree)
    snapshot, settings = find_played(name, tree.definition)
    game = AbstractGame(tree, snapshot.abstraction.num_buckets)
    probabilities = played_policy(snapshot, game, settings, np.uint8)
    return TablePolicy(name, game.num_buckets, probabilities, snapshot.abstraction)
