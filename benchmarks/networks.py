"""Counterfactual value-and-policy networks: time of a query, and of a step of fitting, on one core.

Batches by numpy, single queries of a small network in a kernel, steps of Adam by JAX. All is timed
in a process of its own, whose libraries are held to one thread, in seconds of CPU, so that a busy
machine changes little. Fitting takes the steps of a call together; its start is the import of JAX
and the first call, which compiles.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from acpcbot.arrays import Floats32
from acpcbot.jit import kernel
from acpcbot.networks.fitting import Fitter, FittingSettings, draw_batches, empty_examples
from acpcbot.networks.mlp import initial_network
from acpcbot.networks.shape import NetworkShape
from acpcbot.networks.small import (
    NetworkEvaluator,
    NetworkScratch,
    network_scratch,
    small_network,
)
from benchmarks.figure import Figure

LEDUC = NetworkShape(num_rows=(3, 3), num_features=13, num_actions=3, hidden=(64, 64))
# Board, chips of both seats, next to act: the paper's features of poker.
FEATURES = 52 + 2 + 3
HOLDEM = NetworkShape(
    num_rows=(1326, 1326), num_features=FEATURES, num_actions=3, hidden=(512,) * 3
)
PAPER = NetworkShape(
    num_rows=(1326, 1326), num_features=FEATURES, num_actions=3, hidden=(2048,) * 6
)
NUM_QUERIES, BATCH, STEPS_PER_CALL = 2_000, 64, 16
SMALL_BATCH = 20
"""The leaves of an update in a search of a hundred simulations in Leduc, about."""
TARGETS_MS = {HOLDEM: (0.08, 0.34), PAPER: (0.94, 6.7)}
SHORTEST_S, RUNS = 0.2, 7
ONE_THREAD = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
}


def figures() -> Iterator[Figure]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.networks"],
        env=os.environ | ONE_THREAD,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    for line in done.stdout.splitlines():
        yield Figure(**json.loads(line))


def timed() -> Iterator[Figure]:
    """Yield the figures of this process."""
    yield Figure(
        name="network 64 x 64, a query in batches of 20, in a kernel",
        value=small_query_s() * 1e6,
        unit="us",
        higher_is_better=False,
    )
    for shape, targets in TARGETS_MS.items():
        network = initial_network(shape, 1)
        title = f"network {len(shape.hidden)} x {shape.hidden[0]}, 1,326 hands"
        for count, target in zip((BATCH, 1), targets, strict=True):
            for what, values_only in (("all outputs", False), ("values", True)):
                work = partial(network.outputs, queries(shape, count), values_only=values_only)
                yield Figure(
                    name=f"{title}, {what}, batch of {count}",
                    value=seconds(work) / count * 1000,
                    unit="ms/query",
                    target=target if values_only else None,
                    higher_is_better=False,
                )
    # Last: playing needs no JAX, and its threads cost the queries of large networks a tenth.
    yield from fitting_figures()


def small_query_s() -> float:
    """Return the seconds of a query of a network of Leduc's size."""
    network, inputs = initial_network(LEDUC, 1), queries(LEDUC, NUM_QUERIES)
    outputs = np.zeros((NUM_QUERIES, LEDUC.num_outputs), np.float32)
    words = small_network(network), network_scratch(network), inputs, outputs
    return seconds(partial(ask_all, *words)) / NUM_QUERIES


@kernel
def ask_all(
    evaluator: NetworkEvaluator, scratch: NetworkScratch, inputs: Floats32, outputs: Floats32
) -> None:
    """Fill *outputs* [query, output]."""
    for first in range(0, len(inputs), SMALL_BATCH):
        end = first + SMALL_BATCH
        evaluator.fill_outputs(inputs[first:end], scratch, outputs[first:end])


def fitting_figures() -> Iterator[Figure]:
    """Yield start, memory and speed of fitting a network of Leduc's size."""
    settings, generator = FittingSettings(), np.random.default_rng(1)
    examples = empty_examples(LEDUC, 10_000)
    examples.inputs[:] = queries(LEDUC, 10_000)
    examples.values[:] = generator.standard_normal(examples.values.shape)
    examples.policies[:] = 1 / LEDUC.num_actions
    examples.legal[:], examples.value_weights[:], examples.policy_weights[:] = True, 1, 1
    batches = draw_batches(examples, STEPS_PER_CALL, settings.batch_size, generator)
    before_mb, start_s = memory_mb(), time.process_time()
    fitter = Fitter(initial_network(LEDUC, 1), settings)
    fitter.fit(batches)
    yield Figure(
        name="fitting, import of JAX and first call",
        value=time.process_time() - start_s,
        unit="s",
        higher_is_better=False,
    )
    yield Figure(
        name="fitting, memory of JAX and its compiled code",
        value=memory_mb() - before_mb,
        unit="MB",
        higher_is_better=False,
    )
    yield Figure(
        name=f"fitting 64 x 64 by Adam, batches of {settings.batch_size}",
        value=STEPS_PER_CALL / seconds(partial(fitter.fit, batches)),
        unit="steps/s",
    )


def queries(shape: NetworkShape, count: int) -> Floats32:
    """Return beliefs that sum to one, and random features."""
    generator, (first, second) = np.random.default_rng(1), shape.num_rows
    inputs = generator.random((count, shape.num_inputs), np.float32)
    for beliefs in (inputs[:, :first], inputs[:, first : first + second]):
        beliefs /= beliefs.sum(axis=1, keepdims=True)
    # Most public features are one-hot.
    features = inputs[:, first + second :]
    features[:] = features > 0.8
    return inputs


def seconds(work: Callable[[], object]) -> float:
    """Return the median seconds of CPU of *work*, from 7 runs of a fifth of a second."""
    work()
    found = []
    for _ in range(RUNS):
        start, count = time.process_time(), 0
        while (passed := time.process_time() - start) < SHORTEST_S:
            work()
            count += 1
        found.append(passed / count)
    return statistics.median(found)


def memory_mb() -> float:
    """Return the resident memory of this process."""
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    for figure in timed():
        fields = {name: getattr(figure, name) for name in figure.__dataclass_fields__}
        print(json.dumps(fields), flush=True)
