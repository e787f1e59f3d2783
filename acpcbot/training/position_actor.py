"""Episodes of self-play at the positions of a game that hides nothing.

Seats take turns at one search (``tree_search/position_search.py``). Moves are drawn from its policy
mixed with uniform play, and after some moves the most probable one is played. A seat that looks
lost resigns; some episodes are played on instead, and those that were not lost are counted. Queries
are positions.

Where the paper ends an episode that is resigned without examples, its outcome counts here as it
does in AlphaZero: the seat that resigns has lost.

Source: Schmid et al. (2023), Student of Games, "Training Process" and algorithm 2; Silver et al.
(2018), A general reinforcement learning algorithm that masters chess, shogi and Go through
self-play.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.games.game import CHANCE, OVER, State, new_state
from acpcbot.networks.fitting import Examples
from acpcbot.networks.mlp import Network
from acpcbot.networks.shape import NetworkShape
from acpcbot.rng import Stream
from acpcbot.training.query_reservoir import (
    RecordingValues,
    WaitingRecords,
    drawn_count,
    drawn_place,
)
from acpcbot.training.replay_buffer import ExampleWindow
from acpcbot.training.self_play_settings import SelfPlaySettings
from acpcbot.tree_search.board_encodings import BoardEncoding
from acpcbot.tree_search.position_search import PositionResult, PositionSearch
from acpcbot.tree_search.position_tree import PositionTree
from acpcbot.tree_search.position_values import PositionValues
from acpcbot.tree_search.public_tree import NUM_SEATS

RESIGNED, CHECKED, WRONG, NUM_COUNTS = range(4)


class _Visit(NamedTuple):
    """A state of the main line, the seat to move there, and the policy of its search."""

    state: State
    seat: int
    policy: Floats


class PositionWindow(ExampleWindow):
    """The newest *capacity* examples for a network of *shape*, of positions of *encoding*.

    Each time that an example is drawn it is seen from one of the board's sides, drawn as well.
    """

    def __init__(self, shape: NetworkShape, capacity: int, encoding: BoardEncoding) -> None:
        super().__init__(shape, capacity)
        self._encoding = encoding
        self._inputs = np.array([look.inputs for look in encoding.symmetries])
        self._columns = np.array([look.columns for look in encoding.symmetries])

    def add(self, state: State, value: float | None, policy: Floats) -> None:
        """Add *state* with the targets *value*, of the seat to move, and *policy* [action].

        The value is in units of the greatest payoff.
        """
        example, features = self.new_example(), self._encoding.features
        example.inputs[:] = self._encoding.inputs(state)
        if value is not None:
            example.values[:] = value, -value
            example.value_weights[:] = 1
        columns = [features.policy_column(state, action) for action in range(len(policy))]
        example.policies[0, columns] = policy
        example.legal[0, columns] = True
        example.policy_weights[0] = 1

    def batches(self, num_steps: int, batch_size: int, seed: tuple[int, ...]) -> Examples:
        """Return examples [step, query] of the window, drawn with replacement, and turned."""
        found = super().batches(num_steps, batch_size, seed)
        generator = np.random.default_rng((*seed, 1))
        looks = generator.integers(len(self._inputs), size=(num_steps, batch_size))
        columns = self._columns[looks][:, :, None]
        return found._replace(
            inputs=np.take_along_axis(found.inputs, self._inputs[looks], axis=2),
            policies=np.take_along_axis(found.policies, columns, axis=3),
            legal=np.take_along_axis(found.legal, columns, axis=3),
        )


class PositionActor:
    """Episodes in the game of *encoding* by searches with *network*, and what is learnt of them."""

    def __init__(
        self, encoding: BoardEncoding, settings: SelfPlaySettings, network: Network
    ) -> None:
        self.settings = own = settings
        self.values = PositionValues(network, encoding, own.prior_temperature)
        capacity = 1 + int(max(own.queries_per_search, own.recursive_queries_per_search))
        self._recording = RecordingValues(self.values, capacity, NUM_SEATS)
        self._game = encoding.game
        self._searcher = PositionSearch(self._game, own.search, self._recording)
        kind = np.dtype([("states", np.int64, self._game.state_length())])
        self.queries = WaitingRecords(own.waiting_queries, kind)
        self.examples = PositionWindow(network.shape, own.replay_buffer_size, encoding)
        self.resignations: Ints = np.zeros(NUM_COUNTS, np.int64)

    @property
    def tree(self) -> PositionTree:
        """The tree in which searches are made."""
        return self._searcher.tree

    def play(self, stream: Stream) -> None:
        """Play one episode, and add examples and queries."""
        game, own, state = self._game, self.settings, new_state(self._game)
        plays_on = stream.unit() < own.min_ratio_without_resign
        visits, num_moves, losers = list[_Visit](), 0, set[int]()
        while (seat := int(game.actor(state))) != OVER:
            count = int(game.num_actions(state))
            if seat == CHANCE:
                weights = np.array([game.chance(state, action) for action in range(count)])
                game.apply(state, drawn_place(stream, weights))
                continue
            action = 0
            # A forced action needs no search.
            if count > 1:
                found = self._searched(state, own.queries_per_search, stream)
                visits.append(_Visit(state.copy(), seat, found.policy))
                threshold = own.resign_threshold
                if threshold is not None and found.value < threshold * self._greatest_payoff:
                    losers.add(seat)
                    if not plays_on:
                        break
                action = self._chosen(found.policy, num_moves, stream)
            game.apply(state, action)
            num_moves += 1
        self._learn(visits, self._outcome(state, losers), stream)

    def solve(self, stream: Stream) -> None:
        """Search from a query that waits; add the example and recursive queries that come of it."""
        state = self.queries.take(stream)["states"]
        found = self._searched(state, self.settings.recursive_queries_per_search, stream)
        self.examples.add(state, found.value / self._greatest_payoff, found.policy)

    @property
    def _greatest_payoff(self) -> float:
        return self._searcher.tree.greatest_payoff

    def _searched(self, state: State, mean_queries: float, stream: Stream) -> PositionResult:
        """Return a search at *state*, some of whose queries wait from now on."""
        self._recording.begin(stream.bits())
        found = self._searcher.search(state, stream.bits())
        for node in self._recording.nodes(drawn_count(mean_queries, stream)):
            self.queries.put((self.tree.states[node],), stream)
        return found

    def _chosen(self, policy: Floats, num_moves: int, stream: Stream) -> int:
        own = self.settings
        mixed = (1 - own.uniform_policy_mix) * policy + own.uniform_policy_mix / len(policy)
        if own.greedy_play_after is not None and num_moves >= own.greedy_play_after:
            return int(mixed.argmax())
        return drawn_place(stream, mixed)

    def _outcome(self, state: State, losers: set[int]) -> float:
        """Return what seat 0 wins in an episode that ended at *state*, over the greatest payoff."""
        if self._game.actor(state) != OVER:
            self.resignations[RESIGNED] += 1
            (loser,) = losers
            return -1.0 if loser == 0 else 1.0
        won = float(self._game.payoff(state, 0)) / self._greatest_payoff
        if losers:
            self.resignations[CHECKED] += 1
            # Both may have looked lost in turn; then one of them was not.
            lost = {seat for seat in losers if (won if seat == 0 else -won) < 0}
            self.resignations[WRONG] += lost != losers
        return won

    def _learn(self, visits: list[_Visit], won: float, stream: Stream) -> None:
        for visit in visits:
            has_value = stream.unit() < self.settings.td1_target_probability
            value = (won if visit.seat == 0 else -won) if has_value else None
            self.examples.add(visit.state, value, visit.policy)
