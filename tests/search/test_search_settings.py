"""The settings of a ``search.toml``, and the faults that are found in one."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from acpcbot.errors import UsageError
from acpcbot.poker.actions import CALLING, Action, raising
from acpcbot.poker.betting import BettingRules
from acpcbot.search.folder import find_search
from acpcbot.search.names import FILE, searches_below
from acpcbot.search.settings import (
    REACH,
    RENAMED_KEYS,
    Gadget,
    read_search_folder,
    with_options,
)
from acpcbot.search.subgame import Spot, num_cells, seat_menus
from acpcbot.strategies.finding import find_folder
from acpcbot.subgames.gadgets import GADGETS
from acpcbot.trees.bet_menu import ALL_IN

GOOD = """
blueprint = "../x"
profile = "b"
[profiles.a]
threads = 2
[profiles.a.river]
menus = ["1,all-in;all-in"]
iterations = 7
[profiles.b.turn]
seconds = 2
menus = [["0.5/1;2", "1"], "2"]
"""


def written(folder: Path, text: str) -> Path:
    (folder / FILE).write_text(text)
    return folder


def test_a_profile_says_what_it_says_and_the_rest_is_usual(tmp_path: Path) -> None:
    found = read_search_folder(written(tmp_path, GOOD))
    assert found.blueprint == tmp_path / "../x"
    assert found.profile(None) is found.profiles["b"]
    river = found.profile("a").streets[3]
    assert (found.profile("a").threads, river.iterations, river.gadget) == (2, 7, "resolve")
    turn = found.profile("b").streets[2]
    own, other = turn.menus[0].own, turn.menus[0].other
    assert (own.sizes(2, 0), own.sizes(3, 0), own.sizes(3, 1)) == ((0.5,), (1.0,), (2.0,))
    assert other.sizes(3, 5) == (1.0,)
    assert turn.menus[1].own == turn.menus[1].other
    assert with_options(found.profile("a"), {"gadget": "reach"}).streets[3].gadget == "reach"


MENUS = 'menus = ["1,all-in;all-in"]'
RIVER = "search.toml, profiles.a.river"
ITERATIONS = "iterations = 7"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('blueprint = "../x"', "", "search.toml: no blueprint (a text)"),
        ('blueprint = "../x"', "blueprint = 3", "search.toml, blueprint: expected a text, found 3"),
        ('profile = "b"', 'profile = "c"', "unknown profile 'c'"),
        ('profile = "b"', 'profil = "b"', "search.toml: unknown key profil"),
        (
            ITERATIONS,
            'iterations = "7"',
            f'{RIVER}.iterations: expected a whole number (at least 1), found "7"',
        ),
        (
            ITERATIONS,
            "iterations = 0",
            f"{RIVER}.iterations: expected a whole number (at least 1), found 0",
        ),
        (
            ITERATIONS,
            "num_continuations = -1",
            f"{RIVER}.num_continuations: expected a whole number (at least 0), found -1",
        ),
        (
            ITERATIONS,
            'gadget = "none"',
            f'{RIVER}.gadget: expected "unsafe" or "resolve" or "maxmargin" or "reach", '
            'found "none"',
        ),
        (ITERATIONS, "speed = 7", f"{RIVER}: unknown key speed"),
        (ITERATIONS, "seconds = true", f"{RIVER}.seconds: expected a number, found true"),
        (MENUS, "", f"{RIVER}: no menus (a list)"),
        (MENUS, "menus = []", f"{RIVER}.menus: expected a list (of length at least 1), found []"),
        (MENUS, 'menus = ["x"]', "no size"),
        (MENUS, 'menus = [["1"]]', f"{RIVER}.menus, entry 1: expected a text or a list of texts"),
        (
            "threads = 2",
            "threads = 0",
            "profiles.a.threads: expected a whole number (at least 1), found 0",
        ),
        (
            "threads = 2",
            "max_share_of_clock = 1.5",
            "profiles.a.max_share_of_clock: expected a number (above 0, at most 1), found 1.5",
        ),
        ("threads = 2", "thread = 2", "search.toml, profiles.a: unknown key thread"),
        ("[profiles.a]", "[profiles.a", "search.toml"),
        (
            ITERATIONS,
            'decisions = "some"',
            f'{RIVER}.decisions: expected "all" or "off_tree", found "some"',
        ),
        (
            'blueprint = "../x"',
            'blueprint = "../x"\npreflop_values = 3',
            "search.toml, preflop_values: expected a text, found 3",
        ),
    ],
)
def test_a_wrong_setting_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in GOOD
    with pytest.raises(UsageError, match=re.escape(message)):
        read_search_folder(written(tmp_path, GOOD.replace(old, new)))


def test_a_misspelt_setting_gets_the_nearest_in_the_hint(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refusal:
        read_search_folder(written(tmp_path, GOOD.replace("iterations", "iteration")))
    assert refusal.value.hint.startswith("did you mean iterations")


def test_a_file_without_profiles_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="profiles: expected tables"):
        read_search_folder(written(tmp_path, 'blueprint = "../x"\nprofiles = {}\n'))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gadget": "none"}, 'gadget: expected "unsafe" or "resolve"'),
        ({"root_gadget": "none"}, 'root_gadget: expected "unsafe" or "resolve"'),
        ({"threads": "0"}, "threads=0"),
    ],
)
def test_options_that_are_none_are_refused(
    options: dict[str, str], message: str, tmp_path: Path
) -> None:
    settings = read_search_folder(written(tmp_path, GOOD)).profile("a")
    with pytest.raises(UsageError, match=message):
        with_options(settings, options)


def test_the_gadgets_of_settings_are_those_that_are_built() -> None:
    assert set(get_args(Gadget)) == {*GADGETS, REACH}


def test_the_table_of_values_and_the_decisions_that_are_searched_are_said(tmp_path: Path) -> None:
    text = GOOD.replace("iterations = 7", 'decisions = "off_tree"').replace(
        "profile =", 'preflop_values = "y"\nprofile ='
    )
    found = read_search_folder(written(tmp_path, text))
    assert found.preflop_values == tmp_path / "y"
    assert found.profile("a").streets[3].decisions == "off_tree"
    assert found.profile("b").streets[2].decisions == "all"
    assert read_search_folder(written(tmp_path, GOOD)).preflop_values is None


OLD = """
blueprint = "../x"
[profiles.values]
share = 0.25
[profiles.values.river]
menus = ["1"]
values = 4
boards = 24
groups = 48
views = 1
most_cells = 1e3
least_iterations = 2
first_gadget = "resolve"
"""


def test_older_keys_are_read_with_one_notice_that_names_the_new_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches an older file that is refused, or read without a word; a profile keeps its name."""
    old = read_search_folder(written(tmp_path, OLD))
    notice = capsys.readouterr().err
    assert notice.count("\n") == 1
    new = OLD
    for key, name in RENAMED_KEYS.items():
        assert f"{key} -> {name}" in notice
        new = new.replace(f"\n{key} =", f"\n{name} =")
    assert read_search_folder(written(tmp_path, new)).profiles == old.profiles
    river = old.profile("values").streets[3]
    assert (river.num_continuations, river.max_cells, river.root_gadget) == (4, 1e3, "resolve")
    assert capsys.readouterr().err == ""


