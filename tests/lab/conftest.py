"""Tests of experiments: each has a display of compiling of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from acpcbot.cli.compile_display import compile_display


@pytest.fixture(autouse=True)
def own_compile_display() -> Iterator[None]:
    """Forget the display after a test: it writes to what was stderr when it was made."""
    yield
    compile_display.cache_clear()
