"""A hand as the page draws it, step by step: the rules were asked here, and the page only paints.

A *place* is where somebody sits on the screen, the same in all hands of a match; a position is a
seat of one hand. Cards are text as on the wire, hidden ones are left out. Chips are counted over
the whole hand; ``bet`` is what lies in front of a player on this street.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from acpcbot.cards.deck import format_cards
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import STREET_NAMES, UNLIMITED_STACK, GameDefinition
from acpcbot.reports.action_letters import action_letter
from acpcbot.reports.groupings import seat_labels

TableView: TypeAlias = dict[str, Any]
WORDS = {"f": "folds", "k": "checks", "c": "calls", "b": "bets", "r": "raises to"}
ALL_IN = "goes all-in for"


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
    its last action there in words, and *caption* says what happened.
    """

    betting: BettingState
    street: int
    before: tuple[int, ...]
    last_actions: tuple[str, ...]
    caption: str


def frames(betting: BettingState, names: Sequence[str]) -> list[Frame]:
    """All steps from the deal to *betting*: every action, and every street that is dealt."""
    definition, start = betting.game.definition, betting.game.start
    blinds = tuple([f"posts {chips}" if chips else "" for chips in definition.blinds])
    found = [Frame(start, 0, (0,) * definition.num_players, blinds, "The cards are dealt.")]
    for before, action in betting.decisions():
        found.append(_acted(found[-1], before, action, names))
        found += _dealt(found[-1], definition)
    return found


def _acted(last: Frame, before: BettingState, action: Action, names: Sequence[str]) -> Frame:
    after, actor = before.apply(action), before.actor
    words = action_words(before, action, last.before[actor])
    last_actions = tuple(
        [words if seat == actor else old for seat, old in enumerate(last.last_actions)]
    )
    return Frame(after, before.street, last.before, last_actions, f"{names[actor]} {words}.")


def _dealt(last: Frame, definition: GameDefinition) -> Iterator[Frame]:
    nothing, betting = ("",) * definition.num_players, last.betting
    for street in range(last.street + 1, betting.street + 1):
        yield Frame(
            betting, street, betting.spent, nothing, f"The {STREET_NAMES[street]} is dealt."
        )


def action_words(before: BettingState, action: Action, spent_before: int) -> str:
    """Return the action of the actor of *before* in words.

    The actor had put in *spent_before* when the street began.
    """
    letter = action_letter(before, action.kind)
    if action.kind == rules.RAISE:
        word = ALL_IN if is_all_in(before, action) else WORDS[letter]
        return f"{word} {before.apply(action).max_spent - spent_before:,}"
    return f"{WORDS[letter]} {before.to_call:,}" if letter == "c" else WORDS[letter]


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
        "actor": actor if actor == rules.OVER else seating.places[actor],
        "caption": step.caption,
        "seats": sorted(seats, key=lambda seat: int(seat["place"])),
    }


def _seat(position: int, step: Frame, seating: TableSeats, cards: Cards) -> TableView:
    definition, spent = step.betting.game.definition, step.betting.spent[position]
    stack = definition.stacks[position]
    return {
        "place": seating.places[position],
        "name": seating.names[position],
        "label": _label(definition, position),
        "cards": format_cards(cards.hole_cards[position]),
        "numCards": definition.num_hole_cards,
        "spent": spent,
        "bet": spent - step.before[position],
        "left": None if stack == UNLIMITED_STACK else stack - spent,
        "folded": step.betting.folded[position],
        "lastAction": step.last_actions[position],
        "won": None,
    }


def _label(definition: GameDefinition, position: int) -> str:
    """Return the name of the position, or its number where it has none."""
    number, _, name = seat_labels(definition)[position].partition(" ")
    return name or number


def result_view(
    last: Frame, seating: TableSeats, cards: Cards, values: Sequence[float]
) -> TableView:
    """The end of a hand: everybody's cards, and who won what."""
    winners = [
        f"{seating.names[seat]} wins {number(value)}"
        for seat, value in enumerate(values)
        if value > 0
    ]
    picture = table_view(last, seating, cards)
    won = dict(zip(seating.places, values, strict=True))
    for seat in picture["seats"]:
        seat["won"] = won[seat["place"]]
    return {
        **picture,
        "actor": rules.OVER,
        "caption": f"{', '.join(winners) or 'Nobody wins anything'}.",
    }


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
