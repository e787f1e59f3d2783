"""Match logs made by random play, recorded ones, and the two readers of a STATE line side by
side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from acpcbot.errors import BadLogLine, ProtocolError
from acpcbot.logs.entries import PRINTED_TOLERANCE
from acpcbot.logs.line import verify_hand
from acpcbot.logs.match_log import HandRecord, LogEntry, encoded_line, read_match_log
from acpcbot.logs.replay import CompiledReader
from acpcbot.poker import rules
from acpcbot.poker.actions import raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.records import format_score_record, format_state_record
from tests.support.games import rules_of

SHARED = Path(__file__).resolve().parents[3] / "shared"
HEADER = "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 3 7"
HANDS = (
    "STATE:0:r300f:QcKc|4d2h:-100|100:A|B",
    "STATE:1:cr300c/cc/cc/r700f:7hTh|4d5s/2c3c8d/Ks/Kd:300|-300:B|A",
    "STATE:2:r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:A|B",
)
SCORE = "SCORE:19600|-19600:A|B"
LOG = (HEADER, *HANDS, SCORE)

NAMES = ("Alice", "Bob", "Cara", "Dan", "Eve", "Finn", "Gus", "Hal", "Ivy", "Jo")


def shared_files(pattern: str) -> list[Any]:
    """The shared files that match *pattern* as test parameters.

    One that skips where there are none.
    """
    paths = sorted(SHARED.glob(pattern))
    if paths:
        return [
            pytest.param(path, id="-".join(path.relative_to(SHARED).parts[1:])) for path in paths
        ]
    return [
        pytest.param(None, marks=pytest.mark.skip(reason=f"no {pattern} at {SHARED}"), id="absent")
    ]


def played_out(random: Random, game: BettingRules) -> BettingState:
    """The end of a random hand.

    Calls are twice as likely as other actions, raises small more often than large.
    """
    betting = game.start
    while not betting.is_over:
        action = random.choices(
            legal := betting.legal_actions(), [1 + (action.kind == rules.CALL) for action in legal]
        )[0]
        if action.raise_to:
            smallest, largest = betting.raise_range or (0, 0)
            action = raising(
                min(largest, int(smallest * (largest / smallest) ** random.random() ** 2))
            )
        betting = betting.apply(action)
    return betting


def match_lines(
    game: BettingRules,
    num_hands: int,
    seed: int,
    names: Sequence[str] = NAMES,
    *,
    rotates: bool = True,
) -> Iterator[str]:
    """The STATE lines and the SCORE line of a match of random play."""
    num_players = game.definition.num_players
    names, totals = names[:num_players], [0.0] * num_players
    dealing, random = Dealing(game.definition, seed), Random(seed)
    for hand_id in range(num_hands):
        deal, betting = dealing.next_deal(), played_out(random, game)
        values = payoffs(betting, deal.hole_cards, deal.board)
        seats = [(position + hand_id * rotates) % num_players for position in range(num_players)]
        yield format_state_record(hand_id, betting, deal, values, [names[seat] for seat in seats])
        for seat, value in zip(seats, values, strict=True):
            totals[seat] += value
    yield format_score_record(totals, names)


def match_log(
    game_name: str, num_hands: int = 20, seed: int = 1, names: Sequence[str] = NAMES
) -> list[str]:
    """The lines of a log of random play in a game of the tests."""
    header = f"# name/game/hands/seed match games/{game_name}.game {num_hands} {seed}"
    return [
        header,
        "#--t_response 600000",
        *match_lines(rules_of(game_name), num_hands, seed, names),
    ]


def as_bytes(lines: Iterable[str]) -> bytes:
    """The file that has these *lines*."""
    return b"".join(encoded_line(line) for line in lines)


def entries(
    lines: Iterable[str], definition: GameDefinition | None = None, **settings: Any
) -> list[LogEntry]:
    """Return the reader's entries for *lines*."""
    return list(read_match_log(BytesIO(as_bytes(lines)), definition, **settings))


def hands(
    lines: Iterable[str], definition: GameDefinition | None = None, **settings: Any
) -> list[HandRecord]:
    """The hands that the reader finds in *lines*."""
    return [
        entry for entry in entries(lines, definition, **settings) if isinstance(entry, HandRecord)
    ]


def is_taken_compiled(
    line: str, definition: GameDefinition, tolerance: float = PRINTED_TOLERANCE
) -> bool:
    """Return True if the compiled reader takes *line* as the first of its log."""
    return bool(CompiledReader(definition, tolerance).read(as_bytes([line]), 0, 0)[0])


def is_taken_slowly(line: str, game: BettingRules, tolerance: float = PRINTED_TOLERANCE) -> bool:
    """Return True if the plain reader takes *line* as the first of its log."""
    try:
        verify_hand(line, game, 0, tolerance)
    except ProtocolError:
        return False
    return True


def refused(lines: Sequence[str], definition: GameDefinition | None = None) -> BadLogLine:
    """The error that refuses *lines*."""
    with pytest.raises(BadLogLine) as error:
        entries(lines, definition)
    return error.value


def renamed(lines: Sequence[str], old: str, new: str) -> list[str]:
    """*lines* with another name for a player."""
    return [re.sub(rf"(?<=[:|]){old}(?=\||$)", new, line) for line in lines]


def outcome(lines: list[str]) -> list[LogEntry] | BadLogLine:
    """Return the reader's entries for *lines*, or the error that refuses them."""
    try:
        return entries(lines)
    except BadLogLine as error:
        return error
