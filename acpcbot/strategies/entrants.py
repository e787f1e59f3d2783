"""Entrants of the arena by name: stored strategies, and baselines that need no cards.

The baselines have one bucket a street.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from acpcbot.learning.abstract_game import AbstractGame
from acpcbot.poker.rules import CALL, FOLD, RAISE
from acpcbot.strategies.by_name import BASELINE_NAMES, find_played
from acpcbot.strategies.policy import WHOLE
from acpcbot.strategies.whole_policy import TablePolicy, num_buckets_of, played_policy
from acpcbot.trees.node_record import INFO, SLOT, info_kinds, info_street
from acpcbot.trees.public_tree import PublicTree

KINDS = (FOLD, CALL, RAISE)


def find_entrant(name: str, tree: PublicTree) -> TablePolicy:
    """Return the policy called *name* for the arena, in the game of *tree*."""
    if name in BASELINES:
        return BASELINES[name](tree)
    snapshot, settings = find_played(name, tree.definition)
    game = AbstractGame(tree, snapshot.abstraction.num_buckets)
    probabilities = played_policy(snapshot, game, settings, np.uint8)
    return TablePolicy(name, game.num_buckets, probabilities, snapshot.abstraction)


def calling(tree: PublicTree) -> TablePolicy:
    """Return the policy that calls every bet, and checks where there is none."""
    return _without_cards("call", tree, lambda kinds: _all_on(kinds, CALL))


def raising(tree: PublicTree) -> TablePolicy:
    """Return the policy that raises whenever it may, and calls otherwise."""
    return _without_cards(
        "raise", tree, lambda kinds: _all_on(kinds, RAISE if RAISE in kinds else CALL)
    )


def folding(tree: PublicTree) -> TablePolicy:
    """Return the policy that folds to every bet, and checks where there is none."""
    return _without_cards(
        "fold", tree, lambda kinds: _all_on(kinds, FOLD if FOLD in kinds else CALL)
    )


def uniform(tree: PublicTree) -> TablePolicy:
    """Return the policy that takes every legal action with equal probability.

    The last of two is 1/255 more probable than the first, since 255 is odd.
    """
    return _without_cards("random", tree, _even_shares)


def _all_on(kinds: Sequence[int], chosen: int) -> list[int]:
    return [WHOLE if kind == chosen else 0 for kind in kinds]


def _even_shares(kinds: Sequence[int]) -> list[int]:
    share, left_over = divmod(WHOLE, len(kinds))
    return [*[share] * (len(kinds) - 1), share + left_over]


def _without_cards(
    name: str, tree: PublicTree, shares: Callable[[Sequence[int]], Sequence[int]]
) -> TablePolicy:
    """Return the policy that plays *shares* of 255, one for each legal action.

    Shares depend on the legal actions alone.
    """
    game = AbstractGame(tree, num_buckets_of(tree.definition, None))
    # The functions of a record's numbers take whole columns as well.
    info: Any = tree.nodes[:, INFO]
    first_slots, kinds = (
        game.layout.row_starts[info_street(info)] + tree.nodes[:, SLOT],
        info_kinds(info),
    )
    probabilities = np.zeros(game.layout.num_slots, np.uint8)
    for legal in np.unique(kinds).tolist():
        slots = first_slots[kinds == legal]
        for action, share in enumerate(shares([kind for kind in KINDS if legal >> kind & 1])):
            probabilities[slots + action] = share
    return TablePolicy(name, game.num_buckets, probabilities)


BASELINES = dict(zip(BASELINE_NAMES, (calling, raising, uniform, folding), strict=True))
