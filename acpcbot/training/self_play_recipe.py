"""Recipes of sound self-play: TOML files with the game, the budget and the settings.

    game = "leduc.limit.2p"
    network = "networks/leduc"          # the folder of the result
    num_episodes = 4000
    episodes_a_point = 1000             # of the learning curve, 0 for none
    [self_play]                         # see SelfPlaySettings; its search, its fitting
    [measure]                           # see SearchMeasure

Tic-tac-toe and Connect Four are "tic_tac_toe" and "connect_four". Liar's dice is named by dice and
sides: "liars_dice.1x6" has one die of six sides for each seat.

A recipe is one of self-play if it has the table ``self_play``, which may be empty: see
``is_self_play_recipe`` in ``recipe.py``.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from acpcbot.decoding import decode_settings
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.scotland_yard_maps import glasses
from acpcbot.training.actors import AnyEncoding
from acpcbot.training.self_play_measures import SearchMeasure
from acpcbot.training.self_play_settings import SelfPlaySettings
from acpcbot.tree_search.board_encodings import connect_four_encoding, tic_tac_toe_encoding
from acpcbot.tree_search.liars_dice_encoding import LiarsDiceEncoding
from acpcbot.tree_search.public_encodings import GenericPokerEncoding
from acpcbot.tree_search.scotland_yard_encoding import ScotlandYardEncoding

HINT = "docs/methods/self_play.md shows a recipe"

GameName = Literal[
    "leduc.limit.2p",
    "liars_dice.1x3",
    "liars_dice.1x4",
    "liars_dice.1x5",
    "liars_dice.1x6",
    "liars_dice.2x3",
    "scotland_yard.glasses",
    "tic_tac_toe",
    "connect_four",
]
LEDUC_GAME, LIARS_DICE = "leduc.limit.2p", "liars_dice."


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlayRecipe:
    """A whole recipe of self-play."""

    game: GameName
    network: str
    num_episodes: Annotated[int, Meta(ge=1)]
    self_play: SelfPlaySettings
    episodes_a_point: Annotated[int, Meta(ge=0)] = 1000
    measure: SearchMeasure = field(default_factory=SearchMeasure)

    @property
    def acpc_game(self) -> str | None:
        """The ACPC game that the network can be played in, None for other research games."""
        return self.game if self.game == LEDUC_GAME else None

    @property
    def unit(self) -> str:
        """The unit of the measured figure in words."""
        if self.game == "connect_four":
            return "of 1,000"
        return "thousandths of " + ("a won game" if self.acpc_game is None else "an ante")

    def encoding(self) -> AnyEncoding:
        """Return the encoding of the game."""
        if self.game == "tic_tac_toe":
            return tic_tac_toe_encoding()
        if self.game == "connect_four":
            return connect_four_encoding()
        if self.game.startswith(LIARS_DICE):
            num_dice, num_sides = map(int, self.game.removeprefix(LIARS_DICE).split("x"))
            return LiarsDiceEncoding(LiarsDice(num_dice, num_sides))
        if self.game == "scotland_yard.glasses":
            return ScotlandYardEncoding(glasses())
        return GenericPokerEncoding(LEDUC)


def load_self_play_recipe(path: Path) -> SelfPlayRecipe:
    """Return the recipe at *path*; raises UsageError for one with mistakes."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return decode_settings(SelfPlayRecipe, table, str(path), HINT)
