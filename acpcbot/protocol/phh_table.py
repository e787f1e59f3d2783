"""Hold'em games in the terms of Poker Hand History (PHH) files.

PHH knows hold'em of four streets only, its players counted from the first to act after the flop; who
opens before the flop follows from the blinds. An ante is what PHH takes from everybody without
its being a bet; in game definitions it is part of everybody's blind.

What PHH cannot say raises ``UsageError``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

from acpcbot.cards.deck import NUM_RANKS, NUM_SUITS
from acpcbot.errors import UsageError
from acpcbot.poker.definition import (
    UNLIMITED_RAISES,
    UNLIMITED_STACK,
    GameDefinition,
    format_definition,
    parse_definition,
)

if TYPE_CHECKING:
    from pokerkit import HandHistory

T = TypeVar("T")

LIMIT, NO_LIMIT = "FT", "NT"
HOLDEM = (4, NUM_SUITS, NUM_RANKS, 2, (0, 3, 1, 1))
MOST_LIMIT_RAISES = 4
# The big blind is the first of four bets before the flop.
USUAL_LIMIT_RAISES = (3, 4, 4, 4)


@dataclass(frozen=True, slots=True)
class PhhTable:
    """A game and the position *first* that PHH's player 0 holds."""

    definition: GameDefinition
    first: int

    def player(self, position: int) -> int:
        """The player at *position*."""
        return (position - self.first) % self.definition.num_players

    def position(self, player: int) -> int:
        """The position of *player*."""
        return (player + self.first) % self.definition.num_players

    def by_player(self, values: Sequence[T]) -> list[T]:
        """What stands by position, by player."""
        return [*values[self.first :], *values[: self.first]]

    def by_position(self, values: Sequence[T]) -> list[T]:
        """What stands by player, by position."""
        return [values[self.player(position)] for position in range(len(values))]

    @property
    def ante(self) -> int:
        """What everybody puts in without its being a bet; two different blinds heads-up hide no ante."""
        blinds = self.definition.blinds
        return 0 if len(blinds) == 2 and blinds[0] != blinds[1] else min(blinds)

    @property
    def blinds(self) -> list[int]:
        """The blinds by player, without the ante."""
        return [blind - self.ante for blind in self.by_player(self.definition.blinds)]

    @property
    def opener(self) -> int:
        """The player who acts first before the flop: the one behind the last of the largest blinds."""
        blinds = self.blinds
        last_of_largest = max(range(len(blinds)), key=lambda player: (blinds[player], player))
        return (last_of_largest + 1) % len(blinds)

    @property
    def fields(self) -> dict[str, Any]:
        """The entries of a hand history that say which game it is."""
        definition = self.definition
        fields = {
            "variant": LIMIT if definition.is_limit else NO_LIMIT,
            "antes": [self.ante] * definition.num_players,
            "blinds_or_straddles": _as_listed(self.blinds),
            "starting_stacks": self.by_player(definition.stacks),
        }
        if definition.is_limit:
            return fields | {"small_bet": definition.raise_sizes[0], "big_bet": definition.raise_sizes[-1]}
        return fields | {"min_bet": max(self.blinds) or definition.big_blind}


def table_of(definition: GameDefinition) -> PhhTable:
    """The game *definition* in PHH's terms."""
    for reason in _obstacles(definition):
        raise UsageError(f"PHH has no form for this game: {reason}", "convert hold'em with four streets")
    return PhhTable(definition, definition.first_seats[1])


def _obstacles(definition: GameDefinition) -> Iterator[str]:
    sizes = (definition.num_streets, definition.num_suits, definition.num_ranks, definition.num_hole_cards)
    if (*sizes, definition.num_board_cards) != HOLDEM:
        yield "it is not hold'em with four streets and 52 cards"
        return
    table = PhhTable(definition, definition.first_seats[1])
    if len(set(definition.first_seats[1:])) > 1 or table.player(definition.first_seats[0]) != table.opener:
        yield "players act in another order"
    if definition.is_limit:
        if definition.raise_sizes[::2] != definition.raise_sizes[1::2]:
            yield "the bet does not rise on the turn, and only there"
        if max(definition.max_raises) > MOST_LIMIT_RAISES:
            yield f"more than {MOST_LIMIT_RAISES} raises on a street"


def is_of_game(history: HandHistory, table: PhhTable) -> bool:
    """Whether *history* is a hand of the game of *table*."""
    return table_of(history_definition(history)).fields == table.fields


def history_definition(history: HandHistory) -> GameDefinition:
    """The game of *history*, positions in the order of its players; as often raised as is usual."""
    if history.variant not in (LIMIT, NO_LIMIT):
        raise UsageError(f"PHH variant {history.variant!r} is no hold'em game", f"convert {LIMIT} and {NO_LIMIT}")
    stacks = [UNLIMITED_STACK if stack == inf else stack for stack in history.starting_stacks]
    antes = history.antes
    blinds = [*(history.blinds_or_straddles or ()), *[0] * len(stacks)][: len(stacks)]
    bets = (history.small_bet, history.big_bet) if history.variant == LIMIT else ()
    if not all(isinstance(chips, int) for chips in (*stacks, *antes, *blinds, *bets)):
        raise UsageError("chips are not whole numbers", "match logs count whole chips: scale the amounts")
    if len(set(antes)) > 1:
        raise UsageError("antes of different sizes", "in match logs an ante is a blind for everybody")
    return _definition(stacks, [blind + antes[0] for blind in _as_listed(blinds)], [bet for bet in bets if bet])


def _definition(stacks: Sequence[int], blinds: Sequence[int], bets: Sequence[int]) -> GameDefinition:
    num_streets, num_suits, num_ranks, num_hole_cards, num_board_cards = HOLDEM
    definition = GameDefinition(
        is_limit=bool(bets),
        num_players=len(stacks),
        num_streets=num_streets,
        stacks=tuple(stacks),
        blinds=tuple(blinds),
        raise_sizes=tuple([bet for bet in bets for _ in range(2)]),
        first_seats=(0,) * num_streets,
        max_raises=USUAL_LIMIT_RAISES if bets else (UNLIMITED_RAISES,) * num_streets,
        num_suits=num_suits,
        num_ranks=num_ranks,
        num_hole_cards=num_hole_cards,
        num_board_cards=num_board_cards,
    )
    opener = PhhTable(definition, 0).opener
    return _checked(replace(definition, first_seats=(opener, 0, 0, 0)))


def _checked(definition: GameDefinition) -> GameDefinition:
    """*definition*, if it is one that can be played; raises ``BadDefinition``."""
    parse_definition(format_definition(definition))
    return definition


def _as_listed(blinds: Sequence[int]) -> list[int]:
    """Blinds by player as PHH lists them, or the other way: heads-up the button's stands first."""
    return list(blinds[::-1] if len(blinds) == 2 else blinds)
