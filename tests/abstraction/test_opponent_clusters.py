"""Strengths against clusters of opponents, against a slow count; and the clusters themselves."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpcbot.abstraction import opponent_clusters as module
from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.canonical_boards import (
    SUIT_CHANGES,
    CanonicalBoards,
    combo_under,
)
from acpcbot.abstraction.equity import MAX_STRENGTH, fill_river_strengths
from acpcbot.abstraction.histograms import NUM_BINS
from acpcbot.abstraction.kmeans import Points
from acpcbot.abstraction.opponent_clusters import (
    FULL_STRENGTH,
    OpponentStrengths,
    one_cluster,
    preflop_clusters,
    preflop_histograms,
)
from acpcbot.cards.any_strength import strength
from acpcbot.cards.combos import NUM_COMBOS, all_combos, combo_cards, combo_index, combos_without
from acpcbot.cards.deck import mask_of, parse_cards
from tests.abstraction.cheap_tables import use_few_rivers

RIVERS = ["AsKsQsJsTs", "2c2d2h2s3c", "KsTd9h4s2c", "AhKh8h5h2h"]
# Three clusters that cut across suits, ranks and pairs.
CLUSTERS = (np.arange(169) % 3).astype(np.uint8)


@pytest.fixture
def few_rivers(monkeypatch: pytest.MonkeyPatch) -> CanonicalBoards:
    return use_few_rivers(monkeypatch, module)


def points_on(river: list[int], clusters: np.ndarray) -> Points:
    features = OpponentStrengths(clusters)
    points = np.empty((NUM_COMBOS, features.num_dimensions), np.uint16)
    features.fill(np.array(river, np.uint8), points)
    return points


def slow_point(hole_cards: tuple[int, int], river: list[int], clusters: list[int]) -> list[int]:
    """One opponent's hand after the other."""
    own, won, met = strength([*hole_cards, *river]), [0] * 3, [0] * 3
    for pair in combinations(sorted(set(range(52)) - {*hole_cards, *river}), 2):
        number, other = clusters[Lossless169().bucket(pair)], strength([*pair, *river])
        won[number] += 2 * (own > other) + (own == other)
        met[number] += 1
    return [points * FULL_STRENGTH // (2 * count) for points, count in zip(won, met, strict=True)]


@pytest.mark.parametrize("text", RIVERS)
def test_strengths_are_those_of_a_slow_count(text: str) -> None:
    """Catches cards that are not removed, hands that meet themselves, and clusters that are
    mixed up.
    """
    river = list(parse_cards(text))
    points = points_on(river, CLUSTERS)
    for combo in combos_without(mask_of(river))[::360].tolist():
        assert points[combo].tolist() == slow_point(combo_cards(combo), river, CLUSTERS.tolist())


def test_against_all_hands_in_one_cluster_it_is_the_strength() -> None:
    """Catches opponents who are in no cluster."""
    river, strengths = list(parse_cards("KsTd9h4s2c")), np.empty(NUM_COMBOS, np.uint16)
    fill_river_strengths(np.array(river, np.uint8), strengths)
    possible = combos_without(mask_of(river))
    expected = strengths[possible].astype(int) * FULL_STRENGTH // MAX_STRENGTH
    assert np.array_equal(points_on(river, one_cluster())[possible, 0], expected)


def test_a_cluster_of_which_no_hand_is_left_counts_half() -> None:
    """Catches a division by zero: three aces are seen, so nobody has two."""
    clusters = one_cluster()
    clusters[Lossless169().bucket(parse_cards("AsAh"))] = 1
    points = points_on(list(parse_cards("AsAhKd7c2c")), clusters)
    assert points[combo_index(*parse_cards("AdKs"))].tolist()[1] == FULL_STRENGTH // 2
    assert points[combo_index(*parse_cards("KhKs"))].tolist()[1] == 0


@settings(max_examples=10)
@given(st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True), st.integers(0, 23))
def test_the_names_of_suits_do_not_matter(river: list[int], permutation: int) -> None:
    """Catches a hand that would be another on its canonical board."""
    changed = [card & ~3 | int(SUIT_CHANGES[permutation, card & 3]) for card in river]
    assert np.array_equal(
        points_on(changed, CLUSTERS)[combo_under()[permutation]], points_on(river, CLUSTERS)
    )


def test_histograms_before_the_flop_are_weighted_by_rivers(few_rivers: CanonicalBoards) -> None:
    """Catches canonical rivers that count once instead of for all they stand for, and blocked
    hands that count.
    """
    strengths = np.empty(NUM_COMBOS, np.uint16)
    counts = np.zeros((169, NUM_BINS), np.int64)
    classes = Lossless169().board_buckets()
    for board, weight in zip(few_rivers.boards, few_rivers.weights, strict=True):
        fill_river_strengths(board.copy(), strengths)
        for combo in np.flatnonzero(strengths <= MAX_STRENGTH):
            counts[classes[combo], int(strengths[combo]) * NUM_BINS // 1981] += weight
    reached = [
        counts[:, number:].sum(axis=1) * 10_000 // counts.sum(axis=1)
        for number in range(1, NUM_BINS)
    ]
    assert np.array_equal(preflop_histograms(), np.transpose(reached))


@pytest.mark.slow
def test_clusters_before_the_flop_rise_with_strength(few_rivers: CanonicalBoards) -> None:
    """Catches clusters numbered as they were drawn, classes without one, and chance in what has
    no seed.
    """
    clusters, means = preflop_clusters(8), preflop_histograms().mean(axis=1)
    assert set(clusters.tolist()) == set(range(8))
    assert (np.diff([means[clusters == number].mean() for number in range(8)]) > 0).all()
    assert np.array_equal(clusters, preflop_clusters(8))


@pytest.mark.slow
def test_clusters_before_the_flop_are_what_players_would_call_alike() -> None:
    """Catches histograms of other hands: big pairs together at the top, small cards at the
    bottom.
    """
    clusters = preflop_clusters(8)
    of = {
        text: int(clusters[Lossless169().bucket(parse_cards(text))])
        for text in ("AcAd", "KcKd", "QcQd", "7c2d", "3c2d")
    }
    assert of["AcAd"] == of["KcKd"] == of["QcQd"] == 7
    assert of["3c2d"] == of["7c2d"] == 0


def test_clusters_of_other_classes_are_refused() -> None:
    """Catches an array of another game's snapshot."""
    with pytest.raises(ValueError, match="169"):
        OpponentStrengths(np.zeros(len(all_combos()), np.uint8))
