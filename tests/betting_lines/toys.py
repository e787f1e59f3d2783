"""Toy games of three and four streets, with the structure of hold'em, and buckets of their hands."""

from __future__ import annotations

import numpy as np

from acpcbot.betting_lines.lines import BettingLines, betting_lines
from acpcbot.poker.definition import GameDefinition, parse_definition
from acpcbot.poker.hands import all_hands
from acpcbot.trees.bet_menu import ALL_IN, LIMIT_MENU, BetMenu

NUM_BUCKETS = 7
TEXT = """GAMEDEF
limit
numPlayers = 2
numRounds = {streets}
blind = 10 5
raiseSize = {sizes}
firstPlayer = {players}
maxRaises = {raises}
numSuits = {suits}
numRanks = {ranks}
numHoleCards = {hole}
numBoardCards = {boards}
END GAMEDEF
"""
FOUR = {
    "streets": 4,
    "sizes": "10 10 20 20",
    "players": "2 1 1 1",
    "raises": "2 2 1 2",
    "boards": "0 1 1 1",
}
NO_LIMIT = """GAMEDEF
nolimit
numPlayers = 2
numRounds = {streets}
stack = {stack} {stack}
blind = 10 5
firstPlayer = {players}
numSuits = {suits}
numRanks = {ranks}
numHoleCards = {hole}
numBoardCards = {boards}
END GAMEDEF
"""
GAMES = {
    "one card": TEXT.format(**FOUR, suits=2, ranks=4, hole=1),
    "two cards": TEXT.format(**FOUR, suits=3, ranks=3, hole=2),
    "three streets": TEXT.format(
        streets=3,
        sizes="10 10 20",
        players="2 1 1",
        raises="3 4 4",
        boards="0 2 1",
        suits=2,
        ranks=4,
        hole=2,
    ),
    "no limit": NO_LIMIT.format(
        streets=4, stack=90, players="2 1 1 1", suits=2, ranks=4, hole=1, boards="0 1 1 1"
    ),
    "no limit, three streets": NO_LIMIT.format(
        streets=3, stack=150, players="2 1 1", suits=2, ranks=4, hole=2, boards="0 2 1"
    ),
}
MENUS = {
    "no limit": BetMenu((((1.0,), (1.0, ALL_IN)), ((0.5, ALL_IN), (ALL_IN,)))),
    "no limit, three streets": BetMenu((((1.0, ALL_IN), (ALL_IN,)),)),
}


def toy_menu(name: str) -> BetMenu:
    """Return the bets of a toy game."""
    return MENUS.get(name, LIMIT_MENU)


def toy_lines(name: str) -> BettingLines:
    """Return the betting lines of a toy game."""
    return betting_lines(parse_definition(GAMES[name]), toy_menu(name))


def toy_buckets(definition: GameDefinition, street: int, board: tuple[int, ...]) -> np.ndarray:
    """Buckets that change of suits leaves alone: by rank sums, pairs with the board, and suits."""
    hands = all_hands(definition).astype(np.int64)
    ranks, cards = hands >> 2, np.array(board, np.int64)
    found = ranks.sum(axis=1) * 2
    for card in cards.tolist():
        found = (
            found + (ranks == card >> 2).sum(axis=1) * 3 + ((hands & 3) == (card & 3)).sum(axis=1)
        )
    buckets: np.ndarray = (found + 5 * street) % NUM_BUCKETS
    return buckets
