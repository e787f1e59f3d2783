"""Orderings of hands: numbered once each, found again from strengths."""

from __future__ import annotations

from itertools import product

import pytest

from acpcbot.cards.orderings import ordering_code, ordering_numbers, orderings

FUBINI = {1: 1, 2: 3, 3: 13, 4: 75, 5: 541}


@pytest.mark.parametrize(("num_seats", "count"), FUBINI.items())
def test_as_many_weak_orderings_as_combinatorics_says(num_seats: int, count: int) -> None:
    assert len(orderings(num_seats)) == count


def test_two_seats_are_numbered_lose_tie_win() -> None:
    assert [
        int(ordering_numbers(2)[ordering_code(hands, 2)]) for hands in ([3, 9], [5, 5], [9, 3])
    ] == [0, 1, 2]


@pytest.mark.parametrize("num_seats", [2, 3, 4])
def test_the_ordering_found_compares_every_two_seats_as_the_strengths_do(num_seats: int) -> None:
    for strengths in product((4, 17, 90, 7462)[:num_seats], repeat=num_seats):
        found = orderings(num_seats)[
            ordering_numbers(num_seats)[ordering_code(strengths, num_seats)]
        ]
        for seat, other in product(range(num_seats), repeat=2):
            assert (found[seat] > found[other]) == (strengths[seat] > strengths[other])
