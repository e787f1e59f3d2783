"""``acpcbot evaluate LOG...``: win rates with every variance-reduction estimator that applies.

The estimators are chips, all-in equity, imaginary observations, MIVAT and AIVAT.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acpcbot.cli.game_arguments import add_game_arguments, add_known_arguments, read_with_game
from acpcbot.cli.output import add_json_argument, write_json
from acpcbot.cli.phases import phase, start_phase
from acpcbot.poker.definition import GameDefinition

if TYPE_CHECKING:
    from acpcbot.evaluation.aivat.estimates import Estimate
    from acpcbot.reports.hands import HandTable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the logs, the players, and what is known of them."""
    parser.add_argument(
        "logs", nargs="+", type=Path, metavar="LOG", help="match logs, or the folder of a match"
    )
    add_game_arguments(parser, "what the logs say")
    parser.add_argument(
        "--player",
        action="append",
        metavar="NAME",
        help="whose result, and again for more [everybody]",
    )
    add_known_arguments(parser)
    add_json_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Evaluate the match and print a block for each player."""
    with start_phase("starting evaluate"):
        # Only now: help and refused options need no arrays.
        from acpcbot.cli.evaluate_options import KnownMatch, known_names
        from acpcbot.cli.progress_bars import make_bars, watched
        from acpcbot.reports.hands import find_logs, read_hands

    logs, played = find_logs(arguments.logs)

    def read(named: GameDefinition | None) -> HandTable:
        with phase("reading the logs"):
            return read_hands(logs, named or played, watched)

    table = read_with_game(arguments, logs, read)
    names = known_names(arguments.logs, arguments.known, table)
    with make_bars(in_files=False) as bars, phase("evaluating"):
        match = KnownMatch(table, names, arguments.values, bars)
        found = {
            player: list(match.estimates(player)) for player in arguments.player or table.players
        }
    if arguments.json:
        write_json({"players": [_document(*each) for each in found.items()]})
        return 0
    for player, estimates in found.items():
        _print(player, estimates)
    return 0


def _document(player: str, estimates: list[Estimate]) -> dict[str, Any]:
    """Return what ``--json`` prints of *player*.

    *worth* says for how many times the hands an estimator stands, null where too few hands tell.
    """
    chips = estimates[0]
    return {
        "name": player,
        "num_hands": chips.num_hands,
        "num_samples": chips.num_samples,
        "estimates": [{**asdict(found), "worth": found.hands_ratio(chips)} for found in estimates],
    }


def _print(player: str, estimates: list[Estimate]) -> None:
    chips = estimates[0]
    kind = (
        f", {chips.num_samples} deals of a duplicate match"
        if chips.num_samples < chips.num_hands
        else ""
    )
    print(f"{player}, {chips.num_hands} hands{kind}")
    width = max(len(found.name) for found in estimates)
    for found in estimates:
        worth = found.hands_ratio(chips)
        saved = "too few hands tell" if worth is None else f"{worth:8.1f} x the hands"
        result = f"{found.mean_mbb:+10.1f} ± {found.half_width_mbb:.1f} mbb/hand"
        print(f"  {found.name:{width}} {result:>28}  {saved}")
