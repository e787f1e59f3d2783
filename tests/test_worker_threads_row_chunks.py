"""Work shared out among threads: every row once, progress to the end, errors handed on."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.worker_threads import for_row_chunks


@pytest.mark.parametrize("num_rows", [0, 1, 7, 100, 1755])
def test_every_row_is_worked_on_once_and_progress_ends_with_all(num_rows: int) -> None:
    """Catches rows that are left out at the end, or done twice."""
    done, told = np.zeros(num_rows, int), []

    def work(start: int, end: int) -> None:
        done[start:end] += 1

    for_row_chunks(work, num_rows, lambda rows, total: told.append((rows, total)))
    assert (done == 1).all()
    assert told == sorted(told)
    assert told[-1:] == ([(num_rows, num_rows)] if num_rows else [])


def test_an_error_in_a_thread_reaches_the_caller() -> None:
    """Catches a table with holes that nobody hears of."""

    def work(start: int, end: int) -> None:
        if start <= 50 < end:
            raise ArithmeticError

    with pytest.raises(ArithmeticError):
        for_row_chunks(work, 100)
