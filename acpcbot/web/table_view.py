"""A hand as the page draws it, step by step: the rules were asked here, and the page only paints.

A *place* is where somebody sits on the screen, the same in all hands of a match; a position is a
seat of one hand. Cards are text as on the wire, hidden ones are left out. Chips are counted over
the whole hand; ``bet`` is what lies in front of a player on this street.

Text with amounts is a list of pieces, where a number is chips: the page shows them in chips or in
big blinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from acpcbot.cards.deck import format_cards
from acpcbot.cards.hand_names import MadeHand, made_hand
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import STREET_NAMES, UNLIMITED_STACK, GameDefinition
from acpcbot.poker.positions import button_position, position_names
from acpcbot.reports.action_letters import action_letter
from acpcbot.trees.bet_menu import pot_share

TableView: TypeAlias = dict[str, Any]
Words: TypeAlias = tuple[str | float, ...]
"""Pieces of a text; numbers are chips."""
WORDS = {"f": "folds", "k": "checks", "c": "calls", "b": "bets", "r": "raises to"}
ALL_IN = "goes all-in for"
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class TableSeats:
    """Players of a hand: *names* by position, and the *places* of positions on the screen."""

    names: tuple[str, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards that may be seen: hole cards by position, empty where hidden, and the board."""

    hole_cards: Sequence[Sequence[int]]
    board: Sequence[int]


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after an action or a deal: the *betting*, shown on *street*.

    *before* are the chips that each position had put in when the street began, *last_actions*
    its last action there in words, *shares* the share of the pot that it bet or raised there, and
    *caption* says what happened.
    """

    betting: BettingState
    street: int
    before: tuple[int, ...]
    last_actions: tuple[Words, ...]
    shares: tuple[float | None, ...]
    caption: Words


def frames(betting: BettingState, names: Sequence[str]) -> list[Frame]:
    """All steps from the deal to *betting*: every action, and every street that is dealt."""
    definition, start = betting.game.definition, betting.game.start
    blinds: tuple[Words, ...] = tuple(
        [("posts ", chips) if chips else () for chips in definition.blinds]
    )
    count = definition.num_players
    none = (None,) * count
    found = [Frame(start, 0, (0,) * count, blinds, none, ("The cards are dealt.",))]
    for before, action in betting.decisions():
        found.append(_acted(found[-1], before, action, names))
        found += _dealt(found[-1], definition)
    return found


def _acted(last: Frame, before: BettingState, action: Action, names: Sequence[str]) -> Frame:
    after, actor = before.apply(action), before.actor
    words = action_pieces(before, action, last.before[actor])
    share = None
    if action.kind == rules.RAISE:
        share = pot_share(before.game.vector, before.vector, after.max_spent)
    return Frame(
        after,
        before.street,
        last.before,
        _replaced(last.last_actions, actor, words),
        _replaced(last.shares, actor, share),
        (f"{names[actor]} ", *words, "."),
    )


def _replaced(items: tuple[Item, ...], place: int, item: Item) -> tuple[Item, ...]:
    return (*items[:place], item, *items[place + 1 :])


def _dealt(last: Frame, definition: GameDefinition) -> Iterator[Frame]:
    count, betting = definition.num_players, last.betting
    for street in range(last.street + 1, betting.street + 1):
        caption = (f"The {STREET_NAMES[street]} is dealt.",)
        nothing: tuple[Words, ...] = ((),) * count
        yield Frame(betting, street, betting.spent, nothing, (None,) * count, caption)


def action_pieces(before: BettingState, action: Action, spent_before: int) -> Words:
    """Return the action of the actor of *before* as pieces of text.

    The actor had put in *spent_before* when the street began.
    """
    letter = action_letter(before, action.kind)
    if action.kind == rules.RAISE:
        word = ALL_IN if is_all_in(before, action) else WORDS[letter]
        return (f"{word} ", before.apply(action).max_spent - spent_before)
    return (f"{WORDS[letter]} ", before.to_call) if letter == "c" else (WORDS[letter],)


def action_words(before: BettingState, action: Action, spent_before: int) -> str:
    """Return the action of the actor of *before* in words, with amounts in chips."""
    return plain_words(action_pieces(before, action, spent_before))


def plain_words(words: Words) -> str:
    """Return *words* as one text, with amounts in chips.

    >>> plain_words(("calls ", 1250))
    'calls 1,250'
    """
    return "".join([piece if isinstance(piece, str) else number(piece) for piece in words])


def is_all_in(before: BettingState, action: Action) -> bool:
    """Return whether a raise leaves the actor of *before* without a chip."""
    spent = before.apply(action).spent[before.actor]
    return action.kind == rules.RAISE and spent == before.game.definition.stacks[before.actor]


def table_view(step: Frame, seating: TableSeats, cards: Cards) -> TableView:
    """The picture of *step*."""
    betting, definition = step.betting, step.betting.game.definition
    actor = betting.actor if step.street == betting.street else rules.OVER
    seats = [_seat(position, step, seating, cards) for position in range(definition.num_players)]
    return {
        "street": STREET_NAMES[step.street],
        "board": format_cards(cards.board[: definition.board_size(step.street)]),
        "pot": betting.pot,
        "bigBlind": definition.big_blind,
        "actor": actor if actor == rules.OVER else seating.places[actor],
        "caption": step.caption,
        "lifted": "",
        "seats": sorted(seats, key=lambda seat: int(seat["place"])),
    }


def _seat(position: int, step: Frame, seating: TableSeats, cards: Cards) -> TableView:
    definition, spent = step.betting.game.definition, step.betting.spent[position]
    stack = definition.stacks[position]
    return {
        "place": seating.places[position],
        "name": seating.names[position],
        "label": position_names(definition)[position],
        "isButton": position == button_position(definition),
        "cards": format_cards(cards.hole_cards[position]),
        "numCards": definition.num_hole_cards,
        "spent": spent,
        "bet": spent - step.before[position],
        "share": step.shares[position],
        "left": None if stack == UNLIMITED_STACK else stack - spent,
        "folded": step.betting.folded[position],
        "lastAction": step.last_actions[position],
        "made": "",
        "won": None,
    }


def result_view(
    last: Frame, seating: TableSeats, cards: Cards, values: Sequence[float]
) -> TableView:
    """The end of a hand: everybody's cards, who won what, and at a showdown with which hand."""
    made = _made_hands(last, cards)
    picture = table_view(last, seating, cards)
    for position, value in enumerate(values):
        seat = picture["seats"][seating.places[position]]
        seat["won"] = value
        seat["made"] = made[position].name if position in made else ""
    return {
        **picture,
        "actor": rules.OVER,
        "caption": _result_words(seating.names, made, values),
        "lifted": _lifted_cards(made),
    }


