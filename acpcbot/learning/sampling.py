"""Sampling learners at work: pools of deals, threads, and random streams that can be continued.

A learner (``Learner``) is an algorithm that learns from pools of deals, and whose state is arrays.
Each thread fills a pool of its own from its own stream and walks it. One thread gives the same
result every time; several share the learner's arrays and lose an update now and then, which harms
no average but makes runs differ.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import DealSource
from acpcbot.random_kernels import seed_states
from acpcbot.worker_threads import worker_threads

Deals = NDArray[np.uint16]
RandomState = NDArray[np.uint64]

POOL_LENGTH = 1 << 14


class Learner(Protocol):
    """An algorithm and its arrays. It touches no file, no clock and no screen."""

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The live storage by name: what a checkpoint saves, and fills again in place."""

    @property
    def round_length(self) -> int:
        """The number of deals that a thread walks between two calls of ``settle``."""

    def walk(self, deals: Deals, random_state: RandomState) -> None:
        """Learn from *deals*, one episode or iteration each.

        Several threads may walk at once; an update of theirs may then be lost.
        """

    def settle(self, num_done: int) -> None:
        """Do all that no thread may disturb, after *num_done* deals in all."""

    def average_strategy(self) -> NDArray[np.floating[Any]]:
        """Return probabilities [slot]; uniform where an information set was never visited."""


class SamplingSolver:
    """*learner* fed from *source* by *num_threads* threads with streams of *seed*."""

    def __init__(
        self, learner: Learner, source: DealSource, *, seed: int, num_threads: int = 1
    ) -> None:
        self.learner = learner
        self._source = source
        self._states = seed_states([(seed, thread) for thread in range(num_threads)])
        self._pools = [np.zeros((POOL_LENGTH, source.width), np.uint16) for _ in range(num_threads)]
        self._num_done = np.zeros(1, np.int64)

    @property
    def num_done(self) -> int:
        """The number of deals walked so far."""
        return int(self._num_done[0])

    @property
    def round_length(self) -> int:
        """The number of deals that all threads walk between two calls of ``settle``."""
        return self.learner.round_length * len(self._pools)

    @property
    def state(self) -> dict[str, NDArray[Any]]:
        """All arrays on which the rest of the run depends, live."""
        return {**self.learner.arrays, "random_states": self._states, "num_done": self._num_done}

    def step(self, count: int) -> None:
        """Walk *count* more deals.

        What is learnt depends on how a run is cut into steps, unless the cuts are at
        multiples of ``round_length``.
        """
        left = count
        while left > 0:
            until_settled = self.round_length - self.num_done % self.round_length
            self._walk_all(min(left, until_settled))
            left -= min(left, until_settled)
            if self.num_done % self.round_length == 0:
                self.learner.settle(self.num_done)

    def _walk_all(self, count: int) -> None:
        num_threads = len(self._pools)
        shares = [
            count // num_threads + (thread < count % num_threads) for thread in range(num_threads)
        ]
        if num_threads == 1:
            self._walk(0, count)
        else:
            with worker_threads(num_threads) as threads:
                list(threads.map(self._walk, range(num_threads), shares))
        self._num_done += count

    def _walk(self, thread: int, count: int) -> None:
        while count > 0:
            deals = self._pools[thread][: min(count, POOL_LENGTH)]
            self._source.fill(deals, self._states[thread])
            self.learner.walk(deals, self._states[thread])
            count -= len(deals)
