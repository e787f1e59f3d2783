"""UCT and Smooth UCT: self-play Monte Carlo tree search with a tree for each player.

At each of its information sets a player takes the action with the highest upper bound or,
with probability 1 - eta_k, samples its own average strategy (Smooth UCT). UCT is the same
with eta_k = 1.

    (2)  eta_k = max(gamma, eta / (1 + d sqrt(N_k)))
    (3)  c = min(C, pot + k * remaining betting potential), set anew on each street

Source: Heinrich & Silver (2015), Smooth UCT Search in Computer Poker.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from acpcbot.errors import UsageError
from acpcbot.solvers.abstract_game import AbstractGame
from acpcbot.solvers.learner import Deals, RandomState
from acpcbot.solvers.uct_kernels import run_episodes

Storage = Literal["float64", "float32"]


@dataclass(frozen=True, slots=True)
class UCTSettings:
    """The constants of (2) and (3), the latter in big blinds.

    Without *potential_share* (k of equation 3) c is *exploration* everywhere. *storage*
    is float64 for counts and means alike, or half of that: uint32 counts, good for four
    billion visits to an action, and float32 means.
    """

    exploration: float
    potential_share: float | None = None
    gamma: float = 0.1
    eta: float = 0.9
    d: float = 0.001
    storage: Storage = "float64"

    def __post_init__(self) -> None:
        if not (0 <= self.gamma <= self.eta <= 1 and self.d >= 0 and self.exploration > 0):
            raise UsageError(
                f"the schedule gamma {self.gamma}, eta {self.eta}, d {self.d}, exploration {self.exploration} is none",
                "0 <= gamma <= eta <= 1, d >= 0 and exploration > 0",
            )
        if self.storage not in ("float64", "float32"):
            raise UsageError(f"storage {self.storage!r} is not known", "float64 or float32")


class UCTLearner:
    """UCT (gamma = eta = 1) or Smooth UCT on *game*."""

    round_length = 1 << 18

    def __init__(self, game: AbstractGame, settings: UCTSettings) -> None:
        self.game, self.settings = game, settings
        kind = np.float64 if settings.storage == "float64" else np.uint32
        self._statistics: NDArray[Any] = np.zeros((game.layout.num_slots, 2), kind)
        self._means = self._statistics.view(np.float64 if kind is np.float64 else np.float32)
        self._schedule = _schedule(settings, game.tree.definition.big_blind or 1)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """``statistics`` [slot, 2]: N and Q; with float32 storage the bits of Q are in a uint32."""
        return {"statistics": self._statistics}

    @property
    def visits(self) -> NDArray[Any]:
        """N(u, a), [slot]."""
        return self._statistics[:, 0]

    @property
    def means(self) -> NDArray[Any]:
        """Q(u, a) in big blinds, [slot]."""
        return self._means[:, 1]

    def walk(self, deals: Deals, random_state: RandomState) -> None:
        """Play an episode a deal."""
        tree, layout = self.game.tree, self.game.layout
        run_episodes(
            tree.nodes,
            layout.row_starts,
            layout.row_widths,
            tree.payoffs,
            deals,
            self._statistics,
            self._means,
            self._schedule,
            random_state,
        )

    def settle(self, num_done: int) -> None:
        """Nothing: every episode is complete in itself."""

    def average_strategy(self) -> NDArray[np.float64]:
        """N(u, a) / N(u), [slot]."""
        return self.game.normalised(self.visits)


def _schedule(settings: UCTSettings, big_blind: int) -> NDArray[np.float64]:
    """What the kernel reads; a constant c is one that is never below its cap."""
    cap = settings.exploration * big_blind
    share, least = (0.0, cap) if settings.potential_share is None else (settings.potential_share, 0.0)
    return np.array([settings.gamma, settings.eta, settings.d, cap, share, least, 1 / big_blind])
