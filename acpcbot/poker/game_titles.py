"""Titles of games for people: players, betting, kind of poker and stacks, from the definition."""

from __future__ import annotations

from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.positions import button_position, names_blinds

PLAYER_WORDS = {
    2: "heads-up",
    3: "three-player",
    4: "four-player",
    5: "five-player",
    6: "six-player",
    7: "seven-player",
    8: "eight-player",
    9: "nine-player",
    10: "ten-player",
}
KINDS = {
    (4, 13, 2, (0, 3, 1, 1)): "hold'em",
    (4, 13, 2, (0, 3)): "flop hold'em",
}
"""Kinds of poker with a full deck, by suits, ranks, hole cards and board cards of each street."""
LEDUC, KUHN = "Leduc hold'em", "Kuhn poker"


def game_title(definition: GameDefinition) -> str:
    """Return the title of a game.

    >>> from acpcbot.poker.shipped import shipped_definition
    >>> game_title(shipped_definition("holdem.nolimit.6p@10000"))
    "Six-player no-limit hold'em, 100 bb"
    >>> game_title(shipped_definition("kuhn.limit.3p"))
    'Three-player Kuhn poker'
    """
    kind = _kind(definition)
    # The small games are limit games for two unless one says otherwise.
    is_small = kind in (LEDUC, KUHN)
    words = [
        "" if is_small and definition.num_players == 2 else PLAYER_WORDS[definition.num_players],
        "" if is_small and definition.is_limit else "limit" if definition.is_limit else "no-limit",
        kind,
    ]
    title = " ".join(filter(None, words))
    return f"{title[0].upper()}{title[1:]}{_stacks(definition)}{_blinds(definition)}"


def _kind(definition: GameDefinition) -> str:
    suits, ranks, hole = definition.num_suits, definition.num_ranks, definition.num_hole_cards
    board = definition.num_board_cards
    if (suits, ranks, hole, board) in KINDS:
        return KINDS[suits, ranks, hole, board]
    if hole == 1 and board == (0, 1) and suits == 2:
        return LEDUC
    if hole == 1 and board == (0,) and suits == 1:
        return KUHN
    cards = f"{suits * ranks}-card deck"
    boards = "+".join(map(str, board[1:])) or "no"
    return f"poker, {cards}, {hole} hole and {boards} board cards"


def _stacks(definition: GameDefinition) -> str:
    if not definition.has_stacks or not definition.has_blinds:
        return ""
    unit = "bb" if names_blinds(definition) else "antes"
    sizes = [f"{stack / definition.big_blind:.4g}" for stack in definition.stacks]
    return f", {sizes[0]} {unit}" if len(set(sizes)) == 1 else f", {'/'.join(sizes)} {unit}"


def _blinds(definition: GameDefinition) -> str:
    """Return a remark on heads-up blinds that are not reversed."""
    if definition.num_players > 2 or not names_blinds(definition):
        return ""
    is_reversed = definition.blinds[button_position(definition)] < definition.big_blind
    return "" if is_reversed else ", big blind on the button"
