"""The official dealer's lines to one seat, and the seat's answers."""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.poker.betting import BettingRules
from tests.support.games import rules_of
from tests.support.gold import OWN_SET, gold_rows


class Transcript(NamedTuple):
    """The bytes of one connection; *replies* end before *sent* where the seat left."""

    name: str
    game: BettingRules
    sent: bytes
    replies: bytes

    @property
    def has_left(self) -> bool:
        """Return True if the seat left in the middle of a hand."""
        return self.name.startswith("drop")


def transcripts() -> list[Transcript]:
    """The transcripts that come with the tests."""
    return [
        Transcript(
            f"{row['case']}-{row['seat']}",
            rules_of(row["game"]),
            row["sent"].encode(),
            row["replies"].encode(),
        )
        for row in gold_rows(OWN_SET, "transcripts.jsonl")
    ]
