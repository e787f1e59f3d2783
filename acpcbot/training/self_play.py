"""Sound self-play: a network learns the values and policies of its own searches, from rules alone.

Both seats of an episode play what their searches find, each with its own chain of re-solving
searches (``tree_search/resolving.py``), mixed with uniform play. Every search is a source of
examples and of questions:

* the public state on the main line with the beliefs and the policy that the search found there;
* on average *queries_per_search* of the queries that it asked of the network. These wait in a
  buffer. A solver draws them, searches from each, without a gadget, and adds an example with the
  values and the policy found. On average *recursive_queries_per_search* of its own queries are put
  into the buffer, so that the network learns states off the main line as well.

A trainer fits the network to a sliding window of the examples and gives the weights to the searches
after every call. Here one process does all in turn, episode by episode; random numbers depend on
the seed and the number of the episode alone, so a training that goes on from ``arrays`` equals one
that was never interrupted.

Settings have the names of the paper's table S2 as far as they are used. Not here, because the games
of this module do not need them: TD(1) targets (p_td1 is 0 in the paper's poker), resigning, and
greedy play after a move.

Source: Schmid et al. (2023), Student of Games, "Training Process", algorithm 2 and table S2.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from msgspec import Meta

from acpcbot.arrays import AnyArray, Floats
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER
from acpcbot.networks.fitting import Fitter, FittingSettings
from acpcbot.networks.mlp import Network, initial_network
from acpcbot.rng import Stream
from acpcbot.training.query_reservoir import (
    Query,
    QueryBuffer,
    RecordingValues,
    drawn_count,
    scaled_beliefs,
)
from acpcbot.training.replay_buffer import ReplayBuffer
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings, SearchResult
from acpcbot.tree_search.network_values import NetworkValues
from acpcbot.tree_search.public_encodings import PublicEncoding
from acpcbot.tree_search.public_tree import ROOT, PublicTree
from acpcbot.tree_search.resolving import SeatChain, first_search

STEPS_A_CALL = 32
"""Steps of the optimiser in one call, whose fixed cost is several steps of a small network."""

EPISODE, BATCHES = range(2)
"""Streams of random numbers, after the seed."""

NotNegative = Annotated[float, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlaySettings:
    """Settings of self-play. Defaults are for Leduc, for which the paper publishes none.

    *search* are those of SoG(s, c), *fitting* those of the optimiser. *replay_buffer_size* is the
    window, *max_updates_per_example* the optimiser's batches times their size over the examples
    added. *uniform_policy_mix* is the share of uniform play. *solves_per_episode* queries are
    solved after each episode, of at most *waiting_queries*.
    """

    seed: int = 0
    hidden: tuple[Count, ...] = (64, 64)
    search: GrowingCFRSettings = field(default_factory=GrowingCFRSettings)
    fitting: FittingSettings = field(default_factory=lambda: FittingSettings(decay_steps=8_000))
    replay_buffer_size: Count = 200_000
    max_updates_per_example: NotNegative = 100.0
    queries_per_search: NotNegative = 2.0
    recursive_queries_per_search: NotNegative = 0.2
    uniform_policy_mix: Annotated[float, Meta(ge=0, le=1)] = 0.1
    prior_temperature: Annotated[float, Meta(gt=0)] = 1.0
    solves_per_episode: Annotated[int, Meta(ge=0)] = 6
    waiting_queries: Count = 5_000


@dataclass(frozen=True, slots=True)
class SelfPlayProgress:
    """Counts of a training so far, and mean losses of the last call of the trainer."""

    num_episodes: int
    num_examples: int
    num_waiting: int
    num_steps: int
    value_loss: float
    policy_loss: float

    def __str__(self) -> str:
        return (
            f"{self.num_episodes:,} episodes, {self.num_examples:,} examples,"
            f" {self.num_waiting:,} queries waiting, {self.num_steps:,} steps,"
            f" losses {self.value_loss:.4f} (values) {self.policy_loss:.4f} (policies)"
        )


class SelfPlay:
    """A network in training by sound self-play in the game of *encoding*.

    Makes the game's whole public tree, of at most *memory_bytes* (see ``PublicTree``). Raises
    UsageError for one that is larger, and where JAX or optax is missing.
    """

    def __init__(
        self,
        encoding: PublicEncoding,
        settings: SelfPlaySettings | None = None,
        tree: PublicTree | None = None,
    ) -> None:
        self.settings = settings or SelfPlaySettings()
        self.tree = tree or PublicTree(encoding.game)
        self.tree.grow_all()
        own, network = self.settings, self._first_network(encoding)
        self.values = NetworkValues(network, encoding, own.prior_temperature)
        records = self.tree.arrays.nodes
        most_rows = int((records["end_row"] - records["first_row"]).max())
        capacity = 1 + int(max(own.queries_per_search, own.recursive_queries_per_search))
        self._recording = RecordingValues(self.values, capacity, most_rows)
        self._searcher = GrowingCFR(self.tree, own.search, self._recording)
        self._queries = QueryBuffer(own.waiting_queries, most_rows)
        self._examples = ReplayBuffer(
            network.shape, own.replay_buffer_size, self.tree, self.values.encoder
        )
        self._fitter = Fitter(network, own.fitting)
        self._counts = np.zeros(2, np.int64)
        self._losses = np.zeros(2)

    @property
    def network(self) -> Network:
        """The network as it is now."""
        return self.values.network

    @property
    def progress(self) -> SelfPlayProgress:
        """Counts and losses so far."""
        episodes, steps = self._counts.tolist()
        return SelfPlayProgress(
            episodes,
            self._examples.num_added,
            self._queries.num_waiting,
            steps,
            *self._losses.tolist(),
        )

    def play_episode(self) -> None:
        """Play one episode, solve queries, and take the steps of the optimiser that are due."""
        stream = Stream(self.settings.seed, EPISODE, int(self._counts[0]))
        self._play(stream)
        for _ in range(self.settings.solves_per_episode):
            if self._queries.num_waiting:
                self._solve(self._queries.draw(stream), stream)
        self._counts[0] += 1
        self._fit()

    def arrays(self) -> dict[str, AnyArray]:
        """Return all that the training goes on from, by name, to be saved."""
        return {
            **self._fitter.arrays(),
            **self._queries.arrays(),
            **self._examples.arrays(),
            "counts": self._counts.copy(),
            "losses": self._losses.copy(),
        }

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Go on from *arrays* of a training with equal settings; raises ValueError for others."""
        self._fitter.restore(
            {name: array for name, array in arrays.items() if name.startswith("fitting.")}
        )
        self._queries.restore(arrays)
        self._examples.restore(arrays)
        self._counts[:], self._losses[:] = arrays["counts"], arrays["losses"]
        self.values.set_network(self._fitter.network())

    def _first_network(self, encoding: PublicEncoding) -> Network:
        if encoding.game.num_seats() != 2:
            raise UsageError("self-play is for 2 seats", "choose a game for two")
        shape = encoding.interface.shape(self.settings.hidden)
        return initial_network(shape, self.settings.seed)

    def _play(self, stream: Stream) -> None:
        """Play one episode."""
        tree, chains = self.tree, dict[int, SeatChain]()
        history = _drawn(stream, tree.arrays.histories["chance"][: self._end_of_root()])
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
        self._examples.add(self._present_query(node), None, self._slots(last, node))
        policy = chain.policy()
        record = self.tree.arrays.histories[history]
        row = int(record["row1" if seat else "row0"])
        count = int(self.tree.arrays.rows["count"][row])
        share = self.settings.uniform_policy_mix
        own_policy = policy[row - self.tree.rows_of(node, seat).start, :count]
        action = _drawn(stream, (1 - share) * own_policy + share / count)
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
        move = moves[_drawn(stream, moves["probability"])]
        return int(move["child"]), int(move["history"])

    def _solve(self, query: Query, stream: Stream) -> None:
        """Search from *query*, and add the example and recursive queries that come of it."""
        node = query.node
        record = self.tree.arrays.nodes[node]
        if not self._is_possible(query):
            return
        self._recording.begin(stream.bits())
        found = self._searcher.search(node, node, query.beliefs, stream.bits())
        policy = self._slots(found, node) if record["actor"] >= 0 else None
        values = found.values[record["first_row"] : record["end_row"]]
        self._examples.add(query, values, policy)
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
            self._queries.add(query, stream)

    def _fit(self) -> None:
        """Take the steps that are due by *max_updates_per_example*, in calls of equal size."""
        own, size = self.settings, self.settings.fitting.batch_size
        most_steps = int(self._examples.num_added * own.max_updates_per_example / size)
        while self._counts[1] + STEPS_A_CALL <= most_steps:
            seed = own.seed, BATCHES, int(self._counts[1])
            losses = self._fitter.fit(self._examples.batches(STEPS_A_CALL, size, seed))
            self._losses[:] = losses.values.mean(), losses.policies.mean()
            self._counts[1] += STEPS_A_CALL
            self.values.set_network(self._fitter.network())


def _drawn(stream: Stream, weights: Floats) -> int:
    """Return a place of *weights*, drawn in proportion to them."""
    sums = np.cumsum(weights)
    return int(np.searchsorted(sums, stream.unit() * sums[-1], side="right").clip(0, len(sums) - 1))
