"""The settings of a ``search.toml``, and the faults that are found in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.errors import UsageError
from acpcbot.search.folder import find_search
from acpcbot.search.names import FILE, searches_below
from acpcbot.search.settings import RENAMED_KEYS, read_search_folder, with_options
from acpcbot.strategies.finding import find_folder

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


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('blueprint = "../x"', "", "blueprint"),
        ('profile = "b"', 'profile = "c"', "unknown profile 'c'"),
        ("iterations = 7", 'iterations = "7"', "iterations"),
        ("iterations = 7", "iterations = 0", "at least 1"),
        ("iterations = 7", 'gadget = "none"', "unknown gadget"),
        ("iterations = 7", "speed = 7", "speed"),
        ("iterations = 7", "seconds = true", "seconds"),
        ('menus = ["1,all-in;all-in"]', "", "needs menus"),
        ('menus = ["1,all-in;all-in"]', 'menus = ["x"]', "no size"),
        ('menus = ["1,all-in;all-in"]', 'menus = [["1"]]', "no menu"),
        ("threads = 2", "threads = 0", "threads"),
        ("threads = 2", "thread = 2", "thread"),
        ("[profiles.a]", "[profiles.a", "search.toml"),
        ("iterations = 7", 'decisions = "some"', "unknown decisions 'some'"),
        ('blueprint = "../x"', 'blueprint = "../x"\npreflop_values = 3', "preflop_values"),
    ],
)
def test_a_wrong_setting_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in GOOD
    with pytest.raises(UsageError, match=message):
        read_search_folder(written(tmp_path, GOOD.replace(old, new)))


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
