"""Arrays packed for a page: compressed by gzip, as base64, with a directory of names and types.

The page's script unpacks them into typed arrays of the browser (``page/columns.js``). Every array
is stored in the smallest type that holds all its values exactly.
"""

from __future__ import annotations

import base64
import gzip
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ALIGNMENT = 8
_WHOLE = ("u1", "i1", "u2", "i2", "u4", "i4")
# More than the default makes a page of 100,000 hands 2 % smaller, and takes four times as long.
_LEVEL = 6


def packed_columns(
    columns: Mapping[str, NDArray[Any]], differences: Collection[str] = ()
) -> dict[str, Any]:
    """Return *columns* as data of a page; those in *differences* as the steps between neighbours.

    The directory has the type, the place in bytes, the length, and whether steps are stored.
    """
    directory: dict[str, list[Any]] = {}
    parts: list[bytes] = []
    size = 0
    for name, column in columns.items():
        is_steps = name in differences
        values = _smallest(np.diff(column.ravel(), prepend=0) if is_steps else column.ravel())
        part = values.tobytes()
        directory[name] = [values.dtype.str[1:], size, len(values), is_steps]
        parts.append(part + bytes(-len(part) % _ALIGNMENT))
        size += len(parts[-1])
    packed = gzip.compress(b"".join(parts), _LEVEL, mtime=0)
    return {"arrays": directory, "bytes": base64.b64encode(packed).decode()}


def _smallest(values: NDArray[Any]) -> NDArray[Any]:
    """Return *values* in the smallest type that has all of them."""
    if values.dtype == np.bool_:
        return values.astype("<u1")
    if not len(values) or np.array_equal(values, np.trunc(values)):
        low, high = (values.min(), values.max()) if len(values) else (0, 0)
        for kind in _WHOLE:
            limits = np.iinfo(kind)
            if limits.min <= low and high <= limits.max:
                return values.astype(f"<{kind}")
    single = values.astype("<f4")
    is_exact = np.array_equal(single.astype(np.float64), values, equal_nan=True)
    return single if is_exact else values.astype("<f8")