def _made_hands(last: Frame, cards: Cards) -> dict[int, MadeHand]:
    """Return the hand of each position that shows its cards."""
    betting = last.betting
    board = cards.board[: betting.game.definition.board_size(betting.street)]
    return {
        position: made_hand((*hole_cards, *board))
        for position, hole_cards in enumerate(cards.hole_cards)
        if betting.shows(position)
    }


def _lifted_cards(made: Mapping[int, MadeHand]) -> str:
    """Return the cards of the best hands."""
    best = max([hand.strength for hand in made.values()], default=0)
    winning = [hand.cards for hand in made.values() if hand.strength == best]
    return format_cards(dict.fromkeys([card for cards in winning for card in cards]))


def _result_words(
    names: Sequence[str], made: Mapping[int, MadeHand], values: Sequence[float]
) -> Words:
    words: Words = ()
    for position, value in enumerate(values):
        if value > 0:
            joint = (", ",) if words else ()
            hand = (f" ({made[position].name})",) if position in made else ()
            words = (*words, *joint, f"{names[position]} wins ", value, *hand)
    return (*words, ".") if words else ("Nobody wins anything.",)


def finished_views(
    betting: BettingState, seating: TableSeats, cards: Cards, values: Sequence[float]
) -> list[TableView]:
    """A whole hand with all cards open, from the deal to the result."""
    found = frames(betting, seating.names)
    return [
        *[table_view(step, seating, cards) for step in found],
        result_view(found[-1], seating, cards, values),
    ]


def number(chips: float) -> str:
    """*chips* as a person reads them.

    >>> number(1250.0), number(0.5)
    ('1,250', '0.5')
    """
    return f"{chips:,.2f}".rstrip("0").rstrip(".")
