"""Actors of self-play in worker processes, which play rounds of episodes side by side.

In a *round* each actor plays ``episodes_a_round`` episodes with one set of weights. The next round
begins before the trainer has learnt from the last, so that actors and trainer work at the same
time: weights are a round old. Which actor plays an episode, and with which weights, does not depend
on time, so equal seeds give equal examples. A training that goes on from ``arrays`` plays the round
that was under way again.

Every actor has a query buffer of its own, with an equal share of ``waiting_queries``.

Source: Schmid et al. (2023), Student of Games, "Training Process": actors play with the weights
that a trainer sends them.
"""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import NamedTuple

import numpy as np

from acpcbot.arrays import AnyArray, Floats32, Ints
from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.networks.fitting import Examples
from acpcbot.networks.mlp import Network
from acpcbot.networks.shape import NetworkShape
from acpcbot.training.actors import Actor, AnyEncoding, make_actor, play_episode
from acpcbot.training.self_play_settings import SelfPlaySettings
from acpcbot.worker_processes import WorkerProcess, spawn_worker

EXAMPLES_AN_EPISODE = 4096
"""The most that an episode may add; an actor's window is read after each."""
PARAMETERS, NUM_ROUND = "actors.parameters", "actors.round"


class RoundOrder(NamedTuple):
    """Play the episodes *numbers* with *parameters*, after *queries* are restored, if any."""

    numbers: range
    parameters: Floats32
    queries: dict[str, AnyArray] | None


class ActorRound(NamedTuple):
    """The results of an actor's episodes.

    ``examples``      a batch [example] for each episode
    ``queries``       all that waits in its buffer now, as arrays by name
    ``num_waiting``   the number of these queries
    ``resignations``  int64 [3], of these episodes alone
    ``cpu_seconds``   what they took
    """

    examples: list[Examples]
    queries: dict[str, AnyArray]
    num_waiting: int
    resignations: Ints
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class ActorFailed:
    """The error that ended an actor, and its hint."""

    error: str
    hint: str = ""


class ActorProcesses:
    """The actors of a self-play by *settings* in the game of *encoding*.

    Processes start with the first round. They end with ``close``, or with this process.
    """

    def __init__(self, encoding: AnyEncoding, settings: SelfPlaySettings) -> None:
        self._encoding, self._settings = encoding, settings
        self._workers = list[WorkerProcess]()
        self._queries = list[dict[str, AnyArray]]()
        self._num_waiting, self._round = 0, range(0)
        self._parameters: Floats32 | None = None

    @property
    def num_waiting(self) -> int:
        """The queries that waited after the last round, of all actors."""
        return self._num_waiting

    def begin(self, numbers: range, network: Network) -> None:
        """Let the actors play the episodes *numbers* with *network*, if they do not yet.

        A round that was under way in a training that goes on is begun again, with the weights that
        it had. Raises UsageError if an actor's process has ended.
        """
        if self._workers and self._round:
            return
        waiting: list[dict[str, AnyArray]] | list[None] = [None] * self._settings.num_actors
        if not self._workers:
            arguments = self._encoding, self._settings, network.shape
            self._workers = [spawn_worker(_act, *arguments) for _ in waiting]
            waiting = self._queries or waiting
        if not self._round:
            self._round, self._parameters = numbers, network.parameters.copy()
        assert self._parameters is not None, "the round has them"
        parts = shares(self._round, len(waiting))
        for worker, own, queries in zip(self._workers, parts, waiting, strict=True):
            try:
                worker.orders.send(RoundOrder(own, self._parameters, queries))
            except (BrokenPipeError, ConnectionResetError):
                raise _ended(worker) from None

    def results(self) -> tuple[range, list[ActorRound]]:
        """Wait for the end of the round, and return its episodes and the results by actor.

        Raises UsageError if an actor failed.
        """
        found = [_received(worker) for worker in self._workers]
        numbers, self._round = self._round, range(0)
        self._queries = [result.queries for result in found]
        self._num_waiting = sum(result.num_waiting for result in found)
        return numbers, found

    def arrays(self) -> dict[str, AnyArray]:
        """Return all that the next rounds depend on, by name, to be saved."""
        named = {NUM_ROUND: np.array([self._round.start, self._round.stop, self._num_waiting])}
        if self._parameters is not None:
            named[PARAMETERS] = self._parameters
        for number, queries in enumerate(self._queries):
            named |= {_name(number, name): array for name, array in queries.items()}
        return named

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Go on from *arrays* of a training with equal settings."""
        self.close()
        first, end, self._num_waiting = arrays[NUM_ROUND].tolist()
        self._round, self._parameters = range(first, end), arrays.get(PARAMETERS)
        self._queries = []
        for number in range(self._settings.num_actors):
            prefix = _name(number, "")
            own = {
                name.removeprefix(prefix): array
                for name, array in arrays.items()
                if name.startswith(prefix)
            }
            if own:
                self._queries.append(own)

    def close(self) -> None:
        """End the processes. A later round begins where they were after the last one."""
        for worker in self._workers:
            worker.terminate()
        self._workers = []


def shares(numbers: range, num_actors: int) -> list[range]:
    """Return consecutive parts of *numbers* for each actor, which differ by one at most."""
    count = len(numbers)
    bounds = [numbers.start + count * place // num_actors for place in range(num_actors + 1)]
    return [range(*bounds[place : place + 2]) for place in range(num_actors)]


def _name(number: int, name: str) -> str:
    return f"actors.{number}.{name}"


def _received(worker: WorkerProcess) -> ActorRound:
    try:
        result: ActorRound | ActorFailed = worker.orders.recv()
    except (EOFError, ConnectionResetError):
        raise _ended(worker) from None
    if isinstance(result, ActorFailed):
        raise UsageError(result.error, result.hint)
    return result


def _ended(worker: WorkerProcess) -> UsageError:
    worker.process.join()
    return UsageError(
        f"an actor's process ended with status {worker.process.exitcode}",
        "the same command goes on; fewer actors take less memory",
    )


def _act(
    orders: Connection, encoding: AnyEncoding, settings: SelfPlaySettings, shape: NetworkShape
) -> None:
    """Run an actor: receive orders and send results, until it is terminated."""
    own = replace(
        settings,
        replay_buffer_size=EXAMPLES_AN_EPISODE,
        waiting_queries=max(1, settings.waiting_queries // settings.num_actors),
    )
    actor: Actor | None = None
    while True:
        order: RoundOrder = orders.recv()
        try:
            network = Network(shape, order.parameters)
            actor = actor or make_actor(encoding, own, network)
            orders.send(_played(actor, own, order, network))
        except (AcpcbotError, OSError) as error:
            orders.send(ActorFailed(str(error), getattr(error, "hint", "")))
        except Exception as error:  # a fault of ours: the traceback is for its report
            traceback.print_exc()
            orders.send(ActorFailed(f"{type(error).__name__}: {error}"))


def _played(
    actor: Actor, settings: SelfPlaySettings, order: RoundOrder, network: Network
) -> ActorRound:
    """Return the results of the episodes of *order*."""
    start_s, resigned = time.process_time(), actor.resignations.copy()
    actor.values.set_network(network)
    if order.queries is not None:
        actor.queries.restore(order.queries)
    examples = list[Examples]()
    for number in order.numbers:
        before = actor.examples.num_added
        play_episode(actor, settings, number)
        examples.append(actor.examples.newest(actor.examples.num_added - before))
    return ActorRound(
        examples,
        actor.queries.arrays(),
        actor.queries.num_waiting,
        actor.resignations - resigned,
        time.process_time() - start_s,
    )
