"""Types of arrays and of kernels' numbers, one name for each.

Shapes and axes stand where an array is used, as in ``float64 [hand, action]``.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Floats32: TypeAlias = NDArray[np.float32]
AnyFloats: TypeAlias = NDArray[np.floating[Any]]
Ints: TypeAlias = NDArray[np.int64]
Ints32: TypeAlias = NDArray[np.int32]
Ints16: TypeAlias = NDArray[np.int16]
Indices: TypeAlias = NDArray[np.intp]
Bytes: TypeAlias = NDArray[np.uint8]
Uints16: TypeAlias = NDArray[np.uint16]
Uints32: TypeAlias = NDArray[np.uint32]
Uints64: TypeAlias = NDArray[np.uint64]
Flags: TypeAlias = NDArray[np.bool_]
AnyArray: TypeAlias = NDArray[Any]

# numba infers the types within a kernel from its arguments, beyond what mypy can follow.
Number: TypeAlias = Any
"""A number within a kernel, or what stands in its place."""
Triple: TypeAlias = Any
"""Three numbers within a kernel, one for each action of a limit game."""
KernelArray: TypeAlias = Any
"""An array that a kernel takes in several types."""
