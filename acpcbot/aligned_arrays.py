"""Arrays that begin with a cache line, for kernels that read whole registers at a time.

numpy aligns arrays to sixteen bytes. Where a register crosses two cache lines with most accesses, a
kernel that waits for sums which it has just written took a quarter longer; whether it did changed
from process to process.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from acpcbot.arrays import AnyArray

CACHE_LINE = 64


def aligned_zeros(count: int, dtype: type[np.generic] | np.dtype[Any]) -> AnyArray:
    """Return a flat array of *count* zeros that begins with a cache line."""
    num_bytes = count * np.dtype(dtype).itemsize
    memory = np.zeros(num_bytes + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    return memory[start : start + num_bytes].view(dtype)
