"""Scotland Yard as queries of a network."""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats32
from acpcbot.games.game import State, new_state
from acpcbot.games.scotland_yard import MOVER, ROUND, STATIONS, ScotlandYard
from acpcbot.networks.shape import Feature, NetworkInterface
from acpcbot.tree_search.public_encodings import game_fingerprint


class ScotlandYardEncoding:
    """Scotland Yard by who moves next, the round and the stations of the detectives.

    Rows of Mr. X are the paths that he may have taken; what matters from here on is where they end,
    so a network's rows are stations. The detectives have one row. Values are in units of the stake.
    """

    def __init__(self, game: ScotlandYard) -> None:
        self.game = game
        self._num_stations, self._num_detectives = len(game.neighbours), len(game.starts) - 1
        self._state = new_state(game)
        self.interface = NetworkInterface(
            game=repr(game),
            game_fingerprint=game_fingerprint(game),
            rows="of Mr. X his station, of the detectives one",
            num_rows=(self._num_stations, 1),
            features=(
                Feature("who moves next: Mr. X or a detective", len(game.starts)),
                Feature("round", game.num_rounds),
                Feature("station of each detective", self._num_stations * self._num_detectives),
            ),
            actions=tuple(f"to station {number + 1}" for number in range(self._num_stations)),
        )

    def features(self, state: State) -> Floats32:
        """Return the features of the public state of *state*."""
        mover, played = np.zeros(len(self.game.starts)), np.zeros(self.game.num_rounds)
        mover[int(state[MOVER])] = played[int(state[ROUND])] = 1
        stations = np.zeros((self._num_detectives, self._num_stations))
        for detective in range(self._num_detectives):
            stations[detective, int(state[STATIONS + 1 + detective])] = 1
        return np.concatenate([mover, played, stations.ravel()]).astype(np.float32)

    def place(self, state: State, seat: int) -> int:
        """Return the station of Mr. X, or 0 for the detectives."""
        return 0 if seat else int(state[STATIONS])

    def column(self, state: State, action: int) -> int:
        """Return the station that *action* leads to."""
        self._state[:] = state
        self.game.apply(self._state, action)
        return int(self._state[STATIONS + state[MOVER]])

    def scale(self, state: State) -> float:
        """Return 1, the stake."""
        return 1.0
