"""The rules of one poker game, as a game definition file states them.

Tuples run over seats (position 0 first) or over streets; all amounts are chips. Every
file that the official parser accepts reads the same here, and a file that it refuses raises
``BadDefinition`` with its reason. A few that it accepts are refused as well, with reasons of our
own: with them its programs leave their memory, hang or abort.

The format is described in docs/reference/game_definitions.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb
from pathlib import Path

from acpcbot.cards.deck import deck_cards
from acpcbot.errors import BadDefinition
from acpcbot.poker.definition_parser import (
    UNLIMITED_RAISES,
    UNLIMITED_STACK,
    DefinitionText,
    read_definition_text,
    refusals,
)

__all__ = [
    "MAX_BOARD_CARDS",
    "STREET_NAMES",
    "UNLIMITED_RAISES",
    "UNLIMITED_STACK",
    "GameDefinition",
    "format_definition",
    "load_definition",
    "parse_definition",
    "with_stacks",
]

MAX_BOARD_CARDS = 7
STREET_NAMES = ("preflop", "flop", "turn", "river")


@dataclass(frozen=True, slots=True)
class GameDefinition:
    """One game's rules; only ``parse_definition`` checks them."""

    is_limit: bool
    num_players: int
    num_streets: int
    stacks: tuple[int, ...]
    """Per seat; ``UNLIMITED_STACK`` where the file names none."""
    blinds: tuple[int, ...]
    """Per seat; an ante is a blind for everybody."""
    raise_sizes: tuple[int, ...]
    """Per street; empty in no-limit games."""
    first_seats: tuple[int, ...]
    """Per street, the seat that acts first, from zero."""
    max_raises: tuple[int, ...]
    """Per street, bets counted; ``UNLIMITED_RAISES`` where the file names none."""
    num_suits: int
    num_ranks: int
    num_hole_cards: int
    num_board_cards: tuple[int, ...]
    """Per street, the board cards that it adds."""

    @property
    def big_blind(self) -> int:
        """The largest blind."""
        return max(self.blinds)

    @property
    def has_blinds(self) -> bool:
        """True if any seat posts a blind."""
        return self.big_blind > 0

    @property
    def has_stacks(self) -> bool:
        """True if any stack is limited."""
        return min(self.stacks) < UNLIMITED_STACK

    @property
    def deck(self) -> tuple[int, ...]:
        """The cards of the deck in the dealer's order; small decks have the highest ones."""
        return deck_cards(self.num_suits, self.num_ranks)

    @property
    def lowest_deck(self) -> tuple[int, ...]:
        """The deck of the same size under the other convention: the lowest suits and ranks."""
        return deck_cards(self.num_suits, self.num_ranks, lowest=True)

    @property
    def cards_per_hand(self) -> int:
        """The cards drawn for one hand: everybody's hole cards and the whole board."""
        return self.num_players * self.num_hole_cards + self.board_size(self.num_streets - 1)

    @property
    def fingerprint(self) -> str:
        """Twelve hex digits that stand for the rules, independent of the file's name and format."""
        import hashlib  # a dealer does not need it, and it takes as long as half of its start

        return hashlib.sha256(format_definition(self).encode()).hexdigest()[:12]

    def board_size(self, street: int) -> int:
        """Return the number of board cards on *street*, those of earlier streets included."""
        return sum(self.num_board_cards[: street + 1])

    def num_boards(self, street: int) -> int:
        """Return the number of boards from one of *street* on, with all suits told apart.

        It counts itself and all that can follow it on later streets.
        """
        left, count, total = len(self.deck) - self.board_size(street), 1, 1
        for added in self.num_board_cards[street + 1 :]:
            count *= comb(left, added)
            total += count
            left -= added
        return total


def parse_definition(text: str) -> GameDefinition:
    """Return the game that *text* (one character per byte) defines; raises ``BadDefinition``."""
    found = read_definition_text(text)
    for reason in refusals(found):
        raise BadDefinition(reason)
    definition = _from_text(found)
    for reason in _traps(definition):
        raise BadDefinition(reason)
    return definition


