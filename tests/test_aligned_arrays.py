"""Arrays that begin with a cache line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from acpcbot.aligned_arrays import CACHE_LINE, aligned_zeros


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.dtype(np.int16)])
@pytest.mark.parametrize("count", [0, 1, 52, 416, 100_001])
def test_they_are_zeros_that_begin_with_a_cache_line(count: int, dtype: Any) -> None:
    # Several, for one alone may be aligned by chance.
    for found in [aligned_zeros(count, dtype) for _ in range(8)]:
        assert (found.shape, found.dtype) == ((count,), np.dtype(dtype))
        assert found.flags.c_contiguous
        assert found.flags.writeable
        assert not found.any()
        assert count == 0 or found.ctypes.data % CACHE_LINE == 0
        found[:] = 1
