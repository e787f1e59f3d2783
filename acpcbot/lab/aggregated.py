"""One run of the aggregate method as a unit of an experiment, with checkpoints.

A checkpoint holds the sums and the number of matches: matches draw from streams of their own
numbers, so a run that goes on gives the same sums as one that was not interrupted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.aggregate import Aggregate
from acpcbot.evaluation.searches.players import ISMCTSPlayer, MoveBudget, OOSPlayer, SearchPlayer
from acpcbot.games.sequence_form import SequenceForm, sequence_form
from acpcbot.lab.experiment import Budget, Note, Row, Unit, unit_seed
from acpcbot.lab.oos_players import MOVES, RATES, SMALL_GAMES
from acpcbot.lab.results import write_whole

RUNS = 3
CHECKPOINT, CHECKPOINT_SECONDS = "sums.npy", 30.0
# Enumerating the game and reading kernels, which a process does once for several units.
BEGIN_SECONDS = 1.0
# The seed of the one action at each information set where no search has been: the same for all.
COMPLETION_SEED = 1


def aggregated(
    unit: Unit,
    budget: Budget,
    folder: Path,
    game: str,
    player: SearchPlayer,
    simulations: int,
    num_matches: int,
) -> Iterator[Row | Note]:
    """Play matches of *player* against random play, and yield its exploitability at the end.

    Columns: matches at each seat, what each seat would gain by a best response, their mean; and the
    mean if the action with the greatest sum were always taken.
    """
    assert isinstance(player, OOSPlayer | ISMCTSPlayer)
    yield Note("listing the game")
    rules = SMALL_GAMES[game]
    aggregate = Aggregate(
        rules,
        form_of(game),
        player,
        MoveBudget(simulations=simulations),
        unit_seed(budget, unit),
        completion_seed=COMPLETION_SEED,
    )
    _load(folder / CHECKPOINT, aggregate)
    kept = time.monotonic()
    while aggregate.num_matches < num_matches:
        aggregate.play(1)
        yield Note(f"{aggregate.num_matches} of {num_matches} matches a seat")
        if time.monotonic() - kept > CHECKPOINT_SECONDS:
            _save(folder / CHECKPOINT, aggregate)
            kept = time.monotonic()
    response = aggregate.best_response()
    greedy = aggregate.best_response(is_greedy=True)
    first, second = response.gains
    yield {
        "matches": num_matches,
        "gain_0": round(first, 6),
        "gain_1": round(second, 6),
        "exploitability": round(response.exploitability, 6),
        "greedy_exploitability": round(greedy.exploitability, 6),
    }


@cache
def form_of(game: str) -> SequenceForm:
    """Return the sequence form of the game of that name, enumerated once a process."""
    return sequence_form(SMALL_GAMES[game])


def cpu_seconds(game: str, num_matches: int, simulations: int) -> float:
    """Return about how long a run takes on one core."""
    moves = num_matches * MOVES[game]
    return BEGIN_SECONDS + moves * (simulations / RATES[game] + 0.001)


def _save(path: Path, aggregate: Aggregate) -> None:
    data = np.append(aggregate.sums, aggregate.num_matches)
    write_whole(path, data.tobytes())


def _load(path: Path, aggregate: Aggregate) -> None:
    if not path.exists():
        return
    data = np.frombuffer(path.read_bytes())
    if len(data) != len(aggregate.sums) + 1:
        raise UsageError(
            f"{path}: {len(data)} numbers, expected {len(aggregate.sums) + 1}",
            "delete it: its unit is begun anew",
        )
    aggregate.sums[:], aggregate.num_matches = data[:-1], int(data[-1])
