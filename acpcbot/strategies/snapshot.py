"""A loaded strategy: place from the betting, bucket from the cards, probabilities from both.

    policy  by street, [bucket, slot] in the layout of ``trees/infosets.py``: float64, or uint8
            where 255 is 1
    greedy  by street, uint8 [byte]: the index of the action of highest estimated value in every
            information set, two bits each, in row order [bucket, node of the street]

Either may be missing. Limit games need no tree: places are counted (``trees/infosets.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import Abstraction
from acpcbot.errors import BadSnapshot
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.strategies.manifest import Manifest
from acpcbot.strategies.policy import (
    ACTIONS_PER_BYTE,
    WHOLE,
    PlaySettings,
    Probabilities,
    drawn_action,
    greedy_probabilities,
    parse_play_settings,
    played_probabilities,
    unpacked_actions,
)
from acpcbot.trees.bet_menu import BetMenu
from acpcbot.trees.infosets import FindNearest, Place, Places

PolicyArrays: TypeAlias = tuple[NDArray[Any], ...]
GreedyArrays: TypeAlias = tuple[NDArray[np.uint8], ...]

MAX_KEPT_PLACES = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A stored strategy as ``load_snapshot`` loads it from the folder *path*."""

    path: Path
    manifest: Manifest
    abstraction: Abstraction
    places: Places
    policy: PolicyArrays | None
    greedy: GreedyArrays | None
    _known: dict[str, Place] = field(default_factory=dict)

    @property
    def definition(self) -> GameDefinition:
        """Game of the strategy."""
        return self.places.definition

    @property
    def is_exact(self) -> bool:
        """True if every hand of the game has a bucket of its own."""
        return self.manifest.abstraction.get("kind") == "exact"

    @property
    def menu(self) -> BetMenu | None:
        """Bets of its tree; None in a limit game."""
        return self.places.menu

    @property
    def nearest(self) -> FindNearest | None:
        """Finder of the tree's decision most like betting that it lacks, if it needs one."""
        return self.places.nearest

    @property
    def own_settings(self) -> PlaySettings:
        """Default play settings."""
        return parse_play_settings(self.manifest.play)

    def place(self, betting: BettingState) -> Place:
        """Return the decision node after *betting*, which must not have ended the hand.

        Raises UsageError for bets that the tree lacks.
        """
        assert not betting.is_over, betting
        place = self._known.get(betting.text)
        if place is None:
            if len(self._known) >= MAX_KEPT_PLACES:
                self._known.clear()
            place = self._known[betting.text] = self.places.place_after(betting)
        return place

    def bucket(self, place: Place, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        """Return the bucket of the actor's cards at *place*."""
        return self.abstraction.bucket(place.street, hole_cards, board)

    def probabilities(
        self,
        place: Place,
        bucket: int | NDArray[np.integer[Any]],
        settings: PlaySettings | None = None,
    ) -> Probabilities:
        """Return the probabilities of the actions of *place*, in the order of its ``kinds``.

        The result is float64 [action]; with many buckets [hand] it is [hand, action].
        """
        settings = settings or self.own_settings
        if settings.mode == "greedy":
            return greedy_probabilities(self._greedy_action(place, bucket), len(place.kinds))
        return played_probabilities(self._average(place, bucket), settings)

    def drawn_action(
        self, place: Place, bucket: int, settings: PlaySettings, draw: Callable[[], float]
    ) -> int:
        """Return the index of the action of *place* that is played.

        *draw* gives a number in [0, 1) if one is needed.
        """
        if settings.mode == "greedy":
            return self._greedy_index(place, bucket)
        assert self.policy is not None
        stored = self.policy[place.street][
            bucket, place.slot : place.slot + len(place.actions)
        ].tolist()
        if stored and isinstance(stored[0], int):
            stored = [share / WHOLE for share in stored]
        return drawn_action(stored, settings, draw)

    def _greedy_index(self, place: Place, bucket: int) -> int:
        assert self.greedy is not None
        number = bucket * self.places.whole().num_nodes[place.street] + place.street_node
        byte, turn = divmod(number, ACTIONS_PER_BYTE)
        action = int(self.greedy[place.street][byte]) >> 2 * turn & 3
        if action >= len(place.kinds):
            raise BadSnapshot(str(self.path), f"an action that node {place.node} does not have")
        return action

    def _average(self, place: Place, bucket: int | NDArray[np.integer[Any]]) -> Probabilities:
        assert self.policy is not None
        stored = self.policy[place.street][bucket, place.slot : place.slot + len(place.kinds)]
        return stored / WHOLE if stored.dtype == np.uint8 else stored.copy()

    def _greedy_action(
        self, place: Place, bucket: int | NDArray[np.integer[Any]]
    ) -> NDArray[np.uint8]:
        assert self.greedy is not None
        # Tables hold buckets as small integers, in which the product would overflow.
        number = (
            np.asarray(bucket, np.int64) * self.places.whole().num_nodes[place.street]
            + place.street_node
        )
        action = unpacked_actions(self.greedy[place.street], number)
        if np.any(action >= len(place.kinds)):
            raise BadSnapshot(str(self.path), f"an action that node {place.node} does not have")
        return action
