"""``acpcbot play STRATEGY HOST PORT``: one strategy at one dealer, until the match ends."""

from __future__ import annotations

import argparse
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from acpcbot.cli.arguments import add_client_arguments, journal_of, limits_of, port_number
from acpcbot.cli.game_arguments import stacked
from acpcbot.cli.phases import phase
from acpcbot.cli.process import look_rarely
from acpcbot.errors import UsageError
from acpcbot.matches.agent import Agent, closing_agents
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import find_definition

if TYPE_CHECKING:
    from acpcbot.net.client_match import ClientReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """STRATEGY HOST PORT is the order that start scripts of the ACPC use."""
    parser.add_argument(
        "strategy",
        help="an agent (call, random, tight, human, ...), a trained "
        "strategy's folder, or module:Class",
    )
    parser.add_argument("host", help="where the dealer runs")
    parser.add_argument(
        "port", type=port_number, help="the port that the dealer printed for this seat"
    )
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="write what an agent that can tell would have done with every hand",
    )
    add_client_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play, and say on stderr how the match went."""
    with phase(f"loading {arguments.strategy}"):
        from acpcbot.agents.registry import make_agent

        _, definition = stacked(arguments, find_definition(arguments.game))
        agent = make_agent(arguments.strategy, definition, arguments.seed)
        play = _play_blocking if agent.is_instant else _play_in_loop
    look_rarely()
    with closing_agents([agent]), _recorded(agent, arguments):
        report = play(agent, definition, arguments)
    print(
        f"{report.num_hands} hands, {report.num_actions} actions, {report.num_fallbacks} fallbacks",
        file=sys.stderr,
    )
    return 0


def _play_blocking(
    agent: Agent, definition: GameDefinition, arguments: argparse.Namespace
) -> ClientReport:
    from acpcbot.net.blocking_client import play_blocking

    return play_blocking(
        agent,
        definition,
        arguments.host,
        arguments.port,
        limits=limits_of(arguments),
        journal=journal_of(arguments),
        connect_timeout_s=arguments.connect_timeout,
    )


def _play_in_loop(
    agent: Agent, definition: GameDefinition, arguments: argparse.Namespace
) -> ClientReport:
    from acpcbot.net.client import Client
    from acpcbot.net.event_loop import run as run_loop

    client = Client(agent, definition, limits=limits_of(arguments), journal=journal_of(arguments))
    return run_loop(
        client.play(arguments.host, arguments.port, connect_timeout_s=arguments.connect_timeout)
    )


def _recorded(agent: Agent, arguments: argparse.Namespace) -> AbstractContextManager[None]:
    if arguments.record is None:
        return nullcontext()
    from acpcbot.agents.table_agent import TableAgent, recording

    if not isinstance(agent, TableAgent):
        hint = "docs/guides/agents.md tells how an agent can; a trained strategy is known anyway"
        raise UsageError(f"{arguments.strategy} cannot tell what it would do with every hand", hint)
    return recording(agent, arguments.record)
