"""Sources of logs: a path or a readable object, cut into whole lines with bounded memory."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Protocol, TypeAlias

from acpcbot.errors import BadDefinition, BadLogLine, UnknownGame, UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import shipped_definition

CHUNK_SIZE = 1 << 20
MAX_LINE_LENGTH = 65_536
_SHOWN_LENGTH = 1000


NAMES_ENCODING = "utf-8"
NAMES_ERRORS = "surrogateescape"
GAME_HINT = (
    "name the game's definition "
    "(on the command line: --game GAME, and --stack CHIPS for other stacks)"
)


class ByteSource(Protocol):
    """A readable object with bytes: a binary file, a pipe, a decompressor."""

    def read(self, size: int, /) -> bytes:
        """Return at most *size* more bytes, none at the end."""


LogSource: TypeAlias = str | PathLike[str] | ByteSource


@contextmanager
def open_log(source: LogSource) -> Iterator[tuple[str, ByteSource]]:
    """Open *source*: yield its name and its bytes; a file opened here is closed again."""
    if not isinstance(source, str | PathLike):
        yield str(getattr(source, "name", "the log")), source
        return
    with Path(source).open("rb") as file:
        yield str(source), file


def size_of(file: ByteSource) -> int:
    """Return the size of *file* in bytes if the system knows it, else 0."""
    try:
        return os.fstat(file.fileno()).st_size  # type: ignore[attr-defined]
    except (AttributeError, OSError):
        return 0


def whole_lines(file: ByteSource, chunk_size: int) -> Iterator[tuple[bytes, bool]]:
    """Yield the bytes of *file* in pieces of whole lines, each with a flag.

    The flag is True for a last line without a line end, a piece of its own, to which the line
    end is added. Reading stops behind a line longer than ``MAX_LINE_LENGTH``.
    """
    rest = b""
    while data := file.read(chunk_size):
        end = data.rfind(b"\n") + 1
        if end:
            yield rest + data[:end], False
            rest = b""
        rest += data[end:]
        if len(rest) > MAX_LINE_LENGTH:
            break
    if rest:
        yield rest + b"\n", len(rest) <= MAX_LINE_LENGTH


@dataclass(frozen=True, slots=True)
class SourceLine:
    """Line *number*, from one, of *source*; *is_cut*: it is the last one and has no line end."""

    source: str
    number: int
    text: str
    is_cut: bool

    def refusal(self, reason: str) -> BadLogLine:
        """Return the error that refuses this line for *reason*."""
        note = " (and the log ends here, without a line end)" if self.is_cut else ""
        return BadLogLine(self.source, self.number, self.text[:_SHOWN_LENGTH], reason + note)


def read_lines(source: LogSource) -> Iterator[SourceLine]:
    """Yield each line of *source* that is not blank, without its LF.

    Raises ``BadLogLine`` for a line longer than ``MAX_LINE_LENGTH``.
    """
    number = 0
    with open_log(source) as (name, file):
        for chunk, is_cut in whole_lines(file, CHUNK_SIZE):
            for text in chunk.decode("latin-1").split("\n")[:-1]:
                number += 1
                line = SourceLine(name, number, text, is_cut)
                if len(text) >= MAX_LINE_LENGTH:
                    raise line.refusal(f"the line has more than {MAX_LINE_LENGTH} bytes")
                if not is_blank(text):
                    yield line


def is_blank(line: str) -> bool:
    """Return whether *line* holds blanks only, as between the parts of published logs."""
    return not line.strip(" \t\r")


def line_text(line: bytes) -> str:
    """Return a log's *line* as text: names are UTF-8, other bytes are kept (surrogateescape)."""
    return line.decode(NAMES_ENCODING, NAMES_ERRORS)


def encoded_line(text: str) -> bytes:
    """Return the bytes of a log's line, line end included, from its *text*."""
    return f"{text}\n".encode(NAMES_ENCODING, NAMES_ERRORS)


def shipped_game(path: str) -> GameDefinition | None:
    """Return the shipped game whose file name is the last part of *path*, if there is one."""
    try:
        return shipped_definition(re.split(r"[/\\]", path)[-1])
    except (UsageError, BadDefinition):
        return None


def unknown_game(source: str) -> UnknownGame:
    """Return the error for a log without a header that names a shipped game."""
    return UnknownGame(f"{source} names no shipped game", GAME_HINT)
