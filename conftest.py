"""Settings of every run of tests, and a line at its end."""

from __future__ import annotations

import gc
import importlib.util
import signal
import time
from collections.abc import Iterator

import pytest

# A shell starts what it puts into the background deaf to interrupts. Tests that interrupt commands
# need them heard, by this process and by those that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# An adapter cannot be imported without its library, and OpenSpiel has none for Windows.
collect_ignore = [
    f"acpcbot/adapters/{adapter}.py"
    for adapter, library in (
        ("openspiel", "pyspiel"),
        ("pettingzoo", "pettingzoo"),
        ("pokerkit", "pokerkit"),
    )
    if importlib.util.find_spec(library) is None
]


BEGAN_S = time.monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the tests of all pages keep the pictures that they take, and a run end in time."""
    parser.addoption(
        "--screenshots", metavar="FOLDER", help="keep pictures of all pages in this folder"
    )
    parser.addoption(
        "--skip-after",
        metavar="MINUTES",
        type=float,
        help="skip the tests that have not begun by then, as a machine too slow for all may have to",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what has not begun in time."""
    minutes = item.config.getoption("skip_after")
    if minutes is not None and time.monotonic() - BEGAN_S > 60 * minutes:
        pytest.skip(f"not begun within {minutes:g} minutes, see --skip-after")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Spare the garbage collector what lives to the end anyway: in so many modules it took 8 %
    of the CPU time.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say how to play the same order again."""
    seed = getattr(config.option, "randomly_seed", None)
    if seed is not None and not isinstance(seed, str):
        terminalreporter.write_line(f"order of the tests: --randomly-seed={seed}")
