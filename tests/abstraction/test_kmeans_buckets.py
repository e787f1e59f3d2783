"""Buckets by k-means: the table and play agree, seeds decide, and what is saved comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from acpcbot.abstraction import kmeans_buckets as module
from acpcbot.abstraction.canonical_boards import (
    PERMUTATION_BITS,
    PERMUTATION_MASK,
    SUIT_CHANGES,
    canonical_boards,
    combo_under,
    place_of,
)
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.abstraction.kmeans_buckets import KMeansBuckets, kmeans_buckets, ochs_buckets
from acpcbot.cards.combos import all_combos, combo_index, combos_without
from acpcbot.cards.deck import mask_of, parse_cards
from acpcbot.cards.strength import Cards
from acpcbot.errors import BadCards, UsageError

WAYS = {
    "flop": lambda seed=1: kmeans_buckets(3, 20, seed=seed),
    "turn": lambda seed=1: kmeans_buckets(4, 40, seed=seed),
    "river": lambda seed=1: kmeans_buckets(5, 50, seed=seed),
    "river, ochs": lambda seed=1: ochs_buckets(300, seed=seed),
}
EACH_WAY = pytest.mark.parametrize("way", WAYS)


@pytest.fixture(autouse=True, scope="module")
def _small_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of their own, samples of a hundred hands, and clusters of opponents out of the
    air.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ACPCBOT_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(module, "NUM_SAMPLES", 100)
        patch.setattr(
            module, "preflop_clusters", lambda *_, **__: (np.arange(169) // 22).astype(np.uint8)
        )
        yield


def few_boards(size: int) -> Cards:
    """Some of all boards, for tables of a handful of rows."""
    return canonical_boards(size).boards[:: {3: 600, 4: 3000, 5: 9999}[size]]


@pytest.fixture
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "table_boards", few_boards)


@EACH_WAY
@pytest.mark.usefixtures("small_tables")
def test_the_table_and_play_agree(way: str) -> None:
    """Catches a player who asks for another bucket than training learnt."""
    bucketing = WAYS[way]()
    table, boards = bucketing.fill_table(), few_boards(bucketing.board_size)
    assert table.shape == (len(boards), 1326)
    assert table.dtype == (np.uint8 if bucketing.num_buckets <= 256 else np.uint16)
    assert table.max() < bucketing.num_buckets
    for row, board in zip(table, boards.tolist(), strict=True):
        assert np.array_equal(row, bucketing.board_buckets(board))
        for combo in combos_without(mask_of(board))[::500].tolist():
            assert row[combo] == bucketing.bucket(all_combos()[combo].tolist(), board)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["turn", "river, ochs"])
def test_whole_tables_hold_every_hand_at_its_place(way: str) -> None:
    """Catches rows of other boards, and boards that are turned into their canonical ones the
    wrong way round.
    """
    bucketing, random = WAYS[way](), Random(1)
    table, cards = bucketing.make_table(), list(range(52))
    for _ in range(300):
        hand = random.sample(cards, 2 + bucketing.board_size)
        place = place_of(np.array(hand[2:], np.uint8))
        combo = combo_under()[place & PERMUTATION_MASK, combo_index(*hand[:2])]
        assert table[place >> PERMUTATION_BITS, combo] == bucketing.bucket(hand[:2], hand[2:])


@EACH_WAY
def test_neither_names_of_suits_nor_the_order_of_cards_matter(way: str) -> None:
    """Catches two buckets for one hand."""
    bucketing, random = WAYS[way](), Random(2)
    for _ in range(3):
        hand = random.sample(range(52), 2 + bucketing.board_size)
        suits = SUIT_CHANGES[random.randrange(24)].tolist()
        changed = [card & ~3 | suits[card & 3] for card in hand]
        assert bucketing.bucket(changed[1::-1], changed[:1:-1]) == bucketing.bucket(
            hand[:2], hand[2:]
        )


@EACH_WAY
def test_buckets_rise_with_strength(way: str) -> None:
    """Catches numbers that mean nothing to people: the best hand is not in the last bucket."""
    bucketing = WAYS[way]()
    sums = bucketing.centroids.points.sum(axis=1, dtype=np.int64)
    assert (np.diff(sums) >= 0).all()
    board = parse_cards("QsJsTs9d9c")[: bucketing.board_size]
    assert bucketing.bucket(parse_cards("AsKs"), board) == bucketing.num_buckets - 1
    assert bucketing.bucket(parse_cards("3c2d"), board) < bucketing.num_buckets / 10


@EACH_WAY
def test_saved_clusters_load_as_they_were(way: str) -> None:
    """Catches a snapshot that plays by other buckets than it was trained with."""
    bucketing = WAYS[way]()
    again = KMeansBuckets.restore(json.loads(json.dumps(bucketing.spec())), bucketing.arrays())
    assert (again.num_buckets, again.board_size) == (bucketing.num_buckets, bucketing.board_size)
    assert again.spec() == bucketing.spec()
    board = list(range(20, 20 + bucketing.board_size))
    assert np.array_equal(again.board_buckets(board), bucketing.board_buckets(board))


@pytest.mark.parametrize("shape", [(0, 48), (5, 47), (48,)])
def test_centroids_of_another_shape_do_not_come_back(shape: tuple[int, ...]) -> None:
    """Catches memory that is read beyond its end."""
    with pytest.raises(ValueError, match="centroids"):
        KMeansBuckets.restore(
            {"kind": "kmeans", "board_size": 4}, {"centroids": np.zeros(shape, np.uint16)}
        )


def test_a_seed_decides_the_buckets_and_they_are_made_once() -> None:
    """Catches a training that clusters anew at every start, and seeds that share a file."""
    first, other = (WAYS["turn"](seed).centroids.points for seed in (1, 2))
    assert not np.array_equal(first, other)
    told: list[tuple[int, int]] = []
    again = kmeans_buckets(
        4, 40, seed=1, on_progress=lambda done, total: told.append((done, total))
    )
    assert np.array_equal(again.centroids.points, first)
    assert told == []


@pytest.mark.usefixtures("small_tables")
def test_tables_of_other_centroids_are_other_tables() -> None:
    """Catches a file that is named after the settings alone, whatever the centroids are."""
    one, other = WAYS["river"](1), WAYS["river"](2)
    assert not np.array_equal(one.fill_table(), other.fill_table())
    assert np.array_equal(one.fill_table(), one.make_table())


def test_settings_give_each_street_its_way() -> None:
    """Catches seeds and kinds that get lost on the way from a recipe, and streets mixed up in a
    snapshot.
    """
    settings = {
        "preflop": "lossless",
        "flop": {"grid": 9},
        "turn": {"kmeans": 30, "seed": 2},
        "river": {"ochs": 40},
    }
    abstraction = HoldemAbstraction.from_settings(settings)
    assert abstraction.num_buckets == (169, 9, 30, 40)
    assert np.array_equal(
        abstraction.arrays()["turn_centroids"], kmeans_buckets(4, 30, seed=2).centroids.points
    )
    again = HoldemAbstraction.from_spec(
        json.loads(json.dumps(abstraction.spec())), abstraction.arrays()
    )
    board = parse_cards("KsTd9h4s2c")
    for street in range(4):
        assert np.array_equal(
            again.board_buckets(street, board), abstraction.board_buckets(street, board)
        )


@pytest.mark.parametrize(
    ("street", "setting"),
    [
        ("flop", {"ochs": 10}),
        ("flop", {"kmeans": 0}),
        ("flop", {"kmeans": 10, "seed": -1}),
        ("flop", {"kmeans": 10, "seed": True}),
        ("flop", {"kmeans": 10, "sead": 1}),
        ("preflop", {"kmeans": 10}),
    ],
)
def test_settings_that_make_no_sense_are_refused(street: str, setting: dict[str, object]) -> None:
    """Catches a slip in a recipe that is only found after minutes of clustering, or never."""
    with pytest.raises(UsageError, match=street):
        HoldemAbstraction.from_settings(
            {"preflop": "lossless", "flop": {"grid": 9}} | {street: setting}
        )


@pytest.mark.parametrize(
    ("hole_cards", "board"), [("AsKs", "AsQd2c5h"), ("AsKs", "QdQs2c"), ("As", "QdQs2c5h")]
)
def test_clusters_refuse_cards_that_cannot_be_together(hole_cards: str, board: str) -> None:
    """Catches a bucket for a hand that cannot be."""
    with pytest.raises(BadCards):
        WAYS["turn"]().bucket(parse_cards(hole_cards), parse_cards(board))
