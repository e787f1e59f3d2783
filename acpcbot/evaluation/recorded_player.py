"""A player whose strategy is known from files beside the logs, decision by decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from acpcbot.snapshots.strategy_file import RecordedHand, RecordedStrategies


@dataclass(frozen=True, slots=True)
class RecordedPlayer:
    """What he did in hands of several logs: of each hand the number of its log and the dealer's own."""

    of_logs: Sequence[RecordedStrategies]
    logs: Sequence[int]
    hand_ids: Sequence[int]

    def in_hand(self, place: int) -> RecordedHand:
        """His strategy in the hand at *place*, which knows no more than his decisions there."""
        return self.of_logs[self.logs[place]].in_hand(self.hand_ids[place])
