"""Speed of a dealer with two always-call clients on loopback, and of whole matches.

The dealer is a process of its own. Both clients share another one, so that two cores
are enough, or have one each, as bots of different people do. Time runs from the first
state to the end of the match. The official C dealer with two C clients made 17,000
actions a second on two idle cores.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from acpcbot.agents.baseline import CallAgent
from acpcbot.matches.in_process import play_in_process
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.plan import MatchPlan
from acpcbot.net.client import Client
from acpcbot.net.event_loop import run
from acpcbot.poker.actions import Action
from acpcbot.poker.definition import format_definition
from acpcbot.poker.shipped import shipped_definition
from acpcbot.protocol.messages import MatchState
from benchmarks.figure import RUNS, Figure, seconds

NUM_HANDS = 5_000
ACTIONS_PER_HAND = 8
GAMES = ("holdem.limit.2p.reverse_blinds", "holdem.nolimit.2p.reverse_blinds")


def figures() -> Iterator[Figure]:
    for game in GAMES:
        for num_processes in (1, 2):
            rates = [actions_a_second(game, num_processes) for _ in range(RUNS)]
            yield Figure(
                name=f"{game.removesuffix('.reverse_blinds')},"
                f" callers in {num_processes} process(es)",
                value=statistics.median(rates),
                unit="actions/s",
                target=10_000,
                note=f"{min(rates):,.0f} to {max(rates):,.0f} in {RUNS} runs",
            )
    took_s = seconds(in_process_match)
    yield Figure(
        name="in-process match of two callers, one core", value=NUM_HANDS / took_s, unit="hands/s"
    )


class TimedCaller(CallAgent):
    """Always calls, and remembers when it was first asked."""

    first_s = 0.0

    def act(self, state: MatchState, deadline_s: float) -> Action:
        self.first_s = self.first_s or time.perf_counter()
        return super().act(state, deadline_s)


def actions_a_second(game: str, num_processes: int) -> float:
    """Return one match of NUM_HANDS hands, all called down, by clients in so many processes."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(num_processes, get_context("spawn")) as pool,
    ):
        words = ["deal", "bench", game, str(NUM_HANDS), "1", "A", "B", "-q"]
        dealer = subprocess.Popen(
            [sys.executable, "-m", "acpcbot", *words],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert dealer.stdout is not None
        ports = [int(port) for port in dealer.stdout.readline().split()]
        shares = [ports] if num_processes == 1 else [[port] for port in ports]
        spans = list(pool.map(play_all, [game] * num_processes, shares))
        dealer.communicate()
    started_s, ended_s = min(span[0] for span in spans), max(span[1] for span in spans)
    return NUM_HANDS * ACTIONS_PER_HAND / (ended_s - started_s)


def play_all(game: str, ports: list[int]) -> tuple[float, float]:
    """Play a caller at each port; the moments of the first question and of the end."""
    return run(play(game, ports))


async def play(game: str, ports: list[int]) -> tuple[float, float]:
    """Return the same in an event loop."""
    definition = shipped_definition(game)
    agents = [TimedCaller(definition, 0) for _ in ports]
    clients = [Client(agent, definition) for agent in agents]
    await asyncio.gather(
        *(client.play("127.0.0.1", port) for client, port in zip(clients, ports, strict=True))
    )
    return min(agent.first_s for agent in agents), time.perf_counter()


def in_process_match() -> None:
    game = GAMES[0]
    definition = shipped_definition(game)
    plan = MatchPlan(
        ("call", "call"), game, format_definition(definition), NUM_HANDS, 1, is_in_process=True
    )
    with tempfile.TemporaryDirectory() as folder:
        settings = plan.settings(plan.tables()[0], Path(folder))
        files = MatchFiles(settings.name, keeps_log=True, keeps_transactions=False, appends=False)
        play_in_process(settings, [CallAgent(definition, 0), CallAgent(definition, 0)], files)
        files.close()
