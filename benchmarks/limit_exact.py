"""Exact exploitability of limit hold'em's strategies, and how often bounds by 32 flops hold it.

A strategy takes hours, some 6 of one core, and goes on where it was left: the flops that are done
are in the cache, and those that the repository keeps (``limit_records.py``) need not be done again.
Of these some are, to see that they are still right. From all flops sets of 32 are drawn LIMIT_DRAWS
times [100]. The bounds with their interval, as ``acpcbot exploitability --flops 32`` gives them,
should hold the exact figure in 95 % of them. LIMIT_EXACT is a pattern: only strategies whose name
it matches are measured, and kept beside the others. With LIMIT_ANEW=1 no flop that the repository
keeps is used, only those of the cache.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator

import numpy as np

from acpcbot.evaluation.exploitability.board_responses.check_downs import CheckDowns
from acpcbot.evaluation.exploitability.board_responses.responses import (
    all_befores,
    board_record,
    drawn_boards,
    hand_classes,
    sampled_response,
)
from acpcbot.evaluation.exploitability.board_responses.run import (
    loaded_boards,
)
from acpcbot.poker.shipped import shipped_definition
from acpcbot.trees.board_tree import first_boards
from benchmarks.commands import acpcbot
from benchmarks.figure import Figure
from benchmarks.kept import STRENGTH
from benchmarks.limit_records import BITS, GAME, path_of, records_of, target_of, unpack

ONLY_BY_NAME, KEEPS_OTHERS, SECTION = True, True, STRENGTH

PLAYERS = (
    "cfr_br",
    "external_sampling",
    "external_sampling?play=purified",
    "smooth_uct",
    "smooth_uct?play=greedy",
    "uct",
)
NUM_FLOPS, WANTED = 32, 95
NUM_CHECKED = 3
MBB = 1000.0


def figures() -> Iterator[Figure]:
    """Yield the exploitability of each of the PLAYERS, and the share of draws that hold it."""
    wanted = re.compile(os.environ.get("LIMIT_EXACT", ""))
    for player in PLAYERS:
        if wanted.search(player):
            note = "" if os.environ.get("LIMIT_ANEW") else with_kept_flops(player)
            words = ["--jobs", str(os.cpu_count() or 1), "--json"]
            found = json.loads(acpcbot("exploitability", path_of(player), *words))
            exact = found["exploitability_mbb"]
            yield Figure(
                name=f"{player}, exactly",
                value=exact,
                unit="mbb/hand",
                note=note,
                higher_is_better=False,
            )
            yield coverage(player, exact / MBB)


def coverage(player: str, exact: float) -> Figure:
    """Return how many bounds in 100 hold *exact*, big blinds, by the flops that are done."""
    definition, boards = shipped_definition(GAME), loaded_boards(target_of(player))
    _, records = records_of(player)
    befores = all_befores(boards)
    known = CheckDowns(befores, hand_classes(definition))
    bounds = [
        sampled_response(
            definition, befores, drawn_boards(definition, NUM_FLOPS, seed), records.read, known
        )
        for seed in range(int(os.environ.get("LIMIT_DRAWS", "100")))
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


def with_kept_flops(player: str) -> str:
    """Put the flops that the repository keeps among those done; return a note of how many these are.

    Some are done anew. Raises ValueError where one differs by more than rounding.
    """
    settings, records = records_of(player)
    kept = unpack(player, settings, records)
    if not len(kept):
        return ""
    boards = loaded_boards(target_of(player))
    befores, all_boards = all_befores(boards), first_boards(shipped_definition(GAME))
    for number in np.random.default_rng().choice(kept, NUM_CHECKED, replace=False).tolist():
        anew, known = board_record(boards, befores, all_boards[number][0]), records.read(number)
        # Sums of float32 in another order, and rounding.
        allowed = 1e-5 * np.abs(anew).max() + np.abs(anew) / 2**BITS
        if (np.abs(anew - known) > allowed).any():
            worst = np.abs(anew - known).max()
            raise ValueError(
                f"flop {number} of {player}: expected what is kept, found {worst} more"
            )
    return f"{len(kept):,} of {len(all_boards):,} flops kept, {NUM_CHECKED} of these done anew"
