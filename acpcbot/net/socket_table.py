"""One table over real sockets in one event loop: a dealer on loopback and a client for every seat.

A seat is taken by one of our agents or by a program of somebody else's, started
as ACPC bots are: ``PROGRAM HOST PORT``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acpcbot.errors import MatchAborted
from acpcbot.matches.agent import Agent
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings
from acpcbot.matches.table import Phase, Table
from acpcbot.net.client import Client
from acpcbot.net.dealer import deal_match
from acpcbot.net.journal import Journal
from acpcbot.net.listening import DealerPlace, open_ports

START_TIMEOUT_MS = 60_000
EXIT_S = 10.0


@dataclass(frozen=True, slots=True)
class Program:
    """A bot of somebody else's: an executable file that takes a host and a port."""

    path: Path


Player = Agent | Program


async def play_over_sockets(
    settings: MatchSettings, players: Sequence[Player], files: MatchFiles, journal: Journal
) -> int:
    """Play the match; the number of fallbacks of our own agents. Raises MatchAborted."""
    place = DealerPlace(start_timeout_ms=START_TIMEOUT_MS, linger_s=0.0)
    listeners = open_ports(place, settings.definition.num_players)
    ports = [listener.getsockname()[1] for listener in listeners]
    words: list[str] = []
    dealing: asyncio.Task[Any] = asyncio.create_task(deal_match(settings, place, listeners, files, words.append))
    seated: list[asyncio.Task[Any]] = [
        asyncio.create_task(_sit(settings, seat, player, place.host, ports[seat], journal))
        for seat, player in enumerate(players)
    ]
    try:
        await asyncio.wait([dealing, *seated], return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait([dealing], timeout=EXIT_S)  # who left before the match was over has ended it
    finally:
        dealing.cancel()
        results = await _outcomes([dealing, *seated])
    table = results[0]
    if not isinstance(table, Table) or table.phase is not Phase.FINISHED:
        faults = [str(result) or repr(result) for result in results[1:] if isinstance(result, Exception)]
        raise MatchAborted("; ".join([*(word.strip() for word in words), *faults]))
    return sum(result for result in results if isinstance(result, int))


async def _outcomes(tasks: list[asyncio.Task[Any]]) -> list[Any]:
    """What came of the dealer and of every seat once the match is over; who does not leave is made to."""
    try:
        await asyncio.wait(tasks, timeout=EXIT_S)
    finally:
        for task in tasks:
            task.cancel()
    return await asyncio.gather(*tasks, return_exceptions=True)


async def _sit(settings: MatchSettings, seat: int, player: Player, host: str, port: int, journal: Journal) -> int:
    if isinstance(player, Program):
        return await _run_program(player, f"{settings.name}.player{seat}", host, port)
    client = Client(player, settings.definition, journal=journal.bind(player=settings.player_names[seat]))
    report = await client.play(host, port)
    return report.num_fallbacks


async def _run_program(program: Program, stem: str, host: str, port: int) -> int:
    """Run *program* until its match is over; it has a moment to leave, then it is ended."""
    with Path(f"{stem}.std").open("ab") as output, Path(f"{stem}.err").open("ab") as errors:
        process = await asyncio.create_subprocess_exec(
            str(program.path.resolve()),
            host,
            str(port),
            stdout=output,
            stderr=errors,
            cwd=program.path.resolve().parent,
        )
        try:
            status = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    if status:
        raise MatchAborted(f"{program.path} ended with status {status}; what it said is in {stem}.err")
    return 0
