"""Hold'em of four streets as card rooms write it down: antes, blinds, players in their order.

Players are numbered from the first to act after the flop; the first to act before the flop follows
from the blinds. An ante is paid by all players and is not a bet; in game definitions it is part of
every blind. Hand histories (``phh.py``, ``pokerstars.py``) are written and read through it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from acpcbot.cards.deck import NUM_RANKS, NUM_SUITS
from acpcbot.poker.definition import (
    UNLIMITED_RAISES,
    GameDefinition,
    format_definition,
    parse_definition,
)

T = TypeVar("T")

HOLDEM = (4, NUM_SUITS, NUM_RANKS, 2, (0, 3, 1, 1))
MAX_LIMIT_RAISES = 4
# The big blind is the first of four bets before the flop.
USUAL_LIMIT_RAISES = (3, 4, 4, 4)


@dataclass(frozen=True, slots=True)
class HoldemTable:
    """A game with its players numbered so; *first* is the position of player 0."""

    definition: GameDefinition
    first: int

    def player(self, position: int) -> int:
        """Return the player at *position*."""
        return (position - self.first) % self.definition.num_players

    def position(self, player: int) -> int:
        """Return the position of *player*."""
        return (player + self.first) % self.definition.num_players

    def by_player(self, values: Sequence[T]) -> list[T]:
        """Reorder *values* from positions to players."""
        return [*values[self.first :], *values[: self.first]]

    def by_position(self, values: Sequence[T]) -> list[T]:
        """Reorder *values* from players to positions."""
        return [values[self.player(position)] for position in range(len(values))]

    @property
    def ante(self) -> int:
        """The ante of every player; 0 heads-up with two different blinds."""
        blinds = self.definition.blinds
        return 0 if len(blinds) == 2 and blinds[0] != blinds[1] else min(blinds)

    @property
    def blinds(self) -> list[int]:
        """The blinds by player, without the ante."""
        return [blind - self.ante for blind in self.by_player(self.definition.blinds)]

    @property
    def opener(self) -> int:
        """The first player to act before the flop, behind the last of the largest blinds."""
        blinds = self.blinds
        last_of_largest = max(range(len(blinds)), key=lambda player: (blinds[player], player))
        return (last_of_largest + 1) % len(blinds)


def acts_in_usual_order(definition: GameDefinition) -> bool:
    """Return whether the seat behind the big blind opens, and one seat all later streets."""
    table = HoldemTable(definition, definition.first_seats[1])
    return (
        len(set(definition.first_seats[1:])) == 1
        and table.player(definition.first_seats[0]) == table.opener
    )


def obstacles(definition: GameDefinition) -> Iterator[str]:
    """Yield reasons why *definition* is no hold'em of card rooms."""
    sizes = (
        definition.num_streets,
        definition.num_suits,
        definition.num_ranks,
        definition.num_hole_cards,
    )
    if (*sizes, definition.num_board_cards) != HOLDEM:
        yield "it is not hold'em with four streets and 52 cards"
        return
    if not acts_in_usual_order(definition):
        yield "players act in another order"
    if definition.is_limit:
        if definition.raise_sizes[::2] != definition.raise_sizes[1::2]:
            yield "the bet does not rise on the turn, and only there"
        if max(definition.max_raises) > MAX_LIMIT_RAISES:
            yield f"more than {MAX_LIMIT_RAISES} raises on a street"


def holdem_definition(
    stacks: Sequence[int], blinds: Sequence[int], bets: Sequence[int]
) -> GameDefinition:
    """Return hold'em for these *stacks* and *blinds* by player, antes in the blinds.

    *bets* are the small and the big one of a limit game, with the usual limits on raises; none of a
    no-limit game.
    """
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
    opener = HoldemTable(definition, 0).opener
    return _checked(replace(definition, first_seats=(opener, 0, 0, 0)))


def _checked(definition: GameDefinition) -> GameDefinition:
    """Return *definition* if it can be played; raises ``BadDefinition``."""
    parse_definition(format_definition(definition))
    return definition


def most_limit_chips(definition: GameDefinition) -> int:
    """Return the most chips that a player of a limit game can put into one hand."""
    bets = zip(definition.raise_sizes, definition.max_raises, strict=True)
    return definition.big_blind + sum(size * count for size, count in bets)
