"""``acpcbot deal``: the dealer, with the official dealer's words on every channel.

The official dealer's command line: its options, its liberties and its refusals, word for word.

Options may stand anywhere, short ones bundle (``-qT``, ``-p1,2``), long ones may be
cut short, and numbers end where their digits do. ``--host``, ``--version_timeout``
and ``--seed_ports`` are our own.

Source: the ACPC server, release 1.0.42.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from acpcbot.c_numbers import scan_number, to_unsigned
from acpcbot.cli.examples import examples_text
from acpcbot.cli.process import look_rarely
from acpcbot.errors import BadDefinition, UsageError
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import (
    DEFAULT_HAND_MS,
    DEFAULT_PER_HAND_MS,
    DEFAULT_RESPONSE_MS,
    DEFAULT_START_MS,
    DEFAULT_VERSION_MS,
    MatchSettings,
    TimeLimits,
)
from acpcbot.matches.table import Phase, Table
from acpcbot.net.dealer import deal_match
from acpcbot.net.listening import DealerPlace, open_ports
from acpcbot.poker.definition import GameDefinition, load_definition
from acpcbot.poker.shipped import SHIPPED_NAMES, STACKS_MARK, find_definition, shipped_path
from acpcbot.protocol.lines import bytes_of
from acpcbot.protocol.records import format_score_record

USAGE = """\
usage: dealer matchName gameDefFile #Hands rngSeed p1name p2name ... [options]
  -f use fixed dealer button at table
  -l/L disable/enable log file - enabled by default
  -p player1_port,player2_port,... [default is random]
  -q only print errors, warnings, and final value to stderr
  -t/T disable/enable transaction file - disabled by default
  -a append to log/transaction files - disabled by default
  --t_response [milliseconds] maximum time per response
  --t_hand [milliseconds] maximum player time per hand
  --t_per_hand [milliseconds] maximum average player time for match
  --start_timeout [milliseconds] maximum time to wait for players to connect
    <0 [default] is no timeout
"""
OWN_USAGE = """\
beyond the official dealer:
  --host address to listen on; 0.0.0.0 opens it to everybody
    [default is this machine alone: 127.0.0.1, ::1, and the address of its name if that is
    127.x.x.x]
  --start_timeout is 600000 here where it is not given; -1 waits for ever
  --seed_ports draw ports that are not given from rngSeed, as dealers up to release 1.0.41 did
  --version_timeout [milliseconds] maximum time to wait for a player's VERSION line
    [default is 600000]
  gameDefFile may be the name of a shipped game
"""

FLAGS: dict[str, dict[str, Any]] = {
    "f": {"is_fixed": True},
    "l": {"keeps_log": False},
    "L": {"keeps_log": True},
    "q": {"is_quiet": True},
    "t": {"keeps_transactions": False},
    "T": {"keeps_transactions": True},
    "a": {"appends": True},
    "seed_ports": {"seeds_ports": True},
}
LONG_OPTIONS = (
    "t_response",
    "t_hand",
    "t_per_hand",
    "start_timeout",
    "version_timeout",
    "host",
    "seed_ports",
)
_MINIMUM_POSITIONALS = 4


class ShowUsage(Exception):
    """The command line has too few words: stdout gets the usage text, the exit status is 1."""


@dataclass(frozen=True, slots=True)
class DealerOptions:
    """Options of a dealer's command line; words that need the game to be judged are still text."""

    name: str = ""
    game: str = ""
    num_hands: str = ""
    seed: str = ""
    player_names: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    is_fixed: bool = False
    is_quiet: bool = False
    keeps_log: bool = True
    keeps_transactions: bool = False
    appends: bool = False
    t_response: int = DEFAULT_RESPONSE_MS
    t_hand: int = DEFAULT_HAND_MS
    t_per_hand: int = DEFAULT_PER_HAND_MS
    start_timeout: int = DEFAULT_START_MS
    version_timeout: int = DEFAULT_VERSION_MS
    host: str = ""
    seeds_ports: bool = False

    def settings(self, definition: GameDefinition) -> MatchSettings:
        """The match that is asked for; raises ShowUsage or UsageError, in the official order."""
        if len(self.player_names) < definition.num_players:
            raise ShowUsage
        num_hands = _unsigned(self.num_hands, 32)
        if not num_hands:
            raise UsageError(
                f"ERROR: invalid number of hands {self.num_hands}", "give a whole number from 1 up"
            )
        seed = _unsigned(self.seed, 32)
        if seed is None:
            raise UsageError(
                f"ERROR: invalid random number seed {self.seed}", "give a whole number"
            )
        return MatchSettings(
            name=self.name,
            game_name=self.game,
            definition=definition,
            num_hands=num_hands,
            seed=seed,
            player_names=self.player_names[: definition.num_players],
            limits=TimeLimits.from_milliseconds(
                self.t_response, self.t_hand, self.t_per_hand, num_hands
            ),
            is_fixed=self.is_fixed,
            is_quiet=self.is_quiet,
            keeps_transactions=self.keeps_transactions,
        )


