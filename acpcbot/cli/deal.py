"""``acpcbot deal``: the dealer, with the official dealer's words on every channel."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from acpcbot.cli.dealer_options import OWN_USAGE, USAGE, DealerOptions, ShowUsage, parse_dealer_arguments
from acpcbot.cli.examples import examples_text
from acpcbot.cli.garbage import look_rarely
from acpcbot.errors import BadDefinition, UsageError
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings
from acpcbot.matches.table import Phase, Table
from acpcbot.net.dealer import deal_match
from acpcbot.net.listening import DealerPlace, open_ports
from acpcbot.poker.definition import GameDefinition, load_definition
from acpcbot.poker.shipped import SHIPPED_NAMES, STACKS_MARK, find_definition, shipped_path
from acpcbot.protocol.lines import bytes_of
from acpcbot.protocol.records import format_score_record


def run_dealer(arguments: Sequence[str]) -> int:
    """Deal the match that *arguments* describe; the exit status is the official dealer's."""
    if any(word in ("-h", "--help") for word in arguments):
        print(USAGE + OWN_USAGE + examples_text("acpcbot deal"), end="")
        return 0
    try:
        options = parse_dealer_arguments(arguments)
        settings = options.settings(_definition(options.game))
    except ShowUsage:
        print(USAGE, end="")
        return 1
    return _deal(options, settings)


def _definition(name: str) -> GameDefinition:
    path = Path(name)
    if STACKS_MARK in name and not path.exists():
        return find_definition(name)[1]
    if not path.is_file() and name.removesuffix(".game") in SHIPPED_NAMES and not path.exists():
        path = shipped_path(name.removesuffix(".game"))
    try:
        return load_definition(path)
    except OSError as error:
        hint = f"{error.strerror}; shipped games: {', '.join(SHIPPED_NAMES)}"
        raise UsageError(f"ERROR: could not open game definition {name}", hint) from None
    except BadDefinition as error:
        raise UsageError(f"{error}\nERROR: could not read game {name}", error.hint) from None


def _deal(options: DealerOptions, settings: MatchSettings) -> int:
    files = MatchFiles(
        settings.name,
        keeps_log=options.keeps_log,
        keeps_transactions=settings.keeps_transactions,
        appends=options.appends,
    )
    try:
        place = DealerPlace(
            options.host,
            options.ports,
            options.start_timeout,
            options.version_timeout,
            port_seed=settings.seed if options.seeds_ports else None,
        )
        ports = open_ports(place, settings.definition.num_players)
        print(" ".join(str(port.number) for port in ports), flush=True)
        for line in settings.header:
            files.log(line)
            talk(f"{line}\n")
        look_rarely()
        return _report(deal_match(settings, place, ports, files, talk))
    finally:
        files.close()


def _report(table: Table) -> int:
    if table.phase is not Phase.FINISHED:
        return 1
    sys.stdout.buffer.write(bytes_of(f"{format_score_record(table.scores, table.settings.player_names)}\n"))
    sys.stdout.buffer.flush()
    return 0


def talk(text: str) -> None:
    """Write *text* to stderr as the bytes it was made of."""
    sys.stderr.buffer.write(bytes_of(text))
    sys.stderr.buffer.flush()
