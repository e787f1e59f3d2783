"""The compiled tree against a slow walk by the betting states, and against published counts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from acpcbot.cards.orderings import orderings
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import shipped_definition
from acpcbot.trees.public_tree import (
    LIMIT_CHILD,
    LIMIT_INFO,
    LIMIT_POTENTIAL,
    LIMIT_SLOT,
    LIMIT_STREET_POT,
    PublicTree,
    action_kind,
    build_tree,
    info_kinds,
    info_seat,
    info_street,
    num_actions,
    tree_bytes,
)
from tests.support.plain_tree import small_limit, walk

GAMES = {
    "kuhn": shipped_definition("kuhn.limit.2p"),
    "kuhn 3p": shipped_definition("kuhn.limit.3p"),
    "leduc": shipped_definition("leduc.limit.2p"),
    "four players": small_limit(4, (2, 4), (1, 1), (1, 2, 0, 0)),
    "short stacks": small_limit(3, (2, 4), (3, 3), (1, 2, 0), stack=9),
    "one raise all-in": small_limit(2, (10,), (2,), (1, 2), stack=5),
}
LIMIT_HOLDEM = shipped_definition("holdem.limit.2p.reverse_blinds")


@pytest.mark.parametrize("name", GAMES)
def test_every_node_is_the_betting_state_that_the_walk_meets_in_its_place(name: str) -> None:
    tree = build_tree(GAMES[name])
    states = [state for state in walk(GAMES[name]) if not state.is_over]
    assert len(states) == len(tree.nodes)
    for state, record in zip(states, tree.nodes, strict=True):
        kinds = info_kinds(int(record[LIMIT_INFO]))
        assert (info_seat(int(record[LIMIT_INFO])), info_street(int(record[LIMIT_INFO]))) == (
            state.actor,
            state.street,
        )
        legal = sorted(action.kind for action in state.legal_actions())
        assert [action_kind(kinds, index) for index in range(num_actions(kinds))] == legal


@pytest.mark.parametrize("name", GAMES)
def test_children_are_the_states_that_the_actions_lead_to(name: str) -> None:
    tree = build_tree(GAMES[name])
    numbers = {
        state.text: node for node, state in enumerate(s for s in walk(GAMES[name]) if not s.is_over)
    }
    for state in walk(GAMES[name]):
        if not state.is_over:
            record = tree.nodes[numbers[state.text]]
            for index, action in enumerate(
                sorted(state.legal_actions(), key=lambda legal: legal.kind)
            ):
                following = state.apply(action)
                child = int(record[LIMIT_CHILD + index])
                assert child < 0 if following.is_over else child == numbers[following.text]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name == "four players" else name
        for name in GAMES
    ],
)
def test_outcomes_pay_what_the_betting_state_and_the_cards_pay(name: str) -> None:
    tree = build_tree(GAMES[name])
    for state, record in decisions(tree):
        for index, action in enumerate(sorted(state.legal_actions(), key=lambda legal: legal.kind)):
            following = state.apply(action)
            if following.is_over:
                verify_payoffs(tree, following, ~int(record[LIMIT_CHILD + index]))


def verify_payoffs(tree: PublicTree, state: BettingState, outcome: int) -> None:
    for ordering, beaten in enumerate(orderings(tree.num_seats)):
        paid = tree.payoffs[outcome, ordering] * (tree.definition.big_blind or 1)
        assert paid == pytest.approx(plain_payoffs(state, beaten.tolist()), abs=1e-9)


def plain_payoffs(state: BettingState, beaten: list[int]) -> list[float]:
    """Every chip apart: the n-th chip of every seat is won by the best hands among those who
    staked it.
    """
    won = [-float(chips) for chips in state.spent]
    for level in range(max(state.spent)):
        stakers = [seat for seat, chips in enumerate(state.spent) if chips > level]
        live = [seat for seat in stakers if not state.folded[seat]]
        best = [seat for seat in live if beaten[seat] == max(beaten[other] for other in live)]
        for seat in best or stakers:
            won[seat] += len(stakers) / len(best or stakers)
    return won


def decisions(tree: PublicTree) -> itertools.zip_longest[tuple[BettingState, np.ndarray]]:
    states = (state for state in walk(tree.definition) if not state.is_over)
    return itertools.zip_longest(states, tree.nodes)


@pytest.mark.parametrize("definition", [*GAMES.values(), LIMIT_HOLDEM])
def test_the_slots_of_a_street_are_numbered_without_gaps_or_overlaps(
    definition: GameDefinition,
) -> None:
    tree = build_tree(definition)
    for street, num_slots in enumerate(tree.size.num_slots):
        taken = [
            int(record[LIMIT_SLOT]) + index
            for record in tree.nodes[tree.streets == street]
            for index in range(num_actions(info_kinds(int(record[LIMIT_INFO]))))
        ]
        assert taken == list(range(num_slots))


def test_limit_holdem_has_the_published_number_of_nodes() -> None:
    tree = build_tree(LIMIT_HOLDEM)
    assert tree.size.num_nodes == (8, 70, 630, 5670)
    assert tree.size.num_terminals == 10_206
    assert len(tree.nodes) == 6378


def test_pots_and_potentials_give_the_papers_range_of_the_exploration_constant() -> None:
    nodes = build_tree(LIMIT_HOLDEM).nodes
    constants = np.minimum(240, nodes[:, LIMIT_STREET_POT] + 0.5 * nodes[:, LIMIT_POTENTIAL])
    assert (constants.min(), constants.max()) == (100, 240)


def test_a_folded_player_adds_nothing_to_the_potential() -> None:
    tree = build_tree(GAMES["four players"])
    for state, record in decisions(tree):
        if state.street == 1 and "/" in state.text and state.text.endswith("/"):
            others = sum(not folded for folded in state.folded)
            assert record[LIMIT_POTENTIAL] == others * 4
            assert record[LIMIT_STREET_POT] == state.pot


def test_games_without_a_limit_tree_are_refused() -> None:
    with pytest.raises(UsageError, match="no fixed tree"):
        build_tree(shipped_definition("leduc.nolimit.2p"))


def test_memory_is_known_before_it_is_taken() -> None:
    assert tree_bytes(LIMIT_HOLDEM) == build_tree(LIMIT_HOLDEM).nodes.nbytes
    assert tree_bytes(shipped_definition("holdem.limit.3p")) == 9_711_806 * 32
