"""Winnings of search at the table from its blueprint, a coarse strategy and simple players.

The matches are duplicates in process, by profiles that always answer alike, with AIVAT: the
recorded strategies of searchers and stored strategies are known. The blueprint plays the others on
the same deals, so that the gain of searching is measured in pairs. The coarse strategy
(``coarse_rivals.py``: pots and all-ins, 50 buckets a street) is trained first. SEARCH_DEALS is the
number of deals of the match of the default against its blueprint, both ways round [400]; half of it
is played against the others. MATCH_ONLY is a pattern: only matches whose name it matches are
played, and kept beside the others. SEARCH_FOLDER is the strategy that searches. All lies in the
folder ``search_matches``, and matches are resumed from there.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path

from acpcbot.matches.plan import load_plan
from acpcbot.search.settings import read_search_folder
from benchmarks.coarse_rivals import COARSE, coarse_rival
from benchmarks.commands import acpcbot
from benchmarks.figure import Figure
from benchmarks.kept import STRENGTH

ONLY_BY_NAME, KEEPS_OTHERS, SECTION = True, True, STRENGTH

GAME = "holdem.nolimit.2p.reverse_blinds"
FOLDER, HOME = f"strategies/{GAME}/search", Path("search_matches")
COARSE_BETS = "\n".join(
    f'{name} = [[1, "all-in"]]' for name in ("preflop", "flop", "turn", "river")
)
COARSE_ITERATIONS = 30_000_000
BASELINES = ("tight", "call", "fold", "raise", "random")
NUM_DEALS, SMALL_SHARE = 400, 2
RESULT = re.compile(r"^  (AIVAT|chips).*? ([+-][0-9.]+) ± ([0-9.]+) mbb/hand", re.MULTILINE)
SHOWN = ("chips", "AIVAT")
Measurement = Callable[[], list[Figure]]


def figures() -> Iterator[Figure]:
    """Yield winnings of the search, and by how much they are above its blueprint's."""
    wanted = re.compile(os.environ.get("MATCH_ONLY", ""))
    own = os.environ.get("SEARCH_FOLDER", FOLDER)
    num_deals = int(os.environ.get("SEARCH_DEALS", NUM_DEALS))
    chosen = [found for name, found in contests(own, num_deals).items() if wanted.search(name)]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        yield from chain.from_iterable(threads.map(lambda measure: measure(), chosen))


def contests(own: str, num_deals: int) -> dict[str, Measurement]:
    """Return what measures each contest of the search *own*, by its name."""
    blueprint = str(read_search_folder(Path(own)).blueprint.resolve())
    few = num_deals // SMALL_SHARE
    found: dict[str, Measurement] = {}
    for name, player in (("default", own), ("all but flops", f"{own}?profile=turn")):
        label = f"{name} against its blueprint"
        found[label] = partial(result, label, player, blueprint, num_deals)
    for name in (COARSE, *BASELINES):
        label = f"default against {name}"
        found[label] = partial(gain, label, (own, blueprint), name, few)
    return found


def result(
    label: str, player: str, opponent: str, num_deals: int, game: str = GAME
) -> list[Figure]:
    """Return *player*'s win rate in *num_deals* deals against *opponent*, by chips and AIVAT."""
    folder = played(label, player, opponent, num_deals, game)
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


def gain(label: str, players: tuple[str, str], opponent: str, num_deals: int) -> list[Figure]:
    """Return how much more the first of *players* wins from *opponent* than the second."""
    rival = opponent
    if opponent == COARSE:
        rival = str(coarse_rival(HOME, GAME, COARSE_ITERATIONS, COARSE_BETS))
    labels = label, f"its blueprint{label.removeprefix('default')}"
    folders = [
        str(played(each, player, rival, num_deals, GAME))
        for each, player in zip(labels, players, strict=True)
    ]
    found = json.loads(acpcbot("compare", *folders, "--json"))["differences"]
    return [
        Figure(
            name=f"{label}, gain over its blueprint, {each['name']}",
            value=each["mean_mbb"],
            unit="mbb/hand",
            note=f"± {each['half_width_mbb']:.1f}: {each['first_mbb']:.1f} instead of"
            f" {each['second_mbb']:.1f}, {num_deals} deals both ways round",
        )
        for each in found
        if each["name"] in SHOWN
    ]


def played(label: str, player: str, opponent: str, num_deals: int, game: str) -> Path:
    """Return the folder of the match of *player* against *opponent*, played to its end."""
    folder = HOME / f"{re.sub(r'[^a-z0-9_]+', '_', label)}-{num_deals}"
    words = "--game", game, "--hands", str(num_deals), "--duplicate", "--in-process"
    new = [player, opponent, *words, "--jobs", "1", "-o", str(folder)]
    acpcbot("match", *(["--resume", str(folder), "--jobs", "1"] if folder.exists() else new))
    return folder
