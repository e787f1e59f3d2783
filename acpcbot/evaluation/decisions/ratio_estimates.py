"""Ratio estimates of many quantities from the same samples, with intervals.

Each sample has values and a weight for each hand, and what is wanted is sum of values / sum of
weights over all samples that there could be. A *control*, whose mean over these is 0, takes out
what the values have in common with it, by regression over the samples with one slope for each group
of hands. Where its mean is 0 by another sample only, the error of that one is added (double
sampling).

The estimate is consistent; its bias shrinks with the number of samples, its error with the root of
it. Intervals are those of ``matches/intervals.py`` for the residuals, value - estimate * weight.

Source: Cochran (1977), Sampling Techniques, sections 2.6 (finite populations), 6.3 (ratio
estimates), 7.2 (regression estimates) and 12.6 (double sampling).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.matches.intervals import NORMAL_95, half_widths


@dataclass(frozen=True, slots=True, eq=False)
class Control:
    """*values* [sample, hand] of mean 0, by *num_others* other samples if not by all there are.

    Hands of one of the *groups* [hand], which are numbered from 0, have one slope.
    """

    values: Floats
    groups: Ints
    num_others: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RatioEstimates:
    """Estimates, *means* [hand, column]; NaN for hands without any weight.

    ``residuals``    [sample, hand, column]: in the unit of the means, and of sum 0
    ``errors``       [hand, column]: standard error, with its sign, by the control's own mean
    ``num_samples``  [hand]: samples in which a hand has weight, less 1 for the regression
    ``shrinkage``    factor of the standard error because few samples are missing
    """

    means: Floats
    residuals: Floats
    errors: Floats
    num_samples: Ints
    shrinkage: float

    def half_widths(self) -> Floats:
        """Return half of the 95 % intervals of the means; NaN for hands in under two samples."""
        squares, count = np.square(self.residuals), len(self.residuals)
        known = np.where(self.num_samples > 1, self.num_samples, np.nan)[:, None]
        cubes = (squares * self.residuals).sum(axis=0)
        found = half_widths(squares.sum(axis=0), cubes, known, count, 0.0)
        return np.hypot(found * self.shrinkage, NORMAL_95 * self.errors)

    def leads(self) -> RatioEstimates:
        """Return by how much the largest of a hand's estimates exceeds each of them."""
        best = np.argmax(np.nan_to_num(self.means, nan=-np.inf), axis=1)[:, None]

        def lead(numbers: Floats) -> Floats:
            places = np.broadcast_to(best, (*numbers.shape[:-1], 1))
            found: Floats = np.take_along_axis(numbers, places, axis=-1) - numbers
            return found

        return self._mapped(lead)

    def weighted(self, weights: Floats) -> RatioEstimates:
        """Return the sum of each hand's estimates by *weights* [hand, column], as one column."""
        return self._mapped(lambda numbers: (numbers * weights).sum(axis=-1, keepdims=True))

    def _mapped(self, linear: Callable[[Floats], Floats]) -> RatioEstimates:
        """Return the estimates of a *linear* function of the columns."""
        return RatioEstimates(
            linear(self.means),
            linear(self.residuals),
            linear(self.errors),
            self.num_samples,
            self.shrinkage,
        )


def ratio_estimates(
    values: Floats, weights: Floats, control: Control | None = None, share: float = 0.0
) -> RatioEstimates:
    """Return the estimates by *values* [sample, hand, column] and *weights* [sample, hand].

    *share* is that of the samples among all that there could be, if none was drawn twice.
    """
    scale = weights.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.where(scale[:, None] > 0, values.mean(axis=0) / scale[:, None], np.nan)
        residuals = (values - means * weights[:, :, None]) / scale[:, None]
        errors = np.zeros_like(means)
        if control is not None:
            offset = control.values / scale
            centred = offset - offset.mean(axis=0)
            spread = np.square(centred).sum(axis=0)[:, None]
            slope = _slopes(residuals, centred, control.groups)
            means = means - slope * offset.mean(axis=0)[:, None]
            residuals = residuals - centred[:, :, None] * slope
            others = np.inf if control.num_others is None else control.num_others
            errors = slope * np.sqrt(spread / (len(values) - 1) / others)
    count = (weights > 0).sum(axis=0) - (control is not None)
    return RatioEstimates(means, residuals, errors, count, float(np.sqrt(1 - share)))


def _slopes(residuals: Floats, centred: Floats, groups: Ints) -> Floats:
    """Return the slopes of *residuals* [sample, hand, column] on *centred* [sample, hand], by hand.

    A hand's own, by few samples, would fit their noise: intervals would be too narrow.
    """
    products = np.einsum("nhc,nh->hc", np.nan_to_num(residuals), np.nan_to_num(centred))
    squares = np.square(np.nan_to_num(centred)).sum(axis=0)
    spread = np.bincount(groups, squares)
    sums = [np.bincount(groups, column, len(spread)) for column in products.T]
    found = np.stack(sums, axis=1) / np.maximum(spread, np.finfo(float).tiny)[:, None]
    slopes: Floats = found[groups]
    return slopes