def test_a_key_under_both_of_its_names_is_refused(tmp_path: Path) -> None:
    text = OLD.replace("boards = 24", "boards = 24\nrollout_boards = 24")
    with pytest.raises(UsageError, match="both boards and rollout_boards"):
        read_search_folder(written(tmp_path, text))


def test_older_options_behind_a_name_are_read_with_a_notice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "strategies/leduc.nolimit.2p/search"
    old = find_search(f"{name}?first_gadget=reach").settings
    assert "first_gadget -> root_gadget" in capsys.readouterr().err
    assert old == find_search(f"{name}?root_gadget=reach").settings
    assert old.streets[1].root_gadget == "reach"


def test_shipped_folders_have_no_older_keys(capsys: pytest.CaptureFixture[str]) -> None:
    folder = find_folder("strategies")
    assert folder is not None
    for place in searches_below(folder):
        read_search_folder(place)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("game", ["leduc.nolimit.2p", "holdem.nolimit.2p.reverse_blinds"])
def test_shipped_folders_can_be_read(game: str) -> None:
    folder = find_folder(f"strategies/{game}/search")
    assert folder is not None
    assert read_search_folder(folder).profile("fast").streets


@pytest.mark.parametrize("profile", ["match", "turn", "fast", "preflop"])
@pytest.mark.parametrize("start", [[CALLING], [raising(300)], [raising(300), raising(900)]])
def test_the_richest_bets_of_a_shipped_profile_fit_its_limit(
    profile: str, start: list[Action]
) -> None:
    """Catches trees that never fit, so that poorer bets than those that were measured are played."""
    search = find_search(f"strategies/holdem.nolimit.2p.reverse_blinds/search?profile={profile}")
    betting = BettingRules(search.definition).start
    for action in [*start, CALLING]:
        betting = betting.apply(action)
    sizes = dict[int, float]()
    while not betting.is_over:
        street, board = betting.street, search.definition.deck[: betting.street + 2]
        own = search.settings.streets.get(street)
        if own is not None:
            menu = seat_menus(
                Spot(betting, board),
                betting,
                own.menus[0],
                one_street=own.one_street,
                max_pot_ratio=own.max_pot_ratio,
            )
            found = num_cells(
                betting, board, menu, one_street=own.one_street, drawn_boards=own.drawn_boards
            )
            sizes[street] = found / own.max_cells
        betting = betting.apply(CALLING).apply(CALLING)
    assert set(sizes) == set(search.settings.streets) - {0}
    assert max(sizes.values()) < 0.9


