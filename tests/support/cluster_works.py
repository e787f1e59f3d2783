"""Work in independent parts for tests of workers: draws, processes that die, and slow parts."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from acpcbot.errors import UsageError

Move = Callable[[Path], Path]


@dataclass(frozen=True)
class Draws:
    """Numbers drawn from the seed and the part's own number."""

    seed: int

    def folders(self) -> tuple[Path, ...]:
        return ()

    def moved(self, move: Move) -> Self:
        return self

    def prepare(self) -> None:
        pass

    def part(self, part: int) -> bytes:
        return np.random.default_rng((self.seed, part)).random(4).tobytes()


@dataclass(frozen=True)
class DyingDraws(Draws):
    """The same; the process that is the first to get the part *dying* dies of it.

    Each attempt leaves a file in *folder*.
    """

    folder: Path
    dying: int

    def part(self, part: int) -> bytes:
        attempts = len(list(self.folder.glob(f"{part}.*")))
        (self.folder / f"{part}.{os.getpid()}").touch()
        if part == self.dying and not attempts:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().part(part)


@dataclass(frozen=True)
class ReplacedDraws(DyingDraws):
    """The same; the part *waiting* waits until a third process has had a part, a minute at most.

    Of two workers one dies: the third is the one that takes its place, however long that takes.
    """

    waiting: int

    def part(self, part: int) -> bytes:
        result = super().part(part)
        end = time.monotonic() + 60.0
        while part == self.waiting and time.monotonic() < end:
            if len({path.suffix for path in self.folder.iterdir()}) >= 3:
                break
            time.sleep(0.05)
        return result


@dataclass(frozen=True)
class FailingDraws(Draws):
    """The same, with an error for part 2."""

    def part(self, part: int) -> bytes:
        if part == 2:
            raise UsageError("part 2 is at fault", "leave it out")
        return super().part(part)


@dataclass(frozen=True)
class SlowDraws(Draws):
    """Part 0 is quick; the others sleep, and leave a file with their process's number."""

    folder: Path

    def part(self, part: int) -> bytes:
        if part:
            (self.folder / f"{part}.{os.getpid()}").touch()
            time.sleep(60)
        return super().part(part)


@dataclass(frozen=True)
class PacedDraws(Draws):
    """The same; each takes a third of a second, and leaves a file with its process's number."""

    folder: Path

    def part(self, part: int) -> bytes:
        (self.folder / f"{part}.{os.getpid()}").touch()
        time.sleep(0.3)
        return super().part(part)


@dataclass(frozen=True)
class FolderText:
    """A part is a file's name; its result is where it lay, and its text."""

    folder: Path

    def folders(self) -> tuple[Path, ...]:
        return (self.folder,)

    def moved(self, move: Move) -> FolderText:
        return FolderText(move(self.folder))

    def prepare(self) -> None:
        assert self.folder.is_dir(), self.folder

    def part(self, part: str) -> tuple[str, str]:
        return str(self.folder), (self.folder / part).read_text()
