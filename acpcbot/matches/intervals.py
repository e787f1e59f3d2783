"""The 95 % confidence interval of a mean over hands, by one method for all such means.

The hands of one deal depend on each other and make one sample: their residuals are summed
before anything is squared. With J samples of N hands in all, of which e are the residuals,

    half width = max(t * sqrt(J / (J - 1) * (sum e^2 + R^2)), 3.7 R) / N

* **The rule of three.** R is the root mean square of what a hand brings in chips. Variance
  reduction and duplicate deals leave most residuals at zero, so that a few rare events (a
  mistake, say) decide the mean, and a sample without such an event has no spread. An event
  that did not occur in n hands has a probability of at most 3.7 / n (97.5 % confidence), and
  is assumed to cost R.
* **One added hand** of size R. A sample with fewer events than usual has too small a spread
  exactly when its mean is off.
* **Student's t with fewer degrees of freedom for a skewed mean.** The coverage error of the
  interval comes from skewness, which is 1 / sqrt(m) in the mean of m equal events; symmetric
  long tails do not matter (Hall 1992). Without skewness there are J - 1 degrees of freedom.

In a sample with a large spread only Student's t matters. Any method on the sample alone needs
an assumption about events that did not occur. Here it is that an unseen event costs as much as
an ordinary hand; ``docs/methods/intervals.md`` lists the measured coverage and what was tried.

Sources: Agresti & Coull (1998), https://doi.org/10.1080/00031305.1998.10480550, for observations
added to a sample; Hall (1992), https://doi.org/10.1007/978-1-4612-4384-7, for the error of
Student's interval by skewness and kurtosis; Fisher & Cornish (1960),
https://doi.org/10.1080/00401706.1960.10489895, for the quantile of t.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from acpcbot.arrays import Floats, Ints

NORMAL_95 = 1.959964
NUM_ADDED = 1
"""Number of hands of size R that are added to every sample."""
MAX_UNSEEN_EVENTS = 3.688879
"""Upper limit of the expected number of events when none occurred: -log 0.025."""
SKEWNESS_WEIGHT = 0.6
"""Factor of the mean's squared skewness in 1 / degrees of freedom.

Hall's expansion has 0.9 for Student's interval alone; the added hand makes up for the rest.
"""
MIN_EFFECTIVE_SAMPLES = 10.0
"""Fewest effective samples with which a ratio of two variances is reported: each variance is
then known to a third.
"""


@dataclass(frozen=True, slots=True)
class Interval:
    """Half the width of the interval, in the residuals' unit, and the effective sample size.

    *num_effective* is (sum e^2)^2 / sum e^4: a third of the number of samples if these are
    normal, m if m equal ones differ from the rest, and ``NUM_ADDED`` if only the added hand
    has spread.
    """

    half_width: float
    num_effective: float


def interval(residuals: Floats, samples: Ints, hand_rms: float) -> Interval:
    """Return the interval of a mean from which hands differ by *residuals* [hand].

    *samples* [hand] numbers the sample of each hand; hands of one sample may depend on each
    other. *hand_rms* is the root mean square of a hand's chips, in the same unit. A single
    sample has an infinite interval. With samples of different sizes the mean is a ratio of
    two sums, and so is its interval.
    """
    _, place = np.unique(samples, return_inverse=True)
    return interval_of_samples(
        np.bincount(place, weights=residuals).astype(np.float64), len(residuals), hand_rms
    )


def interval_of_samples(sums: Floats, num_hands: int, hand_rms: float) -> Interval:
    """Return the interval from the sums of each sample's residuals, *sums* [sample]."""
    if len(sums) < 2:
        return Interval(np.inf, 0.0)
    powers = np.square(sums)
    squares, cubes, fourths = powers.sum(), powers @ sums, powers @ powers
    half_width = float(half_widths(squares, cubes, len(sums), num_hands, hand_rms))
    return Interval(half_width, float(effective_samples(squares, fourths, hand_rms)))


def half_widths(
    squares: ArrayLike,
    cubes: ArrayLike,
    num_samples: ArrayLike,
    num_hands: ArrayLike,
    hand_rms: ArrayLike,
) -> Floats:
    """Return half the width of many intervals, each of at least two samples.

    *squares* and *cubes* are the sums of the second and third powers of the samples'
    residuals. All arguments broadcast.
    """
    seconds = _with_added(squares, hand_rms, 2)
    count = np.asarray(num_samples, np.float64)
    freedom = degrees_of_freedom(count, _quotient(np.square(cubes), seconds**3))
    seen = student_95(freedom) * np.sqrt(count / (count - 1) * seconds)
    return np.asarray(np.maximum(seen, MAX_UNSEEN_EVENTS * np.asarray(hand_rms)) / num_hands)


def effective_samples(squares: ArrayLike, fourths: ArrayLike, hand_rms: ArrayLike) -> Floats:
    """Return the effective sample size of each interval, as in ``Interval``."""
    return _quotient(_with_added(squares, hand_rms, 2) ** 2, _with_added(fourths, hand_rms, 4))


def degrees_of_freedom(num_samples: ArrayLike, squared_skewness: ArrayLike) -> Floats:
    """Return the degrees of freedom of Student's t, reduced for the mean's *squared_skewness*.

    >>> degrees_of_freedom(101, [0.0, 0.1]).round(1).tolist()
    [100.0, 14.3]
    """
    # The squared skewness of a sum is at most 1 in theory, and may exceed it by rounding.
    skewness = np.minimum(squared_skewness, 1.0)
    return np.asarray(
        1 / (1 / (np.asarray(num_samples, np.float64) - 1) + SKEWNESS_WEIGHT * skewness)
    )


def student_95(degrees: ArrayLike) -> Floats:
    """Return the 97.5 % quantile of Student's t, by its expansion about the normal one.

    Off by 0.2 % with two degrees of freedom, by 5 % with one (two samples), and by less than 0.02 %
    from four on.

    >>> student_95([4.0, 10.0, 1e9]).round(3).tolist()
    [2.776, 2.228, 1.96]
    """
    z = NORMAL_95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
        (27 * z**11 + 339 * z**9 + 930 * z**7 - 1782 * z**5 - 765 * z**3 + 17955 * z) / 368640,
    )
    inverse = 1 / np.asarray(degrees, np.float64)
    return np.asarray(np.polynomial.polynomial.polyval(inverse, (z, *terms)), np.float64)


def central_sums(powers: Floats, num_samples: int) -> tuple[Floats, Floats]:
    """Return the sums of second and third powers about the mean.

    *powers* [power - 1, ...] holds the sums of the first three powers about zero.
    """
    mean = powers[0] / num_samples
    squares = np.maximum(powers[1] - num_samples * mean**2, 0.0)
    return squares, powers[2] - 3 * mean * powers[1] + 2 * num_samples * mean**3


def root_mean_square(chips: Floats) -> float:
    """Return the root mean square of the hands' chips; 0 without hands."""
    return float(np.sqrt(np.square(chips).mean())) if chips.size else 0.0


def _with_added(sums: ArrayLike, hand_rms: ArrayLike, power: int) -> Floats:
    """Return the *sums* of a power of the residuals, with the added hand's."""
    return np.asarray(
        np.asarray(sums, np.float64) + NUM_ADDED * np.asarray(hand_rms, np.float64) ** power
    )


def _quotient(one: Floats, other: Floats) -> Floats:
    """Return one / other, 0 where there is no spread."""
    return np.divide(one, other, out=np.zeros(np.broadcast(one, other).shape), where=other > 0)
