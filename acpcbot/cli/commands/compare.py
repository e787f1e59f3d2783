"""``acpcbot compare FIRST SECOND``: two agents against the same opponents on the same deals."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from acpcbot.cli.game_arguments import add_game_arguments, add_known_arguments, read_with_game
from acpcbot.cli.output import add_json_argument, write_json
from acpcbot.cli.phases import phase, start_phase
from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition

if TYPE_CHECKING:
    from rich.progress import Progress

    from acpcbot.evaluation.aivat.comparison import Difference, Side
    from acpcbot.reports.hands import HandTable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the two matches, the agents, and what is known of them."""
    parser.add_argument("first", type=Path, metavar="FIRST", help="the folder or log of a match")
    parser.add_argument(
        "second", type=Path, metavar="SECOND", help="that of a match with the same deals"
    )
    add_game_arguments(parser, "what the logs say")
    parser.add_argument(
        "--players",
        nargs=2,
        metavar="NAME",
        help="the agent of either match [who plays in one of them alone]",
    )
    add_known_arguments(parser)
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Pair the hands and print the difference by each estimator."""
    with start_phase("starting compare"):
        # Only now: help and refused options need no arrays.
        from acpcbot.cli.progress_bars import make_bars
        from acpcbot.evaluation.aivat.comparison import differences

    paths = (arguments.first, arguments.second)
    tables = [_table(arguments, path) for path in paths]
    names = arguments.players or _agents(tables)
    with make_bars(in_files=False) as bars, phase("evaluating"):
        sides = [
            _side(arguments, path, table, name, bars)
            for path, table, name in zip(paths, tables, names, strict=True)
        ]
        found = differences(sides[0], sides[1])
    if arguments.json:
        write_json({"players": names, "differences": [asdict(each) for each in found]})
        return 0
    _print(names, found)
    return 0


def _table(arguments: argparse.Namespace, path: Path) -> HandTable:
    """Return the hands in the logs of *path*."""
    from acpcbot.cli.progress_bars import watched
    from acpcbot.reports.hands import find_logs, read_hands

    logs, played = find_logs([path])

    def read(named: GameDefinition | None) -> HandTable:
        with phase(f"reading {path}"):
            return read_hands(logs, named or played, watched)

    return read_with_game(arguments, logs, read)


def _agents(tables: list[HandTable]) -> list[str]:
    """Return the player of either match who does not play in the other."""
    own, other = (set(table.players) for table in tables)
    only = [sorted(own - other), sorted(other - own)]
    if [len(names) for names in only] != [1, 1]:
        raise UsageError(
            f"players are {', '.join(tables[0].players)}, and {', '.join(tables[1].players)}",
            "name the agent of either match: --players NAME NAME",
        )
    return [names[0] for names in only]


def _side(
    arguments: argparse.Namespace, path: Path, table: HandTable, player: str, bars: Progress
) -> Side:
    """Return the hands of *player* and what they are worth."""
    from acpcbot.cli.evaluate_options import KnownMatch, known_names
    from acpcbot.evaluation.aivat.comparison import Side

    if player not in table.players:
        raise UsageError(
            f"{player} does not play in {path}", f"players are {', '.join(table.players)}"
        )
    words = [word for word in arguments.known if word.partition("=")[0] in table.players]
    match = KnownMatch(table, known_names([path], words, table), arguments.values, bars)
    hands, chips = match.hand_chips(player)
    keys = [(int(table.source[hand.place]), int(table.hand_id[hand.place])) for hand in hands]
    return Side(hands, keys, chips)


def _print(names: list[str], found: list[Difference]) -> None:
    width = max(len(each.name) for each in found)
    print(
        f"A is {names[0]} and B is {names[1]},"
        f" {found[0].num_hands} hands of {found[0].num_deals} deals in both"
    )
    print(f"  {'mbb/hand':{width}} {'A - B':>20} {'A':>10} {'B':>10}")
    for each in found:
        gain = f"{each.mean_mbb:+.1f} ± {each.half_width_mbb:.1f}"
        print(
            f"  {each.name:{width}} {gain:>20} {each.first_mbb:>+10.1f} {each.second_mbb:>+10.1f}"
        )
    print("± is a 95 % confidence interval")
