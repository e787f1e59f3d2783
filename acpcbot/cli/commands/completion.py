"""``acpcbot completion SHELL``: a script with which a shell completes command lines."""

from __future__ import annotations

import argparse

from acpcbot.cli.completion import SCRIPTS, read_commands


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the shell."""
    parser.add_argument("shell", choices=SCRIPTS, help="the shell that reads the script")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    print(SCRIPTS[arguments.shell](read_commands()), end="")
    return 0
