"""The notice that a tree grows no more because its memory is full: once a match, on stderr."""

from __future__ import annotations

import json
import sys
from typing import Protocol


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
