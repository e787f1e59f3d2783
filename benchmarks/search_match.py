"""Winnings of search at the table and of its blueprint: each other, and simple players.

The matches are duplicates in process, by the profiles that always answer alike, with AIVAT: the
recorded strategies of searchers and stored strategies are known. SEARCH_DEALS is the number of
deals of the match in which rivers are searched against the blueprint, both ways round [400]; half
of it is played in the others, which take longer or are sooner decided. SEARCH_FOLDER is the
strategy that searches. Matches are kept in the folder ``search_matches`` and resumed from there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

from acpcbot.matches.plan import load_plan
from acpcbot.search.settings import read_search_folder
from benchmarks.commands import acpcbot
from benchmarks.figure import Figure
from benchmarks.kept import STRENGTH

ONLY_BY_NAME, SECTION = True, STRENGTH

GAME = "holdem.nolimit.2p.reverse_blinds"
FOLDER, HOME = f"strategies/{GAME}/search", Path("search_matches")
BASELINES = ("call", "fold", "raise", "random", "tight")
NUM_DEALS, SMALL_SHARE = 400, 2
RESULT = re.compile(r"^  (AIVAT|chips).*? ([+-][0-9.]+) ± ([0-9.]+) mbb/hand", re.MULTILINE)


def figures() -> Iterator[Figure]:
    folder, num_deals = (
        os.environ.get("SEARCH_FOLDER", FOLDER),
        int(os.environ.get("SEARCH_DEALS", NUM_DEALS)),
    )
    blueprint = read_search_folder(Path(folder)).blueprint
    if not blueprint.is_dir():
        yield Figure(
            name="search at the table", value=0, unit="matches", note=f"there is no {blueprint} yet"
        )
        return
    own, fast, turn = str(blueprint.resolve()), f"{folder}?profile=fast", f"{folder}?profile=turn"
    contests = {
        "rivers against its blueprint": (fast, own, num_deals),
        "all but flops against its blueprint": (turn, own, num_deals // SMALL_SHARE),
        **{f"rivers against {name}": (fast, name, num_deals // SMALL_SHARE) for name in BASELINES},
        **{
            f"its blueprint against {name}": (own, name, num_deals // SMALL_SHARE)
            for name in BASELINES
        },
    }
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        yield from chain.from_iterable(
            threads.map(result, contests, *zip(*contests.values(), strict=True))
        )


def result(
    label: str, player: str, opponent: str, num_deals: int, game: str = GAME
) -> list[Figure]:
    """Return *player*'s win rate in *num_deals* deals against *opponent*, by chips and AIVAT."""
    folder = HOME / f"{re.sub(r'[^a-z0-9_]+', '_', label)}-{num_deals}"
    words = [
        "--game",
        game,
        "--hands",
        str(num_deals),
        "--duplicate",
        "--in-process",
        "--jobs",
        "1",
    ]
    new = [player, opponent, *words, "-o", str(folder)]
    acpcbot("match", *(["--resume", str(folder), "--jobs", "1"] if folder.exists() else new))
    found = acpcbot("evaluate", str(folder), "--player", load_plan(folder).names[0])
    return [
        Figure(
            name=f"{label}, {estimator}",
            value=float(mean),
            unit="mbb/hand",
            note=f"± {half_width}, {num_deals} deals both ways round",
        )
        for estimator, mean, half_width in RESULT.findall(found)
    ]
