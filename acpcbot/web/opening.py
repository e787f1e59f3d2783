"""From what was asked for to a server that runs."""

from __future__ import annotations

import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from acpcbot.net.journal import Journal
from acpcbot.net.listening import LOOPBACK, listen
from acpcbot.net.loop import run as run_loop
from acpcbot.poker.definition import GameDefinition
from acpcbot.web.gate import TOKEN_FIELD, Gate, new_token
from acpcbot.web.offers import GameOffer, chosen_offer, found_offers
from acpcbot.web.server import TableServer, serve
from acpcbot.web.study import Study
from acpcbot.web.table_settings import TableSettings
from acpcbot.web.tables import Tables, prepare
from acpcbot.web.watching import Gallery

EVERY_IPV4 = "0.0.0.0"  # nosec B104 # recognised, not listened at
EVERYWHERE = (EVERY_IPV4, "::", "")


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the command line named; see ``acpcbot table --help``."""

    game: tuple[str, GameDefinition] | None
    strategies: tuple[str, ...]
    watched: tuple[Path, ...]
    values: str | None
    tables: TableSettings


def open_table(options: TableOptions, host: str | None, port: int, journal: Journal) -> None:
    """Warm up and serve until told to stop; raises UsageError, UnknownStrategy, BadSnapshot, OSError.

    With a *host* browsers need a token, which stands in the address.
    """
    offers, study = _offers(options), Study(options.values)
    definition = options.game[1] if options.game else None
    gallery = Gallery(options.watched, definition)
    listener = listen(LOOPBACK if host is None else host, port)
    try:
        _warm_up(offers, options, study)
        shown = _shown_host(host)
        gate = Gate(shown, listener.getsockname()[1], None if host is None else new_token(), journal)
        tables = Tables(options.tables, study, journal)
        run_loop(serve(TableServer(offers, tables, gallery, gate, journal), listener, _address(gate)))
    finally:
        listener.close()
        study.close()


def _offers(options: TableOptions) -> list[GameOffer]:
    if options.game is not None and options.strategies:
        return [chosen_offer(*options.game, options.strategies)]
    return found_offers(options.game)


def _warm_up(offers: list[GameOffer], options: TableOptions, study: Study) -> None:
    """Prepare what is most likely to be played: the strategies that were named, or the first that are offered."""
    offer = offers[0]
    for strategy in offer.strategies if options.strategies else offer.strategies[:1]:
        started_s = time.monotonic()
        print(f"warming up {strategy} in {offer.name} ...", end="", file=sys.stderr, flush=True)
        prepare(offer, [strategy] * offer.num_bots, options.tables, study)
        print(f" {time.monotonic() - started_s:.1f} s", file=sys.stderr)


def _shown_host(host: str | None) -> str:
    """The host as an address names it: where all are listened to, this machine's name."""
    if host is None:
        return LOOPBACK
    if host in EVERYWHERE:
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


def _address(gate: Gate) -> str:
    token = "" if gate.token is None else f"?{TOKEN_FIELD}={gate.token}"
    return f"http://{gate.host}:{gate.port}/{token}"
