"""Actors of self-play: each plays episodes and solves queries with the newest weights it has.

``public_actor.py`` is for games that hide something, ``position_actor.py`` for others. Random
numbers of an episode depend on the seed and on its number alone, whoever plays it.
"""

from __future__ import annotations

from typing import Protocol

from acpcbot.arrays import Ints
from acpcbot.networks.mlp import Network
from acpcbot.rng import Stream
from acpcbot.training.position_actor import PositionActor
from acpcbot.training.public_actor import PublicActor
from acpcbot.training.query_reservoir import WaitingRecords
from acpcbot.training.replay_buffer import ExampleWindow
from acpcbot.training.self_play_settings import SelfPlaySettings
from acpcbot.tree_search.board_encodings import BoardEncoding
from acpcbot.tree_search.network_values import NetworkValues
from acpcbot.tree_search.position_values import PositionValues
from acpcbot.tree_search.public_encodings import PublicEncoding
from acpcbot.tree_search.public_tree import PublicTree

AnyEncoding = PublicEncoding | BoardEncoding

EPISODE, BATCHES = range(2)
"""Streams of random numbers, after the seed."""


class Actor(Protocol):
    """Episodes of self-play and their examples.

    ``tree``          the tree in which searches are made
    ``values``        the network, as searches ask it
    ``examples``, ``queries``   the window, and the queries that wait
    ``resignations``  int64 [3]: episodes resigned, those played on instead, and those of them that
                      were not lost
    """

    @property
    def tree(self) -> PublicTree: ...
    @property
    def values(self) -> NetworkValues | PositionValues: ...
    @property
    def examples(self) -> ExampleWindow: ...
    @property
    def queries(self) -> WaitingRecords: ...
    @property
    def resignations(self) -> Ints: ...

    def play(self, stream: Stream) -> None:
        """Play one episode, and add examples and queries."""
        ...

    def solve(self, stream: Stream) -> None:
        """Search from a query that waits; add the example and recursive queries that come of it."""
        ...


def make_actor(
    encoding: AnyEncoding,
    settings: SelfPlaySettings,
    network: Network,
    tree: PublicTree | None = None,
) -> Actor:
    """Return the actor for the game of *encoding*.

    In games that hide something it makes the whole public tree, unless *tree* is given. Raises
    UsageError for one that is too large, and for settings that are for other games.
    """
    if isinstance(encoding, BoardEncoding):
        return PositionActor(encoding, settings, network)
    return PublicActor(encoding, settings, network, tree)


def play_episode(actor: Actor, settings: SelfPlaySettings, number: int) -> None:
    """Let *actor* play the episode *number*, and then solve queries."""
    stream = Stream(settings.seed, EPISODE, number)
    actor.play(stream)
    for _ in range(settings.solves_per_episode):
        if actor.queries.num_waiting:
            actor.solve(stream)
