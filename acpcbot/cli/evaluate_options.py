"""The hands of a match, its known players (plans, files beside logs, ``--known``), estimates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from rich.progress import Progress

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.arrays import Floats
from acpcbot.cli.progress_bars import new_bar
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimates import (
    Estimate,
    SeatedHand,
    all_in_equities,
    all_in_estimate,
    chips_estimate,
    seated_hands,
    variance_reduced_chips,
    variance_reduced_estimates,
)
from acpcbot.evaluation.aivat.value_functions import make_value_function, possible_estimators
from acpcbot.reports.duplicates import deal_numbers
from acpcbot.reports.hands import HandTable
from acpcbot.research.known_players import Names, find_known, planned_names


def known_names(paths: Sequence[Path], words: Sequence[str], table: HandTable) -> Names:
    """Return the strategy names of each known player, one for all logs or one for each.

    *words* are those of ``--known``, and say it best.
    """
    told: dict[str, list[str]] = {}
    for word in words:
        player, equals, name = word.partition("=")
        if not equals or player not in table.players:
            raise UsageError(
                f"--known {word}: no NAME=STRATEGY of a player",
                f"players are {', '.join(table.players)}",
            )
        told.setdefault(player, []).append(name)
    return {**planned_names(paths, table.players, table.definition), **told}


class KnownMatch:
    """The hands of *table*, and the *names* of the strategies of known players.

    *source* names the strategy whose self-play tells what hands are worth; without one that is the
    first known one that was trained. Raises UsageError, UnknownStrategy, BadSnapshot.
    """

    def __init__(self, table: HandTable, names: Names, source: str | None, bars: Progress) -> None:
        self._table, self._bars = table, bars
        self._records, self._samples = list(table.records()), deal_numbers(table).tolist()
        dealer = DealSources(table.definition, new_bar(bars, "card tables"))
        self._known = find_known(names, table, dealer)
        played = chain.from_iterable(names.values())
        self._values = make_value_function(dealer, source, played, new_bar(bars, "values of hands"))

    def estimates(self, player: str) -> Iterator[Estimate]:
        """Yield the win rate of *player* by every estimator that applies."""
        hands = seated_hands(self._records, self._samples, player)
        yield chips_estimate(hands)
        yield all_in_estimate(hands)
        names, bar = (
            possible_estimators(player, self._known, self._values),
            new_bar(self._bars, player),
        )
        yield from variance_reduced_estimates(names, hands, self._known, self._values, bar)

    def hand_chips(self, player: str) -> tuple[list[SeatedHand], dict[str, Floats]]:
        """Return the hands of *player*, and chips [hand] by every estimator that applies."""
        hands = seated_hands(self._records, self._samples, player)
        names = possible_estimators(player, self._known, self._values)
        found = {
            "chips": np.array([hand.chips for hand in hands]),
            "all-in equity": all_in_equities(hands),
        }
        if names:
            bar = new_bar(self._bars, player)
            reduced = variance_reduced_chips(names, hands, self._known, self._values, bar)
            found.update(zip(names, reduced.T, strict=True))
        return hands, found

    def column(self, estimator: str) -> Floats:
        """Chips by the *estimator* of that name, [hand, player].

        NaN where a player has no seat, two, or no such value.

        Raises UsageError if nobody has one.
        """
        chips = np.full((self._table.num_hands, len(self._table.players)), np.nan)
        for number, player in enumerate(self._table.players):
            if estimator in possible_estimators(player, self._known, self._values):
                self._fill(chips[:, number], player, estimator)
        if np.isnan(chips).all():
            raise UsageError(
                f"too little is known for {estimator}", "name strategies by --known and --values"
            )
        return chips

    def _fill(self, chips: Floats, player: str, estimator: str) -> None:
        """Write the chips that the hands brought *player* into *chips* [hand].

        Hands in which the player has two seats are left out: a name does not say which.
        """
        seated = seated_hands(self._records, range(len(chips)), player)
        if hands := [hand for hand in seated if hand.names.count(player) == 1]:
            bar = new_bar(self._bars, f"{player}, {estimator}")
            rows = [hand.sample for hand in hands]
            chips[rows] = variance_reduced_chips(
                [estimator], hands, self._known, self._values, bar
            )[:, 0]
