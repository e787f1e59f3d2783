"""``--game`` and ``--stack``, the game of logs that do not name theirs, and their known players.

The game that entrants play: the one that is named, else the one that stored strategies among them
were made for.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from acpcbot.errors import BadDefinition, BadLogLine, UnknownGame, UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import (
    SHIPPED_NAMES,
    find_definition,
    parse_stacks,
    restacked,
    shipped_definition,
)
from acpcbot.search.names import game_of

GAME_HELP = f"a game definition file or a shipped game: {', '.join(SHIPPED_NAMES)}"
STACK_HELP = (
    "other stacks than the game's: for all, or by position with commas between, as in 10000,5000"
)

T = TypeVar("T")
Game = tuple[str, GameDefinition]


def add_game_arguments(
    parser: argparse.ArgumentParser, default: str = "", *, more: str = "", required: bool = False
) -> None:
    """The game; *default* says what it is where none is named, *more* stands behind the help."""
    shown = f" [{default}]" if default else ""
    parser.add_argument(
        "--game", required=required, metavar="GAME", help=f"{GAME_HELP}{more}{shown}"
    )
    parser.add_argument("--stack", metavar="CHIPS", help=STACK_HELP)


def stacked(arguments: argparse.Namespace, game: Game) -> Game:
    """*game* with the stacks that ``--stack`` names, if it does; raises ``UsageError``."""
    if arguments.stack is None:
        return game
    try:
        return restacked(game, arguments.stack)
    except BadDefinition as error:
        hint = (
            f"{game[0]} takes one number for all or {game[1].num_players} "
            "by position, each above its blind"
        )
        raise UsageError(f"--stack {arguments.stack}: {error}", hint) from None


def named_game(arguments: argparse.Namespace) -> Game | None:
    """The game that the command line names, if it names one.

    Raises ``UsageError`` and ``BadDefinition``.
    """
    if arguments.game is not None:
        return stacked(arguments, find_definition(arguments.game))
    if arguments.stack is not None:
        raise UsageError("--stack without a game", "name it too: --game GAME")
    return None


def read_with_game(
    arguments: argparse.Namespace,
    logs: Sequence[Path],
    read: Callable[[GameDefinition | None], T],
    *,
    check_values: bool = True,
) -> T:
    """Return ``read(game)``, where the game is the one named, else the one that the logs say.

    Where no log says its game, the shipped ones are tried, and stderr tells which one was taken.
    Where a log does not fit the game that it says, the hint names the options that would make it
    fit.
    """
    if arguments.game is not None:
        named = named_game(arguments)
        return read(named[1] if named else None)
    from acpcbot.logs.game import guess_game, names_game

    if arguments.stack is not None:
        guess = guess_game(logs, parse_stacks(arguments.stack), check_values=check_values)
        if guess is None:
            raise UsageError(
                f"no shipped game fits with --stack {arguments.stack}",
                "name the game too: --game GAME",
            )
        return read(guess.definition)
    try:
        return read(None)
    except (BadLogLine, UnknownGame) as error:
        guess = guess_game(logs, check_values=check_values)
        if guess is None:
            raise
        if isinstance(error, BadLogLine) or any(map(names_game, logs)):
            error.hint = f"all hands fit {guess.options}"
            raise
        print(f"no log says its game; taken for {guess.options}", file=sys.stderr)
        return read(guess.definition)


Fits = Callable[[GameDefinition], bool]


def choose_game(
    named: str | None, strategies: Sequence[str], fits: Fits, verify: Callable[[str], None]
) -> tuple[str, GameDefinition]:
    """The label and the rules of the game that *named* says, or else *strategies*.

    Where neither says one, *verify* refuses names that lead nowhere, and then the error lists the
    shipped games that *fits* accepts. Raises UsageError, UnknownStrategy, BadSnapshot,
    BadDefinition.
    """
    if named is not None:
        return find_definition(named)
    told = {
        strategy: game
        for strategy in dict.fromkeys(strategies)
        if (game := game_of(strategy)) is not None
    }
    if not told:
        for strategy in strategies:
            verify(strategy)
        raise UsageError(
            f"no game is named, and none by {' or '.join(dict.fromkeys(strategies))}",
            _fitting_text(fits),
        )
    (first, game), *others = told.items()
    for other, its_game in others:
        if its_game[1] != game[1]:
            problem = f"{first} plays {game[0]}, and {other} plays {its_game[0]}"
            raise UsageError(
                problem, "all entrants have to play one game; acpcbot strategies lists each one's"
            )
    return game


def _fitting_text(fits: Fits) -> str:
    names = [name for name in SHIPPED_NAMES if fits(shipped_definition(name))]
    if not names:
        return "no shipped game has a seat for each of them; acpcbot games lists seats"
    return f"give --game one of {', '.join(names)}, or a game definition file"


def add_known_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the strategies that players of a match played, and the one behind the value function."""
    parser.add_argument(
        "--known",
        action="append",
        default=[],
        metavar="NAME=STRATEGY",
        help="what a player plays: a trained folder, call, fold, raise, "
        "random, tight, or recorded:FILE, again for each log"
        " [what a match's folder says]",
    )
    parser.add_argument(
        "--values",
        metavar="STRATEGY",
        help="a trained folder whose self-play tells what hands are "
        "worth; in hold'em also strength, a formula"
        " [a known one; without one the formula]",
    )
