"""Search by PUCT and visits: a plain twin, wins in one, and threats that have to be met."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.game import OVER, Game, State, new_state, states_after
from acpcbot.games.goofspiel import Goofspiel
from acpcbot.games.tic_tac_toe import TicTacToe
from acpcbot.networks.mlp import Network, initial_network
from acpcbot.tree_search.board_encodings import BoardEncoding, connect_four_encoding
from acpcbot.tree_search.position_values import PositionValues
from acpcbot.tree_search.visit_search import VisitSearch, VisitSettings

FOUR = ConnectFour()


@dataclass(slots=True)
class Plain:
    """A position of the twin: its state, and by action the prior, visits, total and child."""

    state: State
    priors: list[float] = field(default_factory=list)
    visits: list[int] = field(default_factory=list)
    totals: list[float] = field(default_factory=list)
    children: dict[int, Plain] = field(default_factory=dict)


def plain_simulation(game: Game, node: Plain, encoding: BoardEncoding, network: Network) -> float:
    """The value for seat 0 that a simulation brings back from *node*."""
    actor = game.actor(node.state)
    if actor == OVER:
        return game.payoff(node.state, 0)
    count = game.num_actions(node.state)
    if not node.priors:
        outputs = network.outputs(encoding.inputs(node.state)[None])[0].astype(np.float64)
        columns = [encoding.features.policy_column(node.state, action) for action in range(count)]
        weights = np.exp(outputs[2:][columns])
        node.priors = (weights / weights.sum()).tolist()
        node.visits, node.totals = [0] * count, [0.0] * count
        value = 0.5 * float(outputs[0] - outputs[1])
        return value if actor == 0 else -value
    total = sum(node.visits)
    weight = 1.25 + log((total + 19_653) / 19_652)
    scores = [
        (node.totals[a] / node.visits[a] if node.visits[a] else 0.0)
        + weight * node.priors[a] * sqrt(total) / (1 + node.visits[a])
        for a in range(count)
    ]
    action = int(np.argmax(scores if total else node.priors))
    if action not in node.children:
        after = node.state.copy()
        game.apply(after, action)
        node.children[action] = Plain(after)
    value = plain_simulation(game, node.children[action], encoding, network)
    node.visits[action] += 1
    node.totals[action] += value if actor == 0 else -value
    return value


@pytest.mark.parametrize("moves", [[], [3], [0, 0, 1, 1, 2]], ids=str)
def test_a_search_is_that_of_the_plain_program(moves: list[int]) -> None:
    """Visits of all actions and the mean value, with a network of large weights."""
    encoding = connect_four_encoding()
    network = initial_network(encoding.interface.shape((16,)), 3)
    network.layers()[-1][0][:] *= 50
    state = states_after(FOUR, moves)[-1]
    values = PositionValues(network, encoding)
    found = VisitSearch(FOUR, VisitSettings(simulations=151), values).search(state)
    root = Plain(state)
    for _ in range(151):
        plain_simulation(FOUR, root, encoding, network)
    assert (found.policy * 150).round(6).tolist() == root.visits
    assert found.value == pytest.approx(sum(root.totals) / 150, abs=1e-5)


@pytest.mark.parametrize("seat", [0, 1])
def test_wins_in_one_are_taken_and_threats_are_met(seat: int) -> None:
    """Three in a column for the seat to move, and then for the other, without a network."""
    search = VisitSearch(FOUR, VisitSettings(simulations=400))
    before = [6] * seat
    own = search.search(states_after(FOUR, [*before, 2, 4, 2, 4, 2, 4])[-1])
    assert own.policy.argmax() == 2
    assert own.value > 0.5
    other = search.search(states_after(FOUR, [*before, 2, 4, 2, 4, 0, 4])[-1])
    assert other.policy.argmax() == 4


def test_tic_tac_toe_is_not_lost() -> None:
    """From each reply to the corner, the seat to move keeps what minimax says."""
    search = VisitSearch(TicTacToe(), VisitSettings(simulations=3000))
    # After a corner only the centre holds the draw.
    assert search.search(states_after(TicTacToe(), [0])[-1]).policy.argmax() == 3


def test_a_search_of_one_simulation_plays_the_prior() -> None:
    found = VisitSearch(FOUR, VisitSettings(simulations=1)).search(new_state(FOUR))
    assert found.policy.tolist() == pytest.approx([1 / 7] * 7)
    assert found.num_queries == 1


def test_positions_that_cannot_be_searched_are_refused() -> None:
    search = VisitSearch(FOUR)
    with pytest.raises(UsageError, match="the game is over"):
        search.search(states_after(FOUR, [0, 1, 0, 1, 0, 1, 0])[-1])
    with pytest.raises(UsageError, match="several histories"):
        VisitSearch(Goofspiel(3)).search(states_after(Goofspiel(3), [0])[-1])
    for change in ({"simulations": 0}, {"growth": 0.0}, {"exploration": float("nan")}):
        with pytest.raises(UsageError, match="out of range"):
            VisitSettings(**change)
