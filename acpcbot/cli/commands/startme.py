"""``acpcbot startme STRATEGY --game GAME``: the start script that a dealer's tools expect.

Those tools run a bot as ``./startme.sh HOST PORT`` from the folder that it lies in.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from acpcbot.agents.registry import verify_name
from acpcbot.cli.arguments import add_limit_arguments, given_limits, limit_option
from acpcbot.cli.game_arguments import add_game_arguments, stacked
from acpcbot.poker.shipped import find_definition
from acpcbot.strategies.finding import find_folder

SCRIPT = """\
#!/bin/sh
# Plays {strategy} in {game}. Usage: ./startme.sh HOST PORT
cd "$(dirname "$0")" && exec {python} -m acpcbot play {strategy} "$1" "$2" --game {game}{stack} --seed {seed}{limits}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A strategy, its game, and where to write the script."""
    parser.add_argument("strategy", help="the strategy that the script plays")
    add_game_arguments(parser, required=True)
    parser.add_argument("--seed", type=int, default=0, help="the agent's seed")
    add_limit_arguments(parser)
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("startme.sh"), help="the file to write"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the script and print its path."""
    _, definition = stacked(arguments, find_definition(arguments.game))
    verify_name(arguments.strategy, definition)
    game = str(Path(arguments.game).resolve()) if Path(arguments.game).is_file() else arguments.game
    text = SCRIPT.format(
        python=shlex.quote(sys.executable),
        strategy=shlex.quote(_from_anywhere(arguments.strategy)),
        game=shlex.quote(game),
        stack=f" --stack {arguments.stack}" if arguments.stack else "",
        seed=arguments.seed,
        limits="".join(
            [f" {limit_option(name)} {value:g}" for name, value in given_limits(arguments).items()]
        ),
    )
    arguments.output.write_text(text, encoding="utf-8")
    arguments.output.chmod(0o755)
    print(arguments.output)
    return 0


def _from_anywhere(strategy: str) -> str:
    """The name of *strategy* as it is understood in any folder: the script is run elsewhere."""
    place, mark, settings = strategy.partition("?")
    folder = find_folder(place) if "/" in place else None
    return strategy if folder is None else f"{folder.resolve()}{mark}{settings}"
