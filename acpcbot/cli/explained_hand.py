"""A hand that was explained: what is known of it, in one place, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from acpcbot.cards.deck import format_cards
from acpcbot.evaluation.judged_hand import Decision
from acpcbot.evaluation.luck_account import Account, Luck
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.shipped import recognise
from acpcbot.protocol.match_log import HandRecord
from acpcbot.reports.text import printable


@dataclass(frozen=True, slots=True)
class ExplainedHand:
    """The hand *record* of the log *source*, judged by *strategy*; *notes* say what could not be told."""

    source: str
    record: HandRecord
    strategy: str
    decisions: Sequence[Decision]
    accounts: Sequence[Account]
    notes: Sequence[str]

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat, without what a terminal would obey."""
        return tuple(map(printable, self.record.names))

    def dealt(self, street: int) -> tuple[int, ...]:
        """The board cards that came on *street*, as the log has them."""
        size = self.record.game.definition.board_size
        return self.record.board[size(street - 1) if street else 0 : size(street)]


def explained_json(hands: Sequence[ExplainedHand]) -> str:
    """All *hands* as one list; actions and cards as in a log, seats from 1."""
    return json.dumps([_plain(hand) for hand in hands], indent=1, ensure_ascii=False) + "\n"


def _plain(hand: ExplainedHand) -> dict[str, Any]:
    record = hand.record
    return {
        "log": hand.source,
        "line": record.line_number,
        "hand": record.hand_id,
        "game": recognise(record.game.definition),
        "strategy": hand.strategy,
        "players": [
            {"seat": seat + 1, "name": name, "hole_cards": format_cards(cards), "chips": chips}
            for seat, (name, cards, chips) in enumerate(
                zip(record.names, record.hole_cards, record.values, strict=True)
            )
        ],
        "board": [format_cards(hand.dealt(street)) for street in range(record.betting.street + 1)],
        "betting": record.betting_text,
        "decisions": list(map(_plain_decision, hand.decisions)),
        "accounts": list(map(_plain_account, hand.accounts)),
        "notes": list(hand.notes),
    }


def _plain_decision(decision: Decision) -> dict[str, Any]:
    row = decision.row
    return asdict(decision) | {
        "street": STREET_NAMES[decision.street],
        "seat": decision.seat + 1,
        "taken": decision.taken.text,
        "taken_probability": decision.taken_probability,
        "actions": [action.text for action in decision.actions],
        "row": asdict(row) if row else None,
    }


def _plain_account(found: Account) -> dict[str, Any]:
    return {
        "seat": found.hero + 1,
        "chips": found.chips,
        "value_chips": found.value_chips,
        "lucks": list(map(_plain_luck, found.lucks)),
    }


def _plain_luck(luck: Luck) -> dict[str, Any]:
    return {
        "event": luck.event,
        "street": STREET_NAMES[luck.street],
        "seat": None if luck.actor is None else luck.actor + 1,
        "action": luck.action.text if luck.action else None,
        "chips": luck.chips,
    }
