"""How the seats' hands stand to each other at a showdown, as one number.

A weak ordering says for every two seats which hand is the better one, or that they are
equal; n seats have 3, 13, 75, 541, ... of them. What a finished hand of given betting is
worth depends on the cards through nothing else, so a deal is remembered as the number of
its ordering. For two seats 0 is seat 0 losing, 1 a tie, 2 seat 0 winning.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.jit import shared

MAX_SEATS = 7


@cache
def orderings(num_seats: int) -> NDArray[np.uint8]:
    """All weak orderings of up to seven seats, uint8 [ordering, seat]: how many seats each one
    beats.
    """
    assert num_seats <= MAX_SEATS, num_seats
    found = {tuple(_num_beaten(ranks)) for ranks in product(range(num_seats), repeat=num_seats)}
    rows = np.array(sorted(found, key=_margins), dtype=np.uint8)
    rows.flags.writeable = False
    return rows


@cache
def ordering_numbers(num_seats: int) -> NDArray[np.uint16]:
    """The number of each ordering by its code (see ``ordering_code``), uint16 [num_seats **
    num_seats].
    """
    numbers = np.zeros(num_seats**num_seats, dtype=np.uint16)
    rows = orderings(num_seats)
    for number, row in enumerate(rows):
        numbers[sum(int(beaten) * num_seats**seat for seat, beaten in enumerate(row))] = number
    numbers.flags.writeable = False
    return numbers


@shared
def ordering_code(strengths: Sequence[int] | NDArray[Any], num_seats: int) -> int:
    """How many seats each seat beats, as the digits of a number to the base *num_seats*, seat 0
    first.

    >>> int(ordering_numbers(2)[ordering_code([10, 7], 2)])
    2
    """
    code, place = 0, 1
    for seat in range(num_seats):
        for other in range(num_seats):
            if strengths[seat] > strengths[other]:
                code += place
        place *= num_seats
    return code


def _num_beaten(ranks: Sequence[int]) -> list[int]:
    return [sum(rank > other for other in ranks) for rank in ranks]


def _margins(beaten: Sequence[int]) -> list[int]:
    """How many more seats each seat beats than beat it: the order in which orderings are
    numbered.
    """
    return [count - sum(other > count for other in beaten) for count in beaten]
