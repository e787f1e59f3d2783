"""Work in independent parts, and the interface to the processes or machines that carry it out.

A part depends on nothing but the work and itself: its seed and its number are in one of the two. So
its result is the same wherever it is computed, and however often after a worker has died. Each
part's result is handed over once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, Self, TypeVar

PartT = TypeVar("PartT")
ResultT = TypeVar("ResultT")
PartIn = TypeVar("PartIn", contravariant=True)
ResultOut = TypeVar("ResultOut", covariant=True)

Move = Callable[[Path], Path]
"""Where a folder of the sender lies at the receiver."""


class Work(Protocol[PartIn, ResultOut]):
    """Work in independent parts: a frozen dataclass, which is sent to other processes."""

    def __hash__(self) -> int:
        """Return a hash: work is a value."""

    def folders(self) -> tuple[Path, ...]:
        """Return the folders that parts read; a cluster sends each to a node once."""

    def moved(self, move: Move) -> Self:
        """Return the same work for a machine where its folders lie elsewhere.

        It is called at the sender first, for absolute paths, and then at the receiver.
        """

    def prepare(self) -> None:
        """Load what all parts need, and keep it in this process; called before its first part."""

    def part(self, part: PartIn) -> ResultOut:
        """Return the result of one part."""


class Workers(Protocol):
    """Processes, of this machine or of others, that carry out parts of work."""

    def run(
        self,
        work: Work[PartT, ResultT],
        parts: Sequence[PartT],
        keep: Callable[[int, ResultT], None],
    ) -> None:
        """Carry out *parts*, and call *keep* with each one's index and result as it is done.

        An error of a part, of *keep*, or an interrupt drops what is not done, and is raised. Raises
        UsageError where a worker cannot be used.
        """
