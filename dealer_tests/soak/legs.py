"""Parts of every leg of a soak: growing logs, faults at random hands, a twin without any."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

from dealer_tests.soak.findings import LOG, Finding
from dealer_tests.soak.stage import Stage

AnyLeg = TypeVar("AnyLeg", bound="Leg")


class Leg(ABC):
    """So many hands (*total*) played in *folder* as the leg *name* of a soak on *stage*."""

    stage: Stage
    folder: Path
    name: str
    total: int

    @abstractmethod
    def begin(self) -> None:
        """Start whatever plays."""

    @abstractmethod
    def look(self) -> int:
        """Count the finished hands on disk."""

    @abstractmethod
    def play_to(self, num_hands: int) -> None:
        """Watch until so many hands are on disk.

        Raises SoakFailure when play ends or stands still before.
        """

    @abstractmethod
    def finish(self) -> None:
        """Play the rest and see everybody leave in good order."""

    @abstractmethod
    def judge(self) -> str:
        """Return a summary of all that is on disk.

        Raises SoakFailure unless every line of it is right.
        """

    @abstractmethod
    def sibling(self, folder: Path) -> Self:
        """The same leg in another *folder*, where nothing was played."""

    @abstractmethod
    def compare(self, twin: Self) -> str:
        """Return what is alike in *twin*; raises SoakFailure for what is not."""


class HandCount:
    """The finished hands in growing logs, at the price of reading what is new."""

    def __init__(self, *paths: Path) -> None:
        self._offsets = dict.fromkeys(paths, 0)
        self.now = 0

    def watch(self, paths: Sequence[Path]) -> None:
        """Count in these too."""
        self._offsets = dict.fromkeys(paths, 0) | self._offsets

    def look(self) -> int:
        """The hands now."""
        for path, offset in self._offsets.items():
            if path.exists():
                with path.open("rb") as file:
                    file.seek(offset)
                    fresh = file.read()
                whole = fresh[: fresh.rfind(b"\n") + 1]
                self._offsets[path] += len(whole)
                self.now += (b"\n" + whole).count(b"\nSTATE:")
        return self.now


def play_leg(leg: AnyLeg, strikes: Sequence[Callable[[AnyLeg], str]]) -> None:
    """*leg* with *strikes*, at hands that chance chose, then its judgement."""
    stage, name = leg.stage, leg.name
    leg.begin()
    for strike, hand in zip(
        strikes, strike_hands(stage, name, leg.total, len(strikes)), strict=True
    ):
        stage.tell(f"{name}, until hand {hand}: {title(strike)}")
        leg.play_to(hand)
        stage.struck(name, title(strike), f"hand {leg.look()}: {strike(leg)}")
    stage.tell(f"{name}, to the end")
    leg.finish()
    stage.hands[name] = leg.look()
    stage.note(Finding(LOG, name, "nothing lost", True, leg.judge()))


def play_twin(leg: Leg) -> None:
    """The same without faults; raises SoakFailure unless both are alike."""
    stage = leg.stage
    stage.tell(f"{leg.name}, its twin without faults")
    folder = leg.folder.with_name(f"{leg.folder.name}.twin")
    folder.mkdir(parents=True)
    twin = leg.sibling(folder)
    twin.begin()
    twin.finish()
    stage.note(Finding(LOG, leg.name, "as without faults", True, leg.compare(twin)))


def title(strike: Callable[..., Any]) -> str:
    """Return the name of a fault: the first line of its docstring."""
    return (strike.__doc__ or "").partition("\n")[0].rstrip(".")


def strike_hands(stage: Stage, leg: str, num_hands: int, num_strikes: int) -> list[int]:
    """Draw the hands at which faults strike, one in each equal part of the first three quarters."""
    chance = stage.chance(leg)
    part = 0.7 * num_hands / max(1, num_strikes)
    return [
        int(0.05 * num_hands + part * (number + chance.uniform(0.2, 0.8)))
        for number in range(num_strikes)
    ]
