"""The way from a name to a snapshot that is played:
``strategies/leduc.limit.2p/dcfr?play=purified``, for example.

The way from a name to a policy that the arena plays.

A name is ``call``, ``raise``, ``random`` or ``fold``, or the folder of a snapshot, with how
to play it behind a question mark: ``strategies/leduc.limit.2p/smooth_uct?play=greedy``.
What cannot be had raises UnknownStrategy, BadSnapshot or UsageError.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from acpcbot.errors import UnknownStrategy, UsageError
from acpcbot.learning.abstract_game import AbstractGame
from acpcbot.poker.definition import GameDefinition
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import find_folder, missing_text
from acpcbot.strategies.policy import PlaySettings, parse_name, verify_settings
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.strategies.whole_policy import (
    TablePolicy,
    calling,
    folding,
    played_policy,
    raising,
    uniform,
)
from acpcbot.trees.public_tree import PublicTree

BASELINE_NAMES = ("call", "raise", "random", "fold")


def verify_entrant(name: str) -> None:
    """Raise UnknownStrategy or UsageError unless *name* is a baseline's or leads to a folder."""
    if name not in BASELINE_NAMES:
        _find_place(parse_name(name)[0])


def find_played(name: str, definition: GameDefinition) -> tuple[Snapshot, PlaySettings | None]:
    """The snapshot of this game in the folder that *name* says, and how it is played if it says
    so.
    """
    folder, settings = parse_name(name)
    place = _find_place(folder)
    snapshot = load_snapshot(place)
    if snapshot.definition != definition:
        raise UsageError(
            f"{folder} plays {snapshot.manifest.game_label}", "all entrants have to play one game"
        )
    verify_settings(place, snapshot.manifest, settings)
    return snapshot, settings


def _find_place(folder: str) -> Path:
    place = find_folder(folder)
    if place is None:
        error = UnknownStrategy(folder, BASELINE_NAMES)
        error.hint = f"no folder {folder}: {missing_text(folder)}; or {', '.join(BASELINE_NAMES)}"
        raise error
    return place


BASELINES = dict(zip(BASELINE_NAMES, (calling, raising, uniform, folding), strict=True))


def find_entrant(name: str, tree: PublicTree) -> TablePolicy:
    """The policy called *name*, for the game of *tree*."""
    if name in BASELINES:
        return BASELINES[name](tree)
    snapshot, settings = find_played(name, tree.definition)
    game = AbstractGame(tree, snapshot.abstraction.num_buckets)
    probabilities = played_policy(snapshot, game, settings, np.uint8)
    return TablePolicy(name, game.num_buckets, probabilities, snapshot.abstraction)
