"""Self-play for networks at chance states: searches ask, solved boards answer, a trainer fits.

An episode is one search of the first street with the present network at its end. A sample of the
queries that this search asks, some of them with random ranges mixed in, are labelled: for each one
board is drawn and solved to the end of the hand (``board_labels.py``). The network is fitted to a
sliding window of labels. Nothing is known but the rules: no stored strategy takes part.

Boards of one betting follow each other in steps of the golden section through all their
probability: each has its probability, and boards near each other in order, which are alike, take
turns.

Random numbers depend on the seed and on the number of the episode or the step alone, so a training
that goes on from ``arrays`` equals one that was never interrupted.

Source: Schmid et al. (2023), Student of Games, "Training Process": queries of searches are solved,
and the network is fitted to what was found.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, NamedTuple

import numpy as np
from msgspec import Meta

from acpcbot.arrays import AnyArray, Floats, Floats32, Ints
from acpcbot.networks.fitting import Examples, Fitter, FittingSettings, empty_examples
from acpcbot.networks.mlp import Network, initial_network
from acpcbot.poker.betting import BettingRules
from acpcbot.search.network_leaves import network_values
from acpcbot.subgames.chance_encoding import NUM_SEATS, ChanceEncoding
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.network_values import NetworkValues
from acpcbot.subgames.solver import RangeCFR
from acpcbot.training.board_labels import BoardLabel, BoardMemory, BoardSolver

STEPS_A_CALL = 16
"""Steps of the optimiser in one call."""
GOLDEN = (5**0.5 - 1) / 2
POLISHED_RATE = 1e-3
EPISODE, BATCHES, OFFSETS, POLISHING = range(4)
"""Streams of random numbers, after the seed."""

Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=1)]


def squared_error() -> FittingSettings:
    """Return the defaults of the optimiser, with a loss that is squared everywhere.

    A drawn board is unbiased for squared error alone: a Huber loss would pull values to the median.
    """
    return FittingSettings(batch_size=256, decay_steps=2_000, huber_delta=1e3, policy_weight=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChanceSelfPlaySettings:
    """Settings of self-play. Defaults are for limit flop hold'em.

    A search takes *search_iterations* of CFR, *queries_per_search* of its queries are labelled, by
    *label_iterations* on one board each; in searches either seat errs with the probability
    *trembles*. *random_share* of them have random ranges mixed in. Each search has noise of its own
    on the network's outputs, with the standard deviation *value_noise* in pots: a network that errs
    a little leads its search elsewhere, and this is where it has to know what hands are worth. The
    window has *replay_buffer_size* labels, and the optimiser takes *updates_per_example* steps
    times their size over the labels added.
    """

    seed: int = 0
    hidden: tuple[Count, ...] = (256, 256)
    search_iterations: Count = 100
    queries_per_search: Count = 256
    label_iterations: Count = 40
    trembles: Annotated[float, Meta(ge=0, lt=1)] = 0.005
    random_share: Share = 0.15
    value_noise: Annotated[float, Meta(ge=0)] = 0.0
    replay_buffer_size: Count = 40_000
    updates_per_example: Annotated[float, Meta(ge=0)] = 20.0
    fitting: FittingSettings = field(default_factory=squared_error)


@dataclass(frozen=True, slots=True)
class ChanceSelfPlayProgress:
    """Counts so far, and the mean losses of the last labels *before* and *after* their fit.

    Both are dominated by what one board differs from another, which no network can know.
    """

    num_episodes: int
    num_examples: int
    num_steps: int
    loss_before: float
    loss_after: float

    def __str__(self) -> str:
        return (
            f"{self.num_episodes:,} episodes, {self.num_examples:,} labels, {self.num_steps:,}"
            f" steps, loss of new labels {self.loss_before:.4f} before and {self.loss_after:.4f}"
            " after"
        )


class Queries(NamedTuple):
    """Queries of a search: *parts* int64 [query], *sums* float64 [query, seat, class].

    A part is a betting that ends the first street, in the order of the search's leaves.
    """

    parts: Ints
    sums: Floats


class RecordingValues:
    """Leaf values of *inner* that sample the queries which a search asks of it.

    The sample has *capacity* places, and all queries with a positive reach are equally likely.
    """

    def __init__(self, inner: NetworkValues, capacity: int, generator: np.random.Generator) -> None:
        self._inner, self._generator, self._num_seen = inner, generator, 0
        shape = (capacity, NUM_SEATS, inner.encoding.num_classes)
        self._sample = Queries(np.zeros(capacity, np.int64), np.zeros(shape))

    def values(self, seat: int, above: Floats32, *, learns: bool) -> Floats32:
        """Return the values of the inner network, and sample its queries by reservoir sampling."""
        found = self._inner.values(seat, above, learns=learns)
        for part, own in enumerate(self._inner.averages):
            if own.any(axis=1).all():
                self._see(part, own)
        return found

    def queries(self) -> Queries:
        """Return the sample so far."""
        kept = min(self._num_seen, len(self._sample.parts))
        return Queries(self._sample.parts[:kept], self._sample.sums[:kept])

    def _see(self, part: int, sums: Floats32) -> None:
        place, capacity = self._num_seen, len(self._sample.parts)
        self._num_seen += 1
        if place >= capacity:
            place = int(self._generator.integers(self._num_seen))
            if place >= capacity:
                return
        self._sample.parts[place] = part
        self._sample.sums[place] = sums / sums.sum(axis=1, keepdims=True)


class ChanceSelfPlay:
    """A network in training by self-play in the game of *encoding*.

    Raises UsageError where JAX or optax is missing.
    """

    def __init__(
        self, encoding: ChanceEncoding, settings: ChanceSelfPlaySettings | None = None
    ) -> None:
        self.encoding = encoding
        self.settings = own = settings or ChanceSelfPlaySettings()
        self.network = initial_network(encoding.interface.shape(own.hidden), own.seed)
        self._game = first_street(encoding)
        self._boards = BoardSolver(encoding, own.label_iterations)
        self._fitter = Fitter(self.network, own.fitting)
        self._labels = LabelBuffer(encoding, own.replay_buffer_size)
        # Parts have boards and a memory of their own: ranges differ more between them than in time.
        self._pots = network_values(self._game, encoding, self.network).pots
        self._memory = BoardMemory(self._boards, len(self._pots))
        self._drawn = np.zeros(len(self._pots), np.int64)
        self._offsets = np.random.default_rng((own.seed, OFFSETS)).random(len(self._pots))
        self._counts = np.zeros(2, np.int64)
        self._losses = np.zeros(2)

    @property
    def progress(self) -> ChanceSelfPlayProgress:
        """Counts and losses so far."""
        episodes, steps = self._counts.tolist()
        return ChanceSelfPlayProgress(
            episodes, self._labels.num_added, steps, *self._losses.tolist()
        )

    def play_episode(self) -> None:
        """Search once, label a sample of its queries, and take the optimiser's steps now due."""
        generator = np.random.default_rng((self.settings.seed, EPISODE, int(self._counts[0])))
        queries = self._searched(generator)
        for part, sums in zip(queries.parts.tolist(), queries.sums, strict=True):
            pot, board = int(self._pots[part]), self._next_board(part)
            label = self._boards.label(pot, sums, board)
            self._labels.add(pot, sums, self._memory.corrected(part, board, label))
        newest = self._labels.newest(len(queries.parts))
        self._losses[0] = mean_loss(self.network, newest)
        self._counts[0] += 1
        self._fit()
        self._losses[1] = mean_loss(self.network, newest)

    def polish(self, num_steps: int) -> None:
        """Fit the network to the newer half of the window for *num_steps* more, at falling rates.

        It ends a training: from the rate at which that ended, rates go down to a thousandth. From
        the first rate on, the network would move so far that a search with it left the ranges that
        were labelled.
        """
        own, size = self.settings.fitting, self.settings.fitting.batch_size
        ended = own.decay_rate ** (int(self._counts[1]) / own.decay_steps)
        settings = replace(
            own,
            learning_rate=own.learning_rate * ended,
            decay_rate=POLISHED_RATE,
            decay_steps=max(1, num_steps),
        )
        fitter = Fitter(self.network, settings)
        for step in range(0, num_steps - num_steps % STEPS_A_CALL, STEPS_A_CALL):
            seed = self.settings.seed, POLISHING, step
            fitter.fit(self._labels.batches(STEPS_A_CALL, size, seed, share=0.5))
        self.network = fitter.network()

    def arrays(self) -> dict[str, AnyArray]:
        """Return all that the training goes on from, by name, to be saved."""
        return {
            **self._fitter.arrays(),
            **self._labels.arrays(),
            "drawn": self._drawn.copy(),
            "memory.known": self._memory.known.copy(),
            "memory.counts": self._memory.counts.copy(),
            "memory.means": self._memory.means.copy(),
            "counts": self._counts.copy(),
            "losses": self._losses.copy(),
        }

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Go on from *arrays* of a training with equal settings; raises ValueError for others."""
        self._fitter.restore(
            {name: array for name, array in arrays.items() if name.startswith("fitting.")}
        )
        self._labels.restore(arrays)
        self._drawn[:], self._counts[:] = arrays["drawn"], arrays["counts"]
        self._losses[:] = arrays["losses"]
        self._memory.known[:] = arrays["memory.known"]
        self._memory.counts[:] = arrays["memory.counts"]
        self._memory.means[:] = arrays["memory.means"]
        self.network = self._fitter.network()

    def _searched(self, generator: np.random.Generator) -> Queries:
        """Return queries of a search, some of them with random ranges mixed in."""
        own = self.settings
        values = network_values(self._game, self.encoding, self.network)
        if own.value_noise:
            values.offsets = own.value_noise * value_noise(
                self.encoding, len(self._pots), generator
            )
        recording = RecordingValues(values, own.queries_per_search, generator)
        search = RangeCFR(self._game, leaves=recording, trembles=own.trembles)
        search.step(own.search_iterations)
        queries = recording.queries()
        is_mixed = generator.random(len(queries.parts)) < own.random_share
        for sums in queries.sums[is_mixed]:
            # The power makes ranges from nearly all hands to a few; their share is small mostly.
            random = self.encoding.sizes * generator.random(sums.shape) ** generator.integers(1, 9)
            share = generator.random() ** 3
            sums[:] = (1 - share) * sums + share * random / random.sum(axis=1, keepdims=True)
        return queries

    def _next_board(self, part: int) -> int:
        share = (self._offsets[part] + GOLDEN * self._drawn[part]) % 1.0
        self._drawn[part] += 1
        return self._boards.board_at(float(share))

    def _fit(self) -> None:
        """Take the steps that are due, in calls of equal size."""
        own, size = self.settings, self.settings.fitting.batch_size
        due = int(self._labels.num_added * own.updates_per_example / size)
        while self._counts[1] + STEPS_A_CALL <= due:
            seed = own.seed, BATCHES, int(self._counts[1])
            self._fitter.fit(self._labels.batches(STEPS_A_CALL, size, seed))
            self._counts[1] += STEPS_A_CALL
        self.network = self._fitter.network()


class LabelBuffer:
    """The newest *capacity* labels, as examples for a network of *encoding*."""

    def __init__(self, encoding: ChanceEncoding, capacity: int) -> None:
        self._encoding, self.num_added = encoding, 0
        shape = encoding.interface.shape((1,))
        self._arrays = {
            "inputs": np.zeros((capacity, shape.num_inputs), np.float32),
            "values": np.zeros((capacity, shape.num_values), np.float32),
            "weights": np.zeros((capacity, shape.num_values), np.float32),
        }

    @property
    def capacity(self) -> int:
        """The places of the window."""
        return len(self._arrays["inputs"])

    def add(self, pot: int, sums: Floats, label: BoardLabel) -> None:
        """Add the *label* of the root *pot* with reaches *sums* [seat, class]."""
        place = self.num_added % self.capacity
        self.num_added += 1
        self._arrays["inputs"][place] = self._encoding.inputs(np.array([pot]), sums[None])[0]
        self._arrays["values"][place] = label.values.ravel()
        self._arrays["weights"][place] = label.weights.ravel()

    def newest(self, count: int) -> Examples:
        """Return the last *count* labels, at most as many as there are places."""
        places = np.arange(self.num_added - min(count, self.capacity), self.num_added)
        return self._examples(places % self.capacity)

    def batches(
        self, num_steps: int, batch_size: int, seed: tuple[int, ...], *, share: float = 1.0
    ) -> Examples:
        """Return examples [step, query] of the newest *share* of the window, with replacement."""
        kept = max(1, int(share * min(self.num_added, self.capacity)))
        drawn = np.random.default_rng(seed).integers(kept, size=(num_steps, batch_size))
        return self._examples((self.num_added - kept + drawn) % self.capacity)

    def arrays(self) -> dict[str, AnyArray]:
        """Return the window by name, to be saved."""
        kept = min(self.num_added, self.capacity)
        named = {f"labels.{name}": array[:kept].copy() for name, array in self._arrays.items()}
        return {**named, "labels.num_added": np.array([self.num_added])}

    def restore(self, arrays: dict[str, AnyArray]) -> None:
        """Go on from *arrays* of a buffer of the same capacity."""
        self.num_added = int(arrays["labels.num_added"][0])
        kept = min(self.num_added, self.capacity)
        for name, array in self._arrays.items():
            array[:kept] = arrays[f"labels.{name}"]

    def _examples(self, places: AnyArray) -> Examples:
        shape = self._encoding.interface.shape((1,))
        return empty_examples(shape, *places.shape)._replace(
            inputs=self._arrays["inputs"][places],
            values=self._arrays["values"][places],
            value_weights=self._arrays["weights"][places],
        )


def value_noise(
    encoding: ChanceEncoding, num_parts: int, generator: np.random.Generator
) -> Floats32:
    """Return noise with a standard deviation of 1, [part, seat, class].

    It is drawn in equal parts for each class alone, for all classes of a seat alike, and in
    proportion to how well a class does at a showdown.
    """
    shape = num_parts, NUM_SEATS, encoding.num_classes
    strength = encoding.showdowns @ encoding.sizes
    strength = (strength - strength.mean()) / strength.std()
    slope, level = generator.normal(size=(2, *shape[:2], 1))
    noise = generator.normal(size=shape) + slope * strength + level
    found: Floats32 = (noise / 3**0.5).astype(np.float32)
    return found


def first_street(encoding: ChanceEncoding) -> RangeGame:
    """Return the game of the first street alone, with all hands of both seats."""
    return make_range_game(BettingRules(encoding.definition).start, one_street=True)


def mean_loss(network: Network, examples: Examples) -> float:
    """Return the mean loss of *examples* [query]: half the squared error, summed over rows."""
    errors = network.outputs(examples.inputs, values_only=True) - examples.values
    return float((examples.value_weights * errors**2).sum(axis=1).mean() / 2)
