"""Transaction logs (``.tlog``): every action of a match as it was applied, played again while
it is read.

A transaction log begins with hand 0 and may end in the middle of a hand. Nothing in it names the
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
    """The transactions of the log at *source*, a path or something to read bytes from.

    Raises ``BadLogLine`` for the first that is misspelt, illegal or of the wrong hand, and
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
    """A match as far as its transactions have come."""

    def __init__(self, game: BettingRules) -> None:
        self._game = game
        self._betting = game.start
        self._hand_id = 0

    def apply(self, transaction: Transaction) -> str:
        """Go on with *transaction*; the result says why it cannot be the next one, if so."""
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
