"""Random hands: boards by their weights, combos alike, and points in their places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.kmeans import Points
from acpcbot.abstraction.kmeans_buckets import draw_hands, sample_points
from acpcbot.cards.combos import NUM_COMBOS, all_combos
from acpcbot.cards.strength import Cards


class CardsThemselves:
    """Describes hands by what they are: the combo, and the sum of the board's cards."""

    board_size = 4
    num_dimensions = 2
    power = 1

    def fill(self, board: Cards, points: Points) -> None:
        points[:, 0], points[:, 1] = np.arange(NUM_COMBOS), board.sum()

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {}


def test_boards_are_drawn_by_their_weights() -> None:
    """Catches a sample in which a flop of three suits is no likelier than one of three sixes."""
    flops, num_hands = canonical_boards(3), 200_000
    rows, _ = draw_hands(3, num_hands, seed=1)
    expected = flops.weights / flops.weights.sum() * num_hands
    excess = ((np.bincount(rows, minlength=len(flops)) - expected) ** 2 / expected).sum()
    assert excess == pytest.approx(len(flops) - 1, abs=5 * np.sqrt(2 * len(flops)))


def test_combos_are_drawn_alike_and_never_blocked() -> None:
    """Catches hands with a card of the board, and hands that are drawn twice as often as others."""
    rows, combos = draw_hands(3, 200_000, seed=2)
    flops, pairs = canonical_boards(3).boards[rows], all_combos()[combos]
    assert not (flops[:, :, None] == pairs[:, None, :]).any()
    for is_kind, share in (
        (pairs[:, 0] >> 2 == pairs[:, 1] >> 2, 3 / 51),
        (pairs[:, 0] & 3 == pairs[:, 1] & 3, 12 / 51),
    ):
        assert is_kind.mean() == pytest.approx(share, abs=5 * np.sqrt(share / len(rows)))


def test_points_are_those_of_the_hands_drawn() -> None:
    """Catches points that slip into another board's places, and hands that are left out."""
    told: list[tuple[int, int]] = []
    points = sample_points(
        CardsThemselves(), 700, seed=3, on_progress=lambda done, total: told.append((done, total))
    )
    rows, combos = draw_hands(4, 700, seed=3)
    assert np.array_equal(
        points, np.stack([combos, canonical_boards(4).boards[rows].sum(axis=1)], axis=1)
    )
    assert told[-1] == (len(set(rows.tolist())),) * 2


def test_a_seed_decides_the_sample() -> None:
    """Catches a seed that is not used, and threads that leave a trace."""
    first, again, other = (sample_points(CardsThemselves(), 100, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
