"""Samples of a search's queries and the buffer of those to solve: every query alike, ratios kept."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.games.generic_poker import LEDUC
from acpcbot.random_kernels import seed_state
from acpcbot.rng import Stream
from acpcbot.training.query_reservoir import (
    Query,
    QueryBuffer,
    QuerySample,
    RecordingValues,
    drawn_count,
    record_query,
    scaled_beliefs,
)
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.leaf_evaluators import NoValues
from acpcbot.tree_search.public_tree import ROOT, PublicTree


def query(number: int) -> Query:
    return Query(number, np.full(6, 1 / 3))


def test_every_query_of_a_search_is_as_likely_to_be_kept() -> None:
    """Catches samples that prefer the first or the last queries. 4 of 20, 3,000 times."""
    tree, kept = PublicTree(LEDUC), np.zeros(20)
    tree.grow_all()
    reach = np.ones(len(tree.arrays.rows))
    for seed in range(3000):
        sample = QuerySample(
            np.zeros(4, np.int64), np.zeros((4, 6)), np.zeros(1, np.int64), seed_state(seed)
        )
        for node in range(20):
            record_query(sample, tree.arrays, node, reach)
        assert len(set(sample.nodes.tolist())) == 4
        kept[sample.nodes] += 1
    # Each is binomial with mean 600 and a standard deviation of 22.
    assert kept.sum() == 4 * 3000
    assert kept == pytest.approx(600, abs=90)


def test_samples_are_queries_of_the_search() -> None:
    """They lie on the edge, with the reaches of both seats scaled to 1."""
    tree = PublicTree(LEDUC)
    tree.grow_all()
    values = RecordingValues(NoValues(), 50, 6)
    search = GrowingCFR(tree, GrowingCFRSettings(simulations=3), values)
    values.begin(seed=2)
    result = search.search(ROOT, ROOT, np.ones(6), seed=2)
    found = values.queries(tree, 50)
    assert len(found) == min(50, result.num_queries)
    asked = {query.node for query in found}
    assert ROOT not in asked
    assert all(tree.arrays.nodes["actor"][node] >= -1 for node in asked)
    for own in found:
        assert own.beliefs[:3].sum() == pytest.approx(1)
        assert own.beliefs[3:].sum() == pytest.approx(1)
    values.begin(seed=2)
    assert values.queries(tree, 50) == []


def test_a_seat_that_never_comes_has_uniform_beliefs() -> None:
    tree = PublicTree(LEDUC)
    found = scaled_beliefs(tree, ROOT, np.array([0.0, 0.0, 0.0, 1.0, 3.0, 0.0]))
    assert found.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0.25, 0.75, 0.0])


@pytest.mark.parametrize("mean", [0.0, 0.2, 1.0, 2.7])
def test_counts_have_their_mean(mean: float) -> None:
    stream = Stream(1)
    found = [drawn_count(mean, stream) for _ in range(5000)]
    assert set(found) <= {int(mean), int(mean) + 1}
    assert np.mean(found) == pytest.approx(mean, abs=0.03)


def test_a_full_buffer_keeps_the_ratio_in_which_queries_come() -> None:
    """Ten of the main line for one recursive, of which the buffer holds a twentieth."""
    buffer, stream = QueryBuffer(500, 6), Stream(3)
    for number in range(11_000):
        buffer.add(query(number % 11), stream)
    assert buffer.num_waiting == 500
    drawn = [buffer.draw(stream).node for _ in range(500)]
    assert buffer.num_waiting == 0
    # Binomial with mean 45 and a standard deviation of 6.4.
    assert drawn.count(10) == pytest.approx(500 / 11, abs=26)


def test_each_waiting_query_is_drawn_once() -> None:
    buffer, stream = QueryBuffer(100, 6), Stream(4)
    for number in range(40):
        buffer.add(query(number), stream)
    drawn = [buffer.draw(stream).node for _ in range(40)]
    assert sorted(drawn) == list(range(40))
    assert drawn != list(range(40))


def test_a_restored_buffer_draws_the_same_queries() -> None:
    first, second = QueryBuffer(20, 6), QueryBuffer(20, 6)
    for number in range(50):
        first.add(Query(number, np.full(6, number / 100)), Stream(number))
    second.restore(first.arrays())
    streams = Stream(9), Stream(9)
    for _ in range(20):
        own, other = first.draw(streams[0]), second.draw(streams[1])
        assert own.node == other.node
        assert own.beliefs.tolist() == other.beliefs.tolist()
