"""Players of games that hide nothing: a search at each position, and the move it prefers.

Growing-tree CFR or search by visits, with a network or without; every search begins anew. In
matches that begin with moves of chance (``games/drawn_openings.py``) the game of a player is the
one without them: positions are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import thread_time

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.players import MoveBudget, Player, state_after
from acpcbot.games.game import Game
from acpcbot.rng import Stream
from acpcbot.tree_search.growing_cfr import GrowingCFRSettings
from acpcbot.tree_search.leaf_evaluators import LeafValues
from acpcbot.tree_search.position_search import PositionSearch
from acpcbot.tree_search.visit_search import VisitSearch, VisitSettings


class PositionPlayer(Player):
    """Searches with *settings*, but for the simulations, which the budget of a move says.

    ``num_moves`` and ``seconds`` add up what its searches took of the processor.
    """

    def __init__(
        self,
        game: Game,
        settings: GrowingCFRSettings | VisitSettings,
        leaf_values: LeafValues | None = None,
        name: str = "search",
    ) -> None:
        super().__init__(game, name)
        self.settings, self._leaf_values = settings, leaf_values
        self.search: PositionSearch | VisitSearch | None = None
        self._seeds = Stream(0)
        self.num_moves, self.seconds = 0, 0.0

    def _begin_search(self, seed: int) -> None:
        self._seeds = Stream(seed)

    def strategy(self, actions: Sequence[int], budget: MoveBudget) -> Floats:
        """Return the policy of a search at the position after *actions*."""
        if budget.simulations is None:
            raise UsageError(f"{self.name}: {budget}", "give a number of simulations")
        search = self._search(budget.simulations)
        state = state_after(self.game, actions)
        began = thread_time()
        found = search.search(state, self._seeds.bits())
        self.seconds += thread_time() - began
        self.num_moves += 1
        self.num_simulations = budget.simulations
        return found.policy

    def choose(self, actions: Sequence[int], budget: MoveBudget) -> int:
        """Return the most probable action, the first of equal ones."""
        return int(self.strategy(actions, budget).argmax())

    def _search(self, simulations: int) -> PositionSearch | VisitSearch:
        if self.search is None or self.settings.simulations != simulations:
            if isinstance(self.settings, VisitSettings):
                self.settings = replace(self.settings, simulations=simulations)
                self.search = VisitSearch(self.game, self.settings, self._leaf_values)
            else:
                self.settings = replace(self.settings, simulations=simulations)
                self.search = PositionSearch(self.game, self.settings, self._leaf_values)
        return self.search
