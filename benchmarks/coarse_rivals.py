"""Coarse strategies that benchmarks train for themselves, as opponents.

They are of the kind that many bots are: external sampling with 50 percentiles of E[HS2] on each
street after the first, played purified. One of limit hold'em is trained little, as by a slower
program, and plays its average.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.commands import acpcbot

COARSE, UNDERTRAINED = "coarse", "undertrained"
LIMIT = "holdem.limit.2p.reverse_blinds"
LIMIT_HOME = Path("limit_rivals")
LIMIT_ITERATIONS = {COARSE: 30_000_000, UNDERTRAINED: 400_000}
"""How long the coarse strategies of limit hold'em are trained."""


def limit_rival(name: str) -> str:
    """Return the COARSE strategy of limit hold'em, or the UNDERTRAINED, as it is played."""
    home = LIMIT_HOME if name == COARSE else LIMIT_HOME / name
    snapshot = coarse_rival(home, LIMIT, LIMIT_ITERATIONS[name])
    return str(snapshot) if name == COARSE else f"{snapshot}?play=average"


def coarse_rival(home: Path, game: str, num_iterations: int, bets: str = "") -> Path:
    """Return the coarse strategy of *game* below *home*, trained first if it is not there yet.

    *bets* are lines of the recipe's table of bets, which a no-limit game needs.
    """
    snapshot = home / COARSE
    if not snapshot.exists():
        home.mkdir(parents=True, exist_ok=True)
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
