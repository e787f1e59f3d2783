"""Figures by which self-play is measured: by simulations, the lower the better.

In most games the figure is the exact exploitability of the strategy that is composed of searches,
state by state, in thousandths of the game's unit. Connect Four is too large for it, but on small
boards: there it is how many of a thousand moves are wrong, at positions that the perfect solver has
decided (``evaluation/searches/decided_positions.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated

import numpy as np
from msgspec import Meta

from acpcbot.evaluation.searches.composed_positions import ComposedPositions
from acpcbot.evaluation.searches.composed_resolving import ComposedResolving
from acpcbot.evaluation.searches.decided_positions import (
    MOST_MARKS,
    DecidedPosition,
    draw_positions,
    is_right_move,
)
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.sequence_form import sequence_form
from acpcbot.tree_search.board_encodings import BoardEncoding
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.leaf_evaluators import LeafValues
from acpcbot.tree_search.position_search import PositionSearch
from acpcbot.tree_search.public_encodings import PublicEncoding
from acpcbot.tree_search.public_tree import PublicTree

MILLI = 1000
EXPLOITABILITY, WRONG_MOVES = "exploitability", "wrong moves"
POSITIONS_SEED = 0
"""Of the positions of a measure: the same ones in every training."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMeasure:
    """A figure by *simulations*, of searches with *num_seeds* seeds each.

    *num_positions* are those of Connect Four.
    """

    simulations: tuple[int, ...] = (33, 100, 300, 1000)
    num_seeds: int = 3
    num_positions: Annotated[int, Meta(ge=1)] = 300

    def exploitabilities(
        self, tree: PublicTree, search: GrowingCFRSettings, values: LeafValues | None
    ) -> dict[int, float]:
        """Return the mean exploitability by simulations, in thousandths of the game's unit.

        Searches are like *search*, with an update for each simulation.
        """
        form, found = sequence_form(tree.game), {}
        for simulations in self.simulations:
            own = replace(search, simulations=simulations, simulations_per_update=1.0)
            composed = ComposedResolving(GrowingCFR(tree, own, values), form)
            gains = [
                composed.compose(seed).best_response(form).exploitability
                for seed in range(self.num_seeds)
            ]
            found[simulations] = MILLI * float(np.mean(gains))
        return found

    def position_figures(
        self, encoding: BoardEncoding, search: GrowingCFRSettings, values: LeafValues | None
    ) -> dict[int, float]:
        """Return the figure of *encoding*'s game by simulations, of searches like *search*."""
        game = encoding.game
        by_count = {count: replace(search, simulations=count) for count in self.simulations}
        if isinstance(game, ConnectFour) and game.max_moves() > MOST_MARKS:
            positions = _decided(self.num_positions, game)
            found = {}
            for count, settings in by_count.items():
                searcher = PositionSearch(game, settings, values)
                is_right = [
                    is_right_move(position, searcher.search(position.state, seed).policy)
                    for seed in range(self.num_seeds)
                    for position in positions
                ]
                found[count] = MILLI * (1 - float(np.mean(is_right)))
            return found
        form = sequence_form(game)
        composed = ComposedPositions(game, form)
        return {
            count: MILLI
            * float(
                np.mean(
                    [
                        composed.compose(settings, seed, values).best_response(form).exploitability
                        for seed in range(self.num_seeds)
                    ]
                )
            )
            for count, settings in by_count.items()
        }


@cache
def _decided(count: int, game: ConnectFour) -> list[DecidedPosition]:
    """Return the positions of a measure, solved once for all points of a curve."""
    return draw_positions(count, POSITIONS_SEED, game)


def figure_name(encoding: PublicEncoding | BoardEncoding) -> str:
    """Return the name of the figure for the game of *encoding*."""
    game = encoding.game
    is_large = isinstance(game, ConnectFour) and game.max_moves() > MOST_MARKS
    return WRONG_MOVES if is_large else EXPLOITABILITY
