"""What a person has won so far, by chips and with the luck taken out."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from acpcbot.matches.intervals import root_mean_square
from acpcbot.matches.score import summarise


class Tally:
    """Adds up hands of a game with this big blind."""

    def __init__(self, big_blind: int) -> None:
        self._big_blind = big_blind
        self._chips: list[float] = []
        self._skill: list[float] = []

    def add(self, chips: float) -> None:
        """Count a hand."""
        self._chips.append(chips)

    def add_skill(self, chips: float) -> None:
        """Count what AIVAT says of a hand that was counted."""
        self._skill.append(chips)

    def plain(self) -> dict[str, Any]:
        """The totals, in chips and mbb a hand, with half the width of the 95 % interval, null where there is none."""
        return {"chips": self._summary(self._chips), "aivat": self._summary(self._skill)}

    def _summary(self, chips: list[float]) -> dict[str, Any]:
        hand_rms = root_mean_square(np.array(self._chips))
        found = summarise("", np.array(chips, dtype=np.float64).reshape(len(chips), 1), self._big_blind, hand_rms)
        half_width = round(found.half_width_mbb, 1) if isfinite(found.half_width_mbb) else None
        return {"hands": len(chips), "chips": found.chips, "mbb": round(found.mean_mbb, 1), "halfWidth": half_width}
