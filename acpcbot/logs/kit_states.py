"""Betting and cards read out of a ``pokerkit.State``, by our rules.

pokerkit numbers players from the first to act after the flop, as ``HoldemTable`` does; its bets
count within the street and without the ante, ours over the whole hand with it. PHH files
(``phh.py``) and states in a program (``acpcbot.adapters.pokerkit``) are read through here.
Everything that a match log cannot hold raises ``UsageError``.
"""

from __future__ import annotations

from typing import Any

from acpcbot.cards.deck import parse_cards
from acpcbot.errors import BadCards, IllegalAction, UsageError
from acpcbot.logs.holdem_table import HoldemTable
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Deal


def betting_of_state(state: Any, table: HoldemTable, game: BettingRules) -> BettingState:
    """Return the betting of pokerkit's *state* up to now, replayed by our rules."""
    betting, base = game.start, state.antes[0]
    for operation in state.operations:
        action = _action(operation, base, is_limit=game.definition.is_limit)
        if action is None:
            continue
        if betting.is_over or table.position(operation.player_index) != betting.actor:
            raise UsageError("players act in another order")
        street = betting.street
        try:
            betting = betting.apply(action)
        except IllegalAction as error:
            raise UsageError(str(error)) from None
        base = betting.max_spent if betting.street > street else base
    return betting


def _action(operation: Any, base: int, *, is_limit: bool) -> Action | None:
    """Return the betting action of *operation*, None if it is none.

    *base* is the number of chips that a player put in on earlier streets.
    """
    match type(operation).__name__:
        case "Folding":
            return FOLDING
        case "CheckingOrCalling":
            return CALLING
        case "CompletionBettingOrRaisingTo":
            return LIMIT_RAISING if is_limit else raising(int(operation.amount) + base)
    return None


def deal_of_state(state: Any, table: HoldemTable) -> Deal:
    """Return all cards that pokerkit's *state* has dealt; none of them may be unknown."""
    held: list[str] = [""] * table.definition.num_players
    board = ""
    for operation in state.operations:
        match type(operation).__name__:
            case "HoleDealing":
                held[operation.player_index] += "".join(map(repr, operation.cards))
            case "HoleCardsShowingOrMucking" if operation.hole_cards and all(operation.hole_cards):
                held[operation.player_index] = "".join(map(repr, operation.hole_cards))
            case "BoardDealing":
                board += "".join(map(repr, operation.cards))
    try:
        return Deal(tuple(map(parse_cards, table.by_position(held))), parse_cards(board))
    except BadCards:
        raise UsageError(
            "a match log has everybody's hole cards, and here some are unknown"
        ) from None


def split_evenly(amount: Any, count: int) -> tuple[Any, int]:
    """Split *amount* in *count* fractions without a rest, as pokerkit's ``divmod``."""
    return amount / count, 0
