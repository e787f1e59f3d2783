"""The hands of a match and what is known of its players: what every estimator makes of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.progress import Progress

from acpcbot.cli.bars import new_bar
from acpcbot.errors import UsageError
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.estimates import (
    Estimate,
    all_in_estimate,
    chips_estimate,
    luckless_chips,
    luckless_estimate,
    seated_hands,
)
from acpcbot.evaluation.knowledge import possible_estimators, self_play_values
from acpcbot.evaluation.known_strategies import BLIND, find_strategy
from acpcbot.matches.plan import load_plan
from acpcbot.reports.duplicates import deal_numbers
from acpcbot.reports.hands import HandTable
from acpcbot.snapshots.finding import find_folder
from acpcbot.snapshots.manifest import MANIFEST_FILE
from acpcbot.snapshots.policy import parse_name

Floats = NDArray[np.float64]


def add_known_arguments(parser: argparse.ArgumentParser) -> None:
    """Who plays what, and whose self-play tells what hands are worth."""
    parser.add_argument(
        "--known",
        action="append",
        default=[],
        metavar="NAME=STRATEGY",
        help="what a player plays: a trained folder, call, fold, raise, random [what a match's folder says]",
    )
    parser.add_argument(
        "--values", metavar="STRATEGY", help="a trained folder whose self-play tells what hands are worth [a known one]"
    )


class KnownMatch:
    """The hands of *table*, and the *names* of the strategies of known players.

    *source* names the strategy whose self-play tells what hands are worth; without one that is
    the first known one that was trained. Raises UsageError, UnknownStrategy, BadSnapshot.
    """

    def __init__(self, table: HandTable, names: Mapping[str, str], source: str | None, bars: Progress) -> None:
        self._table, self._bars = table, bars
        self._records, self._samples = list(table.records()), deal_numbers(table).tolist()
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

    def column(self, estimator: str) -> Floats:
        """Chips by the *estimator* of that name, [hand, player]; NaN where a player has no seat, two, or no such value.

        Raises UsageError if nobody has one.
        """
        chips = np.full((self._table.num_hands, len(self._table.players)), np.nan)
        for number, player in enumerate(self._table.players):
            if estimator in possible_estimators(player, self._known, self._values):
                self._fill(chips[:, number], player, estimator)
        if np.isnan(chips).all():
            raise UsageError(f"too little is known for {estimator}", "name strategies by --known and --values")
        return chips

    def _fill(self, chips: Floats, player: str, estimator: str) -> None:
        """What the hands brought *player*, into *chips* [hand]; where he has two seats a name does not say which."""
        seated = seated_hands(self._records, range(len(chips)), player)
        if hands := [hand for hand in seated if hand.names.count(player) == 1]:
            bar = new_bar(self._bars, f"{player}, {estimator}")
            rows = [hand.sample for hand in hands]
            chips[rows] = luckless_chips(estimator, hands, self._known, self._values, bar)


def known_names(paths: Sequence[Path], words: Sequence[str], table: HandTable) -> dict[str, str]:
    """The strategies by player that match folders among *paths* and the *words* of ``--known`` tell of."""
    return {**_planned(paths, table), **_told(words, table)}


def _planned(paths: Sequence[Path], table: HandTable) -> dict[str, str]:
    """What the plans in match folders tell: those strategies that can be asked about every hand."""
    plans = [load_plan(path) for path in paths if path.is_dir()]
    pairs = [pair for plan in plans for pair in zip(plan.names, plan.strategies, strict=True)]
    return {player: name for player, name in pairs if player in table.players and _is_known(name, table)}


def _is_known(name: str, table: HandTable) -> bool:
    """Whether *name* is a stored strategy's, or one's that does not look at its cards."""
    if name in BLIND:
        return name != "random" or table.definition.is_limit
    place = parse_name(name)[0] if "?play=" in name else name
    return (folder := find_folder(place)) is not None and (folder / MANIFEST_FILE).exists()


def _told(words: Sequence[str], table: HandTable) -> dict[str, str]:
    """What ``--known`` tells; raises UsageError."""
    told = {}
    for word in words:
        player, equals, name = word.partition("=")
        if not equals or player not in table.players:
            raise UsageError(f"--known {word}: no NAME=STRATEGY of a player", f"players are {', '.join(table.players)}")
        told[player] = name
    return told
