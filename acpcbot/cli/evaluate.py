"""``acpcbot evaluate``: how good a player was, without the luck, and how much can be won from a strategy."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from time import monotonic

from rich.progress import Progress

from acpcbot.cli import evaluate_exact
from acpcbot.cli.arguments import GAME_HELP
from acpcbot.cli.bars import make_bars, new_bar, watched
from acpcbot.cli.durations import duration_text
from acpcbot.errors import UsageError
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.estimates import Estimate, all_in_estimate, chips_estimate, luckless_estimate, seated_hands
from acpcbot.evaluation.knowledge import possible_estimators, self_play_values
from acpcbot.evaluation.known_strategies import BLIND, find_strategy
from acpcbot.evaluation.lbr_match import play_match
from acpcbot.evaluation.local_best_response import MENUS, LocalBestResponse
from acpcbot.matches.plan import load_plan
from acpcbot.matches.score import deals_needed
from acpcbot.poker.shipped import find_definition
from acpcbot.protocol.match_log import HandRecord, read_match_log
from acpcbot.reports.duplicates import deal_numbers
from acpcbot.reports.hands import HandTable, read_hands
from acpcbot.reports.sources import find_logs
from acpcbot.snapshots.finding import find_folder
from acpcbot.snapshots.manifest import MANIFEST_FILE
from acpcbot.snapshots.policy import parse_name

WANTED_MBB = 50.0
"""The half of an interval for which the way is told that is left."""
DEFAULT_GAME = "holdem.limit.2p.reverse_blinds"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs ``match``, ``exact`` and ``lbr``."""
    verbs = parser.add_subparsers(dest="evaluate_verb", metavar="VERB", required=True)
    match = verbs.add_parser("match", help="what players won, by every estimator that the knowledge at hand allows")
    match.add_argument("logs", nargs="+", type=Path, metavar="LOG", help="match logs, or the folder of a match")
    match.add_argument("--game", metavar="GAME", help=f"{GAME_HELP} [what the logs say]")
    match.add_argument("--player", action="append", metavar="NAME", help="whose result, and again for more [everybody]")
    match.add_argument(
        "--known",
        action="append",
        default=[],
        metavar="NAME=STRATEGY",
        help="what a player plays: a trained folder, call, fold, raise, random [what a match's folder says]",
    )
    match.add_argument(
        "--values", metavar="STRATEGY", help="a trained folder whose self-play tells what hands are worth [a known one]"
    )
    evaluate_exact.add_arguments(verbs)
    lbr = verbs.add_parser("lbr", help="what local best response wins from a strategy of two-player hold'em")
    lbr.add_argument("strategy", metavar="STRATEGY", help="a trained folder, or call, fold, raise, random")
    lbr.add_argument("--game", default=DEFAULT_GAME, help=f"{GAME_HELP} [{DEFAULT_GAME}]")
    lbr.add_argument("--menu", default="limit", help=f"what it may bet: {', '.join(MENUS)} [limit]")
    lbr.add_argument("--deals", type=int, default=2000, help="each is played in both seats [2000]")
    lbr.add_argument("--seed", type=int, default=0, help="seed of the cards and of the strategy's actions [0]")


def run(arguments: argparse.Namespace) -> int:
    """Carry out the verb."""
    verbs = {"match": _evaluate_match, "exact": evaluate_exact.run, "lbr": _respond}
    return verbs[arguments.evaluate_verb](arguments)


def _respond(arguments: argparse.Namespace) -> int:
    if arguments.deals < 1 or not 0 <= arguments.seed < 2**32:
        raise UsageError("--deals must be at least 1, --seed a 32-bit number", "leave them out to begin")
    name, definition = find_definition(arguments.game)
    with make_bars(in_files=False) as bars:
        strategy = find_strategy(arguments.strategy, ArenaDealer(definition, new_bar(bars, "card tables")))
        player = LocalBestResponse(definition, strategy, arguments.menu)
        start = monotonic()
        won = play_match(player, arguments.deals, arguments.seed, new_bar(bars, "deals"))
        seconds = monotonic() - start
    print(f"{name}, {arguments.deals} deals in both seats")
    result = f"{won.mean_mbb:+.1f} ± {won.half_width_mbb:.1f} mbb/hand"
    print(f"  {won.name} ({arguments.menu}) against {arguments.strategy}: {result}")
    print("± is a 95 % confidence interval; a best response wins at least as much")
    _print_effort(arguments.deals, won.half_width_mbb, seconds)
    return 0


