"""What a sampling algorithm has to offer: it learns from pools of deals, and its state is arrays."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Deals = NDArray[np.uint16]
RandomState = NDArray[np.uint64]


class Learner(Protocol):
    """An algorithm and what it has learnt. It touches no file, no clock and no screen."""

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The live storage by name: what a checkpoint saves, and fills again in place."""

    @property
    def round_length(self) -> int:
        """How many deals a thread walks between two calls of ``settle``."""

    def walk(self, deals: Deals, random_state: RandomState) -> None:
        """One episode or iteration a deal. Threads may walk at once; an update of theirs may then be lost."""

    def settle(self, num_done: int) -> None:
        """What has to happen while nobody walks, after *num_done* deals in all."""

    def average_strategy(self) -> NDArray[np.floating[Any]]:
        """Probabilities [slot]; uniform where an information set was never met."""
