"""Recorded strategies: an agent's probabilities at each decision, in a file beside the match log.

AIVAT needs a player's strategy; for one that is made during play, as by search, this file has it.
TABLE.playerSEAT.strategies has a line of JSON for each decision, after one with the format and the
game:

    {"hand": 7, "seat": 1, "betting": "r300c/r600", "board": "Qh7d2c", "actions": ["f", "c"],
    "probabilities": "eJz..."}

``probabilities`` [hand, action], hands as in ``poker/hands.py``, are base64 of zlib of
little-endian numbers, row by row: float64 in games of up to 256 hands, in others uint16, where
65,535 is 1. Rounded probabilities are the strategy if the agent plays them, so
``StrategyRecorder.record`` returns what it wrote. Hands that cannot be held have rows of zeros.

Of two records of one decision, as after a match was resumed, the last counts. A malformed line
raises BadLogLine, another game UsageError.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TextIO, TypeAlias
from zlib import compress, decompress
from zlib import error as ZlibError

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.cards.deck import format_cards
from acpcbot.errors import BadLogLine, UsageError
from acpcbot.matches.match_files import open_for_lines, write_all
from acpcbot.poker.betting import BettingState, parse_action
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands
from acpcbot.protocol.messages import MatchState
from acpcbot.strategies.policy import to_steps
from acpcbot.strategies.public_strategy import ActionTable

SUFFIX = ".strategies"
FORMAT = 1
MAX_EXACT_HANDS = 256
PROBABILITY_STEPS = 65_535
FIELDS = {
    "hand": int,
    "seat": int,
    "betting": str,
    "board": str,
    "actions": list,
    "probabilities": str,
}

Line: TypeAlias = dict[str, Any]


def strategy_path(table: str, seat: int) -> Path:
    """Return the file of the player in *seat*, beside the log *table*.log."""
    return Path(f"{table}.player{seat}{SUFFIX}")


class StrategyRecorder:
    """Recorder of one agent's decisions at one table; appends to the file at *path*."""

    def __init__(self, path: Path, definition: GameDefinition) -> None:
        self._file = open_for_lines(path, "strategy", appends=True)
        self._code = _Code(definition)
        if not path.stat().st_size:
            self._write(_header(definition))

    def record(self, state: MatchState, table: ActionTable) -> ActionTable:
        """Write the probabilities of the actor of *state* with every hand.

        Returns them as they were written; these are to be played.
        """
        probabilities = self._code.format(table.probabilities)
        line = {
            "hand": state.hand_id,
            "seat": state.seat,
            "betting": state.betting.text,
            "board": format_cards(state.board),
            "actions": [action.text for action in table.actions],
            "probabilities": probabilities,
        }
        self._write(line)
        return ActionTable(table.actions, self._code.parse(probabilities, len(table.actions)))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, line: Line) -> None:
        write_all(self._file, json.dumps(line).encode() + b"\n")


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """A ``PublicStrategy`` that is defined at the recorded decisions of one hand alone."""

    source: str
    number: int
    lines: Mapping[str, Line]
    code: _Code

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the probabilities recorded after *betting*.

        Raises UsageError if there are none, or if the board is another one.
        """
        line = self.lines.get(betting.text)
        if line is None or line["board"] != format_cards(board):
            state = f"{betting.text!r} on {format_cards(board)}" if board else repr(betting.text)
            problem = f"{self.source} has no decision after {state} in hand {self.number}"
            raise UsageError(problem, "is it of another match or player?")
        actions = tuple(map(parse_action, line["actions"]))
        return ActionTable(actions, self.code.parse(line["probabilities"], len(actions)))


@dataclass(frozen=True, slots=True)
class RecordedStrategies:
    """Decisions in one file, by the number of the hand and the betting."""

    source: str
    lines: Mapping[int, Mapping[str, Line]]
    code: _Code

    def hand_strategy(self, number: int) -> RecordedHand:
        """Return the recorded strategy in hand *number*, which may be empty."""
        return RecordedHand(self.source, number, self.lines.get(number, {}), self.code)


def read_strategies(path: Path, definition: GameDefinition) -> RecordedStrategies:
    """Return the decisions in the file at *path*; raises BadLogLine, UsageError."""
    code, found = _Code(definition), dict[int, dict[str, Line]]()
    for line in _lines(path, definition, code):
        found.setdefault(line["hand"], {})[line["betting"]] = line
    return RecordedStrategies(str(path), found, code)


def _lines(path: Path, definition: GameDefinition, code: _Code) -> Iterator[Line]:
    verify = partial(_verify_header, definition)
    with _opened(path) as file:
        for number, text in enumerate(file, start=1):
            try:
                line = json.loads(text)
                verify(line)
            except (ValueError, ZlibError) as error:
                raise BadLogLine(str(path), number, text.rstrip("\n"), str(error)) from None
            if number > 1:
                yield line
            verify = partial(_verify, code)


def _opened(path: Path) -> TextIO:
    try:
        return path.open(encoding="utf-8")
    except OSError as error:
        hint = "the files of a match's decisions lie beside its logs"
        raise UsageError(f"could not read {path}: {error.strerror}", hint) from None


def _header(definition: GameDefinition) -> Line:
    return {"format": FORMAT, "game": definition.fingerprint}


def _verify_header(definition: GameDefinition, line: Any) -> None:
    if not isinstance(line, dict) or line.get("format") != FORMAT:
        raise ValueError(f"no file of strategies of format {FORMAT}")
    if line != _header(definition):
        raise UsageError(
            "the strategies are of another game than the match", "name the file of this match"
        )


def _verify(code: _Code, line: Any) -> None:
    if not isinstance(line, dict) or any(
        not isinstance(line.get(name), kind) for name, kind in FIELDS.items()
    ):
        raise ValueError(f"a decision has {', '.join(FIELDS)}")
    if not all(isinstance(text, str) and text[:1] in tuple("fcr") for text in line["actions"]):
        raise ValueError("actions are f, c, r and r with a size")
    code.parse(line["probabilities"], len(line["actions"]))


class _Code:
    """Text form of probabilities: exact in games with few hands, else rounded to 16 bits."""

    def __init__(self, definition: GameDefinition) -> None:
        self._num_hands = len(all_hands(definition))
        self._is_exact = self._num_hands <= MAX_EXACT_HANDS
        self._type = np.dtype("<f8" if self._is_exact else "<u2")

    def format(self, probabilities: Floats) -> str:
        """Return *probabilities* [hand, action] as text."""
        numbers = probabilities if self._is_exact else _rounded(probabilities)
        return b64encode(compress(numbers.astype(self._type).tobytes())).decode()

    def parse(self, text: str, num_actions: int) -> Floats:
        """Return the probabilities [hand, action] in *text*; raises ValueError, ZlibError."""
        numbers = np.frombuffer(decompress(b64decode(text, validate=True)), self._type)
        rows = numbers.reshape(self._num_hands, num_actions) / (
            1 if self._is_exact else PROBABILITY_STEPS
        )
        if rows.min() < 0 or not np.isclose(rows.sum(axis=1)[:, None], (0, 1)).any(axis=1).all():
            raise ValueError("probabilities that do not sum to 1")
        return rows


def _rounded(probabilities: Floats) -> NDArray[np.int64]:
    """Return probabilities in whole steps; rows of zeros stay zero."""
    steps: NDArray[np.int64] = to_steps(probabilities, PROBABILITY_STEPS) * probabilities.any(
        axis=1, keepdims=True
    )
    return steps
