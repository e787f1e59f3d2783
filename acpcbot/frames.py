"""Columns as a data frame of polars or pandas, whichever is installed (the extra ``frames``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.errors import UsageError

LIBRARIES = ("polars", "pandas")
"""In the order in which they are looked for."""

Columns = Mapping[str, Sequence[object] | NDArray[Any]]


def to_dataframe(columns: Columns) -> Any:
    """Return *columns*, equally long and by name, as ``polars.DataFrame``, else as
    ``pandas.DataFrame``.

    Raises UsageError where neither is installed.
    """
    for name in LIBRARIES:
        try:
            library = import_module(name)
        except ImportError:
            continue
        return library.DataFrame({name: np.array(column) for name, column in columns.items()})
    raise UsageError(
        "a data frame needs polars or pandas, and neither is installed",
        "install the extra: pip install 'acpcbot[frames]'",
    )
