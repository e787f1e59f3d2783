"""The driver of sampling learners: streams that can be cut, and threads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.learning.sampling import SamplingSolver


class CountingLearner:
    """Remembers what it was given."""

    round_length = 1000

    def __init__(self) -> None:
        self.arrays: dict[str, NDArray[Any]] = {"seen": np.zeros(1, np.int64)}
        self.pools: list[NDArray[np.uint16]] = []
        self.settled: list[int] = []

    def walk(self, deals: NDArray[np.uint16], random_state: NDArray[np.uint64]) -> None:
        self.arrays["seen"] += len(deals)
        self.pools.append(deals.copy())

    def settle(self, num_done: int) -> None:
        self.settled.append(num_done)

    def average_strategy(self) -> NDArray[np.float64]:
        return np.ones(1)


class CountingSource:
    """Deals the words of the random state itself."""

    num_buckets = (1,)
    width = 2

    def fill(self, deals: NDArray[np.uint16], random_state: NDArray[np.uint64]) -> None:
        for row in range(len(deals)):
            random_state += np.uint64(1)
            deals[row] = random_state & np.uint64(0xFFFF)


def walked(steps: list[int], num_threads: int = 1) -> tuple[SamplingSolver, CountingLearner]:
    learner = CountingLearner()
    solver = SamplingSolver(learner, CountingSource(), seed=7, num_threads=num_threads)
    for count in steps:
        solver.step(count)
    return solver, learner


def test_as_many_deals_are_walked_as_asked_for() -> None:
    for steps in ([1], [999, 2], [5000], [1000, 1000, 17]):
        solver, learner = walked(steps)
        assert solver.num_done == learner.arrays["seen"][0] == sum(steps)


def test_the_learner_settles_after_each_round_and_only_then() -> None:
    assert walked([2500])[1].settled == [1000, 2000]
    assert walked([600, 600, 600])[1].settled == [1000]
    assert walked([4000], num_threads=2)[1].settled == [2000, 4000]


def test_a_run_may_be_cut_at_rounds_without_changing_a_deal() -> None:
    whole, cut = walked([5000])[1], walked([1000, 3000, 1000])[1]
    assert np.array_equal(np.concatenate(whole.pools), np.concatenate(cut.pools))


def test_the_state_is_all_that_the_rest_depends_on() -> None:
    first, _ = walked([2000])
    second, learner = walked([])
    for name, array in second.state.items():
        array[...] = first.state[name]
    second.step(1000)
    assert np.array_equal(
        np.concatenate(learner.pools), np.concatenate(walked([3000])[1].pools)[2000:]
    )


def test_threads_share_the_work_and_draw_different_deals() -> None:
    solver, learner = walked([6000], num_threads=3)
    assert solver.num_done == learner.arrays["seen"][0] == 6000
    assert len({tuple(pool[0]) for pool in learner.pools}) == len(learner.pools)
