"""The lines that a dealer writes about a match: header, STATE, SCORE and transaction lines.

Byte for byte as in the ACPC server, release 1.0.42. Nothing is escaped: a name with a bar
or a colon in it is written as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from acpcbot.cards.deck import format_cards
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.dealing import Deal
from acpcbot.protocol.grammar import format_board, scan_action

_STAMP = re.compile(
    r"\s*([0-9]{1,20}+)" + r"\s*([0-9]{1,20}+)\.([0-9]{1,6}+)" * 2
)  # possessive quantifiers: a damaged stamp fails without backtracking
MICROS = 1_000_000


@dataclass(frozen=True, slots=True)
class Transaction:
    """One applied action, with the times of its state and of the reply in microseconds."""

    action: Action
    hand_id: int
    sent_us: int
    received_us: int


def format_value(value: float) -> str:
    """Return *value* with up to six decimals, trailing zeros left out.

    >>> format_value(7.5), format_value(-5.0), format_value(10 / 3)
    ('7.5', '-5', '3.333333')
    """
    return f"{value:.0f}" if value % 1 == 0 else f"{value:.6f}".rstrip("0").rstrip(".")


def format_time(time_us: int) -> str:
    """Return *time_us* as seconds with six decimals."""
    return f"{time_us // MICROS}.{time_us % MICROS:06d}"


def format_state_record(
    hand_id: int, betting: BettingState, deal: Deal, values: Sequence[float], names: Sequence[str]
) -> str:
    """Return the STATE line of a finished hand.

    Hole cards, values and names stand in the order of this hand's positions.
    """
    hole = "|".join(map(format_cards, deal.hole_cards))
    board = format_board(deal.board, betting.game.definition.num_board_cards, betting.street)
    return compose_state_record(hand_id, betting.text, hole + board, values, names)


def compose_state_record(
    hand_id: int, betting_text: str, cards_text: str, values: Sequence[float], names: Sequence[str]
) -> str:
    """Return a STATE line from texts; *cards_text* holds all hole cards and the board."""
    return f"STATE:{hand_id}:{betting_text}:{cards_text}:{_joined_values(values)}:{'|'.join(names)}"


def format_score_record(values: Sequence[float], names: Sequence[str]) -> str:
    """Return the SCORE line of a match: totals and names in the order of the command line."""
    return f"SCORE:{_joined_values(values)}:{'|'.join(names)}"


def _joined_values(values: Sequence[float]) -> str:
    return "|".join(map(format_value, values))


def format_transaction(transaction: Transaction) -> str:
    """Return the line of *transaction* in a transaction log."""
    times = f"{format_time(transaction.sent_us)} {format_time(transaction.received_us)}"
    return f"{transaction.action.text} {transaction.hand_id} {times}"


def parse_transaction(line: str, *, is_limit: bool) -> Transaction | None:
    """Return the transaction in *line*, None if it is damaged."""
    scanned = scan_action(line, 0, is_limit=is_limit)
    stamp = _STAMP.match(line, scanned[1]) if scanned else None
    if scanned is None or scanned[0] is None or stamp is None:
        return None
    hand_id, sent_s, sent_us, received_s, received_us = map(int, stamp.groups())
    return Transaction(
        scanned[0], hand_id % 2**32, sent_s * MICROS + sent_us, received_s * MICROS + received_us
    )
