"""Transaction logs (``.tlog``): every applied action of a match, verified by replay.

A transaction log begins with hand 0 and may end in the middle of a hand. It does not name the
game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from acpcbot.errors import IllegalAction
from acpcbot.logs.source import LogSource, read_lines
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.records import Transaction, format_transaction, parse_transaction


def read_transactions(source: LogSource, definition: GameDefinition) -> Iterator[Transaction]:
    """Yield the transactions of the log at *source*, a path or a readable object with bytes.

    Raises ``BadLogLine`` for the first that is malformed, illegal or of the wrong hand, and
    ``OSError``.
    """
    replay = _TransactionReplay(BettingRules(definition))
    for line in read_lines(source):
        text = line.text.removesuffix("\r")
        transaction = parse_transaction(text, is_limit=definition.is_limit)
        if transaction is None or format_transaction(transaction) != text:
            raise line.refusal("expected an action, a hand number and two times")
        problem = replay.apply(transaction)
        if problem:
            raise line.refusal(problem)
        yield transaction


def write_transactions(transactions: Iterable[Transaction], file: BinaryIO) -> None:
    """Write the lines of *transactions* to *file*."""
    for transaction in transactions:
        file.write(f"{format_transaction(transaction)}\n".encode())


class _TransactionReplay:
    """The state of a match after the transactions so far."""

    def __init__(self, game: BettingRules) -> None:
        self._game = game
        self._betting = game.start
        self._hand_id = 0

    def apply(self, transaction: Transaction) -> str:
        """Apply *transaction*; return the reason why it cannot be the next one, or ''."""
        if transaction.hand_id != self._hand_id:
            return f"expected an action of hand {self._hand_id}"
        try:
            self._betting = self._betting.apply(transaction.action)
        except IllegalAction as error:
            return str(error)
        if self._betting.is_over:
            self._betting = self._game.start
            self._hand_id += 1
        return ""
