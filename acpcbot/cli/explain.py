"""``acpcbot explain LOG``: one hand beside what a strategy would have done, and its result split into luck and play."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.progress import Progress

from acpcbot.cli.bars import make_bars, new_bar, watched
from acpcbot.cli.explain_text import print_hands
from acpcbot.cli.explained_hand import ExplainedHand, explained_json
from acpcbot.cli.game_arguments import add_game_arguments, read_with_game
from acpcbot.cli.phases import phase
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat import PlayedHand, ValueFunction
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.estimates import CanonicalHands
from acpcbot.evaluation.judged_hand import judge
from acpcbot.evaluation.knowledge import find_values
from acpcbot.evaluation.known_strategies import find_strategy
from acpcbot.evaluation.luck_account import Account, account
from acpcbot.matches.public_strategy import PublicStrategy
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.match_log import HandRecord, read_match_log
from acpcbot.reports.sources import find_logs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which hand, and who is taken for which strategy."""
    parser.add_argument("log", type=Path, metavar="LOG", help="a match log, or the folder of a match")
    parser.add_argument(
        "--hand",
        type=int,
        required=True,
        metavar="K",
        help="the number that the dealer gave it; of several hands with one number, as in a duplicate match, all",
    )
    parser.add_argument(
        "--strategy", required=True, metavar="S", help="a trained folder (?play=...), or call, fold, raise, random"
    )
    parser.add_argument(
        "--player",
        action="append",
        metavar="NAME",
        help="who is taken to play it, and again for more: their decisions are judged, their results split [everybody]",
    )
    parser.add_argument(
        "--values",
        metavar="STRATEGY",
        help="a trained folder whose self-play tells what hands are worth; in hold'em also strength, a formula [S]",
    )
    add_game_arguments(parser, "what the log says")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="[text]")


def run(arguments: argparse.Namespace) -> int:
    """Find the hands, judge, print."""
    logs, played = find_logs([arguments.log])
    found, hands = read_with_game(arguments, logs, lambda named: _find(logs, named or played, arguments.hand))
    if not found:
        raise UsageError(f"no hand {arguments.hand} in {arguments.log}", "hands are numbered as at STATE:")
    with make_bars(in_files=False) as bars, phase(f"asking {arguments.strategy}"):
        judgement = _Judgement(arguments, found[0][1].game.definition, bars)
        explained = [judgement.explain(log, record, hands.hand(record)) for log, record in found]
    if arguments.format == "json":
        sys.stdout.write(explained_json(explained))
    else:
        print_hands(explained)
    return 0


def _find(
    logs: list[Path], definition: GameDefinition | None, hand_id: int
) -> tuple[list[tuple[Path, HandRecord]], CanonicalHands]:
    """The hands with the number *hand_id*, and what makes canonical ones of them: it has seen all hands of the logs."""
    found, hands = [], CanonicalHands()
    for log in logs:
        with phase("reading the logs"), watched(log) as file:
            for entry in read_match_log(file, definition):
                if isinstance(entry, HandRecord):
                    hands.see(entry)
                    if entry.hand_id == hand_id:
                        found.append((log, entry))
    return found, hands


class _Judgement:
    """The strategy that is asked, who is taken to play it, and what hands are worth."""

    def __init__(self, arguments: argparse.Namespace, definition: GameDefinition, bars: Progress) -> None:
        self._name, self._players = arguments.strategy, arguments.player
        dealer = ArenaDealer(definition, new_bar(bars, "card tables"))
        self._strategy = find_strategy(self._name, dealer)
        self._values, self._missing = _values(arguments, dealer, bars)

    def explain(self, log: Path, record: HandRecord, hand: PlayedHand) -> ExplainedHand:
        """What is to be said of *record*, which is *hand* in canonical cards."""
        for name in self._players or ():
            if name not in record.names:
                raise UsageError(f"{name} did not play hand {record.hand_id}", f"there are {', '.join(record.names)}")
        seats = [seat for seat, name in enumerate(record.names) if name in (self._players or record.names)]
        strategies = dict.fromkeys(seats, self._strategy)
        accounts, notes = self._accounts(hand, strategies)
        return ExplainedHand(str(log), record, self._name, judge(hand, strategies), accounts, notes)

    def _accounts(self, hand: PlayedHand, strategies: dict[int, PublicStrategy]) -> tuple[list[Account], list[str]]:
        """An account for each seat that is known, and why there is none."""
        if self._values is None:
            return [], [f"luck and play are not told apart: {self._missing}"]
        try:
            return [account(hand, seat, strategies, self._values) for seat in strategies], []
        except UsageError as error:
            return [], [f"luck and play are not told apart: {error}"]


def _values(arguments: argparse.Namespace, dealer: ArenaDealer, bars: Progress) -> tuple[ValueFunction | None, str]:
    """What hands are worth, or why nobody knows; raises for a strategy that was named for this and cannot tell."""
    try:
        bar = new_bar(bars, "values of hands")
        values = find_values(dealer, arguments.values, [arguments.strategy], bar)
    except UsageError as error:
        if arguments.values:
            raise
        return None, str(error)
    return values, f"{arguments.strategy} knows no values of hands; --values names a trained strategy"
