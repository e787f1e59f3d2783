"""The cost of play street by street in no-limit hold'em, by iterations and bets of the search.

Spots are from self-play of the blueprint, so that the search of one street alone is measured, with
the ranges that it assumes. Each is measured in both seats against the sizes that the search expects,
and against many more. LOSS_SPOTS is the number of rivers [40]; of turns there are a fifth as many,
of flops a tenth, solved in fewer iterations and with fewer bets on later streets. A flop takes up to
14 GB and many minutes, so flops are measured against sizes that no search has in its tree, and no
others; no more spots are measured at once than fit. LOSS_ONLY is a pattern: only cases whose name
it matches are measured, and kept beside the others. Those of a street are measured together, against
one free solution of each spot, and compared with the first of them. LOSS_DIR is a folder in which
spots that are done are kept, so that the same command goes on after an interrupt.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from acpcbot.cli.progress_bars import make_bars, new_bar
from acpcbot.evaluation.exploitability.street_loss_run import (
    LossRow,
    LossRun,
    kept_spots,
    loss_rows,
    spot_losses,
)
from acpcbot.memory import available_bytes, processes_that_fit
from acpcbot.poker.shipped import find_definition
from benchmarks.figure import Figure

ONLY_BY_NAME, KEEPS_OTHERS = True, True
NAME = "holdem.nolimit.2p.reverse_blinds"
BLUEPRINT = f"strategies/{NAME}/cfr_br"
SEARCH = f"strategies/{NAME}/search"
NUM_SPOTS, SEED = 40, 1
FLOP, TURN, RIVER = 1, 2, 3
EXPECTED, MORE, BETWEEN = "expected bets", "more bets", "bets between"
ANEW = "follow_solution=false", "max_pot_ratio=1"
ROLLOUTS = (
    "drawn_boards=0",
    "num_continuations=4",
    "int16=false",
    "iterations=150",
    "menus=0.33,0.67,1,2,all-in;0.5,1,all-in;1,all-in:"
    "min,0.25,0.5,1,2.5,all-in;0.5,1,all-in;1,all-in",
)


@dataclass(frozen=True, slots=True)
class Street:
    """A street, the bets of the search there, and those of its opponent by name.

    ``later`` are all bets on the next streets, ``iterations`` those of each solution, and ``share``
    is the number of rivers for each spot.
    """

    number: int
    name: str
    own: str
    against: dict[str, str]
    later: str
    iterations: int
    share: int


RIVERS = Street(
    RIVER,
    "river",
    "0.5,1,2,all-in;0.5,1,all-in;1,all-in",
    {
        EXPECTED: "min,0.15,0.33,0.75,1.5,4,12,all-in;0.5,1,2.5,all-in;1,all-in",
        MORE: "min,0.1,0.15,0.25,0.33,0.5,0.75,1,1.5,2.5,4,7,12,20,all-in;"
        "0.25,0.5,0.75,1,1.5,2.5,all-in;1,all-in",
    },
    "1",
    400,
    1,
)
TURNS = Street(
    TURN,
    "turn",
    "0.5,1,all-in;1,all-in;all-in",
    {
        EXPECTED: "0.33,0.75,1.5,all-in;1,all-in;all-in",
        MORE: "0.1,0.33,0.5,0.75,1.5,4,all-in;0.5,1,all-in;all-in",
    },
    "0.75,all-in;1;all-in",
    120,
    5,
)
FLOPS = Street(
    FLOP,
    "flop",
    "0.33,0.67,1,2,all-in;1,all-in;all-in",
    {BETWEEN: "0.2,0.6,1.7;all-in;all-in"},
    "0.67;",
    40,
    10,
)


@dataclass(frozen=True, slots=True)
class Case:
    """A *strategy* on a *street*, and the *name* of its figure."""

    name: str
    street: Street
    strategy: str = BLUEPRINT


def _river(name: str, *words: str) -> Case:
    changes = "".join([f"&river.{word}" for word in words])
    return Case(f"rivers, {name}", RIVERS, f"{SEARCH}?profile=fast{changes}")


def _turn(name: str, *words: str) -> Case:
    """A turn, searched by the usual profile with no limit of time, after streets of the blueprint."""
    changes = "".join([f"&turn.{word}" for word in ("seconds=inf", "max_cells=1e9", *words)])
    return Case(
        f"turns, {name}", TURNS, f"{SEARCH}?profile=match&threads=1&preflop=off&flop=off{changes}"
    )


def _flop(name: str, *words: str) -> Case:
    """A flop, searched by the usual profile with no limit of time, after the blueprint's start."""
    changes = "".join([f"&flop.{word}" for word in ("seconds=inf", *words)])
    return Case(f"flops, {name}", FLOPS, f"{SEARCH}?profile=match&threads=1&preflop=off{changes}")


