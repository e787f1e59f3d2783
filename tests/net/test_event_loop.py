"""The event loop that everything runs in, and the clock that matches are timed by."""

from __future__ import annotations

import asyncio
import sys
import time

import pytest

from acpcbot.net.dealer import wall_clock_us
from acpcbot.net.event_loop import run


async def failing() -> None:
    raise KeyError("mine")


async def loop_module() -> str:
    return type(asyncio.get_running_loop()).__module__


def test_a_result_comes_back_and_an_error_comes_through() -> None:
    async def main() -> int:
        return 7

    assert run(main()) == 7
    with pytest.raises(KeyError, match="mine"):
        run(failing())


@pytest.mark.skipif(sys.platform == "win32", reason="uvloop is not for Windows")
def test_the_fast_loop_is_used_where_there_is_one() -> None:
    assert run(loop_module()).startswith("uvloop")


def test_the_clock_shows_the_time_of_day_in_microseconds_and_never_runs_backwards() -> None:
    clock = wall_clock_us()
    times = [clock() for _ in range(1000)]
    assert times == sorted(times)
    assert abs(times[-1] / 1e6 - time.time()) < 60.0
    assert all(type(moment) is int for moment in times)
