"""Bets between two sizes of a subgame: which are translated, to what, and what follows from it."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pytest

from acpcbot.cards.deck import parse_cards
from acpcbot.poker.actions import CALLING, raising
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import hands_without
from acpcbot.search.settings import Menus, SearchSettings
from acpcbot.search.solution import Solution
from acpcbot.search.strategy import SearchStrategy, alternative_values
from acpcbot.search.subgame import Spot, pot_ratio, seat_menus
from acpcbot.strategies.translation import lower_probability
from acpcbot.trees.bet_menu import parse_menu
from tests.search.searching import LATE, holdem_search, leduc_search
from tests.support.games import LEDUC_NOLIMIT, NOLIMIT_2P, definition_of, rules_of

SIZES = parse_menu("0.25,0.5,1,2,all-in;0.5,1,2,all-in")
NEAR = {"menus": (Menus(SIZES, SIZES),), "max_pot_ratio": 2.0, "follow_solution": True}
BOARD, TURN = parse_cards("Kh"), parse_cards("KsTd9h4c")
# The pot is 600 behind these.
START = "r300c/"


def state(text: str, game: str = LEDUC_NOLIMIT) -> BettingState:
    return rules_of(game).parse(text)


def translating(**changes: object) -> SearchStrategy:
    return leduc_search(LEDUC_NOLIMIT, **{**NEAR, **changes})


def solution_of(search: SearchStrategy, text: str) -> Solution:
    found = search.solution(Spot(state(text), BOARD))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("share", "ratio"),
    [(0.1, inf), (0.5, 4 / 3), (0.7, 4 / 3), (1.0, 1.5), (1.7, 1.5), (2.0, inf), (9.0, inf)],
)
def test_the_ratio_is_that_of_the_pots_after_the_neighbours(share: float, ratio: float) -> None:
    assert pot_ratio([0.5, 1.0, 2.0], share) == pytest.approx(ratio)


def test_without_any_size_no_bet_is_near() -> None:
    assert pot_ratio([], 0.5) == inf


@pytest.mark.parametrize(
    ("text", "max_pot_ratio", "is_added"),
    [
        ("r300c/r750", 1.5, False),  # 0.75 between 0.5 and 1
        ("r300c/r750", 1.3, True),
        ("r300c/r750", 1.0, True),
        ("r300c/r600", 1.0, False),  # 0.5, a size of the menu
        ("r300c/r400", 9.0, True),  # 0.17, below 0.25
        ("r300c/r1100", 1.25, False),  # 1.33, between 1 and the stack of 1.5
        ("r300c/r1100", 1.2, True),
    ],
)
def test_only_bets_that_are_not_near_are_added(
    text: str, max_pot_ratio: float, *, is_added: bool
) -> None:
    spot = Spot(state(text), BOARD)
    menus = Menus(SIZES, SIZES)
    found = seat_menus(
        spot, state(START), menus, one_street=False, max_pot_ratio=max_pot_ratio
    ).seats
    own, other = found if spot.seat == 0 else reversed(found)
    assert own == SIZES
    assert (other.sizes(1, 0) != SIZES.sizes(1, 0)) == is_added


def test_all_near_bets_are_answered_by_one_subgame_and_far_ones_by_their_own() -> None:
    search = translating(max_pot_ratio=1.6)
    for raise_to in (450, 500, 600, 700, 800, 850):
        search.table(state(f"{START}r{raise_to}"), BOARD)
    assert search.counts.num_searched == 1
    assert solution_of(search, f"{START}r700").root == state(START)
    # The largest share is that of 900 chips behind a pot of 600.
    narrow = translating(max_pot_ratio=1.3)
    for raise_to in (450, 500, 700, 850):
        narrow.table(state(f"{START}r{raise_to}"), BOARD)
    assert narrow.counts.num_searched == 3
    assert raising(700) in solution_of(narrow, f"{START}r700").game.tree.children(0)
    assert raising(850) in solution_of(narrow, f"{START}r850").game.tree.children(0)


def test_a_bet_between_two_sizes_is_answered_as_each_by_its_probability() -> None:
    """The answers are folds, calls, and raises of the same shares of the pot."""
    search, bet = translating(), state(f"{START}r700")
    found = search.table(bet, BOARD)
    solution = solution_of(search, f"{START}r700")
    lower, upper = state(f"{START}r600"), state(f"{START}r900")
    share = lower_probability(0.5, 1.0, 400 / 600)
    expected = np.zeros((6, 2))
    for seen, probability in ((lower, share), (upper, 1 - share)):
        table = solution.table(solution.node(seen), BOARD)
        for column, action in enumerate(table.actions[:2]):
            assert action == found.actions[column]
            expected[:, column] += probability * table.probabilities[:, column]
    assert 0 < share < 1
    assert found.probabilities[:, :2] == pytest.approx(expected, abs=1e-12)
    free = hands_without(definition_of(LEDUC_NOLIMIT), BOARD)
    assert found.probabilities.sum(axis=1) == pytest.approx(free.astype(float), abs=1e-12)
    assert all(bet.can_act(action) for action in found.actions)


def test_a_bet_below_the_smallest_size_is_in_the_tree_to_the_chip() -> None:
    search, small = translating(), state(f"{START}cr420")
    search.table(state(START), BOARD)
    search.table(small, BOARD)
    assert search.counts.num_searched == 2
    assert solution_of(search, f"{START}cr420").root == small


def test_later_decisions_follow_a_translated_bet() -> None:
    """And so do the ranges: of the first decision there is the solution's table."""
    search = translating()
    first = state(f"{START}cr500")
    opened = search.table(state(START), BOARD)
    table = search.table(first, BOARD)
    last = state(f"{START}cr500r1000r1200")
    found = search.table(last, BOARD)
    assert search.counts.num_searched == 1
    assert found.probabilities.sum() == pytest.approx(5.0)
    assert all(last.can_act(action) for action in found.actions)
    seat = last.actor
    ranges = search.ranges(Spot(last, BOARD), seat)[seat]
    checked = opened.probabilities[:, opened.actions.index(CALLING)]
    assert ranges.max() > 0
    assert table.actions[:2] == found.actions[:2]
    assert (ranges[checked == 0] == 0).all()


