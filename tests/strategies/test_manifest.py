"""Manifests and recipes of shipped strategies: read, and written again byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.errors import BadSnapshot
from acpcbot.strategies.manifest import (
    MANIFEST_FILE,
    RECIPE_FILE,
    Manifest,
    Training,
    read_manifest,
    write_manifest,
)
from acpcbot.training.recipe import is_chance_recipe, is_self_play_recipe, load_recipe
from acpcbot.training.session import learner_settings
from tests.strategies.random_snapshots import sign

STRATEGIES = Path(__file__).parents[2] / "strategies"
MANIFESTS = sorted(STRATEGIES.rglob(MANIFEST_FILE))
RECIPES = [
    path
    for path in sorted(STRATEGIES.rglob(RECIPE_FILE))
    if not (is_self_play_recipe(path) or is_chance_recipe(path))
]
MANIFEST = Manifest(
    game_name="g",
    game_fingerprint="f",
    game_text="t\n",
    storage="bytes",
    play="average",
    abstraction={},
    training=Training("dcfr", {"gamma": 2.0}, 1, 1, 10, 0.5, "c"),
    strength=({"name": "x", "value": float("inf")},),
    files={"policy.0.npy": "0"},
)


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.parent.name)
def test_a_shipped_manifest_is_written_as_it_was_read(path: Path, tmp_path: Path) -> None:
    """Catches a number, an order or a key that decoding changes."""
    write_manifest(tmp_path / MANIFEST_FILE, read_manifest(path.parent))
    assert (tmp_path / MANIFEST_FILE).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.parent.name)
def test_a_shipped_recipe_is_kept_as_it_was_read(path: Path) -> None:
    recipe = load_recipe(path)
    learner_settings(recipe)
    assert recipe.text.encode() == path.read_bytes()


def test_there_are_shipped_manifests_and_recipes() -> None:
    assert len(MANIFESTS) >= 10
    assert len(RECIPES) >= 10


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"storage": 3}, "storage: expected a text, found 3"),
        ({"strength": [3]}, "strength, entry 1: expected a table, found 3"),
        ({"files": {"a.npy": 5}}, 'files."a.npy": expected a text, found 5'),
        ({"surprise": 1}, "unknown key surprise"),
        ({"game_name": "two\nlines"}, "game_name has characters that cannot be printed"),
        ({"files": {"\x1b": "0"}}, "files has characters that cannot be printed"),
        (
            {"training": {"learner": "dcfr"}},
            "training: no settings (a table); no seed (a whole number); "
            "no num_threads (a whole number); no num_episodes (a whole number); "
            "no hours (a number); no commit (a text)",
        ),
    ],
    ids=str,
)
def test_a_fault_names_file_key_expected_and_found(
    changes: dict[str, object], reason: str, tmp_path: Path
) -> None:
    write_manifest(tmp_path / MANIFEST_FILE, MANIFEST)
    assert read_manifest(tmp_path) == MANIFEST
    sign(tmp_path, **changes)
    with pytest.raises(BadSnapshot) as refusal:
        read_manifest(tmp_path)
    assert str(refusal.value) == f"{tmp_path}: {MANIFEST_FILE}: {reason}"
