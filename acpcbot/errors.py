"""Typed errors, each carrying its data; ``str()`` composes the sentence.

    AcpcbotError
    +-- BadCards            text that is no card, or cards that cannot lie together
    |   +-- BadRange        text that is no range of hands, with its column
    +-- BadDefinition       a game definition that the official parser refuses or cannot play
    +-- IllegalAction       an action that the betting rules forbid
    +-- ProtocolError       a line that leaves the grammar, shown with its column
    |   +-- LineTooLong     a peer that sends no line end
    +-- BadLogLine          a match log whose line N cannot have happened
    +-- BadRequest          a browser's request that the table refuses
    +-- UnknownStrategy     no agent of that name
    +-- BadSnapshot         a strategy's folder that is damaged, or of another format
    +-- MatchAborted        a match that ended without a score
    +-- AgentLeft           an agent that leaves in the middle of a match
    +-- UsageError          a command line that cannot be carried out
        +-- UnknownGame     a log that does not say which game it is of

The command line prints any of these as one line and a hint, never a traceback.
"""

from __future__ import annotations


class AcpcbotError(Exception):
    """The base class of this project's errors; *hint* says what the user can do about it."""

    hint: str = ""


class BadCards(AcpcbotError):
    """A card list that cannot be dealt; *reason* says why."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(text, reason)
        self.text, self.reason = text, reason

    def __str__(self) -> str:
        return f"{self.reason}: {self.text!r}"


class BadRange(BadCards):
    """A range of hands that cannot be read from *column* (from zero) on; *reason* says why."""

    hint = "a range is hands between commas, with weights if you like: TT+,A5s-A2s,AKo,76s:0.5,AsKd"

    def __init__(self, text: str, column: int, reason: str) -> None:
        super().__init__(text, reason)
        self.args = text, column, reason
        self.column = column

    def __str__(self) -> str:
        return f"{self.reason}, at column {self.column}: {self.text!r}"


class BadDefinition(AcpcbotError):
    """A refused game definition; *reason* is the official parser's own where it has one."""

    hint = "docs/reference/game_definitions.md lists the keys and their rules"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class IllegalAction(AcpcbotError):
    """An *action* that the rules forbid after *betting*; *reason* says why."""

    def __init__(self, action: str, betting: str, reason: str) -> None:
        super().__init__(action, betting, reason)
        self.action, self.betting, self.reason = action, betting, reason

    def __str__(self) -> str:
        after = f"after {self.betting}" if self.betting else "as the first action"
        return f"{self.action} is illegal {after}: {self.reason}"


class ProtocolError(AcpcbotError):
    """A *line* of the peer that leaves the grammar at *column* (from zero)."""

    hint = "does the other side play the same game? --game names ours"

    def __init__(self, line: str, column: int, expected: str) -> None:
        super().__init__(line, column, expected)
        self.line, self.column, self.expected = line, column, expected

    def __str__(self) -> str:
        mark = f"{'^':>{self.column + 1}}"
        return f"expected {self.expected} at column {self.column}\n  {self.line}\n  {mark}"


class LineTooLong(ProtocolError):
    """More bytes without a line end than the protocol allows."""


class BadLogLine(AcpcbotError):
    """A line of a match log that cannot have happened: line *number* (from one) of *source*."""

    def __init__(self, source: str, number: int, line: str, reason: str) -> None:
        super().__init__(source, number, line, reason)
        self.source, self.number, self.line, self.reason = source, number, line, reason
        self.hint = (
            f"the line reads {line[:200]!r};"
            " --game and --stack name the game if the log is of another one"
        )

    def __str__(self) -> str:
        return f"{self.source}, line {self.number}: {self.reason}"


class BadRequest(AcpcbotError):
    """A browser's request that is refused, at all or now; *text* is what it sent."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(text, reason)
        self.text, self.reason = text, reason

    def __str__(self) -> str:
        return self.reason


class UnknownStrategy(AcpcbotError):
    """A strategy *name* that does not exist; *known* lists the names that do."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known)
        self.name, self.known = name, known
        self.hint = f"shipped strategies: {', '.join(known)}"

    def __str__(self) -> str:
        return f"unknown strategy {self.name!r}"


class BadSnapshot(AcpcbotError):
    """A strategy's folder *path* that is damaged or of another format; *reason* says how."""

    hint = "fetch it again, or train it again; acpcbot strategies verify checks every file"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class MatchAborted(AcpcbotError):
    """A match that ended without a score; *reason* is the dealer's last message."""

    hint = (
        "is the dealer running, is this the port of a free seat,"
        " and do both sides play the same game?"
    )

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class AgentLeft(AcpcbotError):
    """An agent's wish to leave the match; unlike its other errors, this one ends its client."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class UsageError(AcpcbotError):
    """A request that cannot be carried out; *hint* says what would be."""

    def __init__(self, problem: str, hint: str = "") -> None:
        super().__init__(problem, hint)
        self.problem, self.hint = problem, hint

    def __str__(self) -> str:
        return self.problem


class UnknownGame(UsageError):
    """A log that names no shipped game, read without ``--game``."""
