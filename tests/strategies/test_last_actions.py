"""Probabilities that are stored without the last action of each decision come back whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from acpcbot.errors import BadSnapshot
from acpcbot.learning.policies import byte_probabilities
from acpcbot.strategies import files
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.last_actions import with_last, without_last
from acpcbot.strategies.whole_policy import played_policy
from tests.strategies.menu_snapshots import menu_tree, saved_menu_snapshot
from tests.strategies.random_snapshots import game_of, random_policy, saved, sign, skewed_policy
from tests.support.games import LEDUC, LIMIT_2P, NOLIMIT_2P

COUNTS = np.array([2, 3, 1, 3, 5, 2], np.int32)


def rows_with(counts: np.ndarray, num_rows: int, seed: int) -> np.ndarray:
    """Random rows in which the bytes of each decision sum to 255."""
    rng = np.random.default_rng(seed)
    parts = [rng.multinomial(255, rng.dirichlet(np.full(count, 0.4)), num_rows) for count in counts]
    return np.concatenate(parts, axis=1).astype(np.uint8)


def test_rows_come_back() -> None:
    rows = rows_with(COUNTS, 50, 1)
    stored = without_last(rows, COUNTS)
    assert stored[0].tolist() == [
        rows[0, column] for column in (0, 2, 3, 6, 7, 9, 10, 11, 12, 14)
    ], "the columns but the last of each decision"
    np.testing.assert_array_equal(with_last(stored, COUNTS), rows)


def test_a_street_without_decisions_has_nothing() -> None:
    assert with_last(np.empty((3, 0), np.uint8), np.empty(0, np.int32)).shape == (3, 0)


@pytest.mark.parametrize("own", [[200, 56], [255, 1], [128, 128]])
def test_probabilities_of_more_than_one_are_refused(own: list[int]) -> None:
    """Catches a sum that is reckoned in bytes, where 256 is 0."""
    with pytest.raises(ValueError, match="sum to more than 1"):
        with_last(np.array([own], np.uint8), np.array([3]))


def test_an_altered_strategy_of_more_than_one_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    saved(folder, LEDUC, policy=byte_probabilities(random_policy(LEDUC), game_of(LEDUC)))
    path = folder / "policy.1.npy"
    stored = np.load(path)
    stored[:] = 255
    np.save(path, stored)
    sign(folder)
    with pytest.raises(BadSnapshot, match="sum to more than 1"):
        load_snapshot(folder)


@pytest.mark.parametrize("name", [LEDUC, LIMIT_2P])
def test_strategies_of_earlier_versions_play_the_same(name: str, tmp_path: Path) -> None:
    """Their files hold all actions."""
    folder, game = tmp_path / "x", game_of(name)
    steps = byte_probabilities(random_policy(name), game)
    saved(folder, name, policy=steps)
    for path in folder.glob("policy.*"):
        path.unlink()
    for street in range(len(game.num_buckets)):
        np.save(folder / f"policy.{street}.npy", game.layout.street_rows(steps, street))
    sign(folder, storage="bytes")
    np.testing.assert_array_equal(played_policy(load_snapshot(folder), game, dtype=np.uint8), steps)


def test_no_limit_decisions_come_back_with_all_their_actions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_EXACT_SLOTS", 0)
    snapshot, game = saved_menu_snapshot(tmp_path / "x", NOLIMIT_2P), menu_tree(NOLIMIT_2P)
    assert snapshot.manifest.storage == "bytes_but_last"
    steps = played_policy(snapshot, game, dtype=np.uint8)
    assert np.array_equal(steps, byte_probabilities(skewed_policy(game, 1), game))
