"""Networks at the leaves: encodings of public states, a plain program's numbers, laws, refusals."""

from __future__ import annotations

from itertools import pairwise
from math import exp
from pathlib import Path

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER
from acpcbot.games.generic_poker import (
    BOARD,
    CARD,
    LEDUC,
    NUM_BETS,
    NUM_DEALT,
    SPENT,
    GenericPoker,
)
from acpcbot.networks.mlp import Network, initial_network
from acpcbot.networks.small import network_scratch, small_network
from acpcbot.networks.stored import StoredNetwork, save_network
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.network_values import NetworkValues
from acpcbot.tree_search.public_encodings import GenericPokerEncoding, TreeEncoder
from acpcbot.tree_search.public_tree import ROOT, PublicTree

from .plain_growing_cfr import Answer, Pair, PlainGrowingCFR, PlainState
from .test_growing_cfr import compare

ENCODING = GenericPokerEncoding(LEDUC)
LARGER = GenericPoker(num_ranks=4, num_copies=2, max_raises=1, num_sizes=2)
RANGES = np.array([0.2, 0.5, 1.0, 0.9, 0.3, 0.6])
MOST_CHIPS = 13


def loud_network(encoding: GenericPokerEncoding = ENCODING, seed: int = 3) -> Network:
    """A network whose values and policies are far from 0 and uniform."""
    network = initial_network(encoding.interface.shape((16, 8)), seed)
    weights, biases = network.layers()[-1]
    weights *= 40
    biases[:] = np.random.default_rng(seed).standard_normal(len(biases)) * 0.3
    return network


def leaf_values(tree: PublicTree, values: NetworkValues, node: int, ranges: Floats) -> Floats:
    """The values of the rows of *node* under *ranges*, one for each of its rows."""
    record = tree.arrays.nodes[node]
    rows = slice(int(record["first_row"]), int(record["end_row"]))
    reach, found = np.zeros(len(tree.arrays.rows)), np.zeros(len(tree.arrays.rows))
    reach[rows] = ranges
    values.on(tree).leaf_values(tree.arrays, np.array([node]), 1, reach, found)
    return found[rows]


@pytest.fixture(scope="module")
def whole_leduc() -> PublicTree:
    tree = PublicTree(LEDUC)
    tree.grow_all()
    return tree


def decisions_and_chance(tree: PublicTree) -> list[int]:
    return np.flatnonzero(tree.arrays.nodes["actor"][: tree.num_nodes] != OVER).tolist()


@pytest.mark.parametrize("game", [LEDUC, LARGER], ids=str)
def test_rows_lie_in_the_order_of_cards_in_every_state(game: GenericPoker) -> None:
    """Catches places in the order in which a state's histories were met, which differs."""
    tree, encoding = PublicTree(game), GenericPokerEncoding(game)
    tree.grow_all()
    encoded, orders = TreeEncoder(encoding).encoded(tree), set()
    for node in decisions_and_chance(tree):
        record = tree.arrays.nodes[node]
        span = slice(record["first_history"], record["end_history"])
        for state, history in zip(tree.states[span], tree.arrays.histories[span], strict=True):
            assert encoded.places[history["row0"]] == state[CARD]
            assert encoded.places[history["row1"]] == game.num_ranks + state[CARD + 1]
        orders.add(tuple(encoded.places[record["first_row"] : record["end_row"]].tolist()))
    assert len(orders) > 1


@pytest.mark.parametrize("game", [LEDUC, LARGER], ids=str)
def test_states_with_equal_features_have_equal_futures(game: GenericPoker) -> None:
    """Chips, board, street and betting: all that the rules still look at."""
    tree, encoding = PublicTree(game), GenericPokerEncoding(game)
    tree.grow_all()
    encoded = TreeEncoder(encoding).encoded(tree)
    futures: dict[bytes, set[tuple[int, ...]]] = {}
    for node in decisions_and_chance(tree):
        record = tree.arrays.nodes[node]
        state = tree.states[record["first_history"]]
        future = (
            int(record["actor"]),
            int(record["num_children"]),
            # A street that is over keeps its number of bets, which matters no longer.
            int(state[NUM_BETS]) if record["actor"] >= 0 else 0,
            *(int(state[word]) for word in (NUM_DEALT, SPENT, SPENT + 1)),
            int(state[BOARD]) if state[NUM_DEALT] > 2 else -1,
        )
        futures.setdefault(encoded.features[node].tobytes(), set()).add(future)
    assert [found for found in futures.values() if len(found) > 1] == []
    assert encoded.features.min() == 0
    assert encoded.features.max() <= 1


def test_columns_are_the_actions_that_the_interface_names(whole_leduc: PublicTree) -> None:
    """Only who faces a bet can fold, and the columns of a check and a call are one."""
    tree, encoded = whole_leduc, TreeEncoder(ENCODING).encoded(whole_leduc)
    for node in decisions_and_chance(tree):
        record = tree.arrays.nodes[node]
        if record["actor"] == CHANCE:
            continue
        state = tree.states[record["first_history"]]
        expected = ["fold"] if state[SPENT] != state[SPENT + 1] else []
        expected += ["check or call"]
        expected += ["bet of size 1"] if state[NUM_BETS] < 2 else []
        for row in tree.arrays.rows[tree.rows_of(node, int(record["actor"]))]:
            first, count = int(row["first_slot"]), int(row["count"])
            columns = encoded.columns[first : first + count]
            assert [ENCODING.interface.actions[column] for column in columns] == expected


