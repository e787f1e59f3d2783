"""Hints to fetch rows: they are in the machine code, and change nothing."""

from __future__ import annotations

import platform
from typing import Any

import numba
import numpy as np
import pytest

from acpcbot.arrays import AnyArray
from acpcbot.jit import kernel
from acpcbot.prefetching import prefetch


@kernel
def hint(table: AnyArray, row: int) -> None:
    prefetch(table, row)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint32, np.float64])
@pytest.mark.parametrize("shape", [(6,), (6, 2)])
def test_a_hint_changes_nothing_and_a_row_beyond_the_end_does_no_harm(
    dtype: type[np.generic], shape: tuple[int, ...]
) -> None:
    table = np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    before = table.tobytes()
    for row in (0, 5, 6, 1 << 40):
        hint(table, row)
        hint(table, np.uint64(row))  # type: ignore[arg-type]
        hint(table[::2], row)
    assert table.tobytes() == before


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="names of instructions")
def test_a_hint_is_one_instruction_of_the_processor() -> None:
    """The compiler drops what has no effect, unless it is told that this has one."""
    plain: Any = hint
    # Compiled here: what comes from the cache on disk has lost its text.
    compiled: Any = numba.njit(plain.py_func)
    compiled(np.zeros((4, 2), np.float32), 1)
    codes = compiled.inspect_asm().values()
    assert codes
    assert all("prefetcht0" in code for code in codes)


def test_plain_python_ignores_hints() -> None:
    prefetch(np.zeros(3), 7)
