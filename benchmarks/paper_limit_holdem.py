"""Figure 3 of Heinrich & Silver (2015): Smooth UCT against UCT in limit hold'em, by episodes.

Train both first, which takes hours; their runs keep a snapshot every 500 million episodes:

    acpcbot train strategies/holdem.limit.2p.reverse_blinds/uct/recipe.toml
    acpcbot train strategies/holdem.limit.2p.reverse_blinds/smooth_uct/recipe.toml

At each count that both runs have a snapshot of, their greedy policies meet each other and, if it is
there, the strongest shipped strategy. Writes docs/figures/smooth_uct_limit_holdem.csv and .png. In
the paper UCT is ahead up to about 13 billion episodes, and Smooth UCT by 5.28 mb/h after 62
billion.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.evaluation.arena import ArenaScore, play
from acpcbot.poker.shipped import shipped_definition
from acpcbot.strategies.entrants import find_entrant
from acpcbot.strategies.manifest import MANIFEST_FILE
from acpcbot.training.curve import INTERVAL, Curve
from acpcbot.trees.public_tree import PublicTree, build_tree
from benchmarks.figure import Figure
from benchmarks.paper_curves import FOLDER

ONLY_BY_NAME = True

GAME = "holdem.limit.2p.reverse_blinds"
RUNS = Path("runs") / GAME
REFERENCE = Path("strategies") / GAME / "external_sampling"
NUM_DEALS = 5_000_000
SEED = 1
MATCH = "smooth_uct_against_uct"


def figures() -> Iterator[Figure]:
    tree = build_tree(shipped_definition(GAME))
    dealer = DealSources(tree.definition)
    counts = common_counts()
    if not counts:
        yield Figure(
            name="snapshots of both runs",
            value=0,
            unit="snapshots",
            note=f"none below {RUNS}: train first",
        )
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    curve = Curve(FOLDER / "smooth_uct_limit_holdem.csv")
    curve.forget_after(0)
    for count in counts:
        values = measured(tree, dealer, count)
        curve.add(count, 0, values)
        name = f"Smooth UCT against UCT, {count / 1e9:g} billion episodes"
        note = f"± {values[f'{MATCH}{INTERVAL}']:.2f}"
        yield Figure(name=name, value=round(values[MATCH], 2), unit="mbb/hand", note=note)
    curve.draw("greedy policies in two-player limit hold'em, mbb/hand")


def common_counts() -> list[int]:
    """Return the episode counts that both runs have kept a snapshot of."""
    kept = [
        {int(path.name) for path in (RUNS / name / "snapshots").glob("[0-9]*")}
        for name in ("uct", "smooth_uct")
    ]
    return sorted(kept[0] & kept[1])


def measured(tree: PublicTree, dealer: DealSources, count: int) -> dict[str, float]:
    """Return a point of the figure: win rates with half their 95 % intervals, in mbb/hand."""
    strongest = f"{REFERENCE}?play=purified"
    values = cells(MATCH, met(tree, dealer, greedy("smooth_uct", count), greedy("uct", count)))
    if (REFERENCE / MANIFEST_FILE).exists():
        for name in ("smooth_uct", "uct"):
            values |= cells(
                f"{name}_against_external_sampling",
                met(tree, dealer, greedy(name, count), strongest),
            )
    return values


def met(tree: PublicTree, dealer: DealSources, first: str, second: str) -> ArenaScore:
    entrants = [find_entrant(first, tree), find_entrant(second, tree)]
    return play(
        tree, entrants, NUM_DEALS, SEED, num_threads=os.cpu_count() or 1, deal_sources=dealer
    )


def greedy(name: str, count: int) -> str:
    return f"{RUNS / name / 'snapshots' / str(count)}?play=greedy"


def cells(name: str, score: ArenaScore) -> dict[str, float]:
    result = score.results[0]
    return {name: result.mean_mbb, f"{name}{INTERVAL}": result.half_width_mbb}
