"""One hold'em hand between its record and pokerkit's ``HandHistory``.

Either way pokerkit plays the hand and must come to the payoffs of our rules, pots being split in
fractions of chips: what it would play otherwise, such as a raise behind a short all-in, is refused
with ``UsageError``, and so is a hand with hole cards that nobody wrote down.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from acpcbot.cards.deck import format_cards, parse_cards
from acpcbot.errors import BadCards, IllegalAction, ProtocolError, UsageError
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState, parse_action
from acpcbot.poker.dealing import Deal
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.log_entries import HandRecord
from acpcbot.protocol.log_line import parse_hand, verify_hand
from acpcbot.protocol.log_source import NAMES_ENCODING, NAMES_ERRORS
from acpcbot.protocol.log_values import PRINTED_TOLERANCE
from acpcbot.protocol.phh_table import PhhTable, is_of_game, table_of
from acpcbot.protocol.records import format_state_record

if TYPE_CHECKING:
    from pokerkit import HandHistory

INSTALL_HINT = "./dev extras in a clone; elsewhere: pip install 'pokerkit>=0.6'"
TOLERANCE = 1e-6
_ACTION = re.compile(r"[fcr][0-9]*")
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f]|''")


def history_class() -> type[HandHistory]:
    """pokerkit's class of hand histories; raises ``UsageError`` where pokerkit is not installed."""
    try:
        from pokerkit import HandHistory
    except ImportError:
        raise UsageError("PHH files need the package pokerkit", INSTALL_HINT) from None
    return HandHistory


def hand_history(hand: HandRecord) -> HandHistory:
    """The PHH form of *hand*."""
    definition = hand.game.definition
    table = table_of(definition)
    stacks: list[Any] = [stack + value for stack, value in zip(definition.stacks, hand.values, strict=True)]
    history = history_class()(
        **table.fields,
        actions=list(_phh_actions(hand, table)),
        hand=hand.hand_id,
        players=[_unicode_name(name) for name in table.by_player(hand.names)],
        finishing_stacks=[int(stack) if stack.is_integer() else stack for stack in table.by_player(stacks)],
    )
    _verify_payoffs(history, _played(history), table.by_player(hand.values))
    return history


def _phh_actions(hand: HandRecord, table: PhhTable) -> Iterator[str]:
    """The hand as PHH spells it: sizes count within the street, without the ante."""
    deal, betting, base = hand.deal, hand.game.start, table.ante
    for player, cards in enumerate(table.by_player(deal.hole_cards), 1):
        yield f"d dh p{player} {format_cards(cards)}"
    for action in map(parse_action, _ACTION.findall(hand.betting_text)):
        following = betting.apply(action)
        spelling = ("f", "cc", f"cbr {following.max_spent - base}")[action.kind]
        yield f"p{table.player(betting.actor) + 1} {spelling}"
        if following.is_showdown:
            yield from _shown_cards(following, deal, table)
        if following.street > betting.street:
            yield from _boards(betting, following, deal)
            base = following.max_spent
        betting = following


def _shown_cards(betting: BettingState, deal: Deal, table: PhhTable) -> Iterator[str]:
    for player, cards in enumerate(table.by_player(deal.hole_cards)):
        if not betting.folded[table.position(player)]:
            yield f"p{player + 1} sm {format_cards(cards)}"


def _boards(before: BettingState, after: BettingState, deal: Deal) -> Iterator[str]:
    size = before.game.definition.board_size
    for street in range(before.street, after.street):
        yield f"d db {format_cards(deal.board[size(street) : size(street + 1)])}"


