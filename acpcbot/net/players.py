"""Who takes a seat: one of our agents, a program that is started here, or one that comes by itself.

A strategy is called by its name (``agents/registry.py``), by the path of an executable
file, which is started as ACPC bots are, ``PROGRAM HOST PORT``, or ``remote:NAME``: for that
one the dealer waits at the ``RemotePorts``. What nobody can play raises UnknownStrategy,
BadSnapshot or UsageError.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from acpcbot.agents.names import KNOWN, is_router
from acpcbot.agents.registry import make_agent, verify_name
from acpcbot.errors import UsageError
from acpcbot.matches.agent import Agent
from acpcbot.matches.plan import MatchPlan, Plan, TablePlan
from acpcbot.net.listening import LOOPBACK
from acpcbot.rng import Stream

REMOTE = "remote:"
START_TIMEOUT_S = 600.0
OWN_START_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Program:
    """A bot of somebody else's: an executable file that takes a host and a port."""

    path: Path


@dataclass(frozen=True, slots=True)
class Remote:
    """A bot that connects by itself."""


Player = Agent | Program | Remote


@dataclass(frozen=True, slots=True)
class RemotePorts:
    """Where remote entrants come in, and how long they are waited for.

    *ports* holds the port of each entrant, by name, that has one of his own; for the
    others it is the system's choice, another one at each table. Without a *start_timeout_s* remote
    entrants are waited for longer than those that are started here; a negative one has no end.
    """

    host: str = LOOPBACK
    ports: Mapping[str, int] = field(default_factory=dict)
    start_timeout_s: float | None = None

    def start_timeout_ms(self, *, has_guests: bool) -> int:
        """How long each seat of a table may stay empty."""
        usual = START_TIMEOUT_S if has_guests else OWN_START_TIMEOUT_S
        return int((usual if self.start_timeout_s is None else self.start_timeout_s) * 1000)

    def own_ports(self, plan: MatchPlan) -> set[int]:
        """The ports that the tables of *plan* open: no two tables can do so at the same time."""
        return {self.ports[name] for name in plan.names if name in self.ports}


@dataclass(frozen=True, slots=True)
class PortOpened:
    """The dealer of *table* waits for the entrant *name* at *host* and *port*."""

    table: str
    name: str
    host: str
    port: int


OnOpen = Callable[[PortOpened], None]
NO_DOORS = RemotePorts()


def ignore(door: PortOpened) -> None:
    """What is told where nobody wants to know."""


def player_for(plan: MatchPlan, table: TablePlan, entrant: int) -> Player:
    """Entrant number *entrant* at *table*, with a seed of his own there."""
    strategy = plan.strategies[entrant]
    if is_remote(strategy):
        return Remote()
    if is_program(strategy):
        return Program(Path(strategy))
    seed = Stream(plan.seed, table.number, entrant).bits() >> 33
    return make_agent(strategy, plan.definition, seed)


def is_remote(strategy: str) -> bool:
    """Whether *strategy* stands for somebody who connects by himself."""
    return strategy.startswith(REMOTE)


def is_program(strategy: str) -> bool:
    """Whether *strategy* is an executable file, to be started as ``PROGRAM HOST PORT``."""
    if strategy in KNOWN or is_router(strategy) or is_remote(strategy):
        return False
    return Path(strategy).is_file() and os.access(strategy, os.X_OK)


def verify_leads_somewhere(strategy: str) -> None:
    """Refuse a name that leads to nobody; raises UnknownStrategy, BadSnapshot or UsageError."""
    if not (is_program(strategy) or is_remote(strategy)):
        verify_name(strategy)


def verify_players(plan: Plan, doors: RemotePorts) -> None:
    """Refuse before anything is played what could not be played."""
    if "human" in plan.strategies:
        hint = "let him come by himself: name remote:YOU here, and run acpcbot play human HOST PORT --game GAME"
        raise UsageError("a human cannot sit at tables that other processes play", hint)
    for strategy in plan.strategies:
        if is_program(strategy) or is_remote(strategy):
            if plan.is_in_process:
                raise UsageError(
                    f"{strategy} is no agent of ours",
                    "others play over sockets: leave --in-process out",
                )
        else:
            verify_name(strategy, plan.definition)
    _verify_doors(plan, doors)


def _verify_doors(plan: Plan, doors: RemotePorts) -> None:
    remote = [
        name
        for name, strategy in zip(plan.names, plan.strategies, strict=True)
        if is_remote(strategy)
    ]
    for name in doors.ports:
        if name not in remote:
            known = (
                f"remote entrants: {', '.join(remote)}" if remote else "no entrant is remote:NAME"
            )
            raise UsageError(f"a port for {name}, who is no remote entrant", known)
    if len(set(doors.ports.values())) < len(doors.ports):
        raise UsageError("two entrants at one port", "give each a port of his own")
