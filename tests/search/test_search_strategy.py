"""Search at the table: beliefs, exact sizes, the same answer in any order of questions, and how
exploitable the whole is.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.poker.actions import CALLING, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.hands import hands_without
from acpcbot.search.deadline import SAFETY_FACTOR
from acpcbot.search.leaves import RolloutLeaves
from acpcbot.search.settings import SearchSettings
from acpcbot.search.strategy import Fallback, SearchStrategy, alternative_values
from acpcbot.search.subgame import MIN_REACH, Spot, entering_ranges, num_cells, subgame_root
from acpcbot.strategies.range_play import tabulate_strategy
from acpcbot.subgames.accumulators import board_slots
from acpcbot.subgames.best_response import response_values
from acpcbot.subgames.game import make_range_game
from acpcbot.trees.bet_menu import LIMIT_MENU, parse_menu
from tests.search.searching import (
    LATE,
    flop_search,
    holdem_search,
    leduc_search,
    plain_range,
    shipped_blueprint,
)
from tests.support.games import LEDUC, LEDUC_NOLIMIT, NOLIMIT_2P, definition_of, rules_of

BOARD = parse_cards("KsTd9h4s2c")
OFF_THE_MENU = ["cc/", "r270c/c", "r270c/r555", "r270c/cr543", "cr377c/r800", "r300c/r600r1100"]


def state(text: str, game: str = LEDUC_NOLIMIT) -> BettingState:
    return rules_of(game).parse(text)


@pytest.mark.parametrize("text", OFF_THE_MENU)
def test_tables_are_legal_and_sum_to_one(text: str) -> None:
    betting, board = state(text), parse_cards("Kh")
    table = leduc_search().table(betting, board)
    assert all(betting.can_act(action) for action in table.actions)
    free = hands_without(definition_of(LEDUC_NOLIMIT), board)
    assert table.probabilities.sum(axis=1) == pytest.approx(free.astype(float), abs=1e-12)


def test_the_opponents_bet_is_in_the_tree_to_the_chip() -> None:
    search = leduc_search()
    betting = state("r270c/r555")
    search.table(betting, parse_cards("Kh"))
    (solution,) = search._solved.values()
    assert solution.root == state("r270c/")
    assert raising(555) in solution.game.tree.children(0)
    assert solution.node(betting) == solution.game.tree.children(0)[raising(555)]


def test_a_subgame_begins_with_the_street_or_with_a_later_decision() -> None:
    for text, root in [
        ("r270c/", "r270c/"),
        ("r270c/r555", "r270c/"),
        ("r270c/cr555", "r270c/cr555"),
        ("cc/c", "cc/"),
    ]:
        assert subgame_root(Spot(state(text), (0,))).text == root


@pytest.mark.parametrize("text", ["r300c/r600r1111", "r300c/cr555", "cc/r300r700"])
def test_its_own_range_is_what_it_played_hand_by_hand(text: str) -> None:
    search, board = leduc_search(), parse_cards("Kh")
    betting = state(text)
    found = search.ranges(Spot(betting, board), betting.actor)[betting.actor]
    free = hands_without(definition_of(LEDUC_NOLIMIT), board)
    expected = plain_range(search, betting, board, betting.actor)
    assert found * free / (found * free).max() == pytest.approx(expected, abs=2 * MIN_REACH)


def test_the_opponents_range_follows_the_solution_else_the_blueprint() -> None:
    search, board = leduc_search(), parse_cards("Kh")
    first, betting = state("r300c/"), state("r300c/cr600")
    asker, other = first.actor, 1 - first.actor
    assert betting.actor == asker
    solution = search._solution(Spot(first, board), float("inf"))
    assert solution is not None
    found = search.ranges(Spot(betting, board), asker)[other]
    before = search.ranges(Spot(first, board), asker)[other]
    checked = state("r300c/c")
    bet = solution.table(solution.node(checked), board)
    expected = entering_ranges(search.definition, np.stack([before, before]), board)[0]
    expected = expected * bet.probabilities[:, bet.actions.index(raising(600))]
    assert found == pytest.approx(expected, abs=1e-9)


def test_joined_in_the_middle_of_a_hand_it_plays_the_same_tables(tmp_path: Path) -> None:
    """Catches anything that depends on what was asked before: here all prefixes, there the last
    state alone.
    """
    texts = [
        "cc/cc/",
        "cc/cc/c",
        "cc/cc/cr250",
        "cc/cc/cr250c/",
        "cc/cc/cr250c/r377",
        "cc/cc/cr250c/r377r1500",
    ]
    played, joined = holdem_search(tmp_path / "x"), holdem_search(tmp_path / "y")
    tables = {}
    for text in texts:
        betting = state(text, NOLIMIT_2P)
        tables[text] = played.table(betting, BOARD[: 3 + betting.street - 1])
    for text in reversed(texts):
        betting = state(text, NOLIMIT_2P)
        found = joined.table(betting, BOARD[: 3 + betting.street - 1])
        assert found.actions == tables[text].actions
        assert np.array_equal(found.probabilities, tables[text].probabilities), text


def test_a_solution_that_was_forgotten_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    board, texts = parse_cards("Kh"), ["r270c/c", "r270c/cr555", "r270c/cr555r1200"]
    expected = [leduc_search().table(state(text), board).probabilities for text in texts]
    search = leduc_search()
    monkeypatch.setattr(search._solved, "_max_size", 1)
    for text, table in zip(texts, expected, strict=True):
        search.table(state("cc/"), board)
        assert np.array_equal(search.table(state(text), board).probabilities, table)


def test_hands_that_are_never_played_come_in_a_little_and_blocked_ones_not_at_all() -> None:
    definition, board = definition_of(LEDUC_NOLIMIT), parse_cards("Kh")
    ranges = np.zeros((2, 6))
    ranges[0, :4] = (0.0, 0.25, 0.5, 1e-9)
    found = entering_ranges(definition, ranges, board)
    free = hands_without(definition, board)
    assert (found[:, ~free] == 0).all()
    assert found[:, free].min() == MIN_REACH
    assert found.max(axis=1) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize(
    ("gadget", "iterations", "most_mbb"),
    [
        ("maxmargin", 30, 40),
        *[
            pytest.param(name, 200, 15, marks=pytest.mark.slow)
            for name in ("resolve", "reach", "maxmargin")
        ],
    ],
)
def test_the_whole_of_leduc_stays_near_its_blueprint(
    gadget: str, iterations: int, most_mbb: float
) -> None:
    """Every decision of the flop re-solved on its own and put together.

    Exactly, 1.6 mbb by the blueprint.
    """
    search = leduc_search(LEDUC, root_gadget=gadget, gadget=gadget, iterations=iterations)
    game = make_range_game(
        BettingRules(definition_of(LEDUC)).start, menu=LIMIT_MENU, suits_alike=False
    )
    play = tabulate_strategy(game, search)
    assert 1000 * response_values(game, (play, play)).exploitability < most_mbb


def test_a_range_that_is_taken_as_known_is_exploited() -> None:
    """Catches gadgets that make no difference: a range taken as known must be exploitable."""
    search = leduc_search(LEDUC, root_gadget="unsafe", gadget="unsafe", iterations=20)
    game = make_range_game(
        BettingRules(definition_of(LEDUC)).start, menu=LIMIT_MENU, suits_alike=False
    )
    play = tabulate_strategy(game, search)
    assert 1000 * response_values(game, (play, play)).exploitability > 100


@pytest.mark.slow
def test_the_whole_of_no_limit_leduc_stays_near_its_blueprint() -> None:
    """2.3 mbb, where the blueprint is exploitable for 1.2."""
    search = leduc_search(root_gadget="resolve", iterations=300)
    game = make_range_game(state(""), menu=parse_menu("0.5,1,all-in"), suits_alike=False)
    play = tabulate_strategy(game, search)
    assert 1000 * response_values(game, (play, play)).exploitability < 5


def test_without_time_the_blueprint_answers_and_it_is_told() -> None:
    search, told = leduc_search(), list[Fallback]()
    search.on_fallback = told.append
    betting, board = state("cc/"), parse_cards("Kh")
    table = search.table_by(betting, board, 0.0)
    assert np.array_equal(table.probabilities, search.blueprint.table(betting, board).probabilities)
    assert [fallback.spot.betting.text for fallback in told] == ["cc/"]
    assert search.counts.num_fallbacks == 1
    assert search.table(betting, board) is table


def test_flops_end_with_their_street_and_turns_begin_anew(tmp_path: Path) -> None:
    """The same answer again, another one with a single value.

    The turn's range comes from the flop.
    """
    betting, raised = state("cc/", NOLIMIT_2P), state("cc/cr200", NOLIMIT_2P)
    search, again = flop_search(tmp_path / "x"), flop_search(tmp_path / "y")
    naive = flop_search(tmp_path / "z", num_continuations=1)
    found = search.table(betting, BOARD[:3])
    assert all(betting.can_act(action) for action in found.actions)
    assert np.array_equal(found.probabilities, again.table(betting, BOARD[:3]).probabilities)
    assert not np.array_equal(found.probabilities, naive.table(betting, BOARD[:3]).probabilities)
    (solution,) = search._solved.values()
    assert solution.is_one_street
    assert solution.node(state("cc/cc/", NOLIMIT_2P)) == -1
    assert search.table(raised, BOARD[:3]).probabilities.sum() == pytest.approx(49 * 48 / 2)
    turn = state("cc/cc/", NOLIMIT_2P)
    seat = turn.actor
    checked = found.probabilities[:, found.actions.index(CALLING)]
    ranges = search.ranges(Spot(turn, BOARD[:4]), seat)[seat]
    free = hands_without(search.definition, BOARD[:3])
    before = entering_ranges(
        search.definition, search.ranges(Spot(betting, BOARD[:3]), seat), BOARD[:3]
    )[seat]
    assert ranges[free] == pytest.approx((before * checked)[free], abs=1e-6)


def test_flops_are_solved_to_the_end_on_drawn_rivers_and_turns_begin_anew(tmp_path: Path) -> None:
    """Catches other rivers in another search, and values of a turn that are read from them."""
    betting, turn = state("cc/", NOLIMIT_2P), state("cc/cc/", NOLIMIT_2P)
    drawn = {"num_continuations": 0, "drawn_boards": 2, "max_cells": 2e7, "iterations": 5}
    search, again = flop_search(tmp_path / "x", **drawn), flop_search(tmp_path / "y", **drawn)
    found = search.table(betting, BOARD[:3])
    assert np.array_equal(found.probabilities, again.table(betting, BOARD[:3]).probabilities)
    free = hands_without(definition_of(NOLIMIT_2P), BOARD[:3])
    assert found.probabilities.sum(axis=1) == pytest.approx(free.astype(float), abs=1e-6)
    (solution,) = search._solved.values()
    boards = solution.game.boards
    assert [len(boards.street_boards(street)) for street in (1, 2, 3)] == [1, 49, 98]
    spot = Spot(betting, BOARD[:3])
    menu = search._menu(spot, spot, search.settings.streets[1].menus[0])
    size = num_cells(betting, BOARD[:3], menu, one_street=False, drawn_boards=2)
    hands = np.diff(boards.arrays.first_row)
    assert 0.85 * size < (hands * board_slots(solution.game)).sum() < size
    assert solution.node(turn) == -1
    own = solution.ranges[spot.seat]
    later = Spot(turn, BOARD[:4])
    assert alternative_values(solution, later, spot.seat, own, with_gifts=False) is None
    assert search.table(turn, BOARD[:4]).probabilities.sum() == pytest.approx(48 * 47 / 2)


@pytest.mark.parametrize(
    ("before", "after"), [("cc/", "cc/cc/"), ("cc/c", "cc/cc/"), ("cc/", "cc/cr200c/")]
)
def test_no_alternative_value_crosses_a_depth_limit(
    before: str, after: str, tmp_path: Path
) -> None:
    """Catches an alternative value from a mean over all turns; later bets on a street have one."""
    search = flop_search(tmp_path / "x")
    spot = Spot(state(before, NOLIMIT_2P), BOARD[:3])
    search.table(spot.betting, spot.board)
    (solution,) = search._solved.values()
    own = solution.ranges[spot.seat]
    turn = Spot(state(after, NOLIMIT_2P), BOARD[:4])
    assert alternative_values(solution, turn, spot.seat, own, with_gifts=False) is None
    if before == "cc/":
        bet = Spot(state("cc/cr233", NOLIMIT_2P), BOARD[:3])
        found = alternative_values(solution, bet, spot.seat, own, with_gifts=False)
        assert found is not None
        assert found.any()


def test_menus_become_smaller_where_a_tree_is_too_large(tmp_path: Path) -> None:
    """The last menu is taken whatever its size, since there is time enough."""
    search = holdem_search(tmp_path / "x")
    rich = replace(
        LATE[2],
        menus=(LATE[2].menus[0], replace(LATE[2].menus[0], own=parse_menu(";"))),
        max_cells=1e3,
    )
    poor = SearchStrategy(search.blueprint, SearchSettings({2: rich}))
    betting = state("cc/cc/", NOLIMIT_2P)
    counts = [len(strategy.table(betting, BOARD[:4]).actions) for strategy in (search, poor)]
    assert counts == [3, 1]


@pytest.mark.parametrize(
    ("wanted", "seconds", "num_actions"),
    [(5, 1.0, 3), (300, 1.0, 1), (300, 1000.0, 3), (300, 0.0001, 0)],
    ids=["enough time", "a poorer menu", "time for the rich one", "not even for the last"],
)
def test_menus_become_smaller_where_too_few_iterations_are_left(
    wanted: int, seconds: float, num_actions: int, tmp_path: Path
) -> None:
    """By a timer that takes ten seconds for 300 iterations of the rich menu's tree."""
    blueprint = holdem_search(tmp_path / "x").blueprint
    menus = LATE[2].menus[0], replace(LATE[2].menus[0], own=parse_menu(";"))
    street = replace(
        LATE[2],
        menus=menus,
        iterations=5,
        min_iterations=1,
        wanted_iterations=wanted,
        seconds=seconds,
    )
    search = SearchStrategy(blueprint, SearchSettings({2: street}))
    betting, spot = state("cc/cc/", NOLIMIT_2P), Spot(state("cc/cc/", NOLIMIT_2P), BOARD[:4])
    size = num_cells(betting, spot.board, search._menu(spot, spot, menus[0]), one_street=False)
    search._timers[2].record_iteration(size, 10 / 300 / SAFETY_FACTOR)
    table = search.table_by(betting, spot.board, time.monotonic() + 3000)
    is_fallback = search.counts.num_fallbacks == 1
    assert (0 if is_fallback else len(table.actions)) == num_actions


def test_games_that_cannot_be_searched_are_refused() -> None:
    blueprint = shipped_blueprint(LEDUC_NOLIMIT)
    for streets, message in [
        ({2: LATE[2]}, "no street"),
        ({1: replace(LATE[2], num_continuations=4)}, "no leaf values"),
    ]:
        with pytest.raises(UsageError, match=message):
            SearchStrategy(blueprint, SearchSettings(streets))


@pytest.mark.parametrize(("street", "num_continuations"), [(2, 0), (3, 0), (1, 2)])
def test_boards_are_drawn_where_two_streets_follow(
    street: int, num_continuations: int, tmp_path: Path
) -> None:
    changed = replace(LATE[2], drawn_boards=4, num_continuations=num_continuations)
    blueprint = holdem_search(tmp_path / "x").blueprint
    leaves = RolloutLeaves(blueprint, 1, 1)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=f"drawn_boards = 4 on street number {street + 1}"):
        SearchStrategy(blueprint, SearchSettings({street: changed}), leaves=leaves)
