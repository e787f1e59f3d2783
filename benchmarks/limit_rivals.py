"""Winnings of limit hold'em strategies from each other and from two coarse ones, in the arena.

The coarse ones (``coarse_rivals.py``) are trained first, some minutes, in the folder
``limit_rivals``. Each pair plays RIVALS_DEALS deals [2000000] in both seats. RIVALS_ONLY is a
pattern: only pairs whose name it matches play, and are kept beside the others.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator

from benchmarks.coarse_rivals import COARSE, LIMIT, LIMIT_ITERATIONS, UNDERTRAINED, limit_rival
from benchmarks.commands import acpcbot
from benchmarks.figure import Figure
from benchmarks.kept import STRENGTH

ONLY_BY_NAME, KEEPS_OTHERS, SECTION = True, True, STRENGTH

PLAYERS = (
    "cfr_br",
    "cfr_br?play=threshold:0.15",
    "cfr_br?play=purified",
    "external_sampling",
    "external_sampling?play=purified",
)
RIVALS = (
    "external_sampling",
    "external_sampling?play=purified",
    "smooth_uct",
    COARSE,
    UNDERTRAINED,
)


def figures() -> Iterator[Figure]:
    """Yield what each of the PLAYERS wins from each of the RIVALS."""
    wanted = re.compile(os.environ.get("RIVALS_ONLY", ""))
    for player in PLAYERS:
        for rival in RIVALS:
            is_other = player.partition("?")[0] != rival.partition("?")[0]
            if is_other and wanted.search(name_of(player, rival)):
                yield winnings(player, rival, int(os.environ.get("RIVALS_DEALS", "2000000")))


def name_of(player: str, rival: str) -> str:
    """Return the name of the figure of a pair."""
    return f"{player} against {rival}"


def winnings(player: str, rival: str, num_deals: int) -> Figure:
    """Return what *player* wins from *rival* a hand."""
    words = ["--deals", str(num_deals), "--seed", "0", "--json"]
    found = json.loads(acpcbot("arena", folder(player), folder(rival), *words))["results"][0]
    return Figure(
        name=name_of(player, rival),
        value=found["mean_mbb"],
        unit="mbb/hand",
        note=f"± {found['half_width_mbb']:.1f}, {num_deals:,} deals both ways round",
    )


def folder(name: str) -> str:
    """Return the path of a strategy, with its play settings."""
    return limit_rival(name) if name in LIMIT_ITERATIONS else f"strategies/{LIMIT}/{name}"
