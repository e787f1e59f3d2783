"""``acpcbot games``: what games are shipped, and what one of them says."""

from __future__ import annotations

import argparse

from acpcbot.poker.definition import GameDefinition, format_definition
from acpcbot.poker.shipped import SHIPPED_NAMES, find_definition, shipped_definition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """An optional game to show."""
    parser.add_argument(
        "game", nargs="?", help="a shipped game or a game definition file to show in normal form"
    )


def run(arguments: argparse.Namespace) -> int:
    """List the shipped games, or print one."""
    if arguments.game:
        print(format_definition(find_definition(arguments.game)[1]), end="")
        return 0
    width = max(map(len, SHIPPED_NAMES))
    for name in SHIPPED_NAMES:
        print(f"{name:{width}}  {_summary(shipped_definition(name))}")
    return 0


def _summary(definition: GameDefinition) -> str:
    kind = "limit" if definition.is_limit else "no-limit"
    blinds = "/".join(map(str, definition.blinds))
    streets = "1 street" if definition.num_streets == 1 else f"{definition.num_streets} streets"
    return f"{definition.num_players} players, {kind}, blinds {blinds}, {streets}"
