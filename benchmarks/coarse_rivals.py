"""Coarse strategies that benchmarks train for themselves, as opponents.

They are of the kind that many bots are: external sampling with 50 percentiles of E[HS2] on each
street after the first, played purified.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.commands import acpcbot

COARSE = "coarse"


def coarse_rival(home: Path, game: str, num_iterations: int, bets: str = "") -> Path:
    """Return the coarse strategy of *game* below *home*, trained first if it is not there yet.

    *bets* are lines of the recipe's table of bets, which a no-limit game needs.
    """
    snapshot = home / COARSE
    if not snapshot.exists():
        home.mkdir(exist_ok=True)
        recipe = home / "coarse.toml"
        recipe.write_text(_recipe(snapshot, game, num_iterations, bets), encoding="utf-8")
        acpcbot("train", str(recipe), "--run-dir", str(home / "run"))
    return snapshot


def _recipe(snapshot: Path, game: str, num_iterations: int, bets: str) -> str:
    table = f"[bets]\n{bets}\n" if bets else ""
    return f"""\
game = "{game}"
seed = 1
threads = 2
snapshot = "{snapshot}"
play = "purified"

[abstraction]
preflop = "lossless"
flop = {{ percentile = 50 }}
turn = {{ percentile = 50 }}
river = {{ percentile = 50 }}

{table}
[learner]
name = "external_sampling"

[budget]
count = {num_iterations}
"""
