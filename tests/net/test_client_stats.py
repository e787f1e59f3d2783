"""Counts of a bot: classes of decision times, and sums."""

from __future__ import annotations

import pytest

from acpcbot.net.client_match import BOUNDS_S, ClientStats


@pytest.mark.parametrize(
    ("took_s", "place"), [(0.0, 0), (0.0001, 0), (0.00011, 1), (1.0, 8), (300.0, 13), (301.0, 14)]
)
def test_a_time_is_counted_in_the_first_class_whose_bound_it_does_not_exceed(
    took_s: float, place: int
) -> None:
    """Prometheus's bounds belong to their class."""
    stats = ClientStats()
    stats.count_decision(took_s)
    assert [number for number, count in enumerate(stats.num_decisions_by_time) if count] == [place]
    assert (stats.num_decisions, stats.deciding_s) == (1, took_s)


def test_sums_are_taken_by_parts_and_leave_the_summands_alone() -> None:
    one, two = ClientStats(1, 2, 3), ClientStats(10, 20, 30)
    one.count_decision(0.5)
    two.count_decision(0.5)
    two.count_decision(400.0)
    both = one + two
    assert (both.num_connections, both.num_hands, both.num_fallbacks, both.deciding_s) == (
        11,
        22,
        33,
        401.0,
    )
    assert both.num_decisions_by_time[BOUNDS_S.index(1.0)] == 2
    assert (one.num_decisions, two.num_decisions, both.num_decisions) == (1, 2, 3)
