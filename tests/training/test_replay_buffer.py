"""Examples of self-play: targets in the form of the network's outputs, newest ones kept."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.games.generic_poker import BOARD, LEDUC
from acpcbot.networks.mlp import Network, initial_network
from acpcbot.training.query_reservoir import Query
from acpcbot.training.replay_buffer import ReplayBuffer
from acpcbot.tree_search.network_values import NetworkValues
from acpcbot.tree_search.public_encodings import GenericPokerEncoding, TreeEncoder
from acpcbot.tree_search.public_tree import PublicTree

ENCODING = GenericPokerEncoding(LEDUC)
SHAPE = ENCODING.interface.shape((8,))
BELIEFS = np.array([0.2, 0.3, 0.5, 0.1, 0.1, 0.8])


@pytest.fixture(scope="module")
def tree() -> PublicTree:
    tree = PublicTree(LEDUC)
    tree.grow_all()
    return tree


def second_street(tree: PublicTree) -> int:
    """Check, check, a board card: seat 0 opens."""
    node = tree.children(tree.children(0)[0])[0]
    return tree.children(node)[0]


def test_targets_are_what_the_network_must_answer(tree: PublicTree) -> None:
    """A network with the targets as outputs gives back the values and the policy.

    Catches targets in other units, rows in another order and columns of other actions. The rows of
    the second street are not in the order of the cards.
    """
    node = second_street(tree)
    record = tree.arrays.nodes[node]
    rows = slice(int(record["first_row"]), int(record["end_row"]))
    slots = slice(int(record["first_slot"]), int(record["end_slot"]))
    teacher = initial_network(SHAPE, 1)
    biases = teacher.layers()[-1][1]
    biases[:] = np.linspace(-1, 1, len(biases))
    values, priors = np.zeros(len(tree.arrays.rows)), np.ones(tree.slot_room)
    reach = np.zeros(len(tree.arrays.rows))
    reach[rows] = BELIEFS
    evaluator = NetworkValues(teacher, ENCODING).on(tree)
    evaluator.leaf_values(tree.arrays, np.array([node]), 1, reach, values)
    evaluator.write_priors(tree.arrays, node, reach, priors)

    buffer = ReplayBuffer(SHAPE, 10, tree, TreeEncoder(ENCODING))
    buffer.add(Query(node, BELIEFS), values[rows], priors[slots])
    example = buffer.batches(1, 1, (1,)).part(0).part(0)
    assert example.value_weights.tolist() == [1] * 6
    assert example.policy_weights.tolist() == [1] * 3
    assert example.legal.tolist() == [[False, True, True]] * 3
    assert example.policies.sum(axis=1) == pytest.approx(1)

    student = Network(SHAPE, np.zeros(SHAPE.num_parameters, np.float32))
    outputs = student.layers()[-1][1]
    outputs[:6] = example.values
    with np.errstate(divide="ignore"):
        outputs[6:] = np.where(example.legal, np.log(example.policies), 0).ravel()
    found, found_priors = np.zeros_like(values), np.ones_like(priors)
    evaluator = NetworkValues(student, ENCODING).on(tree)
    evaluator.leaf_values(tree.arrays, np.array([node]), 1, reach, found)
    evaluator.write_priors(tree.arrays, node, reach, found_priors)
    assert found[rows] == pytest.approx(values[rows], rel=1e-5)
    assert found_priors[slots] == pytest.approx(priors[slots], rel=1e-5)


def test_rows_that_nobody_can_reach_have_no_target(tree: PublicTree) -> None:
    """With one card of the board's rank in the other's hand, none is left for seat 0."""
    node = second_street(tree)
    board = int(tree.states[tree.arrays.nodes["first_history"][node]][BOARD])
    places = TreeEncoder(ENCODING).encoded(tree).places[tree.rows_of(node, 1)] - 3
    beliefs = np.concatenate([np.full(3, 1 / 3), (places == board).astype(float)])
    buffer = ReplayBuffer(SHAPE, 10, tree, TreeEncoder(ENCODING))
    buffer.add(Query(node, beliefs), np.ones(6), None)
    example = buffer.batches(1, 1, (1,)).part(0).part(0)
    expected = np.ones(6)
    expected[board] = 0
    assert example.value_weights.tolist() == expected.tolist()
    assert example.values[board] == 0
    assert not example.policy_weights.any()


def test_the_window_slides(tree: PublicTree) -> None:
    buffer = ReplayBuffer(SHAPE, 4, tree, TreeEncoder(ENCODING))
    for number in range(7):
        buffer.add(Query(0, BELIEFS), np.full(6, float(number)), None)
    assert (buffer.num_added, buffer.num_kept) == (7, 4)
    drawn = buffer.batches(1, 200, (1,)).values[0]
    ratios = np.unique((drawn[:, 0] / drawn[:, 0].min()).round(4))
    assert ratios == pytest.approx(np.array([3, 4, 5, 6]) / 3, abs=1e-3)
