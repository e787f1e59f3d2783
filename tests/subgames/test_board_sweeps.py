"""Sweeps over boards that threads share: chunks, waiting, and the end of a run that is interrupted."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from acpcbot.arrays import Ints
from acpcbot.jit import kernel
from acpcbot.poker.betting import BettingRules
from acpcbot.subgames.atomic import fetch_and_add
from acpcbot.subgames.best_response import Walker, cells_traversal, hand_values
from acpcbot.subgames.board_sweeps import MAX_CHUNKS, board_chunks, sweep_threads
from acpcbot.subgames.gadgets import Unsafe
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.progress import DONE, STOPPED, new_progress, wait_for
from acpcbot.subgames.solver import RangeCFR
from acpcbot.subgames.sweeps import Limits
from tests.support.games import LEDUC, definition_of
from tests.support.range_games import river_spot, turn_spot


@kernel
def count_up(counter: Ints, seen: Ints, num_times: int) -> None:
    for _ in range(num_times):
        seen[fetch_and_add(counter, 0, 1)] += 1


def test_no_number_of_a_shared_counter_is_lost_or_taken_twice() -> None:
    counter, seen = np.zeros(1, np.int64), np.zeros(400_000, np.int64)
    count_up(counter, seen, 0)
    with ThreadPoolExecutor(4) as threads:
        for _ in range(4):
            threads.submit(count_up, counter, seen, 100_000)
    assert counter.tolist() == [400_000]
    assert (seen == 1).all()


@pytest.mark.parametrize("place", [DONE, STOPPED])
def test_a_thread_waits_for_a_counter_or_a_stop(place: int) -> None:
    """Catches a wait that reads the counter once, and one that a stop does not end."""
    progress = new_progress()
    wait_for(progress, DONE, 0)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(wait_for, progress, DONE, 1)
        time.sleep(0.02)
        assert not waiting.done()
        progress[place] = 1
        waiting.result(timeout=10)


@pytest.mark.parametrize(("game", "num_chunks"), [(turn_spot(), 48), (river_spot(), 0)])
def test_chunks_cover_the_boards_of_the_second_street_once(
    game: RangeGame, num_chunks: int
) -> None:
    chunks = board_chunks(game)
    first, last = game.boards.arrays.first_child[:2]
    assert (chunks[0], chunks[-1], len(chunks)) == (first, last, num_chunks + 1)
    assert num_chunks <= MAX_CHUNKS
    assert (np.diff(chunks) > 0).all()
    assert sweep_threads(game, 8) == min(8, max(1, num_chunks))


def leduc_solver() -> RangeCFR:
    solver = RangeCFR(make_range_game(BettingRules(definition_of(LEDUC)).start), num_threads=2)
    solver.step(2)
    return solver


def test_progress_ends_with_all_chunks() -> None:
    seen: list[tuple[int, int]] = []
    solver = leduc_solver()
    traversal = cells_traversal(0, solver.accumulators.strategies, responds=True)
    hand_values(solver.game, traversal, Walker(2, lambda done, total: seen.append((done, total))))
    total = len(board_chunks(solver.game)) - 1
    assert seen[-1] == (total, total)
    assert seen == sorted(seen)


def test_a_caller_who_fails_leaves_the_solver_usable() -> None:
    """Catches a sweep whose threads wait for one that has failed, or go on after it."""
    solver = leduc_solver()
    traversal = cells_traversal(0, solver.accumulators.strategies, responds=True)

    def fail(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hand_values(solver.game, traversal, Walker(2, fail))
    before = solver.exploitability()
    solver.step(50)
    assert solver.exploitability() < before


@pytest.mark.parametrize("game", [river_spot(), turn_spot()])
def test_iterations_in_one_run_are_those_made_one_by_one(game: RangeGame) -> None:
    """Gadgets choose and learn between sweeps, and these ones change nothing."""
    gadgets = {seat: Unsafe(game.ranges[seat]) for seat in range(2)}
    at_once, one_by_one, by_sweeps = (
        RangeCFR(game, num_threads=2),
        RangeCFR(game),
        RangeCFR(game, num_threads=2, gadgets=gadgets),
    )
    at_once.step(4)
    for _ in range(4):
        one_by_one.step(1)
    by_sweeps.step(4)
    for other in (one_by_one, by_sweeps):
        assert other.num_iterations == at_once.num_iterations == 4
        for name, array in at_once.arrays.items():
            assert np.array_equal(array, other.arrays[name]), name


def test_threads_that_wait_for_slots_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches slots taken before they are added up, and chunks that nobody adds."""
    monkeypatch.setattr("acpcbot.subgames.sweeps.SLOTS_PER_THREAD", 1)
    game = make_range_game(BettingRules(definition_of(LEDUC)).start)
    alone = RangeCFR(game)
    alone.step(2000)
    for num_threads in (2, 5):
        crowd = RangeCFR(game, num_threads=num_threads)
        crowd.step(2000)
        for name, array in alone.arrays.items():
            assert np.array_equal(array, crowd.arrays[name]), name


@pytest.mark.parametrize("game", [river_spot(), turn_spot()])
@pytest.mark.parametrize("num_threads", [1, 3])
def test_limits_end_a_run_of_many_iterations(game: RangeGame, num_threads: int) -> None:
    """Catches limits that are looked at between runs only: the run would take an hour."""
    solver = RangeCFR(game, num_threads=num_threads)
    solver.step(1)
    before = solver.exploitability()
    asked: list[int] = []

    def is_stopped() -> bool:
        asked.append(solver.num_iterations)
        return len(asked) > 20

    solver.step(10_000_000, Limits(is_stopped=is_stopped))
    assert 1 <= solver.num_iterations < 1_000_000
    stopped = solver.num_iterations
    solver.step(10_000_000, Limits(deadline_s=time.monotonic() + 0.2))
    assert stopped <= solver.num_iterations < 1_000_000
    solver.step(20)
    assert solver.exploitability() < before / 2


def test_a_deadline_that_has_passed_begins_nothing() -> None:
    solver = RangeCFR(river_spot())
    solver.step(5, Limits(deadline_s=time.monotonic()))
    assert solver.num_iterations == 0
    assert not solver.arrays["strategies"].any()
