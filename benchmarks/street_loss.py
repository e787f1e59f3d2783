"""The cost of play on turns and rivers in no-limit hold'em, by iterations and bets of the search.

Spots are from self-play of the blueprint, so that the search of one street alone is measured, with
the ranges that it assumes. Each is measured in both seats against the search's own sizes, and
against others. LOSS_SPOTS is the number of rivers [60]; of turns there are a fifth as many.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from acpcbot.evaluation.exploitability.street_loss_run import LossRun, mean_loss, spot_losses
from acpcbot.poker.shipped import find_definition
from benchmarks.figure import Figure

ONLY_BY_NAME = True
NAME = "holdem.nolimit.2p.reverse_blinds"
BLUEPRINT = f"strategies/{NAME}/external_sampling"
SEARCH = f"strategies/{NAME}/search?profile=fast"
NUM_SPOTS, SHARE_OF_TURNS, ITERATIONS, SEED = 60, 5, 300, 1
TURN, RIVER = 2, 3
BETS, LATER = "0.5,1,2,all-in;1,all-in", "0.5,1,all-in;1"
OTHER_BETS = "0.1,0.25,0.75,1.5,3;0.5,1"
FEW, USUAL, RICH = "0.5,1,all-in;1,all-in", BETS, "0.33,0.67,1,2,all-in;0.5,1,all-in;1,all-in"


@dataclass(frozen=True, slots=True)
class Case:
    """A *strategy* on a *street*, what it bets there, and the name of the figure."""

    name: str
    street: int
    strategy: str
    bets: str


def _river(iterations: int, bets: str, label: str) -> Case:
    words = f"&river.iterations={iterations}&river.menus={bets}"
    return Case(f"rivers, {label}, {iterations} iterations", RIVER, SEARCH + words, bets)


def _turn(iterations: int, bets: str, label: str) -> Case:
    words = f"&turn.iterations={iterations}&turn.menus={bets}/{LATER}&turn.max_cells=1e9"
    return Case(f"turns to the end, {label}, {iterations} iterations", TURN, SEARCH + words, bets)


CASES = (
    Case("rivers, blueprint", RIVER, BLUEPRINT, BETS),
    _river(100, FEW, "few bets"),
    _river(300, FEW, "few bets"),
    _river(100, USUAL, "usual bets"),
    _river(300, USUAL, "usual bets"),
    _river(600, USUAL, "usual bets"),
    _river(300, RICH, "many bets"),
    Case("turns, blueprint", TURN, BLUEPRINT, BETS),
    Case(
        "turns to the end of the street, four values",
        TURN,
        f"strategies/{NAME}/search?profile=turn",
        FEW,
    ),
    _turn(60, FEW, "few bets"),
    _turn(120, FEW, "few bets"),
    _turn(120, USUAL, "usual bets"),
    _turn(240, USUAL, "usual bets"),
)


def figures() -> Iterator[Figure]:
    """Yield the loss of each case, in percent of the pot."""
    num_rivers = int(os.environ.get("LOSS_SPOTS", NUM_SPOTS))
    definition = find_definition(NAME)[1]
    for case in CASES:
        run = LossRun(
            definition, case.strategy, case.street, case.bets, (case.bets, OTHER_BETS), LATER,
            ITERATIONS, SEED,
        )  # fmt: skip
        num_spots = num_rivers if case.street == RIVER else max(2, num_rivers // SHARE_OF_TURNS)
        losses = spot_losses(run, num_spots, os.cpu_count() or 1)
        for number, against in enumerate(("its own bets", "other bets")):
            found = mean_loss([spot[number] for spot in losses])
            yield Figure(
                name=f"{case.name}, against {against}",
                value=found.share,
                unit="% of the pot",
                note=f"± {found.half_width:.2f}, at most {found.most:.2f}, median"
                f" {found.median:.2f}, {found.chips:.0f} chips; {num_spots} spots in both seats",
                higher_is_better=False,
            )