CASES = (
    Case("rivers, blueprint", RIVERS),
    _river("100 iterations", "iterations=100"),
    _river("300 iterations, as in fast"),
    _river("300 iterations, weak_prior 0.1, as in the default", "weak_prior=0.1"),
    _river("600 iterations, as in match", "iterations=600"),
    _river("300 iterations, each decision anew", *ANEW),
    _river("300 iterations, few bets, each anew", "menus=0.5,1,all-in;1,all-in", *ANEW),
    _river("300 iterations, resolve from the first", "root_gadget=resolve"),
    _river("300 iterations, maxmargin from the first", "root_gadget=maxmargin"),
    Case("turns, blueprint", TURNS),
    _turn("60 iterations", "iterations=60", "min_iterations=60"),
    _turn("120 iterations", "iterations=120"),
    _turn("240 iterations, as in match at most"),
    _turn(
        "120 iterations, few bets", "iterations=120", "menus=0.75,all-in;all-in/0.75,all-in;all-in"
    ),
    _turn("120 iterations, resolve from the first", "iterations=120", "root_gadget=resolve"),
    Case("flops, blueprint", FLOPS),
    _flop("as in match"),
    _flop("resolve from the first", "root_gadget=resolve"),
    _flop("rollouts with four continuations", *ROLLOUTS),
    _flop("4 drawn rivers", "drawn_boards=4", "max_cells=1e12"),
)


def figures() -> Iterator[Figure]:
    """Yield the loss of each case, in percent of the pot, and what it gains over the first."""
    num_rivers = int(os.environ.get("LOSS_SPOTS", NUM_SPOTS))
    wanted = re.compile(os.environ.get("LOSS_ONLY", ""))
    for street in (RIVERS, TURNS, FLOPS):
        cases = [case for case in CASES if case.street is street and wanted.search(case.name)]
        if cases:
            yield from _street_figures(street, cases, max(2, num_rivers // street.share))


def _street_figures(street: Street, cases: list[Case], num_spots: int) -> Iterator[Figure]:
    """Yield the figures of *cases* on *street*, measured at *num_spots* spots."""
    strategies = tuple(case.strategy for case in cases)
    run = LossRun(
        find_definition(NAME)[1], strategies, street.number, street.own,
        tuple(street.against.values()), street.later, street.iterations, SEED,
    )  # fmt: skip
    cores = os.cpu_count() or 1
    processes = processes_that_fit(run.spot_bytes(), available_bytes(), min(cores, num_spots))
    run = replace(run, num_threads=max(1, cores // processes))
    folder = os.environ.get("LOSS_DIR")
    kept = kept_spots(run, Path(folder, street.name)) if folder else None
    with make_bars() as bars:
        losses = spot_losses(run, num_spots, processes, new_bar(bars, "spots"), kept=kept)
    bets = {text: name for name, text in street.against.items()}
    names = {case.strategy: case.name for case in cases}
    for row in loss_rows(run, losses):
        yield from _row_figures(row, names, bets[row.against], num_spots)


def _row_figures(
    row: LossRow, names: dict[str, str], bets: str, num_spots: int
) -> Iterator[Figure]:
    loss, name = row.loss, names[row.name]
    yield Figure(
        name=f"{name}, against {bets}",
        value=loss.share,
        unit="% of the pot",
        note=f"± {loss.half_width:.2f}, at most {loss.most:.2f}, median {loss.median:.2f},"
        f" {loss.chips:.0f} chips; {num_spots} spots in both seats",
        higher_is_better=False,
    )
    if row.gain is not None:
        yield Figure(
            name=f"{name}, gain over {next(iter(names.values()))}, against {bets}",
            value=row.gain.share,
            unit="% of the pot",
            note=f"± {row.gain.half_width:.2f}; {num_spots} spots in both seats",
        )
