"""Recipes of sound self-play: TOML files with the game, the budget and the settings.

    game = "leduc.limit.2p"
    network = "networks/leduc"          # the folder of the result
    num_episodes = 4000
    episodes_a_point = 1000             # of the learning curve, 0 for none
    [self_play]                         # see SelfPlaySettings; its search, its fitting
    [measure]                           # see SearchMeasure

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
from acpcbot.training.self_play import SelfPlaySettings
from acpcbot.training.self_play_run import SearchMeasure
from acpcbot.tree_search.public_encodings import GenericPokerEncoding, PublicEncoding

HINT = "docs/methods/self_play.md shows a recipe"


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlayRecipe:
    """A whole recipe of self-play."""

    game: Literal["leduc.limit.2p"]
    network: str
    num_episodes: Annotated[int, Meta(ge=1)]
    self_play: SelfPlaySettings
    episodes_a_point: Annotated[int, Meta(ge=0)] = 1000
    measure: SearchMeasure = field(default_factory=SearchMeasure)

    def encoding(self) -> PublicEncoding:
        """Return the encoding of the game."""
        return GenericPokerEncoding(LEDUC)


def load_self_play_recipe(path: Path) -> SelfPlayRecipe:
    """Return the recipe at *path*; raises UsageError for one with mistakes."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return decode_settings(SelfPlayRecipe, table, str(path), HINT)
