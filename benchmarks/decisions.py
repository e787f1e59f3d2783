"""CPU time of a stored strategy's decision: its bucket on each street, and all at a dealer.

A decision at the dealer is a line that comes, is read, answered and sent, in a process of ``acpcbot
play`` of its own. Two matches of different length are played, so that the start is left out of
account. The shipped match is played twice, and the second time is told, when compiled kernels are
kept.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from acpcbot.abstraction.canonical_boards import BOARD_SIZES
from acpcbot.abstraction.holdem_abstraction import STREETS, HoldemAbstraction
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import snapshots_below
from acpcbot.strategies.manifest import read_manifest
from benchmarks.figure import RUNS, Figure

SEED = 1
NUM_HANDS = 1000
STRATEGIES = Path("strategies")
HOLDEM = STRATEGIES / "holdem.limit.2p.reverse_blinds"
SHIPPED_MATCH = [
    str(HOLDEM / "external_sampling"),
    str(HOLDEM / "smooth_uct"),
    "--hands",
    "3000",
    "--duplicate",
]
BUCKET_TARGET_US, DECISION_TARGET_US, MATCH_TARGET_S = 50, 200, 12
SHORT_MATCH, LONG_MATCH = 300, 2300
PLAYERS = {
    "limit, k-means": HOLDEM / "external_sampling",
    "limit, E[HS2]": HOLDEM / "smooth_uct",
    "three players": STRATEGIES / "holdem.limit.3p/smooth_uct",
    "no-limit": STRATEGIES / "holdem.nolimit.2p.reverse_blinds/cfr_br",
}


def figures() -> Iterator[Figure]:
    for folder in snapshots_below(STRATEGIES):
        yield from buckets(folder)
    for label, folder in PLAYERS.items():
        yield decisions(label, folder)
    yield from shipped_match()


def buckets(folder: Path) -> Iterator[Figure]:
    """Yield the bucket of a random hand on each street."""
    abstraction = load_snapshot(folder).abstraction
    if not isinstance(abstraction, HoldemAbstraction):
        return
    random = Random(SEED)
    hands = [tuple(random.sample(range(52), 7)) for _ in range(NUM_HANDS)]
    for street in range(len(abstraction.num_buckets)):
        yield Figure(
            name=f"bucket, {folder.relative_to(STRATEGIES)}, {STREETS[street]}",
            value=cpu_us(partial(find_all, abstraction, street, hands)) / NUM_HANDS,
            unit="us of CPU",
            target=BUCKET_TARGET_US,
            higher_is_better=False,
        )


def find_all(abstraction: HoldemAbstraction, street: int, hands: Sequence[tuple[int, ...]]) -> None:
    """The buckets of *hands*, which have two hole cards first, on *street*."""
    end = 2 + BOARD_SIZES[street]
    for hand in hands:
        abstraction.bucket(street, hand[:2], hand[2:end])


def cpu_us(work: Callable[[], object]) -> float:
    """Return the median of some runs, after one that may compile."""
    work()
    times = []
    for _ in range(RUNS):
        started_ns = time.process_time_ns()
        work()
        times.append(time.process_time_ns() - started_ns)
    return statistics.median(times) / 1000


@dataclass(frozen=True, slots=True)
class Seat:
    """A process of ``acpcbot play`` that has ended."""

    cpu_s: float
    num_decisions: int


def decisions(label: str, folder: Path) -> Figure:
    """Return the players' CPU time for a decision of one match, the start left out."""
    play(folder, 1)  # compiles what has to be compiled
    short, long = play(folder, SHORT_MATCH), play(folder, LONG_MATCH)
    cpu_s = sum(seat.cpu_s for seat in long) - sum(seat.cpu_s for seat in short)
    number = sum(seat.num_decisions for seat in long) - sum(seat.num_decisions for seat in short)
    return Figure(
        name=f"decision at a dealer, {label}",
        value=cpu_s / number * 1e6,
        unit="us of CPU",
        target=DECISION_TARGET_US,
        note=f"{number:,} decisions",
        higher_is_better=False,
    )


def play(folder: Path, num_hands: int) -> list[Seat]:
    """Play the strategy in *folder* against itself at a dealer, each seat in its own process."""
    game = read_manifest(folder).game_name
    num_seats = int(game.rpartition("limit.")[2].partition("p")[0])
    with tempfile.TemporaryDirectory() as logs:
        names = [f"player{seat}" for seat in range(num_seats)]
        words = ["deal", str(Path(logs) / "match"), game, str(num_hands), "0", *names]
        command = [sys.executable, "-m", "acpcbot", *words]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as dealer:
            assert dealer.stdout is not None
            ports = dealer.stdout.readline().split()
            seats = [start_player(folder, game, port) for port in ports]
            ended = [wait_for(seat) for seat in seats]
            dealer.stdout.read()
    return ended


def start_player(folder: Path, game: str, port: str) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "acpcbot",
        "play",
        str(folder),
        "127.0.0.1",
        port,
        "--game",
        game,
    ]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def wait_for(seat: subprocess.Popen[str]) -> Seat:
    """Return the CPU time of *seat*, by the system's account of ended processes."""
    assert seat.stderr is not None
    with seat.stderr:
        talk = seat.stderr.read()
    _, status, used = os.wait4(seat.pid, 0)
    seat.returncode = os.waitstatus_to_exitcode(status)
    assert seat.returncode == 0, talk
    return Seat(used.ru_utime + used.ru_stime, int(talk.rpartition(" actions")[0].split()[-1]))


def shipped_match() -> Iterator[Figure]:
    """Yield the README's match: the whole command, and what its processes use."""
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            before, started_s = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            command = [
                sys.executable,
                "-m",
                "acpcbot",
                "match",
                *SHIPPED_MATCH,
                "-o",
                str(Path(folder) / "match"),
            ]
            subprocess.run(
                command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            took_s, after = (
                time.perf_counter() - started_s,
                resource.getrusage(resource.RUSAGE_CHILDREN),
            )
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    name = "6,000 hands of the README's match, warm"
    note = f"{cpu_s:.1f} s of CPU"
    yield Figure(
        name=name, value=took_s, unit="s", target=MATCH_TARGET_S, note=note, higher_is_better=False
    )
