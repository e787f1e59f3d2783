"""Detection of duplicate matches: the same cards played again with the seats exchanged.

Hands of one log whose numbers follow each other are a run. Runs of different logs are one duplicate
match if they begin with the same hand number, have the same players in other seats and the same
hole cards in every hand that both have, and if that is no coincidence: their headers name one seed,
or they share ``MIN_SHARED`` hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from acpcbot.arrays import Ints
from acpcbot.reports.hands import HandTable

MIN_SHARED = 10

Run = range
Family = list[Run]


def deal_numbers(table: HandTable) -> Ints:
    """Return the number of each hand's deal, int64 [hand], in the order of the deals' first hands.

    Hands of a duplicate match with the same cards share one deal.
    """
    first_of_deal = np.arange(table.num_hands)
    for family in _families(table):
        longest = max(family, key=len)
        for run in family:
            first_of_deal[run.start : run.stop] = np.arange(longest.start, longest.start + len(run))
    _, first, inverse = np.unique(first_of_deal, return_index=True, return_inverse=True)
    numbers: Ints = np.argsort(np.argsort(first))[inverse]
    return numbers


def _runs(table: HandTable) -> Iterator[Run]:
    follows = (
        (np.diff(table.source) == 0) & (np.diff(table.seed) == 0) & (np.diff(table.hand_id) == 1)
    )
    starts = [0, *(np.flatnonzero(~follows) + 1).tolist(), table.num_hands]
    for start, stop in pairwise(starts):
        yield range(start, stop)


def _families(table: HandTable) -> list[Family]:
    """Return the runs, those of one duplicate match together.

    Of runs that begin alike in one log only the first can be part of a duplicate match.
    """
    alike: dict[tuple[int, int, str], list[Family]] = {}
    alone: list[Family] = []
    for run in _runs(table):
        first = run.start
        key = (int(table.seed[first]), int(table.hand_id[first]), table.hole_text(first))
        families = alike.setdefault(key, [])
        if any(
            table.source[other.start] == table.source[first]
            for family in families
            for other in family
        ):
            alone.append([run])
            continue
        home = next(
            (
                family
                for family in families
                if all(_are_partners(table, run, other) for other in family)
            ),
            None,
        )
        if home is None:
            families.append([run])
        else:
            home.append(run)
    return [*alone, *[family for families in alike.values() for family in families]]


def _are_partners(table: HandTable, run: Run, other: Run) -> bool:
    pairs = list(zip(run, other, strict=False))
    seats, other_seats = table.player[run.start], table.player[other.start]
    return (
        (table.seed[run.start] >= 0 or len(pairs) >= MIN_SHARED)
        and sorted(seats.tolist()) == sorted(other_seats.tolist())
        and seats.tolist() != other_seats.tolist()
        and all(table.hole_text(hand) == table.hole_text(again) for hand, again in pairs)
    )
