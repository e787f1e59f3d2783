"""Scotland Yard as queries of a network: paths share the row of their station."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.games.game import OVER
from acpcbot.games.scotland_yard import MOVER, ROUND, STATIONS
from acpcbot.games.scotland_yard_maps import glasses
from acpcbot.networks.mlp import initial_network
from acpcbot.training.query_reservoir import Query
from acpcbot.training.replay_buffer import ReplayBuffer
from acpcbot.tree_search.network_values import NetworkValues
from acpcbot.tree_search.public_encodings import EncodedTree, TreeEncoder, fill_query
from acpcbot.tree_search.public_tree import PublicTree
from acpcbot.tree_search.scotland_yard_encoding import ScotlandYardEncoding

NUM_STATIONS = 11
ENCODING = ScotlandYardEncoding(glasses())


@pytest.fixture(scope="module")
def tree() -> PublicTree:
    found = PublicTree(glasses())
    found.grow_all()
    return found


@pytest.fixture(scope="module")
def encoder(tree: PublicTree) -> TreeEncoder:
    found = TreeEncoder(ENCODING)
    found.encoded(tree)
    return found


def states_to_move(tree: PublicTree) -> list[int]:
    return np.flatnonzero(tree.arrays.nodes["actor"][: tree.num_nodes] != OVER).tolist()


def shared_state(tree: PublicTree, encoded: EncodedTree) -> int:
    """A state of Mr. X in which several of his paths end at one station, and not all of them."""
    for node in states_to_move(tree):
        places = encoded.places[tree.rows_of(node, 0)]
        if tree.arrays.nodes["actor"][node] == 0 and 1 < len(set(places.tolist())) < len(places):
            return node
    raise AssertionError


def test_the_features_and_the_rows_tell_all_that_the_rules_look_at(
    tree: PublicTree, encoder: TreeEncoder
) -> None:
    encoded, found = encoder.encoded(tree), dict[bytes, set[tuple[int, ...]]]()
    for node in states_to_move(tree):
        record = tree.arrays.nodes[node]
        span = slice(record["first_history"], record["end_history"])
        state = tree.states[record["first_history"]]
        ahead = state[[MOVER, ROUND, STATIONS + 1, STATIONS + 2]]
        found.setdefault(encoded.features[node].tobytes(), set()).add(tuple(ahead.tolist()))
        for state, history in zip(tree.states[span], tree.arrays.histories[span], strict=True):
            assert encoded.places[history["row0"]] == state[STATIONS]
            assert encoded.places[history["row1"]] == NUM_STATIONS
    assert all(len(aheads) == 1 for aheads in found.values())


def test_columns_are_the_stations_where_a_row_of_mr_x_goes(
    tree: PublicTree, encoder: TreeEncoder
) -> None:
    """Catches columns by the first history of a state, whose station is another."""
    encoded = encoder.encoded(tree)
    for node in states_to_move(tree):
        record = tree.arrays.nodes[node]
        for history in range(int(record["first_history"]), int(record["end_history"])):
            own = tree.arrays.histories[history]
            row = tree.arrays.rows[own["row1" if record["actor"] else "row0"]]
            mover = int(tree.states[history][MOVER])
            for move in tree.arrays.moves[own["first_move"] : own["end_move"]]:
                after = tree.states[move["history"]]
                slot = int(row["first_slot"]) + int(move["action"])
                assert encoded.columns[slot] == after[STATIONS + mover]


def test_beliefs_of_paths_to_one_station_are_added(tree: PublicTree, encoder: TreeEncoder) -> None:
    encoded = encoder.encoded(tree)
    node = shared_state(tree, encoded)
    rows = tree.rows_of(node, 0)
    reach = np.zeros(len(tree.arrays.rows))
    reach[rows] = np.arange(1, 1 + rows.stop - rows.start)
    reach[tree.rows_of(node, 1)] = 1.0
    shape = ENCODING.interface.shape((4,))
    inputs = np.zeros(shape.num_inputs, np.float32)
    fill_query(tree.arrays, encoded, node, reach, shape.num_values, inputs)
    expected = np.zeros(NUM_STATIONS)
    for row in range(rows.start, rows.stop):
        expected[encoded.places[row]] += reach[row] / reach[rows].sum()
    assert inputs[:NUM_STATIONS].tolist() == pytest.approx(expected.tolist(), rel=1e-6)
    assert inputs[:NUM_STATIONS].sum() == pytest.approx(1, rel=1e-6)
    assert inputs[NUM_STATIONS] == 1


def test_paths_to_one_station_have_one_value(tree: PublicTree, encoder: TreeEncoder) -> None:
    """By a network, under reaches of the detectives that are equal for all paths."""
    node = shared_state(tree, encoder.encoded(tree))
    network = initial_network(ENCODING.interface.shape((8,)), seed=2)
    network.layers()[-1][0][:] *= 40
    values, found = NetworkValues(network, ENCODING), np.zeros(len(tree.arrays.rows))
    reach = np.ones(len(tree.arrays.rows))
    values.on(tree).leaf_values(tree.arrays, np.array([node]), 1, reach, found)
    by_station: dict[int, set[float]] = {}
    for row in range(*tree.rows_of(node, 0).indices(tree.num_rows)):
        station = int(encoder.encoded(tree).places[row])
        by_station.setdefault(station, set()).add(round(float(found[row]), 9))
    assert [len(own) for own in by_station.values()] == [1] * len(by_station)
    assert len(set.union(*by_station.values())) == len(by_station)


def test_targets_of_a_station_are_means_by_belief(tree: PublicTree, encoder: TreeEncoder) -> None:
    """One of two paths, of three times the belief, counts three times."""
    encoded = encoder.encoded(tree)
    node = shared_state(tree, encoded)
    record, rows = tree.arrays.nodes[node], tree.rows_of(node, 0)
    places = encoded.places[rows]
    station = next(place for place in places.tolist() if (places == place).sum() > 1)
    first, second = np.flatnonzero(places == station)[:2].tolist()
    beliefs = np.zeros(record["end_row"] - record["first_row"])
    beliefs[[first, second, -1]] = 0.75, 0.25, 1.0
    values, policy = np.zeros(len(beliefs)), np.zeros(record["end_slot"] - record["first_slot"])
    values[[first, second]] = 1.0, -1.0
    columns = {}
    for row, action in ((first, 0), (second, 1)):
        slot = int(tree.arrays.rows[rows.start + row]["first_slot"])
        policy[slot + action - record["first_slot"]] = 1.0
        columns[action] = int(encoded.columns[slot + action])
    buffer = ReplayBuffer(ENCODING.interface.shape((4,)), 2, tree, encoder)
    buffer.add(Query(node, beliefs), values, policy)
    example = buffer.batches(1, 1, (0,))
    assert example.values[0, 0, station] == pytest.approx(0.5)
    assert example.value_weights[0, 0, station] == 1
    found = example.policies[0, 0, station]
    assert [found[columns[action]] for action in (0, 1)] == pytest.approx([0.75, 0.25])
    assert found.sum() == pytest.approx(1)