def hand_record(history: HandHistory, number: int, game: BettingRules) -> HandRecord:
    """The record of *history*, hand *number* (from one) of its file, as a hand of *game*."""
    table = table_of(game.definition)
    if not is_of_game(history, table):
        raise _refusal(history, "the blinds, the stacks or the bets are those of another game")
    state = _played(history)
    betting = _betting(history, state, table, game)
    deal = _deal(history, state, table)
    values = payoffs(betting, deal.hole_cards, deal.board)
    _verify_payoffs(history, state, table.by_player(values))
    hand_id = history.hand if isinstance(history.hand, int) else number - 1
    names = history.players or [f"p{player + 1}" for player in range(game.definition.num_players)]
    names_text = "|".join(map(_log_name, table.by_position(names)))
    line = format_state_record(hand_id, betting, deal, values, [names_text])
    try:
        _, exact = verify_hand(line, game, 0, PRINTED_TOLERANCE)
    except ProtocolError as error:
        raise _refusal(history, f"in the match log, {error}") from None
    return parse_hand(line, number, game, exact)


def _betting(history: HandHistory, state: Any, table: PhhTable, game: BettingRules) -> BettingState:
    """The betting of pokerkit's *state*, played again by our rules."""
    betting, base = game.start, history.antes[0]
    for operation in state.operations:
        action = _action(operation, base, is_limit=game.definition.is_limit)
        if action is None:
            continue
        if betting.is_over or table.position(operation.player_index) != betting.actor:
            raise _refusal(history, "players act in another order")
        street = betting.street
        try:
            betting = betting.apply(action)
        except IllegalAction as error:
            raise _refusal(history, str(error)) from None
        base = betting.max_spent if betting.street > street else base
    if not betting.is_over:
        raise _refusal(history, "the betting is not over")
    return betting


def _action(operation: Any, base: int, *, is_limit: bool) -> Action | None:
    """The betting action that *operation* is, if it is one, where *base* chips were put in on earlier streets."""
    match type(operation).__name__:
        case "Folding":
            return FOLDING
        case "CheckingOrCalling":
            return CALLING
        case "CompletionBettingOrRaisingTo":
            return LIMIT_RAISING if is_limit else raising(int(operation.amount) + base)
    return None


def _deal(history: HandHistory, state: Any, table: PhhTable) -> Deal:
    """Every card of pokerkit's *state*, of which none may be unknown."""
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
        raise _refusal(history, "a match log has everybody's hole cards, and here some are unknown") from None


def _played(history: HandHistory) -> Any:
    """pokerkit's state at the end of *history*, pots split in fractions."""
    from pokerkit import Automation

    tells_showdown = any(" sm" in action for action in history.actions)
    automations = () if tells_showdown else (Automation.HOLE_CARDS_SHOWING_OR_MUCKING,)
    try:
        with warnings.catch_warnings(action="ignore"):
            *_, state = replace(history, divmod=_split_evenly, automations=(*history.automations, *automations))
    except ValueError as error:
        raise _refusal(history, f"its betting breaks the rules of pokerkit ({error})") from None
    return state


def _split_evenly(amount: Any, count: int) -> tuple[Any, int]:
    return amount / count, 0


def _verify_payoffs(history: HandHistory, state: Any, values: Sequence[float]) -> None:
    if any(abs(payoff - value) > TOLERANCE for payoff, value in zip(state.payoffs, values, strict=True)):
        raise _refusal(history, f"by pokerkit's rules the players win {list(state.payoffs)}, not {list(values)}")


def _refusal(history: HandHistory, reason: str) -> UsageError:
    return UsageError(f"hand {history.hand} cannot be converted: {reason}")


def _unicode_name(name: str) -> str:
    """A log's name as Unicode: bytes that are no UTF-8 are read as latin-1."""
    raw = name.encode(NAMES_ENCODING, NAMES_ERRORS)
    try:
        name = raw.decode("utf-8")
    except UnicodeDecodeError:
        name = raw.decode("latin-1")
    if _UNWRITABLE.search(name):
        raise UsageError(f"the name {name!r} cannot be written in PHH")
    return name


def _log_name(name: str) -> str:
    """A name of a PHH file as it may stand in a log."""
    if _UNWRITABLE.search(name) or "|" in name:
        raise UsageError(f"the name {name!r} cannot be written in a match log")
    return name
