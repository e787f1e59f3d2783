"""The score of a match, read from the logs that its tables wrote.

The sample is one deal: in a duplicate match the mean of an entrant's result over all seatings,
otherwise the hand itself. Results are in mbb (thousandths of a big blind) per hand; intervals
are 95 % confidence intervals as in ``intervals.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.matches.intervals import interval_of_samples, root_mean_square
from acpcbot.matches.plan import MatchPlan

MBB = 1000.0


@dataclass(frozen=True, slots=True)
class EntrantScore:
    """The result of one entrant: total chips, and the mean with half the width of its interval."""

    name: str
    num_hands: int
    chips: float
    mean_mbb: float
    half_width_mbb: float


def score_match(plan: MatchPlan, folder: Path) -> list[EntrantScore]:
    """Return the score so far of every entrant, in the plan's order.

    Hands that only some seatings played are left out.
    """
    chips = match_chips(plan, folder)
    return [
        summarise(name, chips[:, :, entrant], plan.definition.big_blind)
        for entrant, name in enumerate(plan.names)
    ]


def summarise(
    name: str, chips: Floats, big_blind: int, hand_rms: float | None = None
) -> EntrantScore:
    """Return the score from *chips* won, with axes [deal, seating].

    *hand_rms* is the root mean square of a hand's chips; give it where *chips* are
    variance-reduced.
    """
    mean = float(chips.mean()) if chips.size else 0.0
    sums, rms = (
        (chips - mean).sum(axis=1),
        root_mean_square(chips) if hand_rms is None else hand_rms,
    )
    found = interval_of_samples(sums, chips.size, rms)
    to_mbb = MBB / big_blind
    return EntrantScore(
        name, chips.size, float(chips.sum()), mean * to_mbb, found.half_width * to_mbb
    )


def deals_needed(num_deals: int, half_width_mbb: float, wanted_mbb: float) -> int:
    """Return the estimated number of deals for half the interval's width to be *wanted_mbb*.

    *half_width_mbb* is half the width after *num_deals*.

    >>> deals_needed(200, 100.0, 50.0)
    800
    """
    return ceil(num_deals * (half_width_mbb / wanted_mbb) ** 2)


def match_chips(plan: MatchPlan, folder: Path) -> Floats:
    """Return the chips won so far, with axes [deal, seating, entrant].

    Deals that only some seatings have played are left out.
    """
    tables = plan.tables()
    num_seatings = len(tables) // plan.num_seeds
    parts = []
    for start in range(0, len(tables), num_seatings):
        results = [
            _table_chips(plan, folder / f"{table.name}.log")
            for table in tables[start : start + num_seatings]
        ]
        shortest = min(map(len, results))
        parts.append(np.stack([result[:shortest] for result in results], axis=1))
    return np.concatenate(parts)


def _table_chips(plan: MatchPlan, path: Path) -> Floats:
    """Return the chips won at one table, with axes [hand, entrant]."""
    entrant_of = {name: entrant for entrant, name in enumerate(plan.names)}
    rows = [_by_entrant(hand, entrant_of) for hand in _hands(plan, path)]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(entrant_of))


def _hands(plan: MatchPlan, path: Path) -> Iterable[HandRecord]:
    if not path.exists():
        return ()
    entries = read_match_log(path, plan.definition, is_growing=True)
    return (entry for entry in entries if isinstance(entry, HandRecord))


def _by_entrant(hand: HandRecord, entrant_of: dict[str, int]) -> Sequence[float]:
    row = [0.0] * len(entrant_of)
    for name, value in zip(hand.names, hand.values, strict=True):
        row[entrant_of[name]] = value
    return row
