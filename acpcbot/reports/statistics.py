"""The usual statistics of a player's style, each a count and the opportunities that it had.

Walks count as hands dealt. A showdown is won by a player that gains chips there, so a pot that is
split evenly is not. Aggression is counted from the second street on; in games of one street, on it.

A statistic is two sums over rows (hand and seat) of ``measures``: of what is counted and of the
opportunities. So pages of reports add up the same columns over the rows that a reader chooses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Flags
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.reports.betting_replay import Count, Mark
from acpcbot.reports.hands import HandTable

Measure = NDArray[Any]
"""Flags or counts by row, [hand, seat]."""
HANDS = "hands"
_AGGRESSIVE, _CALLS, _ACTIONS = "aggressive", "calls", "actions"
_SAW_FLOP, _WON_FLOP, _SHOWN, _WON_SHOWN = "saw flop", "won flop", "shown", "won shown"
_SUMS = (_AGGRESSIVE, _CALLS, _ACTIONS)


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


@dataclass(frozen=True, slots=True)
class Statistic:
    """The definition of a statistic: *count* and *chances* name the measures that are summed."""

    name: str
    meaning: str
    count: str
    chances: str
    is_factor: bool = False


_OF_MARKS = (
    ("3-bet", "raised the first raise again, of the chances", Mark.THREE_BET, Mark.COULD_THREE_BET),
    ("fold to 3-bet", "gave up the first raise", Mark.FOLDED_TO_THREE_BET, Mark.FACED_THREE_BET),
    ("c-bet", "bet the flop as the last raiser before it", Mark.C_BET, Mark.COULD_C_BET),
    ("fold to c-bet", "gave up against it", Mark.FOLDED_TO_C_BET, Mark.FACED_C_BET),
)


def statistics(table: HandTable, player: int) -> list[Rate]:
    """Return the statistics of *player*, from the first street to the showdown."""
    return rates(table, measures(table), table.player == player)


def rates(table: HandTable, columns: Mapping[str, Measure], rows: Flags) -> list[Rate]:
    """Return the statistics of the *rows* [hand, seat] of *table*, whose measures are *columns*."""
    total = {name: int(column[rows].sum(dtype=np.int64)) for name, column in columns.items()}
    return [
        Rate(each.name, each.meaning, total[each.count], total[each.chances], each.is_factor)
        for each in definitions(table.definition.num_streets)
    ]


def definitions(num_streets: int) -> list[Statistic]:
    """Return the statistics of games of so many streets, in their order."""
    before = [
        Statistic(
            "VPIP",
            "put chips in voluntarily on the first street",
            Mark.PUT_MONEY_IN.name,
            HANDS,
        ),
        Statistic("PFR", "raised on the first street", Mark.RAISED_FIRST_STREET.name, HANDS),
    ]
    chances = [
        Statistic(name, meaning, mark.name, of.name) for name, meaning, mark, of in _OF_MARKS
    ]
    aggression = [
        Statistic("AF", "bets and raises for each call", _AGGRESSIVE, _CALLS, is_factor=True),
        Statistic("AFq", "bets and raises, of all actions but checks", _AGGRESSIVE, _ACTIONS),
    ]
    folds = [_fold_to_bet(name) for name in STREET_NAMES[:num_streets]]
    showdowns = [
        Statistic("WWSF", "won chips, of the hands that saw the flop", _WON_FLOP, _SAW_FLOP),
        Statistic("WTSD", "went to showdown, of the hands that saw the flop", _SHOWN, _SAW_FLOP),
        Statistic("W$SD", "won chips, of the showdowns", _WON_SHOWN, _SHOWN),
    ]
    return [*before, *chances, *aggression, *folds, *showdowns]


def _fold_to_bet(street: str) -> Statistic:
    meaning = (
        f"folded to a bet or a raise on the {street}"
        if street != STREET_NAMES[0]
        else "folded to a raise"
    )
    return Statistic(f"fold to bet, {street}", meaning, *_fold_measures(street))


def _fold_measures(street: str) -> tuple[str, str]:
    return f"folds to bets, {street}", f"bets faced, {street}"


def measures(table: HandTable) -> dict[str, Measure]:
    """Return what the statistics of *table* are sums of, by name."""
    facts = table.facts
    found: dict[str, Measure] = {HANDS: np.ones(table.chips.shape, np.bool_)}
    used = {Mark.PUT_MONEY_IN, Mark.RAISED_FIRST_STREET}
    used.update(*[{mark, of} for _, _, mark, of in _OF_MARKS])
    found |= {mark.name: facts.marks[:, :, mark] for mark in Mark if mark in used}
    late = facts.counts[:, :, 1 if facts.counts.shape[2] > 1 else 0 :]
    total = late.sum(axis=2, dtype=np.int64)
    aggressive = total[:, :, Count.BETS] + total[:, :, Count.RAISES]
    calls, folds = total[:, :, Count.CALLS], total[:, :, Count.FOLDS]
    found |= dict(zip(_SUMS, (aggressive, calls, aggressive + calls + folds), strict=True))
    for street, name in enumerate(STREET_NAMES[: table.definition.num_streets]):
        counts = facts.counts[:, :, street]
        folded, faced = _fold_measures(name)
        found |= {folded: counts[..., Count.FOLDS_TO_BETS], faced: counts[..., Count.FACED_BETS]}
    return found | _showdowns(table)


def _showdowns(table: HandTable) -> dict[str, Measure]:
    saw_flop = table.facts.reached >= min(1, table.definition.num_streets - 1)
    shown, won = table.facts.marks[:, :, Mark.SHOWED_DOWN], table.chips > 0
    return {
        _SAW_FLOP: saw_flop,
        _WON_FLOP: saw_flop & won,
        _SHOWN: shown,
        _WON_SHOWN: shown & won,
    }
