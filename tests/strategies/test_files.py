"""Damaged and foreign folders: each is refused as a BadSnapshot that says what is wrong,
whatever is wrong.
"""

from __future__ import annotations

import json
import pickle
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.errors import BadSnapshot
from acpcbot.poker.definition import format_definition
from acpcbot.strategies.files import load_snapshot, save_snapshot
from tests.strategies.random_snapshots import content_of, saved, sign
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT, LIMIT_2P, definition_of

NAMES = ("greedy.0.npy", "greedy.1.npy", "manifest.json", "policy.0.npy", "policy.1.npy")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A good snapshot of Leduc."""
    save_snapshot(tmp_path / "x", content_of(LEDUC))
    return tmp_path / "x"


@pytest.fixture(scope="module")
def lasting_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good snapshot; a test that damages it mends it."""
    folder = tmp_path_factory.mktemp("lasting") / "x"
    save_snapshot(folder, content_of(LEDUC))
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(BadSnapshot) as caught:
        load_snapshot(folder)
    assert caught.value.path == str(folder)
    assert caught.value.hint
    assert len(str(caught.value).splitlines()) == 1
    return caught.value.reason


def test_a_good_snapshot_is_made_of_these_files(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == sorted(NAMES)
    load_snapshot(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="files that are open cannot be cut there")
def test_a_loaded_snapshot_does_not_change_with_its_files(folder: Path) -> None:
    """Would catch arrays that are mapped: a player dies of a file that is cut, and follows one
    that is overwritten.
    """
    snapshot = load_snapshot(folder)
    arrays = [*(snapshot.policy or ()), *(snapshot.greedy or ())]
    before = [array.copy() for array in arrays]
    for path in folder.glob("*.npy"):
        path.write_bytes(bytes(path.stat().st_size // 2))
    assert len(arrays) == 4
    for array, copy in zip(arrays, before, strict=True):
        assert not array.flags.writeable
        np.testing.assert_array_equal(array, copy)


# Damage


@given(data=st.data())
def test_any_flipped_bit_is_noticed(lasting_folder: Path, data: st.DataObject) -> None:
    path = lasting_folder / data.draw(st.sampled_from(NAMES))
    good = path.read_bytes()
    place, bit = data.draw(st.integers(0, len(good) - 1)), data.draw(st.integers(0, 7))
    path.write_bytes(good[:place] + bytes([good[place] ^ 1 << bit]) + good[place + 1 :])
    try:
        refusal(lasting_folder)
    finally:
        path.write_bytes(good)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_file_that_was_cut_is_noticed(name: str, share: float, folder: Path) -> None:
    text = (folder / name).read_bytes()
    (folder / name).write_bytes(text[: int(share * len(text))])
    assert name in refusal(folder)


@pytest.mark.parametrize("name", NAMES)
def test_a_lost_file_is_named(name: str, folder: Path) -> None:
    (folder / name).unlink()
    assert name in refusal(folder)


def test_two_arrays_in_each_others_place_are_noticed(folder: Path) -> None:
    (folder / "policy.0.npy").rename(folder / "kept")
    (folder / "policy.1.npy").rename(folder / "policy.0.npy")
    (folder / "kept").rename(folder / "policy.1.npy")
    assert refusal(folder) == "policy.0.npy does not match its checksum"


def test_a_file_too_many_is_noticed(folder: Path) -> None:
    (folder / "notes.txt").write_text("good against raise")
    assert refusal(folder) == "'notes.txt' does not belong there"


def test_a_card_for_people_may_lie_beside_a_strategy(folder: Path) -> None:
    """Catches a loader that refuses a strategy for its README."""
    (folder / "README.md").write_text("a card")
    load_snapshot(folder)


def test_a_folder_in_a_files_place_is_noticed(folder: Path) -> None:
    (folder / "policy.0.npy").unlink()
    (folder / "policy.0.npy").mkdir()
    assert refusal(folder) == "'policy.0.npy' does not belong there"


def test_no_folder_at_all_is_refused_alike(tmp_path: Path) -> None:
    assert "manifest.json cannot be read" in refusal(tmp_path / "nothing")
    (tmp_path / "file").write_text("")
    assert "manifest.json cannot be read" in refusal(tmp_path / "file")


# Folders of others, with checksums that hold


def write(
    name: str, array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]
) -> Callable[[Path], None]:
    return lambda folder: np.save(folder / name, array, allow_pickle=True)


class Trap:
    """Leaves a file where it is unpickled."""

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return open, ("trap was here", "w")  # type: ignore[return-value]


def write_pickle(folder: Path) -> None:
    (folder / "policy.0.npy").write_bytes(pickle.dumps(Trap()))


def write_archive(folder: Path) -> None:
    np.savez(folder / "policy.0.npz", np.zeros(3))
    (folder / "policy.0.npz").rename(folder / "policy.0.npy")


def write_short_array(folder: Path) -> None:
    text = (folder / "policy.0.npy").read_bytes()
    (folder / "policy.0.npy").write_bytes(text[:-8])


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            write("policy.0.npy", np.zeros((3, 13))),
            "policy.0.npy is float64 [3, 13] and should be float64 [3, ",
        ),
        (write("policy.0.npy", np.zeros((4, 14))), "policy.0.npy is float64 [4, 14]"),
        (write("policy.1.npy", np.zeros(42)), "policy.1.npy is float64 [42]"),
        (write("policy.0.npy", np.zeros((3, 14), np.float32)), "policy.0.npy is float32"),
        (write("policy.0.npy", np.zeros((3, 14), np.dtype(">f8"))), "policy.0.npy is >f8"),
        (
            write("greedy.0.npy", np.zeros(4, np.uint8)),
            "greedy.0.npy is uint8 [4] and should be uint8 [5]",
        ),
        (write("greedy.0.npy", np.zeros(5, np.int8)), "greedy.0.npy is int8"),
        (write("policy.2.npy", np.zeros(5)), "it holds arrays that no strategy of its game has"),
        (write("extra.npy", np.zeros(5)), "it holds arrays that no strategy of its game has"),
        (
            write("policy.0.npy", np.array([[Trap()]], object)),
            "policy.0.npy holds no array of numbers",
        ),
        (write_pickle, "policy.0.npy holds no array of numbers"),
        (write_archive, "policy.0.npy holds no array of numbers"),
        (write_short_array, "policy.0.npy holds no array of numbers"),
        (remove("policy.1.npy"), "policy.1.npy is missing"),
        (remove("greedy.0.npy"), "greedy.0.npy is missing"),
    ],
)
def test_arrays_that_do_not_fit_the_game_are_refused(
    change: Callable[[Path], None], reason: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    change(folder)
    sign(folder)
    assert refusal(folder).startswith(reason)
    assert [path.name for path in folder.parent.iterdir()] == ["x"]


def test_a_snapshot_without_any_policy_is_refused(folder: Path) -> None:
    for path in folder.glob("*.npy"):
        path.unlink()
    sign(folder)
    assert "no policy" in refusal(folder)


def test_another_format_is_refused_by_its_number(folder: Path) -> None:
    sign(folder, format=2)
    assert refusal(folder) == "manifest.json: format 2, expected 1"


@pytest.mark.parametrize("other", [KUHN, LIMIT_2P])
def test_another_games_name_on_the_same_arrays_is_refused(
    other: str, folder: Path, tmp_path: Path
) -> None:
    manifest = saved(tmp_path / "other", other).manifest
    sign(folder, game_text=manifest.game_text)
    assert "fingerprint" in refusal(folder)
    sign(folder, game_text=manifest.game_text, game_fingerprint=manifest.game_fingerprint)
    refusal(folder)


@pytest.mark.parametrize(
    ("game_text", "reason"),
    [("", ""), ("GAMEDEF\nlimit\nnumRounds = 77\nEND GAMEDEF\n", "77")],
)
def test_a_game_that_is_none_is_refused(game_text: str, reason: str, folder: Path) -> None:
    sign(folder, game_text=game_text)
    assert reason in refusal(folder)


def test_a_no_limit_game_is_refused(folder: Path) -> None:
    game = definition_of(LEDUC_NOLIMIT)
    sign(folder, game_text=format_definition(game), game_fingerprint=game.fingerprint)
    assert "no-limit" in refusal(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"abstraction": {}},
        {"abstraction": {"kind": "magic"}},
        {"abstraction": {"preflop": {"kind": "lossless"}}},
        {"abstraction": {"preflop": {"kind": "grid", "board_size": "x"}}},
        {"abstraction": {"preflop": 5}},
        {"storage": "zip"},
        {"storage": "bytes"},
        {"seed": "one"},
        {"seed": True},
        {"strength": [3]},
        {"strength": {}},
        {"files": {"policy.0.npy": 5}},
        {"files": {"../policy.0.npy": "0"}},
        {"files": {}},
        {"training": {}},
        {"training": []},
        {"surprise": 1},
        {"game_name": "two\nlines"},
        {"game_name": "\x1b[2J"},
    ],
    ids=str,
)
def test_manifests_that_make_no_sense_are_refused(changes: dict[str, object], folder: Path) -> None:
    sign(folder, **changes)
    refusal(folder)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "5", "null", '{"format": 1}', "[" * 100_000, '"\\ud800"', "\0", "1" * 5000],
)
def test_a_manifest_that_is_none_is_refused(text: str, folder: Path) -> None:
    (folder / "manifest.json").write_text(text)
    assert "manifest.json" in refusal(folder)


def test_a_manifest_in_another_encoding_is_refused(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(b"\xff\xfe\0")
    assert "manifest.json" in refusal(folder)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(data=st.data())
def test_no_manifest_ends_in_anything_but_a_refusal(
    lasting_folder: Path, data: st.DataObject
) -> None:
    """Any value in any field, with checksums that hold: loaded or refused, and never a
    traceback.
    """
    path = lasting_folder / "manifest.json"
    good = path.read_text()
    key = data.draw(st.sampled_from(sorted(set(json.loads(good)) - {"checksum"})))
    sign(lasting_folder, **{key: data.draw(ANYTHING)})
    try:
        with suppress(BadSnapshot):
            load_snapshot(lasting_folder)
    finally:
        path.write_text(good)


def test_a_copied_snapshot_is_as_good(folder: Path, tmp_path: Path) -> None:
    """Nothing in a snapshot depends on where it lies."""
    shutil.copytree(folder, tmp_path / "elsewhere" / "y")
    assert load_snapshot(tmp_path / "elsewhere" / "y").manifest == load_snapshot(folder).manifest
