"""Labels of single boards: unbiased, with and without what is known of a board."""

from __future__ import annotations

import copy
from itertools import combinations
from math import comb

import numpy as np
import pytest

from acpcbot.poker.definition import GameDefinition
from acpcbot.subgames.chance_encoding import chance_encoding
from acpcbot.subgames.game import make_range_game
from acpcbot.subgames.solver import RangeCFR
from acpcbot.training.board_labels import BoardMemory, BoardSolver
from tests.support.chance_games import LEDUC, SMALL

NUM_ITERATIONS = 30


@pytest.mark.parametrize("definition", [LEDUC, SMALL])
@pytest.mark.parametrize("pot", [0, 2])
def test_labels_have_the_value_of_the_chance_state_on_average(
    definition: GameDefinition, pot: int
) -> None:
    """Against every board solved by itself, hand by hand, with the probability of two hands."""
    encoding = chance_encoding("test", definition)
    solver = BoardSolver(encoding, NUM_ITERATIONS)
    sums = encoding.sizes * np.random.default_rng(1).random((2, encoding.num_classes))
    sums /= (sums / encoding.sizes).max(axis=1, keepdims=True)
    ranges = (sums / encoding.sizes)[:, encoding.classes]
    size = definition.board_size(1)
    unseen = len(definition.deck) - 2 * definition.num_hole_cards
    values = np.zeros(ranges.shape)
    for board in combinations(definition.deck, size):
        game = make_range_game(encoding.roots[pot], board, ranges=ranges, suits_alike=False)
        solved = RangeCFR(game)
        solved.step(NUM_ITERATIONS)
        hands = game.boards.arrays.hands[game.boards.rows(0)]
        values[:, hands] += solved.block_values(0, 0)[1][:, 0] / comb(unseen, size)
    by_class = encoding.by_class(values) / encoding.sizes
    labels = [solver.label(pot, sums, number) for number in range(len(solver.boards))]
    means = sum(
        solver.shares[number] * label.values.astype(np.float64)
        for number, label in enumerate(labels)
    )
    found = encoding.values(np.array([pot]), sums[None], np.asarray(means)[None])[0]
    assert found == pytest.approx(by_class, abs=1e-3)
    # The weights of squared errors, with the probability that a board is drawn, are those shares.
    weights = np.stack([label.weights[1] for label in labels]) * solver.probabilities[:, None]
    assert weights / weights.sum(axis=0) == pytest.approx(solver.shares, rel=1e-5)


def test_earlier_labels_of_boards_shift_no_mean() -> None:
    encoding = chance_encoding("test", LEDUC)
    solver = BoardSolver(encoding, 5)
    memory, draw = BoardMemory(solver, 2), np.random.default_rng(3)

    for board in (0, 2, 0, 1, 1, 0):
        memory.corrected(1, board, solver.label(1, draw.random((2, 3)), board))
    sums = draw.random((2, 3))
    raw = [solver.label(1, sums, board) for board in range(len(solver.boards))]
    corrected = [copy.deepcopy(memory).corrected(1, board, own) for board, own in enumerate(raw)]
    means = [
        sum(solver.shares[board] * own.values for board, own in enumerate(labels))
        for labels in (raw, corrected)
    ]
    assert means[1] == pytest.approx(means[0], abs=1e-5)
    assert not np.allclose(corrected[0].values, raw[0].values, atol=1e-3)
    spreads = [np.std([own.values for own in labels], axis=0).mean() for labels in (raw, corrected)]
    assert spreads[1] < spreads[0]


def test_boards_come_with_their_probabilities() -> None:
    solver = BoardSolver(chance_encoding("test", SMALL), 1)
    drawn = np.array([solver.board_at((place + 0.5) / 9000) for place in range(9000)])
    # One board for each rank, three suits alike.
    assert np.bincount(drawn).tolist() == [3000, 3000, 3000]