class PlainNetwork:
    """Answers of a network in plain Python, by the words of the states alone."""

    def __init__(self, network: Network, temperature: float) -> None:
        self.small, self.scratch = small_network(network), network_scratch(network)
        self.temperature, self.num_outputs = temperature, network.shape.num_outputs

    def __call__(self, node: PlainState) -> Answer:
        inputs = np.array([self.beliefs(node) + self.features(node)], np.float32)
        filled = np.zeros((1, self.num_outputs), np.float32)
        self.small.fill_outputs(inputs, self.scratch, filled)
        outputs = filled[0].tolist()
        return self.values(node, outputs), self.priors(node, outputs)

    def beliefs(self, node: PlainState) -> list[float]:
        result = [0.0] * 6
        for state, _ in node.histories:
            for seat in range(2):
                reach, place = node.reach[seat], 3 * seat + int(state[CARD + seat])
                total = sum(reach.values())
                result[place] = reach[int(state[seat])] / total if total > 0 else 1 / 3
        return result

    def features(self, node: PlainState) -> list[float]:
        state = node.histories[0][0]
        board, betting = [0.0] * 4, [0.0] * 7
        board[int(state[BOARD]) + 1 if state[NUM_DEALT] == 3 else 0] = 1.0
        betting[6 if node.actor == CHANCE else 3 * node.actor + int(state[NUM_BETS])] = 1.0
        return board + betting + [int(state[SPENT + seat]) / MOST_CHIPS for seat in range(2)]

    def values(self, node: PlainState, outputs: list[float]) -> Pair:
        """Means over histories first, then what both seats have too much is taken away."""
        scale = float(node.histories[0][0][SPENT : SPENT + 2].max())
        probability = excess = 0.0
        for state, chance in node.histories:
            cards = [3 * seat + int(state[CARD + seat]) for seat in range(2)]
            weight = chance * node.reach[0][int(state[0])] * node.reach[1][int(state[1])]
            probability += weight
            excess += weight * scale * (outputs[cards[0]] + outputs[cards[1]])
        share = excess / probability / 2 if probability else 0.0
        result: Pair = (dict.fromkeys(node.reach[0], 0.0), dict.fromkeys(node.reach[1], 0.0))
        for state, chance in node.histories:
            for seat in range(2):
                value = scale * outputs[3 * seat + int(state[CARD + seat])] - share
                result[seat][int(state[seat])] += (
                    chance * node.reach[1 - seat][int(state[1 - seat])] * value
                )
        return result

    def priors(self, node: PlainState, outputs: list[float]) -> dict[int, list[float]]:
        if node.actor < 0:
            return {}
        result = {}
        for state, _ in node.histories:
            first = 0 if state[SPENT] != state[SPENT + 1] else 1
            begin = 6 + 3 * int(state[CARD + node.actor]) + first
            logits = outputs[begin : begin + LEDUC.num_actions(state)]
            weights = [exp((logit - max(logits)) / self.temperature) for logit in logits]
            result[int(state[node.actor])] = [weight / sum(weights) for weight in weights]
        return result


@pytest.mark.parametrize(("simulations", "per_update"), [(40, 1.0), (8, 0.1), (48, 4.0)])
@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_a_search_is_that_of_the_plain_program(
    simulations: int, per_update: float, temperature: float
) -> None:
    """Catches wrong places, features, columns, scales or priors, in a tree that grows.

    The two add values up in another order, and networks sums of single precision, so that longer
    searches may once draw another simulation.
    """
    settings = GrowingCFRSettings(simulations=simulations, simulations_per_update=per_update)
    network = loud_network()
    values = NetworkValues(network, ENCODING, temperature)
    search = GrowingCFR(PublicTree(LEDUC), settings, values)
    result = search.search(ROOT, ROOT, np.ones(6), seed=5)
    plain = PlainGrowingCFR(LEDUC, MOST_CHIPS, 1.5, 5, PlainNetwork(network, temperature))
    plain.search(simulations, per_update)
    assert compare(search, ROOT, plain.root, tolerance=1e-5) == result.num_states
    assert result.num_queries > simulations


def test_a_tree_that_grows_gives_the_search_of_the_whole_one(whole_leduc: PublicTree) -> None:
    """Catches encodings that are stale after the tree has grown."""
    settings, found = GrowingCFRSettings(simulations=150), []
    for tree in (whole_leduc, PublicTree(LEDUC)):
        values = NetworkValues(loud_network(), ENCODING)
        result = GrowingCFR(tree, settings, values).search(ROOT, ROOT, RANGES, seed=2)
        found.append((result.values[:6].tolist(), result.policy[:6].tolist(), result.num_queries))
    assert found[0] == found[1]