def parse_dealer_arguments(arguments: Sequence[str]) -> DealerOptions:
    """The options in *arguments*; raises UsageError or ShowUsage."""
    options, positionals = DealerOptions(), []
    for option, value in split_arguments(arguments):
        if option == "":
            positionals.append(value)
        elif option in FLAGS:
            options = replace(options, **FLAGS[option])
        else:
            options = _with_value(options, option, value)
    if len(positionals) < _MINIMUM_POSITIONALS:
        raise ShowUsage
    name, game, num_hands, seed, *player_names = positionals
    return replace(
        options,
        name=name,
        game=game,
        num_hands=num_hands,
        seed=seed,
        player_names=tuple(player_names),
    )


def split_arguments(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each word as (option, its value), positional words as ("", word)."""
    words = iter(arguments)
    for word in words:
        if word == "--":
            yield from (("", rest) for rest in words)
        elif word.startswith("--"):
            yield _long_option(word, words)
        elif word.startswith("-") and word != "-":
            yield from _short_options(word[1:], words)
        else:
            yield "", word


def _long_option(word: str, words: Iterator[str]) -> tuple[str, str]:
    stem, has_value, value = word[2:].partition("=")
    name = next((name for name in LONG_OPTIONS if name.startswith(stem)), None)
    if name is None:
        raise _unknown(f"dealer: unrecognized option '--{stem}'")
    if name in FLAGS:
        return name, ""
    return name, value if has_value else _required(
        words, f"'--{name}'", "option {} requires an argument"
    )


def _short_options(letters: str, words: Iterator[str]) -> Iterator[tuple[str, str]]:
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter == "p":
            yield "p", letters or _required(words, "'p'", "option requires an argument -- {}")
            return
        if letter not in FLAGS:
            raise _unknown(f"dealer: invalid option -- '{letter}'")
        yield letter, ""


def _required(words: Iterator[str], option: str, sentence: str) -> str:
    value = next(words, None)
    if value is None:
        raise _unknown(f"dealer: {sentence.format(option)}")
    return value


def _unknown(problem: str) -> UsageError:
    return UsageError(
        f"{problem}\nERROR: unknown option ?", "acpcbot deal --help lists the options"
    )


def _with_value(options: DealerOptions, option: str, value: str) -> DealerOptions:
    if option == "p":
        return replace(options, ports=parse_ports(value))
    if option == "host":
        return replace(options, host=value)
    number = scan_number(value)
    if number is None:
        raise UsageError(_BAD_TIMES[option] + value, "give a whole number of milliseconds")
    times: dict[str, Any] = {option: number[0]}
    return replace(options, **times)


_BAD_TIMES = {
    "t_response": "ERROR: could not get response timeout from ",
    "t_hand": "ERROR: could not get player hand timeout from ",
    "t_per_hand": "ERROR: could not get average player hand timeout from ",
    "start_timeout": "ERROR: could not get start timeout ",
    "version_timeout": "ERROR: could not get version timeout ",
}


def parse_ports(text: str) -> tuple[int, ...]:
    """The ports in *text*, numbers with commas between them; 0 leaves the choice to the system."""
    ports = []
    for part in text.split(","):
        number = scan_number(part)
        if number is None or number[1] != len(part):
            raise UsageError(
                f"ERROR: bad port string {text}",
                "give numbers with commas between them, as in -p 18791,18792",
            )
        ports.append(number[0] % 65_536)
    return tuple(ports)


def _unsigned(text: str, bits: int) -> int | None:
    number = scan_number(text)
    return None if number is None else to_unsigned(number[0], bits)


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
    sys.stdout.buffer.write(
        bytes_of(f"{format_score_record(table.scores, table.settings.player_names)}\n")
    )
    sys.stdout.buffer.flush()
    return 0


def talk(text: str) -> None:
    """Write *text* to stderr as the bytes it was made of."""
    sys.stderr.buffer.write(bytes_of(text))
    sys.stderr.buffer.flush()
