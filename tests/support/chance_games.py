"""Limit games of two streets, small enough to go through every board."""

from __future__ import annotations

from acpcbot.poker.definition import parse_definition
from acpcbot.poker.shipped import shipped_definition

LEDUC = shipped_definition("leduc.limit.2p")
SMALL = parse_definition("""GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 2 1
raiseSize = 2 4
firstPlayer = 2 1
maxRaises = 2 1
numSuits = 3
numRanks = 3
numHoleCards = 2
numBoardCards = 0 1
END GAMEDEF
""")
"""Two hole cards of nine, one board card: pairs, suited and offsuit hands."""
