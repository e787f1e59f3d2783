"""The slow part of the start: find the strategies, make each once, and play a hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from acpcbot.net.journal import Journal
from acpcbot.web.loading import Loading, LoadingStopped
from acpcbot.web.lobby import LobbyGame, chosen_offer, found_offers
from acpcbot.web.study import Study
from acpcbot.web.table_host import TableHost
from acpcbot.web.table_settings import TableOptions
from acpcbot.web.tables import Tables, prepare
from acpcbot.web.watching import Gallery


def make_host(options: TableOptions, journal: Journal, loading: Loading) -> TableHost:
    """Find what was asked for; raises UsageError, UnknownStrategy, BadSnapshot, LoadingStopped."""
    loading.step("looking for strategies")
    offers, study = _offers(options), Study(options.values)
    gallery = Gallery(options.watched, options.game[1] if options.game else None)
    tables = Tables(options.tables, study, journal)
    strategies = offers[0].strategies if options.strategies else offers[0].strategies[:1]
    return TableHost(
        offers, tables, gallery, partial(make_ready, offers[0], strategies, options, study)
    )


def make_ready(
    offer: LobbyGame,
    strategies: Sequence[str],
    options: TableOptions,
    study: Study,
    loading: Loading,
) -> None:
    """Make each of *strategies* once and let it play a hand.

    One that fails is told of, and the others are made ready; raises LoadingStopped.
    """
    for number, strategy in enumerate(strategies):
        loading.step(f"loading {strategy} for {offer.name}", number, len(strategies))
        try:
            prepare(offer, [strategy] * offer.num_bots, options.tables, study)
        except LoadingStopped:
            raise
        except Exception as error:
            loading.fail(strategy, error)


def _offers(options: TableOptions) -> list[LobbyGame]:
    if options.game is not None and options.strategies:
        return [chosen_offer(*options.game, options.strategies)]
    return found_offers(options.game)
