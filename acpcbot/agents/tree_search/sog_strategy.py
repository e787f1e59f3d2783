"""Student of Games as a public strategy: growing-tree CFR at every decision, with every hand.

A seat's decision is searched anew, conditioned on the searches at its own decisions before
(``tree_search/resolving.py``): a chain for each seat and course of the hand. The random numbers of
a search depend on the seed and on the number of the seat's decision alone. So what is played in a
public state is the same whenever it is asked for, in any hand, and a search is made once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from acpcbot.agents.tree_search.public_games import PublicGame
from acpcbot.arrays import Floats, Ints
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.tree_search.growing_cfr import GrowingCFR
from acpcbot.tree_search.resolving import SeatChain


@dataclass(frozen=True, slots=True, eq=False)
class SearchedState:
    """The answer of a search in the public state *node*, whose seat has searched with *chain*.

    ``policy``      [row of the seat to move, action]
    ``places``      the place of each row, as the encoding counts them
    ``is_reached``  False where the seat's own policies never lead here: the policy is then that of
                    its last search, uniform where that has none
    """

    node: int
    chain: SeatChain
    policy: Floats
    places: Ints
    is_reached: bool


class SoGStrategy:
    """A ``PublicStrategy``: what *searcher* finds in *game*, with *seed*."""

    def __init__(self, game: PublicGame, searcher: GrowingCFR, seed: int) -> None:
        self.game, self.searcher, self._seed = game, searcher, seed
        self._hand_places = game.places()
        self._searched: dict[int, SearchedState] = {}

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        return self.game.definition

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the probabilities of the actor after *betting* with every hand."""
        found, actions = self.searched(betting, board), self.game.actions(betting)
        return ActionTable(actions, self.by_hand(found.policy, found.places))

    def searched(self, betting: BettingState, board: Sequence[int]) -> SearchedState:
        """Return the search of the actor after *betting*, made now unless it is known."""
        return self._at(self.searcher.tree.node_after(self.game.history(betting, board)))

    def by_hand(self, values: Floats, places: Ints) -> Floats:
        """Return *values* [row, column] by hand; uniform for hands that have no row."""
        by_place = np.full((self._hand_places.max() + 1, values.shape[1]), 1 / values.shape[1])
        by_place[places] = values
        return by_place[self._hand_places]

    def places(self, node: int, seat: int) -> Ints:
        """Return the place of each row of *seat* at *node*."""
        tree, encoding = self.searcher.tree, self.game.encoding
        record, rows = tree.arrays.nodes[node], tree.rows_of(node, seat)
        places = np.zeros(rows.stop - rows.start, np.int64)
        for history in range(record["first_history"], record["end_history"]):
            row = int(tree.arrays.histories[f"row{seat}"][history]) - rows.start
            places[row] = encoding.place(tree.states[history], seat)
        return places

    def _at(self, node: int) -> SearchedState:
        known = self._searched.get(node)
        if known is None:
            known = self._searched[node] = self._search(node)
        return known

    def _search(self, node: int) -> SearchedState:
        tree = self.searcher.tree
        seat = int(tree.arrays.nodes["actor"][node])
        before = [state for state in tree.path_to(node)[:-1] if self._moves(state, seat)]
        chain = self._at(before[-1]).chain if before else SeatChain(self.searcher, seat, self._seed)
        is_reached = chain.can_resolve(node)
        if is_reached:
            chain = chain.after(node)
        return SearchedState(
            node, chain, chain.policy_at(node), self.places(node, seat), is_reached
        )

    def _moves(self, node: int, seat: int) -> bool:
        return int(self.searcher.tree.arrays.nodes["actor"][node]) == seat
