"""``acpcbot evaluate match``: what players won, by every estimator that the knowledge at hand
allows.
"""

from __future__ import annotations

import argparse

from acpcbot.cli.evaluate_options import KnownMatch, known_names
from acpcbot.cli.game_arguments import read_with_game
from acpcbot.cli.phases import phase
from acpcbot.cli.progress_bars import make_bars, watched
from acpcbot.evaluation.aivat.estimates import Estimate
from acpcbot.poker.definition import GameDefinition
from acpcbot.reports.hands import HandTable, find_logs, read_hands


def run(arguments: argparse.Namespace) -> int:
    """Carry out the verb."""
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
    for player, estimates in found.items():
        _print(player, estimates)
    return 0


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
        worth = found.worth(chips)
        saved = "too few hands tell" if worth is None else f"{worth:8.1f} x the hands"
        result = f"{found.mean_mbb:+10.1f} ± {found.half_width_mbb:.1f} mbb/hand"
        print(f"  {found.name:{width}} {result:>28}  {saved}")
