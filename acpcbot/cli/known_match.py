"""The hands of a match and what is known of its players: what every estimator makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np
from rich.progress import Progress

from acpcbot.arrays import Floats
from acpcbot.cli.bars import new_bar
from acpcbot.cli.known_players import Names, find_known
from acpcbot.errors import UsageError
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.estimates import (
    Estimate,
    all_in_estimate,
    chips_estimate,
    luckless_chips,
    luckless_estimates,
    seated_hands,
)
from acpcbot.evaluation.knowledge import find_values, possible_estimators
from acpcbot.reports.duplicates import deal_numbers
from acpcbot.reports.hands import HandTable


class KnownMatch:
    """The hands of *table*, and the *names* of the strategies of known players.

    *source* names the strategy whose self-play tells what hands are worth; without one that is the
    first known one that was trained. Raises UsageError, UnknownStrategy, BadSnapshot.
    """

    def __init__(self, table: HandTable, names: Names, source: str | None, bars: Progress) -> None:
        self._table, self._bars = table, bars
        self._records, self._samples = list(table.records()), deal_numbers(table).tolist()
        dealer = ArenaDealer(table.definition, new_bar(bars, "card tables"))
        self._known = find_known(names, table, dealer)
        played = chain.from_iterable(names.values())
        self._values = find_values(dealer, source, played, new_bar(bars, "values of hands"))

    def estimates(self, player: str) -> Iterator[Estimate]:
        """What *player* won, by every estimator that can be had."""
        hands = seated_hands(self._records, self._samples, player)
        yield chips_estimate(hands)
        yield all_in_estimate(hands)
        names, bar = possible_estimators(player, self._known, self._values), new_bar(self._bars, player)
        yield from luckless_estimates(names, hands, self._known, self._values, bar)

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
            chips[rows] = luckless_chips([estimator], hands, self._known, self._values, bar)[:, 0]
