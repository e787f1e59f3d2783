"""Records of best responses in the repository come back as they were, rounded, and once."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from acpcbot.evaluation.exploitability.board_responses.records import Records
from benchmarks.limit_records import BITS, pack, rounded, unpack

PLAYER, SHAPE, SETTINGS = "some?play=purified", (2, 3, 5), {"game": "one", "files": {"a": "b"}}


def made(folder: Path, numbers: tuple[int, ...]) -> Records:
    records = Records(folder, SETTINGS, SHAPE)
    for number in numbers:
        records.keep(number, np.random.default_rng(number).normal(0, 10**number, SHAPE))
    return records


def test_two_sittings_keep_all_flops_once(tmp_path: Path) -> None:
    kept, records = tmp_path / "kept", made(tmp_path / "first", (0, 3))
    first = pack(PLAYER, SETTINGS, records, 6, kept)
    assert first is not None
    assert first.name == "some-purified.0-3.npz"
    assert pack(PLAYER, SETTINGS, records, 6, kept) is None
    # Another machine: it goes on from what is kept.
    other = Records(tmp_path / "second", SETTINGS, SHAPE)
    assert unpack(PLAYER, SETTINGS, other, kept).tolist() == [0, 3]
    other.keep(1, records.read(0))
    second = pack(PLAYER, SETTINGS, other, 6, kept)
    assert second is not None
    assert second.name == "some-purified.1-1.npz"
    assert unpack(PLAYER, SETTINGS, records, kept).tolist() == [0, 1, 3]
    assert [number for number in range(6) if records.has(number)] == [0, 1, 3]


def test_numbers_come_back_to_their_bits(tmp_path: Path) -> None:
    records = made(tmp_path / "first", (0, 5))
    pack(PLAYER, SETTINGS, records, 6, tmp_path / "kept")
    back = Records(tmp_path / "second", SETTINGS, SHAPE)
    unpack(PLAYER, SETTINGS, back, tmp_path / "kept")
    for number in (0, 5):
        expected, found = records.read(number), back.read(number)
        assert (np.abs(found - expected) <= np.abs(expected) / 2**BITS).all()
        assert (found != 0).all()
        np.testing.assert_array_equal(rounded(found).astype(float), found)


def test_records_of_another_strategy_do_not_count(tmp_path: Path) -> None:
    pack(PLAYER, SETTINGS, made(tmp_path / "first", (0,)), 6, tmp_path / "kept")
    other = SETTINGS | {"game": "other"}
    records = Records(tmp_path / "second", other, SHAPE)
    assert not len(unpack(PLAYER, other, records, tmp_path / "kept"))
    assert not len(unpack("some", SETTINGS, records, tmp_path / "kept"))
    assert not records.has(0)


def test_records_of_the_cache_stay_unrounded(tmp_path: Path) -> None:
    first = made(tmp_path / "first", (0,))
    pack(PLAYER, SETTINGS, first, 6, tmp_path / "kept")
    before = first.read(0)
    unpack(PLAYER, SETTINGS, first, tmp_path / "kept")
    np.testing.assert_array_equal(first.read(0), before)
