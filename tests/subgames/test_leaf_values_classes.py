"""Values by classes of hands: the same as pair by pair where ranges are alike within a class."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.poker.hand_classes import game_classes, num_class_pairs
from acpcbot.poker.hands import hand_masks
from acpcbot.subgames.leaf_values import (
    ClassValues,
    PairValues,
    cap_classes_at_blueprint,
)
from tests.support.range_games import even_game

GAME = even_game("0 1", 12, 2, suits=3, ranks=4)
CLASSES, MASKS = game_classes(GAME), hand_masks(GAME)
BESIDE = MASKS[:, None] & MASKS == 0


def random_values() -> NDArray[np.float64]:
    """[part, continuation, class, class]"""
    count = int(CLASSES.max()) + 1
    return np.random.default_rng(1).normal(size=(3, 4, count, count))


def by_hand(won: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = won[..., CLASSES[:, None], CLASSES] * BESIDE
    return found


def test_both_seats_values_are_those_of_all_pairs() -> None:
    """Catches cards that are not taken out, and sizes of classes forgotten or counted twice."""
    won, draw = random_values(), np.random.default_rng(2)
    found, plain = ClassValues(won, CLASSES, num_class_pairs(GAME)), PairValues(by_hand(won))
    reaches = draw.random((3, 4, int(CLASSES.max()) + 1)).astype(np.float32)[..., CLASSES]
    assert found.shape == plain.shape
    assert found.won_by_other(reaches) == pytest.approx(plain.won_by_other(reaches), abs=1e-3)
    assert found.won_by_chooser(reaches[:, 0]) == pytest.approx(
        plain.won_by_chooser(reaches[:, 0]), abs=1e-3
    )


def capped_at_blueprint(
    pair_values: NDArray[np.float64], reach: NDArray[np.float64], compatible: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return *pair_values* in which no continuation beats the first, with any hand of the chooser.

    What wins more against the strategy that is played now, where the other seat's reach is *reach*
    [part, hand], is not worth more once that seat adapts. *compatible* [hand of the other, hand of
    the chooser] is 1 where two can be held together, else 0.
    """
    won = -np.einsum("pkoc,po->pkc", pair_values, reach)
    excess = np.maximum(won - won[:, :1], 0.0)
    weights = (reach @ compatible)[:, None]
    excess_per_weight = np.divide(excess, weights, out=np.zeros_like(excess), where=weights > 0)
    capped: NDArray[np.float64] = pair_values + excess_per_weight[:, :, None] * compatible
    return capped


def test_levelling_is_that_of_all_pairs() -> None:
    won, draw = random_values(), np.random.default_rng(3)
    reach = draw.random(int(CLASSES.max()) + 1)
    expected = capped_at_blueprint(
        by_hand(won), np.tile(reach[CLASSES], (3, 1)), BESIDE.astype(np.float64)
    )
    found = np.stack([cap_classes_at_blueprint(own, num_class_pairs(GAME), reach) for own in won])
    assert by_hand(found) == pytest.approx(expected, abs=1e-9)
    assert not np.allclose(found, won)
