"""Policies as tables that the arena plays, and the ones that need no cards.

The latter are what every other policy has to beat; they have one bucket a street.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import Abstraction
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.rules import CALL, FOLD, RAISE
from acpcbot.solvers.abstract_game import AbstractGame
from acpcbot.solvers.policy_kernels import WHOLE
from acpcbot.trees.node_record import INFO, SLOT, info_kinds, info_street
from acpcbot.trees.public_tree import PublicTree

KINDS = (FOLD, CALL, RAISE)


@dataclass(frozen=True, slots=True, eq=False)
class TablePolicy:
    """A policy that plays in the arena under *name*.

    *probabilities* are uint8 [slot] in the layout for *num_buckets* by street; each
    information set has the sum 255. *abstraction* tells the buckets of the cards; without
    one the cards are not looked at, and there is one bucket a street.
    """

    name: str
    num_buckets: tuple[int, ...]
    probabilities: NDArray[np.uint8]
    abstraction: Abstraction | None = None


def num_buckets_of(definition: GameDefinition, abstraction: Abstraction | None) -> tuple[int, ...]:
    """By street, one where there is no abstraction."""
    return (1,) * definition.num_streets if abstraction is None else abstraction.num_buckets


def calling(tree: PublicTree) -> TablePolicy:
    """Calls every bet, and checks where there is none."""
    return _without_cards("call", tree, lambda kinds: _all_on(kinds, CALL))


def raising(tree: PublicTree) -> TablePolicy:
    """Raises whenever it may; else it calls."""
    return _without_cards("raise", tree, lambda kinds: _all_on(kinds, RAISE if RAISE in kinds else CALL))


def folding(tree: PublicTree) -> TablePolicy:
    """Folds to every bet, and checks where there is none."""
    return _without_cards("fold", tree, lambda kinds: _all_on(kinds, FOLD if FOLD in kinds else CALL))


def uniform(tree: PublicTree) -> TablePolicy:
    """Takes every legal action equally often, but for the last of two, which is 1/255 likelier than the first."""
    return _without_cards("random", tree, _even_shares)


def _all_on(kinds: Sequence[int], chosen: int) -> list[int]:
    return [WHOLE if kind == chosen else 0 for kind in kinds]


def _even_shares(kinds: Sequence[int]) -> list[int]:
    share, left_over = divmod(WHOLE, len(kinds))
    return [*[share] * (len(kinds) - 1), share + left_over]


def _without_cards(name: str, tree: PublicTree, shares: Callable[[Sequence[int]], Sequence[int]]) -> TablePolicy:
    """The policy that plays by *shares* of 255, one for each legal action, which depend on these alone."""
    game = AbstractGame(tree, num_buckets_of(tree.definition, None))
    info: Any = tree.nodes[:, INFO]  # the functions of a record's numbers take whole columns as well
    first_slots, kinds = game.layout.row_starts[info_street(info)] + tree.nodes[:, SLOT], info_kinds(info)
    probabilities = np.zeros(game.layout.num_slots, np.uint8)
    for legal in np.unique(kinds).tolist():
        slots = first_slots[kinds == legal]
        for action, share in enumerate(shares([kind for kind in KINDS if legal >> kind & 1])):
            probabilities[slots + action] = share
    return TablePolicy(name, game.num_buckets, probabilities)