def test_settings_of_a_street_can_be_changed_behind_a_name() -> None:
    """Catches changes that leak into the profile, or into other streets."""
    name = "strategies/holdem.nolimit.2p.reverse_blinds/search?profile=match"
    usual = find_search(name).settings
    changed = find_search(
        f"{name}&river.iterations=77&preflop.decisions=all&turn.max_cells=5e6"
        "&turn.menus=1,all-in;1:0.5,1;1|1;&turn.int16=true&turn.max_pot_ratio=2.5&flop.follow_solution=true&threads=1"
    ).settings
    assert changed.threads == 1
    assert changed.streets[3] == replace(usual.streets[3], iterations=77)
    assert changed.streets[0] == replace(usual.streets[0], decisions="all")
    assert changed.streets[1] == replace(usual.streets[1], follow_solution=True)
    turn = changed.streets[2]
    assert (turn.max_cells, len(turn.menus)) == (5e6, 2)
    assert (turn.int16, turn.max_pot_ratio) == (True, 2.5)
    assert turn.menus[0].own.sizes(2, 0) == (1.0, ALL_IN)
    assert turn.menus[0].other.sizes(2, 0) == (0.5, 1.0)
    assert turn.menus[1].own == turn.menus[1].other
    assert find_search(name).settings == usual
    # A street that the profile leaves to the blueprint.
    fast = find_search(f"{name.replace('match', 'fast')}&turn.menus=1;&turn.iterations=5").settings
    assert sorted(fast.streets) == [2, 3]
    some = find_search(f"{name}&preflop=off&flop=off&turn.iterations=5").settings
    assert sorted(some.streets) == [2, 3]
    assert some.streets[3] == usual.streets[3]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("seventh.iterations=3", "seventh"),
        ("river.patience=3", "patience"),
        ("river.iterations=many", "iterations"),
        ("patience=3", "unknown search setting"),
        ("flop=on", "flop=on: expected off"),
    ],
)
def test_bad_settings_behind_a_name_are_refused(words: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        find_search(f"strategies/holdem.nolimit.2p.reverse_blinds/search?{words}")
