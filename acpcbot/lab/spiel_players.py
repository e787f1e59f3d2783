"""OpenSpiel's MCTS as a player of Connect Four, within seconds of the processor a move.

Its search takes a number of simulations. So each move gets as many as fit into the seconds at the
speed of the search before; a first one, at the start of the game, is for that alone. OpenSpiel is not
part of the package: ``is_installed`` says whether it is installed.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from time import thread_time
from typing import Any

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.searches.players import MoveBudget, Player, state_after
from acpcbot.games.connect_four import OPEN, ConnectFour
from acpcbot.games.game import nth_member
from acpcbot.rng import Stream

EXPLORATION = 2.0
"""The constant of UCT in OpenSpiel's own example of this search."""
FIRST_SIMULATIONS = 1000
MEMORY_MB = 500


def is_installed() -> bool:
    """Return whether OpenSpiel is installed."""
    return importlib.util.find_spec("pyspiel") is not None


class SpielMCTSPlayer(Player):
    """MCTS with one random playout a leaf, which solves positions where it can.

    ``num_moves`` and ``seconds`` add up what its searches took of the processor. Raises UsageError
    where OpenSpiel is missing.
    """

    def __init__(self, game: ConnectFour, name: str = "OpenSpiel MCTS") -> None:
        super().__init__(game, name)
        if not is_installed():
            raise UsageError(
                "OpenSpiel's MCTS: OpenSpiel is not installed", "pip install open_spiel"
            )
        self._seeds = Stream(0)
        self._a_second = 0.0
        self.num_moves, self.seconds = 0, 0.0

    def _begin_search(self, seed: int) -> None:
        self._seeds = Stream(seed)

    def strategy(self, actions: Sequence[int], budget: MoveBudget) -> Floats:
        """Return certainty of the move that a search finds at the position after *actions*."""
        import pyspiel

        state, spiel = self._states(actions, pyspiel)
        simulations = budget.simulations
        if simulations is None:
            assert budget.seconds is not None
            if self._a_second == 0:
                began = thread_time()
                self._moved(self._states([], pyspiel)[1], FIRST_SIMULATIONS, pyspiel)
                self._a_second = FIRST_SIMULATIONS / (thread_time() - began)
            simulations = max(1, round(budget.seconds * self._a_second))
        began = thread_time()
        column = self._moved(spiel, simulations, pyspiel)
        spent = thread_time() - began
        # A search that has solved its position ends early, and tells nothing of the speed.
        if budget.seconds is not None and spent > budget.seconds / 2:
            self._a_second = simulations / spent
        self.seconds += spent
        self.num_moves += 1
        self.num_simulations = simulations
        places = [nth_member(state[OPEN], k) for k in range(self.game.num_actions(state))]
        return np.array([float(place == column) for place in places])

    def _states(self, actions: Sequence[int], pyspiel: Any) -> tuple[Any, Any]:
        """Return the state after *actions* by our rules and by OpenSpiel's."""
        spiel = pyspiel.load_game("connect_four").new_initial_state()
        for action in actions:
            spiel.apply_action(spiel.legal_actions()[action])
        return state_after(self.game, actions), spiel

    def _moved(self, spiel: Any, simulations: int, pyspiel: Any) -> int:
        seed = self._seeds.bits() >> 33
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(
            spiel.get_game(),
            evaluator,
            EXPLORATION,
            simulations,
            MEMORY_MB,
            solve=True,
            seed=seed,
            verbose=False,
        )
        return int(bot.step(spiel))
