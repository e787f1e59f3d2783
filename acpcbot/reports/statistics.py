"""The usual statistics of a player's style, each a count and the opportunities that it had.

Walks count as hands dealt. A showdown is won by a player that gains chips there, so a pot that is
split evenly is not. Aggression is counted from the second street on; in games of one street, on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Flags, Ints
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.reports.betting_replay import Count, Mark
from acpcbot.reports.hands import HandTable


@dataclass(frozen=True, slots=True)
class Rate:
    """A statistic: *count* of *chances* (opportunities), a share or with *is_factor* a ratio."""

    name: str
    meaning: str
    count: int
    chances: int
    is_factor: bool = False

    @property
    def value(self) -> float | None:
        """The ratio, None without an opportunity."""
        return self.count / self.chances if self.chances else None


_OF_CHANCES = (
    ("3-bet", "raised the first raise again, of the chances", Mark.THREE_BET, Mark.COULD_THREE_BET),
    ("fold to 3-bet", "gave up the first raise", Mark.FOLDED_TO_THREE_BET, Mark.FACED_THREE_BET),
    ("c-bet", "bet the flop as the last raiser before it", Mark.C_BET, Mark.COULD_C_BET),
    ("fold to c-bet", "gave up against it", Mark.FOLDED_TO_C_BET, Mark.FACED_C_BET),
)


def statistics(table: HandTable, player: int) -> list[Rate]:
    """Return the statistics of *player*, from the first street to the showdown."""
    rows = table.player == player
    marks = table.facts.marks[rows]
    counts = table.facts.counts[rows].sum(axis=0, dtype=np.int64)
    done = marks.sum(axis=0)
    num_hands = len(marks)
    before = [
        Rate(
            "VPIP",
            "put chips in voluntarily on the first street",
            int(done[Mark.PUT_MONEY_IN]),
            num_hands,
        ),
        Rate("PFR", "raised on the first street", int(done[Mark.RAISED_FIRST_STREET]), num_hands),
    ]
    chances = [
        Rate(name, meaning, int(done[mark]), int(done[of]))
        for name, meaning, mark, of in _OF_CHANCES
    ]
    return [*before, *chances, *_aggression(counts), *_folds(counts), *_showdowns(table, rows)]


def _aggression(counts: Ints) -> Iterator[Rate]:
    """Yield the statistics of aggression from *counts* [street, count]."""
    total = counts[1:].sum(axis=0) if len(counts) > 1 else counts[0]
    aggressive = int(total[Count.BETS] + total[Count.RAISES])
    calls, folds = int(total[Count.CALLS]), int(total[Count.FOLDS])
    yield Rate("AF", "bets and raises for each call", aggressive, calls, is_factor=True)
    yield Rate(
        "AFq", "bets and raises, of all actions but checks", aggressive, aggressive + calls + folds
    )


def _folds(counts: Ints) -> Iterator[Rate]:
    for name, count in zip(STREET_NAMES, counts.tolist(), strict=False):
        meaning = (
            f"folded to a bet or a raise on the {name}"
            if name != STREET_NAMES[0]
            else "folded to a raise"
        )
        yield Rate(
            f"fold to bet, {name}", meaning, count[Count.FOLDS_TO_BETS], count[Count.FACED_BETS]
        )


def _showdowns(table: HandTable, rows: Flags) -> Iterator[Rate]:
    saw_flop = table.facts.reached[rows] >= min(1, table.definition.num_streets - 1)
    shown, won = table.facts.marks[rows][:, Mark.SHOWED_DOWN], table.chips[rows] > 0
    num_seen, num_shown = int(saw_flop.sum()), int(shown.sum())
    yield Rate(
        "WWSF", "won chips, of the hands that saw the flop", int((saw_flop & won).sum()), num_seen
    )
    yield Rate("WTSD", "went to showdown, of the hands that saw the flop", num_shown, num_seen)
    yield Rate("W$SD", "won chips, of the showdowns", int((shown & won).sum()), num_shown)