@pytest.mark.parametrize("seat", [0, 1])
def test_values_scale_with_the_others_range(whole_leduc: PublicTree, seat: int) -> None:
    values = NetworkValues(loud_network(), ENCODING)
    for node in decisions_and_chance(whole_leduc)[::5]:
        scaled = RANGES.copy()
        scaled[3 * seat : 3 * seat + 3] *= 2.5
        before = leaf_values(whole_leduc, values, node, RANGES)
        after = leaf_values(whole_leduc, values, node, scaled)
        factors = np.repeat([2.5, 1.0] if seat else [1.0, 2.5], 3)
        assert after == pytest.approx(factors * before, rel=1e-6)
        assert np.abs(before).max() > 0


def test_values_add_up_to_zero_under_the_beliefs(whole_leduc: PublicTree) -> None:
    values = NetworkValues(loud_network(), ENCODING)
    for node in decisions_and_chance(whole_leduc):
        assert RANGES @ leaf_values(whole_leduc, values, node, RANGES) == pytest.approx(0, abs=1e-9)


def test_states_that_nobody_reaches_are_worth_nothing(whole_leduc: PublicTree) -> None:
    """Catches divisions by a range of 0: a seat that never comes here makes the other's 0."""
    values = NetworkValues(loud_network(), ENCODING)
    node = decisions_and_chance(whole_leduc)[4]
    assert not leaf_values(whole_leduc, values, node, np.zeros(6)).any()
    half = np.concatenate([np.zeros(3), np.ones(3)])
    found = leaf_values(whole_leduc, values, node, half)
    assert not found[3:].any()
    assert np.isfinite(found).all()


def test_a_new_network_takes_the_place_of_the_old_one(whole_leduc: PublicTree) -> None:
    values, other = NetworkValues(loud_network(), ENCODING), loud_network(seed=4)
    evaluator = values.on(whole_leduc)
    values.set_network(other)
    fresh = leaf_values(whole_leduc, NetworkValues(other, ENCODING), 1, RANGES)
    assert leaf_values(whole_leduc, values, 1, RANGES).tolist() == fresh.tolist()
    reach, found = np.zeros(len(whole_leduc.arrays.rows)), np.zeros(len(whole_leduc.arrays.rows))
    rows = slice(*whole_leduc.arrays.nodes[1][["first_row", "end_row"]].tolist())
    reach[rows] = RANGES
    evaluator.leaf_values(whole_leduc.arrays, np.array([1]), 1, reach, found)
    assert found[rows].tolist() == fresh.tolist()


def test_networks_that_do_not_fit_are_refused(whole_leduc: PublicTree, tmp_path: Path) -> None:
    """Other games, other features and other layers, in memory, on disk and at a tree."""
    larger = GenericPokerEncoding(LARGER)
    network, others = loud_network(), loud_network(larger)
    with pytest.raises(UsageError, match=r"num_rows: expected \(3, 3\), found \(4, 4\)") as caught:
        NetworkValues(others, ENCODING)
    assert caught.value.hint
    save_network(tmp_path / "larger", StoredNetwork(larger.interface, others, {}))
    with pytest.raises(UsageError, match="game: expected 'GenericPoker") as caught:
        NetworkValues.load(tmp_path / "larger", ENCODING)
    assert caught.value.hint
    assert "\n" not in str(caught.value)
    save_network(tmp_path / "leduc", StoredNetwork(ENCODING.interface, network, {}))
    loaded = NetworkValues.load(tmp_path / "leduc", ENCODING)
    assert loaded.network.parameters.tolist() == network.parameters.tolist()
    with pytest.raises(UsageError, match="expected the game GenericPoker"):
        loaded.on(PublicTree(LARGER))
    deeper = initial_network(ENCODING.interface.shape((16, 8, 4)), 1)
    with pytest.raises(UsageError, match=r"hidden layers: expected \(16, 8\), found \(16, 8, 4\)"):
        loaded.set_network(deeper)
    with pytest.raises(UsageError, match="temperature = 0 is out of range"):
        NetworkValues(network, ENCODING, temperature=0)


def test_games_of_other_parameters_have_other_fingerprints() -> None:
    games = [LEDUC, LARGER, LEDUC._replace(num_copies=3), LEDUC._replace(max_raises=2)]
    found = {GenericPokerEncoding(game).interface.game_fingerprint for game in games}
    assert len(found) == len(games)


def test_a_hot_prior_is_nearly_uniform(whole_leduc: PublicTree) -> None:
    spreads = []
    for temperature in (0.1, 1.0, 1000.0):
        values = NetworkValues(loud_network(), ENCODING, temperature)
        priors = np.ones(whole_leduc.slot_room)
        reach = np.ones(len(whole_leduc.arrays.rows))
        values.on(whole_leduc).write_priors(whole_leduc.arrays, ROOT, reach, priors)
        pairs = priors[:6].reshape(3, 2)
        assert pairs.sum(axis=1) == pytest.approx(1)
        spreads.append(float(np.abs(pairs[:, 0] - pairs[:, 1]).max()))
    assert all(sharp > flat for sharp, flat in pairwise(spreads))
    assert spreads[-1] < 0.01
