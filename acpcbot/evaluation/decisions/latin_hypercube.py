"""Latin hypercube samples: uniform random points that are spread evenly along every dimension.

Each of n points lies in another n-th of every dimension, and the dimensions are paired at random.
The mean of a function over the points is unbiased. Whatever the function adds up from single
dimensions hardly contributes to its error, and whatever it does not is as with independent points
(Stein 1987). The variance of the mean is at most n / (n - 1) times that of n independent points,
for every function (Owen 1997). So an interval that takes the points for independent ones is too
wide rather than too narrow.

Sources: McKay, Beckman & Conover (1979), https://doi.org/10.1080/00401706.1979.10489755, for the
method; Stein (1987), https://doi.org/10.1080/00401706.1987.10488205; Owen (1997),
https://doi.org/10.1137/S0036142994277468.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats


def latin_hypercube(num_points: int, num_dimensions: int, generator: np.random.Generator) -> Floats:
    """Return points from 0 to less than 1, [point, dimension]."""
    parts = np.tile(np.arange(num_points)[:, None], (1, num_dimensions))
    drawn = generator.permuted(parts, axis=0) + generator.random((num_points, num_dimensions))
    # The end of the last part is rounded to 1.
    points: Floats = np.minimum(drawn / num_points, np.nextafter(1.0, 0.0))
    return points
