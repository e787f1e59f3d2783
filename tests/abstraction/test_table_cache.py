"""Tables on disk: made once, and made again whenever what lies there is not what belongs there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from acpcbot.abstraction import equity, kmeans_buckets, table_cache
from acpcbot.abstraction.table_cache import cached_table, code_of
from acpcbot.evaluation.aivat import self_play_values

TABLE = np.arange(100_000, dtype=np.uint32)


class Maker:
    """Makes TABLE and counts how often."""

    def __init__(self) -> None:
        self.num_calls = 0

    def __call__(self) -> np.ndarray:
        self.num_calls += 1
        return TABLE


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ACPCBOT_CACHE", str(tmp_path))
    return tmp_path / "tables"


def flip_a_bit(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def remove(path: Path) -> None:
    path.unlink()


def fill_with_rubbish(path: Path) -> None:
    path.write_bytes(bytes(range(256)))


def test_a_table_is_made_once_and_read_from_its_file_then(folder: Path) -> None:
    """Catches a cache that is never used, and a table that is loaded instead of mapped."""
    maker = Maker()
    for _ in range(3):
        table = cached_table("t", b"recipe", maker)
        assert isinstance(table, np.memmap)
        assert not table.flags.writeable
        assert np.array_equal(table, TABLE)
    assert maker.num_calls == 1
    assert sorted(path.name for path in folder.iterdir()) == ["t.npy", "t.sha256"]


@pytest.mark.parametrize("suffix", [".npy", ".sha256"])
@pytest.mark.parametrize("damage", [flip_a_bit, cut_short, empty, remove, fill_with_rubbish])
def test_a_damaged_table_is_made_again(
    folder: Path, suffix: str, damage: Callable[[Path], None]
) -> None:
    """Catches a training that silently uses a broken file."""
    maker = Maker()
    cached_table("t", b"recipe", maker)
    damage(folder / f"t{suffix}")
    assert np.array_equal(cached_table("t", b"recipe", maker), TABLE)
    assert maker.num_calls == 2
    cached_table("t", b"recipe", maker)
    assert maker.num_calls == 2


def test_another_recipe_makes_another_table(folder: Path) -> None:
    """Catches a table of an older version of the program."""
    maker = Maker()
    for recipe in (b"old", b"new", b"new"):
        cached_table("t", recipe, maker)
    assert maker.num_calls == 2


def test_a_maker_that_fails_leaves_nothing_behind(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches half a table under its final name, and files that nobody removes."""

    def failing_save(*_: object, **_settings: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(np, "save", failing_save)
    with pytest.raises(OSError, match="full"):
        cached_table("t", b"recipe", Maker())
    assert list(folder.iterdir()) == []


MODULE = '''"""A module."""

CHIPS = 100
"""What a seat begins with."""


class Seat:
    """A seat."""

    def raised(self, chips: int) -> int:
        """Add *chips*."""
        return CHIPS + chips  # to all
'''


@pytest.fixture
def code_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], bytes]:
    """The checksum of MODULE with a piece of its text replaced by another."""
    monkeypatch.setattr(table_cache, "PACKAGE", tmp_path / "acpcbot")

    def checksum(old: str, new: str) -> bytes:
        assert old in MODULE
        (tmp_path / "m.py").write_text(MODULE.replace(old, new))
        code_of.cache_clear()
        return code_of("m")

    return checksum


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  # to all", ""),
        ("CHIPS = 100", "# A comment.\nCHIPS = 100"),
        ('"""A module."""', '"""Another text."""'),
        ('"""A module."""', ""),
        ('"""What a seat begins with."""', '"""Chips of a seat."""'),
        ('    """A seat."""', '    """Seat of a hand."""'),
        ('        """Add *chips*."""\n', ""),
        ("CHIPS + chips", "(CHIPS +\n                chips)"),
    ],
)
def test_prose_and_layout_leave_the_checksum_of_code(
    code_after: Callable[[str, str], bytes], old: str, new: str
) -> None:
    """Catches minutes of tables made again because somebody wrote a comment."""
    assert code_after(old, new) == code_after("", "")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("CHIPS = 100", "CHIPS = 101"),
        ("CHIPS + chips", "CHIPS - chips"),
        ("CHIPS + chips", '"CHIPS + chips"'),
        ("raised", "bet"),
    ],
)
def test_a_changed_constant_or_expression_changes_the_checksum_of_code(
    code_after: Callable[[str, str], bytes], old: str, new: str
) -> None:
    """Catches a table of the code before an edit."""
    assert code_after(old, new) != code_after("", "")


def test_the_order_of_modules_and_each_of_them_count() -> None:
    """Catches a checksum of the first module alone."""
    names = ("acpcbot.abstraction.equity", "acpcbot.abstraction.kmeans")
    assert len({code_of(*names), code_of(names[1], names[0]), code_of(names[0])}) == 3


@pytest.mark.parametrize(
    "sources",
    [
        equity._SOURCES,
        kmeans_buckets._TABLE_SOURCES,
        kmeans_buckets._CENTROID_SOURCES,
        self_play_values._SOURCES,
    ],
)
def test_tables_depend_on_modules_that_there_are(sources: tuple[str, ...]) -> None:
    """Catches a module that was moved or merged while its old name stayed in a recipe."""
    assert len(code_of(*sources)) == 32
