"""Searching in chunks: the thread in which OOS searches on, and the notice of a full memory.

The thread searches while nobody waits for an answer. Samples come in chunks of some two
milliseconds, in kernels that release the interpreter lock. ``paused`` holds the search for its
caller: the thread ends its chunk and waits. It ends with ``close``, and with the search itself
where that is dropped.
"""

from __future__ import annotations

import json
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from acpcbot.tree_search import OOSSearch

CHUNK_S = 0.002
FIRST_CHUNK = 16
JOIN_S = 10.0
NAME = "oos search"


class SearchClock:
    """The speed of a search: how many samples take so many seconds."""

    def __init__(self) -> None:
        self.sample_s = 0.0
        self.num_samples = 0

    def chunk(self) -> int:
        """Return the number of samples for a chunk."""
        return max(1, int(CHUNK_S / self.sample_s)) if self.sample_s else FIRST_CHUNK

    def sample(self, search: OOSSearch, num_samples: int) -> None:
        """Add so many samples to *search*, and measure them."""
        started_s = time.monotonic()
        search.sample(num_samples)
        took_s = (time.monotonic() - started_s) / num_samples
        # A slow average, so that one pause of the process makes no chunk small for long.
        self.sample_s = took_s if not self.sample_s else (7 * self.sample_s + took_s) / 8
        self.num_samples += num_samples


class BackgroundSearch:
    """*search* with a thread of its own, which samples unless *is_idle* or somebody holds it."""

    def __init__(self, search: OOSSearch, *, is_idle: bool) -> None:
        self.search, self.clock = search, SearchClock()
        self._shared = _Shared(search, self.clock)
        self._thread: threading.Thread | None = None
        if not is_idle:
            self._thread = threading.Thread(
                target=_search_on, args=(self._shared,), name=NAME, daemon=True
            )
            self._thread.start()
        # An agent that is dropped without being closed ends the thread as well.
        self._ends = weakref.finalize(self, self._shared.close)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hold the search: its thread waits until the context ends."""
        shared = self._shared
        shared.goes_on.clear()
        with shared.lock:
            try:
                yield
            finally:
                if not shared.is_closed:
                    shared.goes_on.set()

    def aim_nowhere(self) -> None:
        """Sample the whole game from the next chunk on, without waiting for the present one."""
        self._shared.forgets_target = True

    def begin_decision(self) -> None:
        """Take back ``aim_nowhere``, where the search has not come to it."""
        self._shared.forgets_target = False

    def close(self) -> None:
        """End the thread."""
        self._shared.close()
        if self._thread is not None:
            self._thread.join(JOIN_S)


class _Shared:
    """State that the thread shares with its owner, so that it does not keep the owner alive."""

    def __init__(self, search: OOSSearch, clock: SearchClock) -> None:
        self.search, self.clock = search, clock
        self.lock, self.goes_on = threading.Lock(), threading.Event()
        self.is_closed = self.forgets_target = False

    def close(self) -> None:
        self.is_closed = True
        self.goes_on.set()


def _search_on(shared: _Shared) -> None:
    """Sample chunk after chunk until *shared* is closed."""
    while True:
        # A lock alone would not do: it is not fair, and would be taken again at once.
        shared.goes_on.wait()
        if shared.is_closed:
            return
        with shared.lock:
            if shared.goes_on.is_set() and not shared.is_closed:
                if shared.forgets_target:
                    shared.forgets_target = False
                    shared.search.aim_nowhere()
                shared.clock.sample(shared.search, shared.clock.chunk())


class GrowingSearch(Protocol):
    """A search whose tree has a limit."""

    @property
    def is_full(self) -> bool:
        """True when the tree has stopped growing because its memory is full."""
        ...

    @property
    def num_infosets(self) -> int:
        """The number of information sets in memory."""
        ...


class MemoryNotice:
    """The notice of the agent called *agent* that *megabytes* are full, told once."""

    def __init__(self, agent: str, megabytes: float) -> None:
        self._agent, self._megabytes, self._is_told = agent, megabytes, False

    def tell(self, search: GrowingSearch) -> None:
        """Write a line of JSON to stderr if the memory of *search* is full for the first time."""
        if search.is_full and not self._is_told:
            self._is_told = True
            line = {
                "event": f"{self._agent} memory full",
                "infosets": search.num_infosets,
                "reason": f"memory={self._megabytes:g}; the search goes on with the tree it has",
            }
            print(json.dumps(line), file=sys.stderr)
