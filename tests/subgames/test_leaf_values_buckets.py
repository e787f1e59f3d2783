"""Values by buckets and equities against all pairs of hands, and the chooser's regret matching."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from acpcbot.arrays import Floats32
from acpcbot.subgames.leaf_values import (
    BucketedValues,
    ChosenContinuations,
    HandFeatures,
    PairValues,
)

CARDS = np.array(list(combinations([3, 5, 6, 10, 11, 20, 40], 2)))
NUM_PARTS, NUM_CHOICES, NUM_HANDS, NUM_BUCKETS = 4, 3, len(CARDS), 5


def random_values() -> BucketedValues:
    """Return values of four parts; behind the second there is nothing but equity."""
    draw = np.random.default_rng(1)
    shared = (CARDS[:, None, :, None] == CARDS[None, :, None, :]).any(axis=(2, 3))
    one_way = draw.normal(size=(NUM_HANDS, NUM_HANDS))
    equities = np.where(shared, 0, one_way - one_way.T).astype(np.float32)
    residual = draw.normal(size=(NUM_PARTS, NUM_CHOICES, NUM_BUCKETS, NUM_BUCKETS))
    by_nut_strength = draw.normal(size=(NUM_PARTS, NUM_CHOICES))
    residual[1], by_nut_strength[1] = 0, 0
    features = HandFeatures(
        equities,
        draw.normal(size=NUM_HANDS).astype(np.float32),
        np.arange(NUM_HANDS, dtype=np.int64) % NUM_BUCKETS,
        CARDS,
    )
    return BucketedValues(
        features,
        draw.normal(size=(NUM_PARTS, NUM_CHOICES)).astype(np.float32),
        by_nut_strength.astype(np.float32),
        residual.astype(np.float32),
    )


def random_reaches(*shape: int) -> Floats32:
    """Return reaches of which a third are 0."""
    draw = np.random.default_rng(2)
    reaches = draw.random(shape) * (draw.random(shape) > 1 / 3)
    return reaches.astype(np.float32)


def test_both_seats_values_are_those_of_all_pairs() -> None:
    """Catches shared cards, a hand against itself, and terms of the wrong part or seat."""
    values = random_values()
    plain = PairValues(values.pair_values())
    reaches = random_reaches(NUM_PARTS, NUM_CHOICES, NUM_HANDS)
    above = random_reaches(NUM_PARTS, 2, NUM_HANDS)
    assert values.shape == plain.shape
    assert values.won_by_other(reaches) == pytest.approx(plain.won_by_other(reaches), abs=1e-4)
    assert values.won_by_chooser(above[:, 1]) == pytest.approx(
        plain.won_by_chooser(above[:, 1]), abs=1e-4
    )
    assert values.won_by_other(reaches).dtype == values.won_by_chooser(above[:, 1]).dtype
    assert values.won_by_other(reaches).dtype == np.float32


def shares_of(sums: Floats32) -> Floats32:
    """Return *sums* [part, continuation, hand] in shares of their total, or uniform."""
    total = sums.sum(axis=1, keepdims=True)
    uniform = np.full_like(sums, 1 / NUM_CHOICES)
    shares: Floats32 = np.divide(sums, total, out=uniform, where=total > 0)
    return shares


@pytest.mark.parametrize("chooser", [0, 1])
def test_the_chooser_learns_by_regret_matching(chooser: int) -> None:
    """Against the rule in numpy, with hands that never come and regrets that are all 0."""
    continuations, draw = random_values(), np.random.default_rng(3)
    leaves, other = ChosenContinuations(continuations, chooser), 1 - chooser
    shape = NUM_PARTS, NUM_CHOICES, NUM_HANDS
    regrets, chosen = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    for _ in range(6):
        above = draw.random((NUM_PARTS, 2, NUM_HANDS)).astype(np.float32)
        above[:, chooser, :3] = 0
        expected = continuations.won_by_other(shares_of(regrets) * above[:, None, chooser])
        assert leaves.values(other, above, learns=True) == pytest.approx(expected, abs=1e-4)
        won, shares = continuations.won_by_chooser(above[:, other]), shares_of(regrets)
        mean = (shares * won).sum(axis=1)
        assert leaves.values(chooser, above, learns=True) == pytest.approx(mean, abs=1e-4)
        chosen += shares * above[:, None, chooser]
        regrets = np.maximum(regrets + won - mean[:, None], 0)
        expected = continuations.won_by_other(shares_of(chosen) * above[:, None, chooser])
        assert leaves.values(other, above, learns=False) == pytest.approx(expected, abs=1e-4)
    assert leaves.values(chooser, above, learns=False) == pytest.approx(won.max(axis=1), abs=1e-4)
