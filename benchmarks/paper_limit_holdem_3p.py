"""Table 3 of Heinrich & Silver (2015): Smooth UCT and UCT in three-player limit hold'em.

Train both first, which takes hours:

    acpcbot train strategies/holdem.limit.3p/uct/recipe.toml --output
    runs/holdem.limit.3p/uct/snapshot acpcbot train
    strategies/holdem.limit.3p/smooth_uct/recipe.toml

Each meets the same two opponents at a table: two of the other kind, two of its own, and pairs of
players that do not think. In the paper Smooth UCT wins 7.5 mb/h from two UCTs, and UCT loses 8.2 to
two Smooth UCTs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.evaluation.arena import play
from acpcbot.poker.baselines import BASELINES
from acpcbot.poker.shipped import shipped_definition
from acpcbot.strategies.entrants import find_entrant
from acpcbot.strategies.manifest import MANIFEST_FILE
from acpcbot.strategies.whole_policy import TablePolicy
from acpcbot.trees.public_tree import PublicTree, build_tree
from benchmarks.figure import Figure

ONLY_BY_NAME = True

GAME = "holdem.limit.3p"
PLACES = {
    "smooth_uct": (Path("strategies") / GAME / "smooth_uct",),
    "uct": (Path("runs") / GAME / "uct" / "snapshot", Path("strategies") / GAME / "uct"),
}
NUM_DEALS = {"rivals": 5_000_000, "baselines": 500_000}
SEED = 1


def figures() -> Iterator[Figure]:
    places = {
        name: next((path for path in paths if (path / MANIFEST_FILE).exists()), None)
        for name, paths in PLACES.items()
    }
    if None in places.values():
        yield Figure(
            name="trained strategies",
            value=0,
            unit="strategies",
            note="train both first, see the module",
        )
        return
    tree = build_tree(shipped_definition(GAME))
    dealer = DealSources(tree.definition)
    known = {name: find_entrant(f"{place}?play=greedy", tree) for name, place in places.items()}
    known |= {name: find_entrant(name, tree) for name in BASELINES}
    for hero, rival in (("smooth_uct", "uct"), ("uct", "smooth_uct")):
        yield met(tree, dealer, known, hero, (rival, rival), NUM_DEALS["rivals"])
    for opponents in combinations_with_replacement(("call", "raise", "random"), 2):
        for hero in PLACES:
            yield met(tree, dealer, known, hero, opponents, NUM_DEALS["baselines"])


def met(
    tree: PublicTree,
    dealer: DealSources,
    known: dict[str, TablePolicy],
    hero: str,
    opponents: tuple[str, str],
    num_deals: int,
) -> Figure:
    """Return the winnings of *hero* from the two *opponents*, each deal in all seatings."""
    entrants = [known[name] for name in (hero, *opponents)]
    threads = os.cpu_count() or 1
    result = play(
        tree, entrants, num_deals, SEED, num_threads=threads, deal_sources=dealer
    ).results[0]
    return Figure(
        name=f"{hero} against {' and '.join(opponents)}",
        value=round(result.mean_mbb, 2),
        unit="mbb/hand",
        note=f"± {result.half_width_mbb:.2f}",
    )
