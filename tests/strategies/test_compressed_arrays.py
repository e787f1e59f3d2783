"""Arrays that are stored compressed: the same strategy, equal bytes, and damage that is named."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from acpcbot.errors import BadSnapshot
from acpcbot.strategies import files
from acpcbot.strategies.files import load_snapshot, save_snapshot
from acpcbot.strategies.snapshot import Snapshot
from tests.strategies.random_snapshots import content_of, sign
from tests.support.games import LEDUC

NAMES = ("greedy.0.npy.gz", "greedy.1.npy.gz", "policy.0.npy.gz", "policy.1.npy.gz")


@pytest.fixture
def compressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A snapshot of Leduc whose arrays are all compressed."""
    monkeypatch.setattr(files, "MAX_PLAIN_BYTES", 0)
    save_snapshot(tmp_path / "x", content_of(LEDUC))
    monkeypatch.undo()
    return tmp_path / "x"


def arrays_of(snapshot: Snapshot) -> list[np.ndarray]:
    return [*(snapshot.policy or ()), *(snapshot.greedy or ())]


def test_large_arrays_come_back_from_smaller_files(compressed: Path, tmp_path: Path) -> None:
    assert sorted(path.name for path in compressed.iterdir()) == sorted((*NAMES, "manifest.json"))
    save_snapshot(tmp_path / "plain", content_of(LEDUC))
    found, expected = load_snapshot(compressed), load_snapshot(tmp_path / "plain")
    for array, wanted in zip(arrays_of(found), arrays_of(expected), strict=True):
        assert not array.flags.writeable
        assert array.dtype == wanted.dtype
        np.testing.assert_array_equal(array, wanted)
    plain = (tmp_path / "plain" / "policy.1.npy").read_bytes()
    assert gzip.decompress((compressed / "policy.1.npy.gz").read_bytes()) == plain


def test_equal_strategies_have_equal_files(
    compressed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches a time or a name in the header of gzip."""
    monkeypatch.setattr(files, "MAX_PLAIN_BYTES", 0)
    save_snapshot(tmp_path / "y", content_of(LEDUC))
    for name in (*NAMES, "manifest.json"):
        assert (tmp_path / "y" / name).read_bytes() == (compressed / name).read_bytes()


def test_compressed_bytes_are_checked_before_they_are_unpacked(compressed: Path) -> None:
    path = compressed / NAMES[0]
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(BadSnapshot, match=r"greedy\.0\.npy\.gz does not match its checksum"):
        load_snapshot(compressed)


@pytest.mark.parametrize(
    "data", [b"", b"no gzip at all", gzip.compress(b"\x93NUMPY")[:-4]], ids=["empty", "text", "cut"]
)
def test_signed_bytes_that_are_no_whole_gzip_are_refused(data: bytes, compressed: Path) -> None:
    (compressed / NAMES[0]).write_bytes(data)
    sign(compressed)
    with pytest.raises(BadSnapshot, match=r"greedy\.0\.npy\.gz (is no whole|holds no array)"):
        load_snapshot(compressed)


def test_an_array_in_two_files_is_refused(compressed: Path) -> None:
    data = gzip.decompress((compressed / NAMES[2]).read_bytes())
    (compressed / "policy.0.npy").write_bytes(data)
    sign(compressed)
    with pytest.raises(BadSnapshot, match="it holds an array twice"):
        load_snapshot(compressed)
