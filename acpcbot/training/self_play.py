"""Sound self-play: a network learns the values and policies of its own searches, from rules alone.

Seats of an episode play what their searches find, mixed with uniform play. Every search is a source
of examples and of questions:

* the state on the main line with the policy that the search found there, in games that hide
  something with the beliefs that it came to, in others with the outcome of the episode as a value
  (TD(1)) where the settings ask for it;
* on average *queries_per_search* of the queries that it asked of the network. These wait in a
  buffer. A solver draws them, searches from each, and adds an example with the values and the
  policy found. On average *recursive_queries_per_search* of its own queries are put into the
  buffer, so that the network learns states off the main line as well.

An *actor* plays episodes and solves queries (``actors.py``). A trainer fits the network to a sliding
window of the examples and gives the weights to the searches. With one actor they take turns, episode
by episode, in one process. Several actors play in processes of their own, and the trainer works
beside them (``actor_processes.py``). Random numbers depend on the seed and the number of the episode
alone, so a training that goes on from ``arrays`` equals one that was never interrupted.

Source: Schmid et al. (2023), Student of Games, "Training Process", algorithm 2 and table S2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import AnyArray
from acpcbot.errors import UsageError
from acpcbot.networks.fitting import Fitter
from acpcbot.networks.mlp import Network, initial_network
from acpcbot.training.actor_processes import ActorProcesses
from acpcbot.training.actors import BATCHES, AnyEncoding, make_actor, play_episode
from acpcbot.training.query_reservoir import WaitingRecords
from acpcbot.training.self_play_settings import SelfPlaySettings as SelfPlaySettings
from acpcbot.tree_search.network_values import NetworkValues
from acpcbot.tree_search.position_values import PositionValues
from acpcbot.tree_search.public_tree import PublicTree

STEPS_A_CALL = 32
"""Steps of the optimiser in one call, whose fixed cost is several steps of a small network."""


@dataclass(frozen=True, slots=True)
class SelfPlayProgress:
    """Counts of a training so far, and mean losses of the last call of the trainer.

    Of the episodes *num_resigned* were resigned; *num_checked* were played on although a seat would
    have resigned, which did not lose *num_wrong* of them.
    """

    num_episodes: int
    num_examples: int
    num_waiting: int
    num_steps: int
    value_loss: float
    policy_loss: float
    num_resigned: int = 0
    num_checked: int = 0
    num_wrong: int = 0

    def __str__(self) -> str:
        resigned = ""
        if self.num_checked:
            resigned = (
                f", {self.num_resigned:,} resigned; of {self.num_checked:,} that were played on"
                f" {self.num_wrong:,} were not lost"
            )
        return (
            f"{self.num_episodes:,} episodes, {self.num_examples:,} examples,"
            f" {self.num_waiting:,} queries waiting, {self.num_steps:,} steps,"
            f" losses {self.value_loss:.4f} (values) {self.policy_loss:.4f} (policies){resigned}"
        )


class SelfPlay:
    """A network in training by sound self-play in the game of *encoding*.

    In games that hide something it makes the whole public tree, unless *tree* is given. Raises
    UsageError for one that is too large, and where JAX or optax is missing.
    """

    def __init__(
        self,
        encoding: AnyEncoding,
        settings: SelfPlaySettings | None = None,
        tree: PublicTree | None = None,
    ) -> None:
        self.settings = own = settings or SelfPlaySettings()
        if encoding.game.num_seats() != 2:
            raise UsageError("self-play is for 2 seats", "choose a game for two")
        network = initial_network(encoding.interface.shape(own.hidden), own.seed)
        self._actor = make_actor(encoding, own, network, tree)
        self._processes = ActorProcesses(encoding, own) if own.num_actors > 1 else None
        self._fitter = Fitter(network, own.fitting)
        self._counts = np.zeros(2, np.int64)
        self._losses = np.zeros(2)
        self.actor_cpu_seconds = 0.0
        """Seconds of CPU that actors in other processes have taken since this object was made."""

    @property
    def tree(self) -> PublicTree:
        """The tree in which searches are made."""
        return self._actor.tree

    @property
    def values(self) -> NetworkValues | PositionValues:
        """The network, as searches ask it."""
        return self._actor.values

    @property
    def network(self) -> Network:
        """The network as it is now."""
        return self.values.network

    @property
    def progress(self) -> SelfPlayProgress:
        """Counts and losses so far."""
        episodes, steps = self._counts.tolist()
        value_loss, policy_loss = self._losses.tolist()
        return SelfPlayProgress(
            episodes,
            self._actor.examples.num_added,
            self._waiting.num_waiting,
            steps,
            value_loss,
            policy_loss,
            *self._actor.resignations.tolist(),
        )

    def play_round(self, end: int | None = None) -> None:
        """Play one episode, or a round of several actors, and take the optimiser's steps now due.

        No episode is played from the number *end* on.
        """
        first = int(self._counts[0])
        if self._processes is None:
            play_episode(self._actor, self.settings, first)
            self._counts[0] += 1
        else:
            self._play_beside(self._processes, first, end)
        self._fit()

    def close(self) -> None:
        """End the processes of the actors; a later round starts them again."""
        if self._processes is not None:
            self._processes.close()

    def arrays(self) -> dict[str, AnyArray]:
        """Return all that the training goes on from, by name, to be saved."""
        return {
            **self._fitter.arrays(),
            **self._waiting.arrays(),
            **self._actor.examples.arrays(),
            "counts": self._counts.copy(),
            "losses": self._losses.copy(),
            "resignations": self._actor.resignations.copy(),
        }

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Go on from *arrays* of a training with equal settings; raises ValueError for others."""
        self._fitter.restore(
            {name: array for name, array in arrays.items() if name.startswith("fitting.")}
        )
        self._waiting.restore(arrays)
        self._actor.examples.restore(arrays)
        self._counts[:], self._losses[:] = arrays["counts"], arrays["losses"]
        self._actor.resignations[:] = arrays["resignations"]
        self.values.set_network(self._fitter.network())

    @property
    def _waiting(self) -> WaitingRecords | ActorProcesses:
        return self._processes or self._actor.queries

    def _play_beside(self, processes: ActorProcesses, first: int, end: int | None) -> None:
        """Add the results of the round from the episode *first* on, and begin the next."""
        processes.begin(self._round(first, end), self.network)
        numbers, results = processes.results()
        following = self._round(numbers.stop, end)
        if following:
            processes.begin(following, self.network)
        for result in results:
            for examples in result.examples:
                self._actor.examples.extend(examples)
            self._actor.resignations[:] += result.resignations
            self.actor_cpu_seconds += result.cpu_seconds
        self._counts[0] = numbers.stop

    def _round(self, first: int, end: int | None) -> range:
        count = self.settings.num_actors * self.settings.episodes_a_round
        return range(first, first + count if end is None else min(first + count, end))

    def _fit(self) -> None:
        """Take the steps that are due by *max_updates_per_example*, in calls of equal size."""
        own, size = self.settings, self.settings.fitting.batch_size
        most_steps = int(self._actor.examples.num_added * own.max_updates_per_example / size)
        while self._counts[1] + STEPS_A_CALL <= most_steps:
            seed = own.seed, BATCHES, int(self._counts[1])
            losses = self._fitter.fit(self._actor.examples.batches(STEPS_A_CALL, size, seed))
            self._losses[:] = losses.values.mean(), losses.policies.mean()
            self._counts[1] += STEPS_A_CALL
            self.values.set_network(self._fitter.network())
