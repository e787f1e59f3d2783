"""Iterations of the solver with ranges by its discounts, on a river and a turn.

They are counted to an exploitability of 0.1 % of the pot, which is measured after every iteration
on the river, after every fifth on the turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from acpcbot.regret_matching import DiscountSettings
from acpcbot.subgames.solver import RangeCFR
from benchmarks.figure import Figure
from benchmarks.range_solver import SPOTS, spot_game

DISCOUNTS = (
    (1.5, 0, 2),
    (1.5, 0, 3),
    (1.5, 0, 4),
    (1.5, 0, 5),
    (1.3, 0, 4),
    (2, 0, 4),
    (1.5, 0.5, 4),
)
PERCENT, MOST, POT = 0.1, 600, 100
NUM_THREADS = 2


def figures() -> Iterator[Figure]:
    river, turn = SPOTS[0], SPOTS[2]
    for alpha, beta, gamma in DISCOUNTS:
        for spot in (river, turn):
            solver = RangeCFR(
                spot_game(spot), DiscountSettings(alpha, beta, gamma), num_threads=NUM_THREADS
            )
            *_, last = solver.solve(target=PERCENT / 100 * POT, most=MOST, every=spot.every)
            name = f"{spot.name}, alpha {alpha:g}, beta {beta:g}, gamma {gamma:g}"
            note = f"to {last.exploitability / POT * 100:.3f} % of the pot"
            yield Figure(
                name=name,
                value=last.num_iterations,
                unit="iterations",
                note=note,
                higher_is_better=False,
            )