def test_sums_of_16_bits_give_nearly_the_same_answers() -> None:
    tables = [
        leduc_search(int16=int16, iterations=300).table(state(START), BOARD).probabilities
        for int16 in (False, True)
    ]
    assert not np.array_equal(tables[0], tables[1])
    assert np.abs(tables[0] - tables[1]).max() < 0.05


def test_the_next_street_is_bound_by_the_mean_of_both_views(tmp_path: Path) -> None:
    """Each in shares of its pot, and against the range that reached it."""
    blueprint = holdem_search(tmp_path / "x").blueprint
    sizes = parse_menu("0.5,1")
    turn = replace(
        LATE[2], menus=(Menus(sizes, sizes),), max_pot_ratio=2.0, follow_solution=True, iterations=9
    )
    search = SearchStrategy(blueprint, SearchSettings({**LATE, 2: turn}))
    start = "cc/cc/"
    bet = state(f"{start}r250", NOLIMIT_2P)  # 0.75 of the pot
    seat = bet.actor
    solution = search.solution(Spot(bet, TURN))
    assert solution is not None
    river = Spot(state(f"{start}r250c/", NOLIMIT_2P), (*TURN, parse_cards("2d")[0]))
    own = search.ranges(river, seat)[seat]
    found = alternative_values(solution, river, seat, own, with_gifts=False)
    assert found is not None
    views = solution.views(river.betting)
    assert len(views) == 2
    assert sum(probability for probability, _ in views) == pytest.approx(1.0)
    expected = np.zeros_like(found)
    for probability, seen in views:
        node = solution.node(seen)
        reach = solution.reach(node, river.board, seat).sum()
        values = solution.values(node, river.board, 1 - seat)
        expected += probability * values * own.sum() / reach * river.betting.pot / seen.pot
    assert found == pytest.approx(expected)
    assert search.table(river.betting, river.board).probabilities.sum() > 0
    assert search.table(state(f"{start}c", NOLIMIT_2P), TURN).actions[0] == CALLING