def _print_effort(num_deals: int, half_width_mbb: float, seconds: float) -> None:
    """How long the match took, and what a narrow interval would take; a single deal tells nothing of that."""
    took = f"{num_deals:,} deals in {duration_text(seconds)}"
    if isfinite(half_width_mbb):
        needed = deals_needed(num_deals, half_width_mbb, WANTED_MBB)
        print(f"± {WANTED_MBB:g} mbb/hand takes about {needed:,} deals")
        took = f"{took}, {needed:,} in about {duration_text(seconds / num_deals * needed)}"
    print(took, file=sys.stderr)


def _evaluate_match(arguments: argparse.Namespace) -> int:
    definition = find_definition(arguments.game)[1] if arguments.game else None
    logs, definition = find_logs(arguments.logs, definition)
    table = read_hands(logs, definition, watched)
    names = {**_planned(arguments.logs, table), **_told(arguments.known, table)}
    with make_bars(in_files=False) as bars:
        match = _Match(table, list(_records(logs, table)), names, arguments.values, bars)
        found = {player: list(match.estimates(player)) for player in arguments.player or table.players}
    for player, estimates in found.items():
        _print(player, estimates)
    return 0


class _Match:
    """The hands of a match, and what is known of its players: the *names* of their strategies."""

    def __init__(
        self, table: HandTable, records: list[HandRecord], names: Mapping[str, str], source: str | None, bars: Progress
    ) -> None:
        self._records, self._bars = records, bars
        self._samples = deal_numbers(table).tolist()
        dealer = ArenaDealer(table.definition, new_bar(bars, "card tables"))
        self._known = {player: find_strategy(name, dealer) for player, name in names.items()}
        source = source or next((name for name in names.values() if name not in BLIND), None)
        self._values = self_play_values(source, dealer, new_bar(bars, "self-play")) if source else None

    def estimates(self, player: str) -> Iterator[Estimate]:
        """What *player* won, by every estimator that can be had."""
        hands = seated_hands(self._records, self._samples, player)
        yield chips_estimate(hands)
        yield all_in_estimate(hands)
        for name in possible_estimators(player, self._known, self._values):
            bar = new_bar(self._bars, f"{player}, {name}")
            yield luckless_estimate(name, hands, self._known, self._values, bar)


def _records(logs: list[Path], table: HandTable) -> Iterator[HandRecord]:
    for log in logs:
        for entry in read_match_log(log, table.definition):
            if isinstance(entry, HandRecord):
                yield entry


def _planned(paths: list[Path], table: HandTable) -> dict[str, str]:
    """The strategies that the plans in match folders tell of, by player: those that can be asked about every hand."""
    plans = [load_plan(path) for path in paths if path.is_dir()]
    pairs = [pair for plan in plans for pair in zip(plan.names, plan.strategies, strict=True)]
    return {player: name for player, name in pairs if player in table.players and _is_known(name, table)}


def _is_known(name: str, table: HandTable) -> bool:
    """Whether *name* is a stored strategy's, or one's that does not look at its cards."""
    if name in BLIND:
        return name != "random" or table.definition.is_limit
    place = parse_name(name)[0] if "?play=" in name else name
    return (folder := find_folder(place)) is not None and (folder / MANIFEST_FILE).exists()


def _told(words: list[str], table: HandTable) -> dict[str, str]:
    """What ``--known`` tells; raises UsageError."""
    told = {}
    for word in words:
        player, equals, name = word.partition("=")
        if not equals or player not in table.players:
            raise UsageError(f"--known {word}: no NAME=STRATEGY of a player", f"players are {', '.join(table.players)}")
        told[player] = name
    return told


def _print(player: str, estimates: list[Estimate]) -> None:
    chips = estimates[0]
    kind = f", {chips.num_samples} deals of a duplicate match" if chips.num_samples < chips.num_hands else ""
    print(f"{player}, {chips.num_hands} hands{kind}")
    width = max(len(found.name) for found in estimates)
    for found in estimates:
        saved = f"{(chips.half_width_mbb / found.half_width_mbb) ** 2:8.1f}" if found.half_width_mbb else "       -"
        result = f"{found.mean_mbb:+10.1f} ± {found.half_width_mbb:.1f} mbb/hand"
        print(f"  {found.name:{width}} {result:>28}  {saved} x the hands")
