"""The score of a match, read from the logs that its tables wrote.

The unit of measurement is one deal: in a duplicate match the mean over all
seatings of what an entrant won with it, otherwise the hand itself. Results are in
mbb, thousandths of a big blind for each hand; intervals hold 95 % by the normal
approximation over deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from acpcbot.matches.plan import MatchPlan
from acpcbot.protocol.match_log import HandRecord, read_match_log

NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class EntrantScore:
    """What one entrant won: chips in all, and the mean with half the width of its interval."""

    name: str
    num_hands: int
    chips: float
    mean_mbb: float
    half_width_mbb: float


def score_match(plan: MatchPlan, folder: Path) -> list[EntrantScore]:
    """The score so far of every entrant, in the plan's order; hands that only some seatings played are left out."""
    chips = match_chips(plan, folder)
    return [summarise(name, chips[:, :, entrant], plan.definition.big_blind) for entrant, name in enumerate(plan.names)]


def summarise(name: str, chips: NDArray[np.float64], big_blind: int) -> EntrantScore:
    """The score from *chips* won, with axes [deal, seating]."""
    deals = deals_mbb(chips, big_blind)
    error = deals.std(ddof=1) / np.sqrt(len(deals)) if len(deals) > 1 else np.inf
    mean = float(deals.mean()) if len(deals) else 0.0
    return EntrantScore(name, chips.size, float(chips.sum()), mean, float(NORMAL_95 * error))


def standard_error(residuals: NDArray[np.float64], samples: NDArray[np.int64]) -> float:
    """The standard error of a mean from which hands differ by *residuals* [hand], where those of one sample depend.

    *samples* [hand] numbers them. For samples of one size it is that of the mean over samples.
    """
    _, place = np.unique(samples, return_inverse=True)
    sums = np.bincount(place, weights=residuals)
    if len(sums) < 2:
        return float(np.inf)
    return float(np.sqrt(len(sums) / (len(sums) - 1) * np.square(sums).sum()) / len(residuals))


def deals_needed(num_deals: int, half_width_mbb: float, wanted_mbb: float) -> int:
    """About how many deals an interval of half the width *wanted_mbb* takes, by what *num_deals* left of it.

    >>> deals_needed(200, 100.0, 50.0)
    800
    """
    return ceil(num_deals * (half_width_mbb / wanted_mbb) ** 2)


def deals_mbb(chips: NDArray[np.float64], big_blind: int) -> NDArray[np.float64]:
    """What each deal brought a hand, the mean over all seatings, from *chips* with axes [deal, seating, ...]."""
    means: NDArray[np.float64] = chips.mean(axis=1) * 1000.0 / big_blind
    return means


def match_chips(plan: MatchPlan, folder: Path) -> NDArray[np.float64]:
    """Chips won so far, with axes [deal, seating, entrant]; deals that only some seatings have played are left out."""
    tables = plan.tables()
    num_seatings = len(tables) // plan.num_seeds
    parts = []
    for start in range(0, len(tables), num_seatings):
        results = [_table_chips(plan, folder / f"{table.name}.log") for table in tables[start : start + num_seatings]]
        shortest = min(map(len, results))
        parts.append(np.stack([result[:shortest] for result in results], axis=1))
    return np.concatenate(parts)


def _table_chips(plan: MatchPlan, path: Path) -> NDArray[np.float64]:
    """Chips won at one table, with axes [hand, entrant]."""
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
