"""Bet menus: sizes by hand, what is too small or too large, and what is no menu."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.trees.bet_menu import (
    ALL_IN,
    SMALLEST,
    BetMenu,
    SeatMenus,
    menu_from_settings,
    parse_menu,
    same_menu,
    wanted_raise,
)
from tests.support.games import definition_of

HOLDEM = definition_of("holdem.nolimit.2p.reverse_blinds")
SETTINGS = {
    "preflop": [[1, "all-in"], [1]],
    "flop": [[0.5, 1.0]],
    "turn": [["min", 0.75], ["all-in"], []],
    "river": [[]],
}


@pytest.mark.parametrize(
    ("betting", "share", "raise_to"),
    [
        ("", 1.0, 300),  # the call makes a pot of 200
        ("r300", 1.0, 900),
        ("r300", 0.5, 600),
        ("r300", 0.01, 500),
        ("r300", SMALLEST, 500),
        ("r300", ALL_IN, 20000),
        ("r300c/", 0.75, 750),
        ("r300c/r750", 1.0, 2250),
        ("r300c/", 32.9, 20000),
        ("r305c/", 0.5, 610),
        ("r303c/", 0.25, 454),  # 454.5, to the even chip
    ],
)
def test_the_pot_of_a_raise_is_that_after_the_call(
    betting: str, share: float, raise_to: int
) -> None:
    state = BettingRules(HOLDEM).parse(betting)
    assert wanted_raise(state.game.vector, state.vector, share) == raise_to


def test_the_last_sizes_and_the_last_street_go_on() -> None:
    menu = parse_menu("0.5,1,all-in;1,all-in/min;")
    assert [menu.sizes(0, raises) for raises in range(4)] == [
        (0.5, 1.0, ALL_IN),
        *[(1.0, ALL_IN)] * 3,
    ]
    assert menu.sizes(1, 0) == menu.sizes(3, 0) == (SMALLEST,)
    assert menu.sizes(1, 5) == ()


def test_raises_end_after_the_most_of_a_street() -> None:
    settings = {name: [[0.5, 1], ["all-in"]] for name in SETTINGS}
    by_street = {"preflop": 1, "flop": 2, "turn": 3, "river": 1}
    menu = menu_from_settings({**settings, "max_raises": by_street}, HOLDEM)
    assert [menu.sizes(1, raises) for raises in range(4)] == [(0.5, 1.0), (ALL_IN,), (), ()]
    assert [menu.sizes(2, raises) for raises in range(4)] == [(0.5, 1.0), (ALL_IN,), (ALL_IN,), ()]
    assert [bool(menu.sizes(0, raises)) for raises in range(3)] == [True, False, False]
    same = menu_from_settings({**settings, "max_raises": 2}, HOLDEM)
    assert [same.sizes(street, 2) for street in range(4)] == [()] * 4
    assert menu.is_capped
    assert not menu_from_settings(settings, HOLDEM).is_capped


def test_the_most_players_stay_with_the_menu_and_its_settings() -> None:
    settings = {**SETTINGS, "max_players": 3, "max_raises": 2}
    menu = menu_from_settings(settings, HOLDEM)
    assert menu.max_players == menu.with_size(1, 1, 2.0).max_players == 3
    assert menu_from_settings(menu.spec(), HOLDEM) == menu
    assert "max_players" not in menu_from_settings(SETTINGS, HOLDEM).spec()


@given(
    st.lists(
        st.lists(st.lists(st.floats(0.01, 5), max_size=3), min_size=1, max_size=3),
        min_size=1,
        max_size=4,
    )
)
def test_the_table_says_what_the_menu_says(rows: list[list[list[float]]]) -> None:
    menu = BetMenu(tuple([tuple([tuple(sizes) for sizes in street]) for street in rows]))
    for street in range(len(rows)):
        for raises in range(menu.table.shape[2]):
            row = menu.table[0, street, raises]
            assert tuple(row[~np.isnan(row)].tolist()) == menu.sizes(street, raises)


def test_each_seat_has_its_own_menu_and_a_size_more_is_in_one_place() -> None:
    own = parse_menu("0.5,1,all-in;1,all-in/min;")
    other = parse_menu("1").with_size(2, 1, 0.3)
    assert [other.sizes(street, 1) for street in range(4)] == [(1.0,), (1.0,), (1.0, 0.3), (1.0,)]
    assert [other.sizes(2, raises) for raises in range(3)] == [(1.0,), (1.0, 0.3), (1.0,)]
    table = SeatMenus((own, other)).table
    for seat, menu in enumerate((own, other)):
        for street in range(table.shape[1]):
            for raises in range(table.shape[2]):
                row = table[seat, street, raises]
                assert tuple(row[~np.isnan(row)].tolist()) == menu.sizes(street, raises)


def test_settings_come_back_as_they_were_given() -> None:
    menu = menu_from_settings(SETTINGS, HOLDEM)
    assert menu.spec() == SETTINGS
    assert menu_from_settings(menu.spec(), HOLDEM) == menu
    assert menu.sizes(2, 1) == (ALL_IN,)
    assert same_menu([1.0]).sizes(3, 3) == (1.0,)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"preflop": [[1]]},
        {**SETTINGS, "river": []},
        {**SETTINGS, "river": "all-in"},
        {**SETTINGS, "river": [1]},
        {**SETTINGS, "river": ["all-in"]},
        {**SETTINGS, "river": [["pot"]]},
        {**SETTINGS, "river": [[0]]},
        {**SETTINGS, "river": [[-1]]},
        {**SETTINGS, "river": [[True]]},
        {**SETTINGS, "river": [[float("nan")]]},
        {**SETTINGS, "river": [[float("inf")]]},
        {**SETTINGS, "river": [[0.1] * 63]},
    ],
)
def test_a_text_that_is_no_menu_is_refused(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        menu_from_settings(settings, HOLDEM)


@pytest.mark.parametrize("text", ["", "pot", "0", "1,,2", "-1", "nan", "inf"])
def test_text_that_spells_no_menu_is_refused(text: str) -> None:
    if text == "":
        assert parse_menu(text).sizes(0, 0) == ()
        return
    with pytest.raises(UsageError):
        parse_menu(text)
