"""Predictions of how long a decision will take."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from acpcbot.search.blueprint import BlueprintPlay
from acpcbot.search.deadline import SAFETY_FACTOR, Budget, IterationTimer, step_until
from acpcbot.search.leaves import LeafMaker, RolloutLeaves
from acpcbot.search.settings import SearchSettings, StreetSettings
from acpcbot.search.strategy import LEAF_SHARE, SearchStrategy
from acpcbot.subgames.game import RangeGame
from acpcbot.subgames.leaf_values import LeafValues
from acpcbot.subgames.sweeps import NO_LIMITS, Limits
from tests.search.searching import LATE, STREET_SETTINGS, flop_search


def test_the_predicted_time_has_a_safety_factor() -> None:
    """Catches menus that are chosen as if no iteration were ever slower than those before."""
    pace = IterationTimer()
    pace.record_build(0.5)
    pace.record_iteration(1000, 0.01)
    assert pace.predicted_s(2000, 10) == pytest.approx(0.5 + SAFETY_FACTOR * 10 * 0.02)
    pace.decay()
    assert pace.predicted_s(2000, 10) == pytest.approx(0.8 * (0.5 + SAFETY_FACTOR * 10 * 0.02))


def test_a_slow_build_is_remembered_longer_than_a_fast_one() -> None:
    pace = IterationTimer()
    for took_s in (1.0, 0.2):
        pace.record_build(took_s)
    assert pace.build_s == pytest.approx(0.9)
    pace.record_build(2.0)
    assert pace.build_s == 2.0


class Slow:
    """A solver whose iterations take as long as they are said to."""

    def __init__(self, clock: list[float], step_s: float, *, has_leaves: bool) -> None:
        self.clock, self.step_s, self.num_iterations = clock, step_s, 0
        self.has_leaves = has_leaves

    def step(self, count: int, limits: Limits = NO_LIMITS) -> None:
        for _ in range(count):
            if self.clock[0] + self.step_s > limits.deadline_s + 1e-9:
                self.clock[0] = limits.deadline_s  # interrupted: it does not count
                break
            self.num_iterations += 1
            self.clock[0] += self.step_s


@pytest.mark.parametrize("has_leaves", [False, True])
@pytest.mark.parametrize(
    ("least", "most", "done"),
    [(0, 100, 40), (10, 30, 30), (60, 100, 60), (99, 100, 80)],
    ids=[
        "until it should",
        "no more than asked for",
        "the least, somewhat later",
        "never later than it must",
    ],
)
def test_iterations_end_when_they_should_but_for_the_least_and_always_when_they_must(
    monkeypatch: pytest.MonkeyPatch, least: int, most: int, done: int, *, has_leaves: bool
) -> None:
    """By a clock that steps alone move: 0.1 s each, four seconds wanted and eight at most.

    With leaf values one iteration less, as the last might end too late.
    """
    clock = [0.0]
    monkeypatch.setattr("acpcbot.search.deadline.time.monotonic", lambda: clock[0])
    solver, timer = Slow(clock, 0.1, has_leaves=has_leaves), IterationTimer()
    step_until(solver, least, most, Budget(0.0, 4.0, 8.0), timer, 1000)  # type: ignore[arg-type]
    assert solver.num_iterations == (done - 1 if has_leaves and done in (40, 80) else done)
    assert timer.predicted_s(1000, 1) == pytest.approx(SAFETY_FACTOR * 0.1)
    assert clock[0] <= 8.0


@dataclass
class Timed:
    """Leaves, and how long each was allowed to take."""

    leaves: LeafMaker
    allowed_s: list[float] = field(default_factory=list)

    def __call__(
        self, game: RangeGame, chooser: int, street: StreetSettings, left_s: float
    ) -> LeafValues:
        self.allowed_s.append(left_s)
        return self.leaves(game, chooser, street, left_s)

    def verify_num_continuations(self, street: int, num_continuations: int) -> None:
        self.leaves.verify_num_continuations(street, num_continuations)


@pytest.mark.slow
def test_the_pace_is_measured_by_rollouts_under_the_tables_deadline(
    tmp_path: Path,
) -> None:
    """Catches a pace of roll-outs that nobody ended: what they would take is no reason to
    refuse a search.
    """
    search = flop_search(tmp_path)
    assert isinstance(search.blueprint, BlueprintPlay)
    timed = Timed(RolloutLeaves(search.blueprint, 1, 1))
    settings = SearchSettings({1: replace(STREET_SETTINGS, seconds=2.0), **LATE})
    SearchStrategy(search.blueprint, settings, leaves=timed).warm_up()
    compiling, *rest = timed.allowed_s
    assert compiling == float("inf")
    assert rest[-1] <= LEAF_SHARE * 2.0
