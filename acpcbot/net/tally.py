"""What a bot did at its dealers, counted as it happens: plain numbers that only the event loop's thread touches."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

BOUNDS_S = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
"""The upper bounds of the classes of decision times; what takes longer than the last has a class of its own."""


@dataclass(slots=True)
class Tally:
    """Connections, finished hands, fallbacks, and how long decisions took.

    *num_decisions_by_time* is [class]: as many as ``BOUNDS_S``, and one for longer times. *deciding_s* is their sum.
    """

    num_connections: int = 0
    num_hands: int = 0
    num_fallbacks: int = 0
    deciding_s: float = 0.0
    num_decisions_by_time: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_S) + 1))

    @property
    def num_decisions(self) -> int:
        """All decisions, fallbacks included."""
        return sum(self.num_decisions_by_time)

    def count_decision(self, took_s: float) -> None:
        """Count a decision that was sent *took_s* after its state came."""
        self.num_decisions_by_time[bisect_left(BOUNDS_S, took_s)] += 1
        self.deciding_s += took_s

    def __add__(self, other: Tally) -> Tally:
        by_time = zip(self.num_decisions_by_time, other.num_decisions_by_time, strict=True)
        return Tally(
            self.num_connections + other.num_connections,
            self.num_hands + other.num_hands,
            self.num_fallbacks + other.num_fallbacks,
            self.deciding_s + other.deciding_s,
            [ours + theirs for ours, theirs in by_time],
        )
