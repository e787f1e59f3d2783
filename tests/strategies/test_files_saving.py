"""Saving: what is loaded is what was saved, equal contents give equal bytes, and a cut leaves
the old snapshot.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acpcbot.abstraction.card_abstraction import ExactAbstraction
from acpcbot.errors import BadSnapshot, UsageError
from acpcbot.learning.policies import byte_probabilities
from acpcbot.poker.definition import parse_definition
from acpcbot.strategies.files import SnapshotContent, load_snapshot, save_snapshot
from acpcbot.strategies.manifest import RECIPE_FILE
from acpcbot.strategies.whole_policy import played_policy
from acpcbot.trees.public_tree import AbstractGame, build_tree
from tests.strategies.random_snapshots import (
    GAMES,
    TRAINING,
    content_of,
    game_of,
    random_policy,
    saved,
)
from tests.support.games import KUHN, LEDUC, LIMIT_2P, definition_of

STRENGTH = (
    {"measure": "exploitability", "mbb": 12.5},
    {"against": "call", "mbb": 301, "hands": 1000},
)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("game", GAMES)
def test_a_saved_policy_comes_back(game: str, tmp_path: Path) -> None:
    snapshot = saved(tmp_path / "x", game)
    restored, policy = played_policy(snapshot, game_of(game)), random_policy(game)
    if game == LIMIT_2P:
        assert snapshot.manifest.storage == "bytes_but_last"
        assert np.abs(restored - policy).max() < 1 / 255
    else:
        assert snapshot.manifest.storage == "exact"
        assert np.array_equal(restored, policy)


def test_a_strategys_description_comes_back(tmp_path: Path) -> None:
    manifest = saved(tmp_path / "x", LEDUC, strength=STRENGTH).manifest
    assert (manifest.game_name, manifest.game_label) == (LEDUC, LEDUC)
    assert manifest.game_fingerprint == definition_of(LEDUC).fingerprint
    assert parse_definition(manifest.game_text) == definition_of(LEDUC)
    assert (manifest.training, manifest.strength) == (TRAINING, STRENGTH)
    assert (manifest.holds("policy"), manifest.holds("greedy")) == (True, True)


@pytest.mark.parametrize("game", [KUHN, LIMIT_2P])
def test_equal_contents_give_equal_bytes(game: str, tmp_path: Path) -> None:
    """Would catch a date, an order of sets, or a path in the files."""
    saved(tmp_path / "one", game)
    saved(tmp_path / "elsewhere" / "other", game)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "elsewhere" / "other")


def test_every_rounded_information_set_sums_to_255(tmp_path: Path) -> None:
    snapshot, game = saved(tmp_path / "x", LIMIT_2P), game_of(LIMIT_2P)
    steps = played_policy(snapshot, game, dtype=np.uint8)
    assert sum(steps.tolist()) == 255 * game.layout.num_infosets
    assert np.array_equal(steps, byte_probabilities(random_policy(LIMIT_2P), game))


def test_a_policy_that_is_rounded_already_is_stored_as_it_is(tmp_path: Path) -> None:
    steps = byte_probabilities(random_policy(LEDUC), game_of(LEDUC))
    snapshot = saved(tmp_path / "x", LEDUC, policy=steps)
    assert snapshot.manifest.storage == "bytes_but_last"
    assert np.array_equal(played_policy(snapshot, game_of(LEDUC), dtype=np.uint8), steps)


def test_fewer_steps_are_stored_where_they_are_asked_for(tmp_path: Path) -> None:
    """In small games, too, which are stored exactly otherwise."""
    snapshot, game = saved(tmp_path / "x", LEDUC, steps=17), game_of(LEDUC)
    assert snapshot.manifest.storage == "bytes_but_last"
    steps = played_policy(snapshot, game, dtype=np.uint8)
    assert np.array_equal(steps, byte_probabilities(random_policy(LEDUC), game, 17))
    assert set((steps % 15).tolist()) == {0}


@pytest.mark.parametrize("left_out", ["policy", "greedy"])
def test_policy_or_greedy_actions_alone_are_a_snapshot(left_out: str, tmp_path: Path) -> None:
    changes: dict[str, Any] = {
        left_out: None,
        "play": "greedy" if left_out == "policy" else "purified",
    }
    snapshot = saved(tmp_path / "x", LEDUC, **changes)
    assert not snapshot.manifest.holds(left_out)
    assert (snapshot.policy is None, snapshot.greedy is None) == (
        left_out == "policy",
        left_out == "greedy",
    )
    assert snapshot.own_settings.mode == changes["play"]


@pytest.mark.parametrize(
    ("play", "left_out"), [("greedy", "greedy"), ("average", "policy"), ("well", "greedy")]
)
def test_a_snapshot_without_what_it_is_played_from_is_refused(
    play: str, left_out: str, tmp_path: Path
) -> None:
    with pytest.raises(BadSnapshot, match="play"):
        saved(tmp_path / "x", KUHN, **{left_out: None, "play": play})


def test_a_game_of_ones_own_is_known_by_its_fingerprint(tmp_path: Path) -> None:
    """Uneven stacks: one street can be over before anybody acts, and leaves an array without
    columns.
    """
    own = parse_definition(
        "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nstack = 2 2\nblind = 1 1\nraiseSize = 1 1\nmaxRaises = 1 1\n"
        "numSuits = 1\nnumRanks = 4\nnumHoleCards = 1\nnumBoardCards = 0 1\nEND GAMEDEF\n"
    )
    abstraction = ExactAbstraction(own)
    game = AbstractGame(build_tree(own), abstraction.num_buckets)
    policy = game.normalised(np.zeros(game.layout.num_slots))
    save_snapshot(tmp_path / "x", SnapshotContent(game, abstraction, TRAINING, policy))
    snapshot = load_snapshot(tmp_path / "x")
    assert snapshot.definition == own
    assert (snapshot.manifest.game_name, snapshot.manifest.game_label) == ("", own.fingerprint)


def test_probabilities_that_do_not_sum_to_one_are_our_own_fault(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        save_snapshot(tmp_path / "x", content_of(KUHN, policy=2 * random_policy(KUHN)))
    with pytest.raises(AssertionError):
        save_snapshot(tmp_path / "x", content_of(KUHN, greedy=np.full(12, 2, np.uint8)))
    assert list(tmp_path.iterdir()) == []


# A save replaces the old snapshot whole, or leaves it


def test_a_new_snapshot_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    saved(tmp_path / "x", LEDUC)
    snapshot = saved(tmp_path / "x", KUHN, greedy=None)
    assert snapshot.definition == definition_of(KUHN)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize("fault", [OSError("no space left"), KeyboardInterrupt()])
@pytest.mark.parametrize("num_written", [0, 1])
def test_a_save_that_is_cut_short_leaves_the_old_snapshot(
    fault: BaseException, num_written: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(tmp_path / "x", LEDUC)
    before, save = files_of(tmp_path / "x"), np.save
    calls: list[Path] = []

    def failing(path: Path, *rest: Any, **options: Any) -> None:
        if len(calls) == num_written:
            raise fault
        calls.append(path)
        save(path, *rest, **options)

    monkeypatch.setattr(np, "save", failing)
    with pytest.raises(type(fault)):
        save_snapshot(tmp_path / "x", content_of(LEDUC, policy=random_policy(LEDUC, seed=2)))
    assert files_of(tmp_path / "x") == before
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_new_snapshot_that_cannot_be_moved_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(tmp_path / "x", LEDUC)
    before, rename = files_of(tmp_path / "x"), os.rename

    def failing(source: Path, target: Path) -> None:
        if source.name.endswith(".new"):
            raise OSError("not now")
        rename(source, target)

    monkeypatch.setattr(os, "rename", failing)
    with pytest.raises(OSError, match="not now"):
        save_snapshot(tmp_path / "x", content_of(LEDUC))
    assert files_of(tmp_path / "x") == before


def test_leftovers_of_a_killed_save_are_no_obstacle(tmp_path: Path) -> None:
    saved(tmp_path / "x", KUHN)
    for name in (".x.new", ".x.old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "policy.0.npy").write_bytes(b"half")
    saved(tmp_path / "x", KUHN)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_folder_with_something_else_in_it_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "thesis.tex").write_text("all of it")
    with pytest.raises(UsageError, match="holds no strategy"):
        save_snapshot(tmp_path / "x", content_of(KUHN))
    assert (tmp_path / "x" / "thesis.tex").exists()


def test_the_recipe_lies_beside_the_manifest_and_is_guarded_by_it(tmp_path: Path) -> None:
    """Catches a recipe that is dropped, or that can be changed without notice."""
    folder = tmp_path / "trained"
    folder.mkdir()
    (folder / RECIPE_FILE).write_text("seed = 1\n")
    save_snapshot(folder, content_of(KUHN, recipe="seed = 2\n"))
    assert (folder / RECIPE_FILE).read_text() == "seed = 2\n"
    load_snapshot(folder)
    (folder / RECIPE_FILE).write_text("seed = 3\n")
    with pytest.raises(BadSnapshot, match=RECIPE_FILE):
        load_snapshot(folder)
