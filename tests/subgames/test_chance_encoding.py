"""Chance states as queries: exact showdowns, and the laws that values keep for any network."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.abstraction.pair_equities import pair_equities
from acpcbot.errors import UsageError
from acpcbot.networks.mlp import initial_network
from acpcbot.poker.hands import all_hands, hand_numbers
from acpcbot.subgames.chance_encoding import ChanceEncoding, chance_encoding
from acpcbot.subgames.network_values import NetworkValues
from acpcbot.trees.board_tree import suit_changes
from tests.support.chance_games import LEDUC, SMALL
from tests.support.games import KUHN, LEDUC_NOLIMIT, LIMIT_2P, definition_of

ENCODINGS = [chance_encoding("leduc", LEDUC), chance_encoding("small", SMALL)]
POTS = np.array([0, 1, 2])


def reaches(encoding: ChanceEncoding, seed: int = 1) -> NDArray[np.float64]:
    """[query, seat, class]"""
    shape = len(POTS), 2, encoding.num_classes
    found: NDArray[np.float64] = np.random.default_rng(seed).random(shape)
    return found


def network_outputs(encoding: ChanceEncoding, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    network = initial_network(encoding.interface.shape((8,)), 1)
    network.parameters[:] = np.random.default_rng(2).normal(size=len(network.parameters))
    found: NDArray[np.float64] = encoding.outputs(network, POTS, sums)
    return found


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_without_a_network_a_hand_is_checked_down(encoding: ChanceEncoding) -> None:
    """Against all pairs of hands on all boards, counted in another way."""
    sums = reaches(encoding)
    chips = np.array([encoding.roots[pot].max_spent for pot in POTS])[:, None, None]
    by_hand = (sums / encoding.sizes)[..., encoding.classes]
    expected = chips * (by_hand[:, ::-1] @ pair_equities(encoding.definition, ()).T)
    found = encoding.values(POTS, sums, np.zeros_like(sums))[..., encoding.classes]
    assert found == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_masses_are_hands_that_can_be_held_beside_one(encoding: ChanceEncoding) -> None:
    hands = all_hands(encoding.definition)
    beside = ~(hands[:, None, :, None] == hands[None, :, None, :]).any(axis=(2, 3))
    sums = reaches(encoding)
    by_hand = (sums / encoding.sizes)[..., encoding.classes]
    expected = by_hand @ beside.T
    assert encoding.masses(sums)[..., encoding.classes] == pytest.approx(expected)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_values_add_up_to_zero_for_any_network(encoding: ChanceEncoding) -> None:
    sums = reaches(encoding)
    values = encoding.values(POTS, sums, network_outputs(encoding, sums))
    assert (sums * values).sum(axis=(1, 2)) == pytest.approx(0, abs=1e-3)
    assert np.abs(values).min() > 1e-3


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_values_scale_with_the_other_seats_reach_alone(encoding: ChanceEncoding) -> None:
    sums = reaches(encoding)
    larger = sums * np.array([1.0, 3.0])[:, None]
    before = encoding.values(POTS, sums, network_outputs(encoding, sums))
    after = encoding.values(POTS, larger, network_outputs(encoding, larger))
    assert after[:, 0] == pytest.approx(3 * before[:, 0], rel=1e-4, abs=1e-4)
    assert after[:, 1] == pytest.approx(before[:, 1], rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_suits_permuted_permute_values(encoding: ChanceEncoding) -> None:
    network = initial_network(encoding.interface.shape((8,)), 3)
    chips = [encoding.roots[pot].max_spent for pot in POTS]
    hands = all_hands(encoding.definition)
    above = np.random.default_rng(4).random((len(POTS), 2, len(hands))).astype(np.float32)
    for change in suit_changes(encoding.definition):
        images = hand_numbers(encoding.definition, change[hands])
        values = NetworkValues(encoding, network, chips)
        found = [
            values.values(0, own, learns=False)[:, order]
            for own, order in ((above, images), (above[..., images], slice(None)))
        ]
        assert found[0] == pytest.approx(found[1], abs=1e-5)


def test_a_learning_solver_asks_about_its_average_reaches() -> None:
    """Beliefs are the average; masses and showdowns are those of the present reaches."""
    encoding = ENCODINGS[0]
    network = initial_network(encoding.interface.shape((8,)), 5)
    values = NetworkValues(encoding, network, [encoding.roots[0].max_spent])
    first, second = (
        np.random.default_rng(seed).random((1, 2, 6)).astype(np.float32) for seed in (1, 2)
    )
    values.values(0, first, learns=True)
    found = values.values(1, second, learns=True)
    # The second reaches weigh 1, those before (1 / 2) ** 4.
    asked = encoding.by_class(second + first / 16)
    outputs = encoding.outputs(network, np.array([0]), asked)
    expected = encoding.values(np.array([0]), encoding.by_class(second), outputs)[:, 1]
    assert found == pytest.approx(expected[:, encoding.classes], abs=1e-6)


@pytest.mark.parametrize("name", [KUHN, LEDUC_NOLIMIT, LIMIT_2P])
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="limit games for two with one board"):
        chance_encoding(name, definition_of(name))
