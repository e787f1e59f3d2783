"""Sweeps over boards that threads share: chunks, and the end of a sweep that is interrupted."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from acpcbot.arrays import Ints
from acpcbot.jit import kernel
from acpcbot.poker.betting import BettingRules
from acpcbot.subgames.atomic import fetch_and_add
from acpcbot.subgames.best_response import Walker, cells_traversal, hand_values
from acpcbot.subgames.board_sweeps import MAX_CHUNKS, board_chunks, sweep_threads
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solver import RangeCFR
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
