"""Best responses against OpenSpiel, against the rules played out in plain Python, and by what must hold of any."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from acpcbot.arrays import Floats
from acpcbot.evaluation.best_response import best_response_values, exploitability, nash_conv
from acpcbot.evaluation.response_result import BestResponse
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import parse_definition
from acpcbot.solvers.vector_cfr import VectorCFR
from acpcbot.trees.node_record import CHILD
from acpcbot.trees.subtree_sizes import SubtreeSizes
from tests.evaluation.plain_best_response import Cards, PlainGame, all_deals
from tests.support.games import KUHN, LEDUC
from tests.support.openspiel_policies import SPIEL_NAMES, spiel_nash_conv, spiel_values
from tests.support.small_games import KUHN_3P, SmallGame, random_policy, shipped_small_game, silly_policies, small_game

# Nodes of the tree times deals, what plain Python walks in a tenth of a second.
MAX_WORK = 12_000


@pytest.mark.parametrize("name", SPIEL_NAMES)
@pytest.mark.parametrize("policy", ["uniform", "fold", "call", "raise", "random", "other random", "solved"])
def test_a_seat_or_a_card_is_not_taken_for_another(name: str, policy: str) -> None:
    pytest.importorskip("pyspiel")
    probabilities = policies(name)[policy]
    ours = shipped_small_game(name).respond(probabilities)
    best, values = spiel_values(name, probabilities)
    assert ours.values == pytest.approx(best, abs=1e-9)
    assert ours.policy_values == pytest.approx(values, abs=1e-9)
    assert ours.nash_conv == pytest.approx(spiel_nash_conv(name, probabilities), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "policy", "expected"),
    [
        (KUHN, "uniform", 11 / 12),
        (LEDUC, "uniform", 4.7472222222),
        (LEDUC, "fold", 2.0),
        (LEDUC, "call", 2.9333333333),
        (LEDUC, "raise", 4.7333333333),
    ],
)
def test_nash_conv_of_well_known_policies_is_not_half_or_twice_what_it_should_be(
    name: str, policy: str, expected: float
) -> None:
    small = shipped_small_game(name)
    deals = small.game, small.rows, small.weights
    assert nash_conv(*deals, policies(name)[policy]) == pytest.approx(expected, abs=1e-9)
    assert exploitability(*deals, policies(name)[policy]) == pytest.approx(expected / 2, abs=1e-9)


def test_the_better_response_to_a_caller_in_kuhn_is_not_missed() -> None:
    # It bets an ace alone: a king that bets wins from a queen what it loses to an ace.
    response = shipped_small_game(KUHN).respond(policies(KUHN)["call"])
    assert response.values == pytest.approx((1 / 3, 1 / 3))
    assert response.policy_values == pytest.approx((0, 0))


@st.composite
def small_games(draw: st.DrawFn) -> SmallGame:
    """Limit games of any blinds, raises, stacks and first seats, small enough for plain Python."""
    players, streets, hole_cards = draw(st.integers(2, 3)), draw(st.integers(1, 2)), draw(st.integers(1, 2))
    suits, ranks = draw(st.integers(1, 2)), draw(st.integers(2, 4))
    board_cards = [draw(st.integers(0, 1)) for _ in range(streets)]
    assume(players * hole_cards + sum(board_cards) <= suits * ranks)

    def numbers(smallest: int, largest: int, count: int) -> str:
        return " ".join([str(draw(st.integers(smallest, largest))) for _ in range(count)])

    definition = parse_definition(
        f"GAMEDEF\nlimit\nnumPlayers = {players}\nnumRounds = {streets}\n"
        f"blind = {numbers(1, 2, players)}\nstack = {numbers(3, 9, players)}\n"
        f"raiseSize = {numbers(1, 3, streets)}\nmaxRaises = {numbers(0, 2, streets)}\n"
        f"firstPlayer = {numbers(1, players, streets)}\nnumSuits = {suits}\nnumRanks = {ranks}\n"
        f"numHoleCards = {hole_cards}\nnumBoardCards = {' '.join(map(str, board_cards))}\nEND GAMEDEF\n"
    )
    num_nodes = sum(SubtreeSizes(definition).whole().num_nodes)
    assume(num_nodes * sum(1 for _ in all_deals(definition)) <= MAX_WORK)
    return small_game(definition)


@settings(max_examples=30)
@given(small=small_games(), seed=st.integers(0, 2**32 - 1))
def test_plain_python_finds_no_other_values_in_games_of_any_shape(small: SmallGame, seed: int) -> None:
    policy = random_policy(small, seed)
    plain = PlainGame(small.definition, lambda state, hole, board: played(small, policy, state, hole, board))
    ours = small.respond(policy)
    seats = range(small.definition.num_players)
    assert ours.policy_values == pytest.approx([plain.policy_value(seat) for seat in seats], abs=1e-9)
    assert ours.values == pytest.approx([plain.best_value(seat) for seat in seats], abs=1e-9)


@settings(max_examples=100)
@given(name=st.sampled_from([KUHN, LEDUC, KUHN_3P]), seed=st.integers(0, 2**32 - 1))
def test_nobody_loses_by_a_best_response_and_no_chips_appear(name: str, seed: int) -> None:
    response = shipped_small_game(name).respond(random_policy(shipped_small_game(name), seed))
    assert min(response.gains) >= -1e-12
    assert sum(response.policy_values) == pytest.approx(0, abs=1e-12)
    assert response.nash_conv == pytest.approx(sum(response.values), abs=1e-12)


def test_deals_in_another_order_or_not_merged_are_worth_the_same() -> None:
    small, policy = shipped_small_game(LEDUC), policies(LEDUC)["random"]
    order = Random(1).sample(range(len(small.rows)), len(small.rows))
    rows, weights = np.repeat(small.rows[order], 2, axis=0), np.repeat(small.weights[order] / 2, 2)
    apart, merged = best_response_values(small.game, rows, weights, policy), small.respond(policy)
    assert apart.values == pytest.approx(merged.values, abs=1e-12)
    assert apart.policy_values == pytest.approx(merged.policy_values, abs=1e-12)


def test_the_mean_is_over_all_seats_of_a_game_of_three() -> None:
    response = BestResponse(values=(3.0, 1.0, 2.0), policy_values=(1.0, -1.0, 0.0))
    assert response.gains == (2.0, 2.0, 2.0)
    assert (response.nash_conv, response.exploitability) == (6.0, 2.0)


def policies(name: str) -> dict[str, Floats]:
    """Policies of the game *name*, from silly to solved."""
    small = shipped_small_game(name)
    solver = VectorCFR(small.game, small.rows, small.weights)
    solver.step(2000)
    randoms = {"random": random_policy(small, 1), "other random": random_policy(small, 2)}
    return {**silly_policies(small), **randoms, "solved": solver.average_strategy()}


def played(small: SmallGame, policy: Floats, state: BettingState, hole: Cards, board: Cards) -> list[float]:
    """The probabilities of the legal actions under *policy* [slot]."""
    node, at = 0, state.game.start
    while at.text != state.text:
        following = [at.apply(action) for action in at.legal_actions()]
        index = next(i for i, after in enumerate(following) if state.text.startswith(after.text))
        node, at = int(small.game.tree.nodes[node, CHILD + index]), following[index]
    probabilities: list[float] = policy[small.slots(node, small.abstraction.bucket(state.street, hole, board))].tolist()
    return probabilities
