"""Exact exploitability of limit hold'em's strategies, and how often bounds by 32 flops hold it.

A strategy takes hours, some 9 of one core, and goes on where it was left: the flops that are done
are in the cache. From them sets of 32 flops are drawn 100 times. The bounds with their interval, as
``acpcbot exploitability --flops 32`` gives them, should hold the exact figure in 95 of them.
LIMIT_EXACT is a pattern: only strategies whose name it matches are measured, and kept beside the
others.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator

import numpy as np

from acpcbot.evaluation.exploitability.board_responses.check_downs import CheckDowns
from acpcbot.evaluation.exploitability.board_responses.records import Records, default_folder
from acpcbot.evaluation.exploitability.board_responses.responses import (
    all_befores,
    drawn_boards,
    hand_classes,
    sampled_response,
)
from acpcbot.evaluation.exploitability.board_responses.run import (
    StoredTarget,
    loaded_boards,
    record_shape,
)
from acpcbot.poker.shipped import shipped_definition
from benchmarks.commands import acpcbot
from benchmarks.figure import Figure
from benchmarks.kept import STRENGTH

ONLY_BY_NAME, KEEPS_OTHERS, SECTION = True, True, STRENGTH

GAME = "holdem.limit.2p.reverse_blinds"
PLAYERS = (
    "cfr_br",
    "external_sampling",
    "external_sampling?play=purified",
    "smooth_uct",
    "smooth_uct?play=greedy",
    "uct",
)
NUM_DRAWS, NUM_FLOPS, WANTED = 100, 32, 95
MBB = 1000.0


def figures() -> Iterator[Figure]:
    """Yield the exploitability of each of the PLAYERS, and the share of draws that hold it."""
    wanted = re.compile(os.environ.get("LIMIT_EXACT", ""))
    for player in PLAYERS:
        if wanted.search(player):
            words = ["--jobs", str(os.cpu_count() or 1), "--json"]
            found = json.loads(acpcbot("exploitability", path_of(player), *words))
            exact = found["exploitability_mbb"]
            yield Figure(
                name=f"{player}, exactly", value=exact, unit="mbb/hand", higher_is_better=False
            )
            yield coverage(player, exact / MBB)


def coverage(player: str, exact: float) -> Figure:
    """Return how many of NUM_DRAWS bounds hold *exact*, big blinds, by the flops that are done."""
    definition = shipped_definition(GAME)
    target = StoredTarget(definition, path_of(player))
    settings, boards = target.settings(), loaded_boards(target)
    records = Records(default_folder(settings), settings, record_shape(boards.lines))
    befores = all_befores(boards)
    known = CheckDowns(befores, hand_classes(definition))
    bounds = [
        sampled_response(
            definition, befores, drawn_boards(definition, NUM_FLOPS, seed), records.read, known
        )
        for seed in range(NUM_DRAWS)
    ]
    low = np.array([np.mean(found.low) for found in bounds])
    high = np.array([np.mean(found.high) for found in bounds])
    half = np.array([found.half_width for found in bounds])
    held = (low - half <= exact) & (exact <= high + half)
    means = [MBB * float(values.mean()) for values in (low, high, half)]
    return Figure(
        name=f"{player}, draws of {NUM_FLOPS} flops that hold it",
        value=100 * float(held.mean()),
        unit="%",
        target=WANTED,
        note="on average {:.0f} to {:.0f} ± {:.0f} mbb/hand".format(*means),
        higher_is_better=True,
    )


def path_of(player: str) -> str:
    """Return the path of a strategy, with its play settings."""
    return f"strategies/{GAME}/{player}"
