"""Abstractions of hold'em with two streets whose buckets anybody can tell by looking at the
cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Buckets, Lossless169, Spec
from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.cards.combos import all_combos
from acpcbot.poker.definition import GameDefinition, parse_definition
from acpcbot.worker_threads import Progress

FLOP_HOLDEM = """GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 10 5
raiseSize = 10 10
firstPlayer = 2 1
maxRaises = 3 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3
END GAMEDEF
"""

Look = Callable[[NDArray[np.uint8], NDArray[np.uint8]], NDArray[np.bool_]]
"""From hole cards [hand, 2] and a board [card] to a flag [hand] that does not depend on the
names of suits.
"""


def flop_holdem(num_players: int = 2) -> GameDefinition:
    blinds = "10 5" if num_players == 2 else "5 10 0"
    return parse_definition(
        FLOP_HOLDEM.replace("numPlayers = 2", f"numPlayers = {num_players}").replace("10 5", blinds)
    )


class Looking:
    """Two buckets of flops."""

    board_size = 3
    num_buckets = 2

    def __init__(self, name: str) -> None:
        self._name, self._look = name, LOOKS[name]

    def bucket(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        return int(self._look(np.array([hole_cards], np.uint8), np.array(board, np.uint8))[0])

    def board_buckets(self, board: Sequence[int]) -> Buckets:
        return self._look(all_combos(), np.array(board, np.uint8)).astype(np.uint8)

    def fill_table(self, on_progress: Progress | None = None) -> Buckets:
        return np.array(
            [self.board_buckets(board) for board in canonical_boards(3).boards.tolist()]
        )

    def spec(self) -> Spec:
        return {"kind": self._name}

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"num_buckets": np.array([self.num_buckets])}


def _is_paired(hole_cards: NDArray[np.uint8], board: NDArray[np.uint8]) -> NDArray[np.bool_]:
    cards = np.concatenate(
        [hole_cards, np.broadcast_to(board, (len(hole_cards), len(board)))], axis=1
    )
    paired: NDArray[np.bool_] = (np.diff(np.sort(cards >> 2, axis=1), axis=1) == 0).any(axis=1)
    return paired


def _is_high_board(hole_cards: NDArray[np.uint8], board: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return True if there is a king or an ace."""
    return np.full(len(hole_cards), board.max() >> 2 >= 11)


LOOKS: Mapping[str, Look] = {"paired": _is_paired, "high board": _is_high_board}


def toy_abstraction(name: str) -> HoldemAbstraction:
    return HoldemAbstraction((Lossless169(), Looking(name)))
