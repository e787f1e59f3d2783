"""Names of positions, against what players say in games of every size."""

from __future__ import annotations

import pytest

from acpcbot.poker.definition import GameDefinition, parse_definition
from acpcbot.poker.positions import button_position, position_names
from tests.support.games import KUHN, LEDUC, LIMIT_3P, NOLIMIT_2P, NOLIMIT_6P, definition_of


def ring(num_players: int) -> GameDefinition:
    """Return no-limit hold'em for so many, with blinds left of the button."""
    first = " ".join([str(1 if num_players == 2 else 3 if num_players > 3 else 1), "1", "1", "1"])
    blinds = " ".join(["50", "100", *["0"] * (num_players - 2)])
    stacks = " ".join(["10000"] * num_players)
    return parse_definition(
        f"GAMEDEF\nnolimit\nnumPlayers = {num_players}\nnumRounds = 4\nstack = {stacks}\n"
        f"blind = {blinds}\nfirstPlayer = {first}\nnumSuits = 4\nnumRanks = 13\n"
        "numHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n"
    )


@pytest.mark.parametrize(
    ("num_players", "names"),
    [
        (4, "SB BB CO BTN"),
        (5, "SB BB HJ CO BTN"),
        (6, "SB BB UTG HJ CO BTN"),
        (7, "SB BB UTG LJ HJ CO BTN"),
        (8, "SB BB UTG UTG+1 LJ HJ CO BTN"),
        (9, "SB BB UTG UTG+1 UTG+2 LJ HJ CO BTN"),
        (10, "SB BB UTG UTG+1 UTG+2 UTG+3 LJ HJ CO BTN"),
    ],
)
def test_positions_have_the_names_of_a_table_of_that_size(num_players: int, names: str) -> None:
    """Known values."""
    assert position_names(ring(num_players)) == tuple(names.split())


@pytest.mark.parametrize(
    ("game", "names", "button"),
    [
        (NOLIMIT_2P, ("BB", "SB"), 1),
        (LIMIT_3P, ("SB", "BB", "BTN"), 2),
        (NOLIMIT_6P, ("SB", "BB", "UTG", "HJ", "CO", "BTN"), 5),
        (LEDUC, ("first", "second"), 1),
        (KUHN, ("first", "second"), 1),
    ],
)
def test_shipped_games_have_their_positions(game: str, names: tuple[str, ...], button: int) -> None:
    """Catches a button that is not the small blind's with two players and reverse blinds."""
    definition = definition_of(game)
    assert position_names(definition) == names
    assert button_position(definition) == button
