"""Showdown orderings: the weak orderings of the seats' hands, numbered.

A weak ordering says for every two seats which hand is the better one, or that they are
equal; 2, 3, 4, 5, ... seats have 3, 13, 75, 541, ... of them. The payoffs of a finished hand
depend on the cards through nothing else, so a deal is stored as the number of its ordering.
For two seats 0 is seat 0 losing, 1 a tie, 2 seat 0 winning.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Bytes, Uints16
from acpcbot.jit import shared

MAX_SEATS = 7


@cache
def orderings(num_seats: int) -> Bytes:
    """Return all weak orderings of up to seven seats: the number of seats that each seat beats.

    The array is uint8 [ordering, seat], read-only.
    """
    assert num_seats <= MAX_SEATS, num_seats
    found = {tuple(_num_beaten(ranks)) for ranks in product(range(num_seats), repeat=num_seats)}
    rows = np.array(sorted(found, key=_margins), dtype=np.uint8)
    rows.flags.writeable = False
    return rows


@cache
def ordering_numbers(num_seats: int) -> Uints16:
    """Return the number of each ordering by its ``ordering_code``, uint16 [code], read-only.

    There are *num_seats* ** *num_seats* codes; most stand for no ordering and hold 0.
    """
    numbers = np.zeros(num_seats**num_seats, dtype=np.uint16)
    rows = orderings(num_seats)
    for number, row in enumerate(rows):
        numbers[sum(int(beaten) * num_seats**seat for seat, beaten in enumerate(row))] = number
    numbers.flags.writeable = False
    return numbers


@shared
def ordering_code(strengths: Sequence[int] | NDArray[Any], num_seats: int) -> int:
    """Return the code of an ordering: the numbers of seats that each seat beats, as digits.

    The base is *num_seats*, and seat 0 has the lowest digit. *strengths* are by seat.

    >>> int(ordering_numbers(2)[ordering_code([10, 7], 2)])
    2
    """
    code, weight = 0, 1
    for seat in range(num_seats):
        # A seat beats at most num_seats - 1 others, so no digit carries into the next one. All
        # pairs are compared: for so few seats that is cheaper than sorting, and needs no memory.
        for other in range(num_seats):
            if strengths[seat] > strengths[other]:
                code += weight
        weight *= num_seats
    return code


def _num_beaten(ranks: Sequence[int]) -> list[int]:
    return [sum(rank > other for other in ranks) for rank in ranks]


def _margins(beaten: Sequence[int]) -> list[int]:
    """Return an ordering's sort key: by seat, the seats that it beats less those that beat it."""
    return [count - sum(other > count for other in beaten) for count in beaten]
