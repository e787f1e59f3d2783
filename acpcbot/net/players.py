"""Players of a seat: an agent of this process, a program that is started, or a remote player.

An entrant is named by a strategy (``agents/registry.py``), by the path of an executable file, which
is started as ``PROGRAM HOST PORT``, or by ``remote:NAME``: for a remote player the dealer waits at
the ``RemotePorts``. Entrants that cannot play raise UnknownStrategy, BadSnapshot or UsageError.
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
    """An external bot: an executable file that takes a host and a port."""

    path: Path


@dataclass(frozen=True, slots=True)
class Remote:
    """A bot that connects by itself."""


Player = Agent | Program | Remote


@dataclass(frozen=True, slots=True)
class RemotePorts:
    """Host and ports at which remote entrants connect, and the timeout for that.

    *ports* maps the names of entrants to fixed ports; the others get a port of the system's choice
    at each table. Without *start_timeout_s* the timeout is longer for remote entrants than for
    those that are started here; a negative one means no timeout.
    """

    host: str = LOOPBACK
    ports: Mapping[str, int] = field(default_factory=dict)
    start_timeout_s: float | None = None

    def start_timeout_ms(self, *, has_remote: bool) -> int:
        """Return the longest time that a seat of a table may stay empty."""
        usual = START_TIMEOUT_S if has_remote else OWN_START_TIMEOUT_S
        return int((usual if self.start_timeout_s is None else self.start_timeout_s) * 1000)

    def own_ports(self, plan: MatchPlan) -> set[int]:
        """Return the fixed ports of *plan*'s tables, which one table at a time can open."""
        return {self.ports[name] for name in plan.names if name in self.ports}


@dataclass(frozen=True, slots=True)
class PortOpened:
    """The dealer of *table* waits for the entrant *name* at *host* and *port*."""

    table: str
    name: str
    host: str
    port: int


OnOpen = Callable[[PortOpened], None]
NO_REMOTE_PORTS = RemotePorts()


def ignore_port(port: PortOpened) -> None:
    """Do nothing: the callback where opened ports need not be reported."""


def player_for(plan: MatchPlan, table: TablePlan, entrant: int) -> Player:
    """Return the player of entrant number *entrant* at *table*, with a seed of its own there."""
    strategy = plan.strategies[entrant]
    if is_remote(strategy):
        return Remote()
    if is_program(strategy):
        return Program(Path(strategy))
    return make_agent(strategy, plan.definition, agent_seed(plan, table, entrant))


def agent_seed(plan: MatchPlan, table: TablePlan, entrant: int) -> int:
    """Return the seed of entrant number *entrant* at *table*, another one at each table."""
    return Stream(plan.seed, table.number, entrant).bits() >> 33


def is_remote(strategy: str) -> bool:
    """Return whether *strategy* names a remote player."""
    return strategy.startswith(REMOTE)


def is_program(strategy: str) -> bool:
    """Return whether *strategy* is an executable file, to be started as ``PROGRAM HOST PORT``."""
    if strategy in KNOWN or is_router(strategy) or is_remote(strategy):
        return False
    return Path(strategy).is_file() and os.access(strategy, os.X_OK)


def verify_player_name(strategy: str) -> None:
    """Raise UnknownStrategy, BadSnapshot or UsageError unless *strategy* names a player."""
    if not (is_program(strategy) or is_remote(strategy)):
        verify_name(strategy)


def verify_players(plan: Plan, remote_ports: RemotePorts) -> None:
    """Raise an error before the match if an entrant of *plan* cannot play."""
    if "human" in plan.strategies:
        hint = "name remote:YOU here, and connect by acpcbot play human HOST PORT --game GAME"
        raise UsageError("human needs a terminal: worker processes play these tables", hint)
    for strategy in plan.strategies:
        if is_program(strategy) or is_remote(strategy):
            if plan.is_in_process:
                raise UsageError(
                    f"{strategy} cannot play in process",
                    "programs and remote players need sockets: omit --in-process",
                )
        else:
            verify_name(strategy, plan.definition)
    _verify_remote_ports(plan, remote_ports)


def _verify_remote_ports(plan: Plan, remote_ports: RemotePorts) -> None:
    remote = [
        name
        for name, strategy in zip(plan.names, plan.strategies, strict=True)
        if is_remote(strategy)
    ]
    for name in remote_ports.ports:
        if name not in remote:
            known = (
                f"remote entrants: {', '.join(remote)}" if remote else "no entrant is remote:NAME"
            )
            raise UsageError(f"a port for {name}, which is not a remote entrant", known)
    if len(set(remote_ports.ports.values())) < len(remote_ports.ports):
        raise UsageError("two entrants at one port", "give each entrant a different port")
