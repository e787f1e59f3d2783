"""Spots: the pot, the stacks and who acts are those that were asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.errors import UsageError
from acpcbot.poker.actions import CALLING, FOLDING, raising
from acpcbot.poker.spots import holdem_spot
from acpcbot.subgames.solution import action_word


@given(st.integers(3, 5), st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 10**3))
def test_pot_stacks_street_and_smallest_bet_are_those_asked_for(
    size: int, half: int, stack: int, bet: int
) -> None:
    if half != bet and half < 2 * bet:
        with pytest.raises(UsageError, match="no bets of at least"):
            holdem_spot(size, 2 * half, stack, bet)
        return
    root = holdem_spot(size, 2 * half, stack, bet)
    assert (root.pot, root.street, root.actor, root.to_call) == (2 * half, size - 2, 0, 0)
    assert [
        total - spent for total, spent in zip(root.game.definition.stacks, root.spent, strict=True)
    ] == [stack] * 2
    assert root.raise_range == (half + min(bet, stack), half + stack)


@given(st.tuples(st.integers(1, 10**6), st.integers(1, 10**6)))
def test_of_two_stacks_both_seats_get_the_smaller_one(stacks: tuple[int, int]) -> None:
    """Catches a stack that only one seat has, which it could bet and not win or lose."""
    root = holdem_spot(5, 100, stacks)
    assert root.game.definition == holdem_spot(5, 100, min(stacks)).game.definition
    assert root.raise_range == (50 + 1, 50 + min(stacks))


@pytest.mark.parametrize("stacks", [(), (100, 200, 300)])
def test_neither_one_stack_nor_two_are_refused(stacks: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match=f"{len(stacks)} stacks behind a pot"):
        holdem_spot(5, 100, stacks)


@pytest.mark.parametrize(
    "asked", [(0, 100, 100, 1), (6, 100, 100, 1), (5, 0, 1, 1), (5, 2, 0, 1), (5, 2, 2**30, 1)]
)
def test_a_text_that_is_no_spot_is_refused(asked: tuple[int, int, int, int]) -> None:
    with pytest.raises(UsageError):
        holdem_spot(*asked)


def test_an_odd_pot_is_refused_with_the_way_out() -> None:
    with pytest.raises(UsageError, match="half from each") as raised:
        holdem_spot(5, 101, 400)
    assert "double" in raised.value.hint


def test_actions_are_said_in_chips_of_their_street() -> None:
    """Catches chips of earlier streets in the words."""
    turn = holdem_spot(4, 100, 400)
    bet = turn.apply(raising(125))
    raised = bet.apply(raising(275))
    assert [action_word(turn, action) for action in (CALLING, raising(125), raising(450))] == [
        "check",
        "bet 75",
        "all-in",
    ]
    assert [action_word(bet, action) for action in (FOLDING, CALLING, raising(275))] == [
        "fold",
        "call",
        "raise to 225",
    ]
    river = raised.apply(CALLING)
    assert action_word(river, raising(300)) == "bet 25"
