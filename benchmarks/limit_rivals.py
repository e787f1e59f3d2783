"""Winnings of the strategies of limit hold'em from each other and from a coarse one, in the arena.

The coarse one (``coarse_rivals.py``) is trained first, some minutes, in the folder ``limit_rivals``.
Each pair plays RIVALS_DEALS deals [2000000] in both seats.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks.coarse_rivals import COARSE, coarse_rival
from benchmarks.commands import acpcbot
from benchmarks.figure import Figure
from benchmarks.kept import STRENGTH

ONLY_BY_NAME, SECTION = True, STRENGTH

GAME = "holdem.limit.2p.reverse_blinds"
HOME = Path("limit_rivals")
NUM_ITERATIONS = 30_000_000
PLAYERS = (
    "cfr_br",
    "cfr_br?play=threshold:0.15",
    "cfr_br?play=purified",
    "external_sampling",
    "external_sampling?play=purified",
)
RIVALS = ("external_sampling", "external_sampling?play=purified", "smooth_uct", COARSE)


def figures() -> Iterator[Figure]:
    """Yield what each of the PLAYERS wins from each of the RIVALS."""
    coarse_rival(HOME, GAME, NUM_ITERATIONS)
    for player in PLAYERS:
        for rival in RIVALS:
            if player.partition("?")[0] != rival.partition("?")[0]:
                yield winnings(player, rival, int(os.environ.get("RIVALS_DEALS", "2000000")))


def winnings(player: str, rival: str, num_deals: int) -> Figure:
    """Return what *player* wins from *rival* a hand."""
    words = ["--deals", str(num_deals), "--seed", "0", "--json"]
    found = json.loads(acpcbot("arena", folder(player), folder(rival), *words))["results"][0]
    return Figure(
        name=f"{player} against {rival}",
        value=found["mean_mbb"],
        unit="mbb/hand",
        note=f"± {found['half_width_mbb']:.1f}, {num_deals:,} deals both ways round",
    )


def folder(name: str) -> str:
    """Return the path of a strategy, with its play settings."""
    return str(HOME / COARSE) if name == COARSE else f"strategies/{GAME}/{name}"
