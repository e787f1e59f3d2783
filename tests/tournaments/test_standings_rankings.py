"""Both rankings of the competition: by hand, against a plain run-off, and what must hold of any
ranking.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpcbot.tournaments.round_robin import RoundRobin
from acpcbot.tournaments.standings import run_off_ranks, total_bankroll_ranks
from tests.evaluation.plain_rankings import Results, plain_run_off_ranks, plain_total_ranks


def both_ranks(results: Results) -> tuple[list[int], list[int]]:
    """Ranks by total bankroll and by run-off."""
    robin = RoundRobin(np.array(list(results)))
    won = robin.rows(np.array(list(results.values()), np.float64))
    return total_bankroll_ranks(won, robin.mates).tolist(), run_off_ranks(won, robin.mates).tolist()


def pairs(**won: float) -> Results:
    """``pairs(AB=3)``: A won 3 from B."""
    return {
        (ord(names[0]) - 65, ord(names[1]) - 65): (value, -value) for names, value in won.items()
    }


def test_exploiting_the_weakest_wins_total_bankroll_and_not_the_run_off() -> None:
    """C wins 90 from D and loses 10 to A and B.

    Totals: A 20, B 10, C 70, D -100; without D: A 11, B 9, C -20, all but for the factor; without
    C: A wins 1 from B.
    """
    results = pairs(AB=1, AC=10, AD=9, BC=10, BD=1, CD=90)
    assert both_ranks(results) == ([2, 3, 1, 4], [1, 2, 3, 4])


def test_removal_is_repeated_with_totals_counted_anew() -> None:
    """Totals A 3, B -1, C 4, D -6. Without D: A 1, B 4, C -5. Without C: B wins 2 from A."""
    results = pairs(AB=-2, AC=3, AD=2, BC=2, BD=-5, CD=9)
    assert both_ranks(results) == ([2, 3, 1, 4], [2, 1, 3, 4])


def test_tied_losers_go_together_and_share_a_rank() -> None:
    """C and D are tied below; A and B played evenly, so they are tied too."""
    assert both_ranks(pairs(AB=0, AC=5, AD=5, BC=5, BD=5, CD=0)) == ([1, 1, 3, 3], [1, 1, 3, 3])


def test_tied_players_share_the_first_rank() -> None:
    """Stone, scissors, paper."""
    assert both_ranks(pairs(AB=1, AC=-1, BC=1)) == ([1, 1, 1], [1, 1, 1])


def test_floating_point_breaks_no_tie() -> None:
    results = pairs(AB=0.1 + 0.2, AC=0.3, BC=-(0.1 + 0.2) + 0.3)
    assert both_ranks(results) == ([1, 2, 2], [1, 2, 2])


def test_a_run_off_of_triples_ends_with_the_last_full_table() -> None:
    """D is removed.

    The match of A, B and C decides on the other ranks, though A won most elsewhere.
    """
    results: Results = {
        (0, 1, 2): (-1.0, 3.0, -2.0),
        (0, 1, 3): (9.0, 0.0, -9.0),
        (0, 2, 3): (9.0, 0.0, -9.0),
        (1, 2, 3): (1.0, 1.0, -2.0),
    }
    assert both_ranks(results) == ([1, 2, 3, 4], [2, 1, 3, 4])


def test_matches_that_have_not_begun_do_not_count() -> None:
    """C has not played: it is between winner and loser, and without the loser level with the
    winner.
    """
    nothing = (float("nan"),) * 2
    assert both_ranks({(0, 1): (5.0, -5.0), (0, 2): nothing, (1, 2): nothing}) == (
        [1, 3, 2],
        [1, 3, 1],
    )


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[int, int, dict[tuple[int, ...], list[float]]]:
    """Players, seats and results; small whole numbers, so that there are ties."""
    num_seats = draw(st.sampled_from([2, 3]))
    num_players = draw(st.integers(num_seats, 6))
    amounts = st.lists(st.integers(-3, 3), min_size=num_seats - 1, max_size=num_seats - 1)
    results = {}
    for match in combinations(range(num_players), num_seats):
        won = draw(amounts)
        results[match] = [*map(float, won), -float(sum(won))]
    return num_players, num_seats, results


@given(tournaments())
@settings(max_examples=150)
def test_both_rankings_are_those_of_the_plain_ones(
    case: tuple[int, int, dict[tuple[int, ...], list[float]]],
) -> None:
    num_players, num_seats, results = case
    total, run_off = both_ranks(results)
    assert dict(enumerate(total)) == plain_total_ranks(num_players, results)
    assert dict(enumerate(run_off)) == plain_run_off_ranks(num_players, num_seats, results)


@given(tournaments(), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_ranks_do_not_depend_on_the_order_of_the_entrants(
    case: tuple[int, int, dict[tuple[int, ...], list[float]]], random: object
) -> None:
    num_players, _, results = case
    order = list(range(num_players))
    random.shuffle(order)  # type: ignore[attr-defined]
    moved = {}
    for match, won in results.items():
        seats = sorted(zip([order[player] for player in match], won, strict=True))
        moved[tuple(player for player, _ in seats)] = [value for _, value in seats]
    for before, after in zip(
        both_ranks(results), both_ranks(dict(sorted(moved.items()))), strict=True
    ):
        assert [after[order[player]] for player in range(num_players)] == before


def test_many_tournaments_are_ranked_at_a_time_as_one_by_one() -> None:
    """Caught: replicates that influence each other where some have ties and end early."""
    robin = RoundRobin(np.array(list(combinations(range(5), 2))))
    won = np.random.default_rng(5).integers(-2, 3, size=(200, 10, 1)) * np.array([1.0, -1.0])
    rows = robin.rows(won)
    for rank in (total_bankroll_ranks, run_off_ranks):
        together = rank(rows, robin.mates)
        assert all(
            (together[number] == rank(rows[number], robin.mates)).all() for number in range(200)
        )


@pytest.mark.parametrize("num_players", [2, 3, 7])
def test_a_chain_of_strength_is_ranked_as_it_is(num_players: int) -> None:
    results: Results = dict.fromkeys(combinations(range(num_players), 2), (1.0, -1.0))
    assert both_ranks(results) == (list(range(1, num_players + 1)),) * 2
