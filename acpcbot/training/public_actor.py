"""Episodes of self-play in the whole public tree of a game that hides something.

Both seats play what their searches find, each with its own chain of re-solving searches
(``tree_search/resolving.py``). Queries are public states with beliefs; they are solved without a
gadget.

Source: Schmid et al. (2023), Student of Games, "Training Process" and algorithm 2.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER
from acpcbot.networks.mlp import Network
from acpcbot.rng import Stream
from acpcbot.training.query_reservoir import (
    Query,
    QueryBuffer,
    RecordingValues,
    drawn_count,
    drawn_place,
    scaled_beliefs,
)
from acpcbot.training.replay_buffer import ReplayBuffer
from acpcbot.training.self_play_settings import SelfPlaySettings
from acpcbot.tree_search.growing_cfr import GrowingCFR, SearchResult
from acpcbot.tree_search.network_values import NetworkValues
from acpcbot.tree_search.public_encodings import PublicEncoding
from acpcbot.tree_search.public_tree import ROOT, PublicTree
from acpcbot.tree_search.resolving import SeatChain, first_search


class PublicActor:
    """Episodes in the game of *encoding* by searches with *network*, and what is learnt of them.

    Makes the whole public tree, see ``PublicTree``. Raises UsageError for one that is too large,
    and for settings that are for games without hidden information.
    """

    def __init__(
        self,
        encoding: PublicEncoding,
        settings: SelfPlaySettings,
        network: Network,
        tree: PublicTree | None = None,
    ) -> None:
        _verify(settings)
        self.settings = own = settings
        self.tree = tree or PublicTree(encoding.game)
        self.tree.grow_all()
        self.values = NetworkValues(network, encoding, own.prior_temperature)
        records = self.tree.arrays.nodes
        most_rows = int((records["end_row"] - records["first_row"]).max())
        capacity = 1 + int(max(own.queries_per_search, own.recursive_queries_per_search))
        self._recording = RecordingValues(self.values, capacity, most_rows)
        self._searcher = GrowingCFR(self.tree, own.search, self._recording)
        self.queries = QueryBuffer(own.waiting_queries, most_rows)
        self.examples = ReplayBuffer(
            network.shape, own.replay_buffer_size, self.tree, self.values.encoder
        )
        self.resignations = np.zeros(3, np.int64)

    def play(self, stream: Stream) -> None:
        """Play one episode, and add examples and queries."""
        tree, chains = self.tree, dict[int, SeatChain]()
        history = drawn_place(stream, tree.arrays.histories["chance"][: self._end_of_root()])
        node = ROOT
        while (actor := int(tree.arrays.nodes["actor"][node])) != OVER:
            action = None
            if actor != CHANCE:
                # A forced action needs no search.
                action = 0
                if tree.is_choice(node):
                    action = self._decided(node, actor, history, chains, stream)
                if action is None:
                    return
            node, history = self._moved(history, action, stream)

    def _end_of_root(self) -> int:
        return int(self.tree.arrays.nodes["end_history"][ROOT])

    def _decided(
        self, node: int, seat: int, history: int, chains: dict[int, SeatChain], stream: Stream
    ) -> int | None:
        """Return the action of *seat*, after a search that adds an example and queries.

        None if its searches would never take the one that exploration drew.
        """
        self._recording.begin(stream.bits())
        if not chains:
            # The first search is without conditions, so both chains begin with it.
            first = first_search(self._searcher, node, stream.bits())
            for own in range(2):
                chains[own] = SeatChain(
                    self._searcher, own, stream.bits(), num_searches=1, last=first
                )
        chain = chains[seat] = chains[seat].after(node)
        last, own_reach = chain.last, chain.own_reach
        assert last is not None, "it has just searched"
        assert own_reach is not None, "it has just searched"
        self._keep_queries(self.settings.queries_per_search, stream)
        self.examples.add(self._present_query(node), None, self._slots(last, node))
        policy = chain.policy()
        record = self.tree.arrays.histories[history]
        row = int(record["row1" if seat else "row0"])
        count = int(self.tree.arrays.rows["count"][row])
        share = self.settings.uniform_policy_mix
        own_policy = policy[row - self.tree.rows_of(node, seat).start, :count]
        action = drawn_place(stream, (1 - share) * own_policy + share / count)
        return action if (own_reach * policy[:, action]).any() else None

    def _present_query(self, node: int) -> Query:
        """Return *node* with the beliefs of the last update of the search that has just ended."""
        record = self.tree.arrays.nodes[node]
        reach = self._searcher.arrays.reach[record["first_row"] : record["end_row"]]
        return Query(node, scaled_beliefs(self.tree, node, reach))

    def _slots(self, result: SearchResult, node: int) -> Floats:
        record = self.tree.arrays.nodes[node]
        return result.policy[record["first_slot"] : record["end_slot"]]

    def _moved(self, history: int, action: int | None, stream: Stream) -> tuple[int, int]:
        """Return the node and the history after *action*, or after a draw of chance."""
        record = self.tree.arrays.histories[history]
        moves = self.tree.arrays.moves[record["first_move"] : record["end_move"]]
        if action is not None:
            moves = moves[moves["action"] == action]
        move = moves[drawn_place(stream, moves["probability"])]
        return int(move["child"]), int(move["history"])

    def solve(self, stream: Stream) -> None:
        """Search from a query that waits; add the example and recursive queries that come of it."""
        query = self.queries.draw(stream)
        node = query.node
        record = self.tree.arrays.nodes[node]
        if not self._is_possible(query):
            return
        self._recording.begin(stream.bits())
        found = self._searcher.search(node, node, query.beliefs, stream.bits())
        policy = self._slots(found, node) if record["actor"] >= 0 else None
        values = found.values[record["first_row"] : record["end_row"]]
        self.examples.add(query, values, policy)
        self._keep_queries(self.settings.recursive_queries_per_search, stream)

    def _is_possible(self, query: Query) -> bool:
        """Return whether some history has a positive probability under the beliefs."""
        record = self.tree.arrays.nodes[query.node]
        first = int(record["first_row"])
        own = self.tree.arrays.histories[record["first_history"] : record["end_history"]]
        shares = query.beliefs[own["row0"] - first] * query.beliefs[own["row1"] - first]
        return bool((own["chance"] * shares).sum() > 0)

    def _keep_queries(self, mean: float, stream: Stream) -> None:
        for query in self._recording.queries(self.tree, drawn_count(mean, stream)):
            self.queries.add(query, stream)


def _verify(settings: SelfPlaySettings) -> None:
    """Raise UsageError for settings of games that hide nothing."""
    ours = SelfPlaySettings()
    for name in ("td1_target_probability", "greedy_play_after", "resign_threshold"):
        if getattr(settings, name) != getattr(ours, name):
            raise UsageError(
                f"{name} = {getattr(settings, name)}: this game hides something",
                "set it for games that hide nothing, such as tic_tac_toe",
            )
