"""``acpcbot play STRATEGY HOST PORT``: one strategy at one dealer, until the match ends."""

from __future__ import annotations

import argparse
import sys

from acpcbot.agents.registry import make_agent
from acpcbot.cli.arguments import add_client_arguments, journal_of, limits_of, port_number
from acpcbot.net.client import Client
from acpcbot.net.loop import run as run_loop
from acpcbot.poker.shipped import find_definition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """STRATEGY HOST PORT is the order that start scripts of the ACPC use."""
    parser.add_argument(
        "strategy", help="an agent (call, random, tight, human, ...), a trained strategy's folder, or module:Class"
    )
    parser.add_argument("host", help="where the dealer runs")
    parser.add_argument("port", type=port_number, help="the port that the dealer printed for this seat")
    add_client_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play, and say on stderr how the match went."""
    definition = find_definition(arguments.game)[1]
    agent = make_agent(arguments.strategy, definition, arguments.seed)
    client = Client(agent, definition, limits=limits_of(arguments), journal=journal_of(arguments))
    match = client.play(arguments.host, arguments.port, connect_timeout_s=arguments.connect_timeout)
    report = run_loop(match)
    print(f"{report.num_hands} hands, {report.num_actions} actions, {report.num_fallbacks} fallbacks", file=sys.stderr)
    return 0