def load_definition(path: Path | str) -> GameDefinition:
    """Return the game that the file at *path* defines; raises ``BadDefinition`` or ``OSError``."""
    return parse_definition(Path(path).read_bytes().decode("latin-1"))


def format_definition(definition: GameDefinition) -> str:
    """Return the normal form of *definition*, byte for byte as the official programs print it.

    It leaves out what equals a default. Read again it gives the same game, except where
    five or more players all have unlimited stacks: the form says nothing of them then, and
    only four players have that default.
    """
    stacks = definition.stacks if definition.has_stacks else ()
    first_players = (
        tuple([seat + 1 for seat in definition.first_seats]) if any(definition.first_seats) else ()
    )
    max_raises = definition.max_raises if min(definition.max_raises) < UNLIMITED_RAISES else ()
    entries = {
        "numPlayers": (definition.num_players,),
        "numRounds": (definition.num_streets,),
        "stack": stacks,
        "blind": definition.blinds,
        "raiseSize": definition.raise_sizes,
        "firstPlayer": first_players,
        "maxRaises": max_raises,
        "numSuits": (definition.num_suits,),
        "numRanks": (definition.num_ranks,),
        "numHoleCards": (definition.num_hole_cards,),
        "numBoardCards": definition.num_board_cards,
    }
    lines = [
        f"{key} = {' '.join(map(str, numbers))}" for key, numbers in entries.items() if numbers
    ]
    betting = "limit" if definition.is_limit else "nolimit"
    return "\n".join(["GAMEDEF", betting, *lines, "END GAMEDEF", ""])


def with_stacks(definition: GameDefinition, stacks: Sequence[int]) -> GameDefinition:
    """Return the game *definition* with other *stacks*: one for every position, or one for all.

    Raises ``BadDefinition`` where there are as many as neither, or a stack is below its blind.
    """
    if len(stacks) not in (1, definition.num_players):
        raise BadDefinition(f"{len(stacks)} stacks for {definition.num_players} players")
    each = tuple(stacks) * (definition.num_players // len(stacks))
    return parse_definition(format_definition(replace(definition, stacks=each)))


def _from_text(found: DefinitionText) -> GameDefinition:
    players, streets = found.number("numplayers"), found.number("numrounds")
    return GameDefinition(
        is_limit=found.is_limit,
        num_players=players,
        num_streets=streets,
        stacks=tuple(found.numbers["stack"][:players]),
        blinds=tuple(found.numbers["blind"][:players]),
        raise_sizes=tuple(found.numbers["raisesize"][:streets]) if found.is_limit else (),
        first_seats=tuple([first - 1 for first in found.numbers["firstplayer"][:streets]]),
        max_raises=tuple(found.numbers["maxraises"][:streets]),
        num_suits=found.number("numsuits"),
        num_ranks=found.number("numranks"),
        num_hole_cards=found.number("numholecards"),
        num_board_cards=tuple(found.numbers["numboardcards"][:streets]),
    )


def _traps(definition: GameDefinition) -> Iterator[str]:
    """Yield reasons to refuse a game that the official parser accepts but cannot be played."""
    for player, (stack, blind) in enumerate(
        zip(definition.stacks, definition.blinds, strict=True), 1
    ):
        if stack <= 0:
            # Never asked to act and so never folded, the player reaches the showdown without a
            # share in any pot; the official payoff then reads outside its arrays.
            yield f"stack of player {player} is not positive"
        if blind < 0:
            yield f"blind for player {player} is negative"
    for street, size in enumerate(definition.raise_sizes, 1):
        if size < 0:
            yield f"raise size on round {street} is negative"
    if definition.blinds == definition.stacks:
        # The official search for the next player to act never ends.
        yield "every player is all-in from the blinds"
    if not definition.has_blinds:
        # With nothing to call, calling is free and always legal. So the game can be checked down
        # under all rules, and a showdown for no chips fails an assertion of the dealer.
        yield "no blinds, so that a hand can end without any chips in the pot"
    if sum(definition.num_board_cards) > MAX_BOARD_CARDS:
        yield f"more than {MAX_BOARD_CARDS} board cards"
