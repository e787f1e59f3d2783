"""What is told at the end of every run of tests."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how to play the same order again."""
    seed = getattr(config.option, "randomly_seed", None)
    if seed is not None and not isinstance(seed, str):
        terminalreporter.write_line(f"order of the tests: --randomly-seed={seed}")
