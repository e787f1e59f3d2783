"""Winnings of the no-limit blueprints for three and six against simple players in all other seats.

Hands are played in process and estimated by AIVAT, which knows all strategies but that of ``random``.
MULTIWAY_SHARE shortens the matches [1.0]. They are kept in the folder ``multiway_matches`` and
resumed from there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from acpcbot.matches.plan import load_plan
from acpcbot.poker.shipped import shipped_definition
from benchmarks.commands import acpcbot
from benchmarks.figure import Figure
from benchmarks.kept import STRENGTH

ONLY_BY_NAME, SECTION = True, STRENGTH

MATCHES = {
    "holdem.nolimit.3p": {"tight": 4000, "call": 1000, "random": 1000},
    "holdem.nolimit.6p": {"tight": 6000},
}
"""By game and opponent: the number of hands."""
HOME = Path("multiway_matches")
RESULT = re.compile(r"^  (AIVAT|chips).*? ([+-][0-9.]+) ± ([0-9.]+) mbb/hand", re.MULTILINE)


def figures() -> Iterator[Figure]:
    """Yield the win rates of each blueprint against each opponent, by chips and AIVAT."""
    share = float(os.environ.get("MULTIWAY_SHARE", "1"))
    for game, opponents in MATCHES.items():
        for opponent, num_hands in opponents.items():
            yield from result(game, opponent, max(2, round(share * num_hands)))


def result(game: str, opponent: str, num_hands: int) -> list[Figure]:
    """Return the blueprint's win rate in *num_hands* hands with *opponent* in all other seats."""
    folder = HOME / f"{game}-{opponent}-{num_hands}"
    others = [opponent] * (shipped_definition(game).num_players - 1)
    words = ["--game", game, "--hands", str(num_hands), "--in-process", "--jobs", "1"]
    new = [f"strategies/{game}/external_sampling", *others, *words, "-o", str(folder)]
    acpcbot("match", *(["--resume", str(folder), "--jobs", "1"] if folder.exists() else new))
    found = acpcbot("evaluate", str(folder), "--player", load_plan(folder).names[0])
    return [
        Figure(
            name=f"{game}/external_sampling against {len(others)} x {opponent}, {estimator}",
            value=float(mean),
            unit="mbb/hand",
            note=f"± {half_width}, {num_hands} hands",
        )
        for estimator, mean, half_width in RESULT.findall(found)
    ]
