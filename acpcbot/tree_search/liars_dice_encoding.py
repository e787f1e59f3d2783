"""Liar's dice as queries of a network."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from acpcbot.arrays import Floats32
from acpcbot.games.game import CHANCE, State
from acpcbot.games.liars_dice import BID, OWN, LiarsDice
from acpcbot.networks.shape import Feature, NetworkInterface
from acpcbot.tree_search.public_encodings import game_fingerprint
from acpcbot.tree_search.public_tree import NUM_SEATS


class LiarsDiceEncoding:
    """Liar's dice by the seat to move and the last bid; rows are the dice of a seat.

    Earlier bids matter through the beliefs alone. Values are in units of the stake.
    """

    def __init__(self, game: LiarsDice) -> None:
        self.game = game
        self._num_bids = 2 * game.num_dice * game.num_sides
        base = 2 * game.num_dice + 1
        rolls = combinations_with_replacement(range(game.num_sides), game.num_dice)
        self._places = {sum(base**face for face in roll): place for place, roll in enumerate(rolls)}
        faces = "dice" if game.num_dice > 1 else "die"
        bids = [
            f"bid {1 + bid // game.num_sides} of face {1 + bid % game.num_sides}"
            for bid in range(self._num_bids)
        ]
        self.interface = NetworkInterface(
            game=repr(game),
            game_fingerprint=game_fingerprint(game),
            rows=f"own {faces} in ascending order, from all of the lowest face",
            num_rows=(len(self._places), len(self._places)),
            features=(
                Feature("seat to move, or chance", NUM_SEATS + 1),
                Feature("last bid: none or its number", 1 + self._num_bids),
            ),
            actions=(*bids, "call the last bid a lie"),
        )

    def features(self, state: State) -> Floats32:
        """Return the features of the public state of *state*."""
        seat = self.game.actor(state)
        to_move, bid = np.zeros(NUM_SEATS + 1), np.zeros(1 + self._num_bids)
        to_move[NUM_SEATS if seat == CHANCE else seat] = 1
        bid[int(state[BID])] = 1
        return np.concatenate([to_move, bid]).astype(np.float32)

    def place(self, state: State, seat: int) -> int:
        """Return the place of the dice of *seat* among all that it may have."""
        return self._places[int(state[OWN + seat])]

    def column(self, state: State, action: int) -> int:
        """Return the number of the bid from zero; behind the last bid, the call."""
        return int(state[BID]) + action

    def scale(self, state: State) -> float:
        """Return 1, the stake."""
        return 1.0
