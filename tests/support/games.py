"""The games that tests play: the shipped ones and test files with uneven stacks, antes and
other liberties.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition, load_definition
from acpcbot.poker.shipped import SHIPPED_NAMES, shipped_definition

FOLDER = Path(__file__).parents[1] / "poker" / "data" / "games"

LIMIT_2P = "holdem.limit.2p.reverse_blinds"
LIMIT_3P = "holdem.limit.3p"
NOLIMIT_2P = "holdem.nolimit.2p.reverse_blinds"
NOLIMIT_3P = "holdem.nolimit.3p"
NOLIMIT_6P = "holdem.nolimit.6p"
NOLIMIT_10P = "test.nolimit.10p"
UNEVEN_3P = "test.nolimit.3p.uneven"
ANTE_4P = "test.nolimit.4p.ante"
SHORT_LIMIT_3P = "test.limit.3p.shortstack"
FEW_RAISES_2P = "test.nolimit.2p.maxraises"
SPLIT_4P = "test.limit.4p.split"
KUHN = "kuhn.limit.2p"
LEDUC = "leduc.limit.2p"
LEDUC_NOLIMIT = "leduc.nolimit.2p"

ALL_GAMES = (*SHIPPED_NAMES, *sorted(path.stem for path in FOLDER.glob("*.game")))


def definition_of(name: str) -> GameDefinition:
    """The game *name*, with or without ".game"."""
    return rules_of(name).definition


def rules_of(name: str) -> BettingRules:
    """The betting rules of the game *name*, with or without ".game"; the same object each time."""
    return _rules_of(name.removesuffix(".game"))


@cache
def _rules_of(name: str) -> BettingRules:
    path = FOLDER / f"{name}.game"
    return BettingRules(load_definition(path) if path.exists() else shipped_definition(name))
