"""CPU time of the dealer alone: an action after its start, and the start. Linux only.

Two players in processes of their own act at random, with fixed seeds, so that every dealer deals
the same match. They are ours (``python -m benchmarks.dealer_cpu GAME HOST PORT SEED``), or those
that the variable ACPC_PLAYER names, a program that takes the same four words. Where ACPC_DEALER
names the official dealer it plays the same match for comparison, in turn with ours.

CPU is user and system time of the dealer's process from when it has told its ports to its end.
Where other work shares the cores it is larger, and so is the official dealer's: compare the two. A
start loads compiled modules, also where the environment forbids to write them.
"""

from __future__ import annotations

import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import load_definition
from acpcbot.poker.shipped import shipped_path
from acpcbot.protocol.client_side import ClientConnection
from acpcbot.protocol.messages import MatchState
from benchmarks.figure import RUNS, Figure

NUM_HANDS = 4_000
GAMES = ("holdem.limit.2p.reverse_blinds", "holdem.nolimit.2p.reverse_blinds")
OURS = [sys.executable, "-m", "acpcbot", "deal"]
OFFICIAL = os.environ.get("ACPC_DEALER", "")
PLAYER = os.environ.get("ACPC_PLAYER", "")
MOST_US, MOST_START_S, MOST_START_MB = 30.0, 0.15, 45.0
NANOS, MEGA = 1e9, 1024.0
FOLDS = 0.06


@dataclass(frozen=True, slots=True)
class Dealt:
    """The CPU time of one match."""

    start_cpu_s: float
    start_mb: float
    cpu_us_an_action: float
    hands_a_second: float


def figures() -> Iterator[Figure]:
    if sys.platform != "linux":
        return
    for game in GAMES:
        name = game.removesuffix(".reverse_blinds")
        dealers = {"acpcbot deal": OURS} | ({"the official dealer": [OFFICIAL]} if OFFICIAL else {})
        runs: dict[str, list[Dealt]] = {dealer: [] for dealer in dealers}
        for _ in range(RUNS):
            for dealer, command in dealers.items():
                runs[dealer].append(deal(command, game))
        for dealer, found in runs.items():
            target = MOST_US if dealer == "acpcbot deal" else None
            yield _figure(
                f"{dealer}, {name}: CPU an action",
                [run.cpu_us_an_action for run in found],
                "us",
                target,
            )
            speeds = [run.hands_a_second for run in found]
            yield Figure(
                name=f"{dealer}, {name}",
                value=statistics.median(speeds),
                unit="hands/s",
                note=_span(speeds),
            )
    start = runs["acpcbot deal"]
    yield _figure(
        "start of acpcbot deal: CPU", [run.start_cpu_s for run in start], "s", MOST_START_S
    )
    yield _figure(
        "start of acpcbot deal: memory", [run.start_mb for run in start], "MB", MOST_START_MB
    )


def _figure(name: str, values: list[float], unit: str, target: float | None) -> Figure:
    value = statistics.median(values)
    return Figure(
        name=name, value=value, unit=unit, target=target, note=_span(values), higher_is_better=False
    )


def _span(values: list[float]) -> str:
    return f"{min(values):,.3g} to {max(values):,.3g} in {len(values)} runs"


def deal(dealer: Sequence[str], game: str) -> Dealt:
    """Return one match at *dealer* between two players that act at random."""
    path = str(shipped_path(game))
    with tempfile.TemporaryDirectory() as folder:
        command = [*dealer, "match", path, str(NUM_HANDS), "1", "A", "B", "-q"]
        environment = {
            name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
        }
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        assert process.stdout is not None
        ports = process.stdout.readline().split()
        start_cpu_s, start_mb = cpu_s(process.pid), memory_mb(process.pid)
        started_s = perf_counter()
        player = [PLAYER] if PLAYER else [sys.executable, "-m", "benchmarks.dealer_cpu"]
        players = [
            subprocess.Popen([*player, path, "127.0.0.1", port, str(seed)])
            for seed, port in enumerate(ports, start=7)
        ]
        process.stdout.read()
        used = os.wait4(process.pid, 0)[2]
        took_s = perf_counter() - started_s
        process.returncode = 0
        for one in players:
            one.wait()
        actions = count_actions(Path(folder) / "match.log")
    cpu_us = (used.ru_utime + used.ru_stime - start_cpu_s) / actions * 1e6
    return Dealt(start_cpu_s, start_mb, cpu_us, NUM_HANDS / took_s)


def cpu_s(process: int) -> float:
    """Return the time that *process* has been on a core."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / NANOS


def memory_mb(process: int) -> float:
    """Return the most memory that *process* has held."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / MEGA


def count_actions(log: Path) -> int:
    """Return the actions of all hands of *log*."""
    hands = [line.split(":") for line in log.read_text().splitlines() if line.startswith("STATE:")]
    assert len(hands) == NUM_HANDS
    return sum(letter in "fcr" for hand in hands for letter in hand[2])


def play(game: str, host: str, port: str, seed: str) -> None:
    """Act at random until the match is over: mostly calls and raises of any size."""
    lots = random.Random(int(seed))
    protocol = ClientConnection(BettingRules(load_definition(game)))
    with socket.create_connection((host, int(port))) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(protocol.greeting)
        while data := connection.recv(65_536):
            for event in protocol.receive(data):
                if isinstance(event, MatchState) and event.is_my_turn:
                    connection.sendall(protocol.reply(event, choose(event, lots)))


def choose(state: MatchState, lots: random.Random) -> Action:
    """Fold now and then, else call or raise."""
    if state.betting.to_call and lots.random() < FOLDS:
        return FOLDING
    bounds = state.betting.raise_range
    if bounds is None or lots.random() < 0.5:
        return CALLING
    return LIMIT_RAISING if state.definition.is_limit else raising(lots.randint(*bounds))


if __name__ == "__main__":
    play(*sys.argv[1:])
