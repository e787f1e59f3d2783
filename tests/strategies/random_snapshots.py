"""Snapshots of random strategies for small games and for hold'em in very few buckets."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import Abstraction, ExactAbstraction
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.strategies.files import SnapshotContent, load_snapshot, save_snapshot
from acpcbot.strategies.manifest import Training
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.trees.betting_tree import MenuGame
from acpcbot.trees.public_tree import (
    LIMIT_INFO,
    AbstractGame,
    build_tree,
    info_kinds,
    info_street,
    num_actions,
)
from tests.support.games import KUHN, LEDUC, LIMIT_2P, definition_of

KUHN_3P = "kuhn.limit.3p"
GAMES = (KUHN, KUHN_3P, LEDUC, LIMIT_2P)
TRAINING = Training(
    learner="dcfr",
    settings={"alpha": 1.5, "floor": -float("inf"), "schedule": "linear"},
    seed=7,
    num_threads=2,
    num_episodes=1_000,
    hours=0.25,
    commit="0123abc",
)
FEW_BUCKETS = {
    "preflop": "lossless",
    "flop": {"grid": 7},
    "turn": {"grid": 5},
    "river": {"grid": 8},
}


@cache
def abstraction_of(game: str) -> Abstraction:
    """The abstraction of the game's snapshots."""
    if game == LIMIT_2P:
        return HoldemAbstraction.from_settings(FEW_BUCKETS)
    return ExactAbstraction(definition_of(game))


@cache
def game_of(game: str) -> AbstractGame:
    """The game with its tree."""
    return AbstractGame(build_tree(definition_of(game)), abstraction_of(game).num_buckets)


def random_policy(game: str, seed: int = 1) -> NDArray[np.float64]:
    """Return the ``skewed_policy`` of a limit game."""
    return skewed_policy(game_of(game), seed)


def skewed_policy(game: AbstractGame | MenuGame, seed: int) -> NDArray[np.float64]:
    """Return random probabilities [slot], some of them very small."""
    return game.normalised(np.random.default_rng(seed).random(game.layout.num_slots) ** 4)


def random_greedy(game: str, seed: int = 1) -> NDArray[np.uint8]:
    """Legal actions [infoset], street after street, [bucket, node of the street]."""
    info: Any = game_of(game).tree.nodes[:, LIMIT_INFO]
    counts, streets = np.asarray(num_actions(info_kinds(info))), np.asarray(info_street(info))
    by_row = [
        np.tile(counts[streets == street], buckets)
        for street, buckets in enumerate(abstraction_of(game).num_buckets)
    ]
    bounds = np.concatenate(by_row)
    return np.random.default_rng(seed).integers(0, bounds).astype(np.uint8)


def content_of(game: str, **changes: Any) -> SnapshotContent:
    """A random strategy, policy and greedy actions both unless *changes* say otherwise."""
    parts = {"policy": random_policy(game), "greedy": random_greedy(game), **changes}
    return SnapshotContent(game_of(game), abstraction_of(game), TRAINING, **parts)


def saved(folder: Path, game: str, **changes: Any) -> Snapshot:
    """A random strategy, saved as *folder* and loaded."""
    save_snapshot(folder, content_of(game, **changes))
    return load_snapshot(folder)


def sign(folder: Path, **changes: Any) -> None:
    """Let the manifest in *folder* say *changes*, with the checksum of every file as it is now."""
    path = folder / "manifest.json"
    found = json.loads(path.read_text()) | changes
    del found["checksum"]
    if "files" not in changes:
        found["files"] = {
            file.name: hashlib.sha256(file.read_bytes()).hexdigest()
            for file in folder.iterdir()
            if file != path
        }
    found["checksum"] = hashlib.sha256(json.dumps(found).encode()).hexdigest()
    path.write_text(json.dumps(found))
