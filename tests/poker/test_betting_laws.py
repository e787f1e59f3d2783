"""Betting by laws that hold in every game after any play."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.errors import IllegalAction, ProtocolError
from acpcbot.poker import betting, rules
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, raising
from acpcbot.poker.betting import BettingRules, BettingState
from tests.support.games import ALL_GAMES, NOLIMIT_3P, definition_of, rules_of
from tests.support.playouts import Playout, betting_states, game_names, generators, play, playouts

KINDS = {"f": FOLDING, "c": CALLING, "r": LIMIT_RAISING}

noise = st.text("fcr/0123456789 xF", max_size=12)


@st.composite
def damaged_texts(draw: st.DrawFn) -> tuple[str, str]:
    """A game and a betting text of it with something put in, taken out or replaced."""
    name = draw(game_names)
    text = play(draw(generators), rules_of(name)).end.text
    start = draw(st.integers(0, len(text)))
    end = min(len(text), start + draw(st.integers(0, 3)))
    return name, text[:start] + draw(noise) + text[end:]


def fresh(state: BettingState) -> BettingRules:
    """The rules of the same game, with nothing remembered."""
    return BettingRules(state.game.definition)


# Text.


@given(betting_states())
def test_betting_text_is_read_back_to_the_same_state(state: BettingState) -> None:
    for game in (state.game, fresh(state)):
        again = game.parse(state.text)
        assert (again.text, again.vector) == (state.text, state.vector)


@given(betting_states())
def test_the_text_names_each_street_that_was_reached(state: BettingState) -> None:
    assert state.text.count("/") == state.street


@given(playouts())
def test_states_met_before_are_found_again_wherever_reading_begins(playout: Playout) -> None:
    game = fresh(playout.end)
    for state in (playout.states[len(playout.states) // 2], playout.end, playout.states[0]):
        assert game.parse(state.text).vector == state.vector


@given(
    st.one_of(
        damaged_texts(), st.tuples(game_names, noise), st.tuples(game_names, st.text(max_size=8))
    )
)
def test_any_text_is_either_betting_or_refused_inside_the_text(case: tuple[str, str]) -> None:
    name, text = case
    for game in (rules_of(name), BettingRules(definition_of(name))):
        error = refusal(game, text)
        assert error is None or (error.line == text and 0 <= error.column <= len(text))


@given(damaged_texts())
def test_refused_text_was_good_up_to_the_column(case: tuple[str, str]) -> None:
    """Else the reader points at the wrong place."""
    name, text = case
    error = refusal(rules_of(name), text)
    good = text if error is None else text[: error.column]
    assert any(state.text.startswith(good) for state in states_along(rules_of(name), good)), (
        good,
        error,
    )


def refusal(game: BettingRules, text: str) -> ProtocolError | None:
    """Return the reason why *text* is refused; None if it is read, and then as it stands."""
    try:
        state = game.parse(text)
    except ProtocolError as error:
        return error
    assert state.text == text
    return None


def states_along(game: BettingRules, text: str) -> list[BettingState]:
    """The states whose texts lead to *text*, by taking its letters one by one."""
    states, column = [game.start], 0
    while column < len(text):
        end = column + 1
        while end < len(text) and text[end].isdigit():
            end += 1
        if text[column] in KINDS:
            action = (
                raising(int(text[column + 1 : end])) if end > column + 1 else KINDS[text[column]]
            )
            states.append(states[-1].apply(action))
        column = end
    return states


# Chips.


@given(playouts())
def test_chips_only_ever_go_in_and_never_more_than_a_player_has(playout: Playout) -> None:
    definition = playout.game.definition
    for before, after in pairwise(playout.states):
        assert all(now >= then for now, then in zip(after.spent, before.spent, strict=True))
        assert all(
            spent <= stack for spent, stack in zip(after.spent, definition.stacks, strict=True)
        )
        others = [seat for seat in range(definition.num_players) if seat != before.actor]
        assert [after.spent[seat] for seat in others] == [before.spent[seat] for seat in others]
        assert after.pot == sum(after.spent)


@given(playouts())
def test_a_player_at_showdown_has_matched_the_highest_bet_or_is_all_in(
    playout: Playout,
) -> None:
    end, stacks = playout.end, playout.game.definition.stacks
    for spent, stack, has_folded in zip(end.spent, stacks, end.folded, strict=True):
        assert has_folded or not end.is_showdown or spent == min(end.max_spent, stack)


@given(playouts())
def test_folded_players_stay_folded_and_somebody_stays(playout: Playout) -> None:
    for before, after in pairwise(playout.states):
        assert all(now or not then for now, then in zip(after.folded, before.folded, strict=True))
    assert not all(playout.end.folded)


# Legal actions.


@given(betting_states())
def test_the_actor_is_somebody_who_can_act(state: BettingState) -> None:
    if state.is_over:
        assert state.actor == rules.OVER
    else:
        assert rules.is_acting(state.game.vector, state.vector, state.actor)


@given(betting_states(), st.integers(-5, 25_000))
def test_legal_actions_apply_and_illegal_ones_are_refused(state: BettingState, size: int) -> None:
    for action in (FOLDING, CALLING, LIMIT_RAISING, raising(size)):
        if action == raising(size) and state.game.definition.is_limit:
            continue
        if state.can_act(action):
            assert state.apply(action).text.startswith(state.text + action.text)
        else:
            with pytest.raises(IllegalAction):
                state.apply(action)


@given(betting_states())
def test_legal_actions_are_exactly_fold_call_and_the_ends_of_the_raise_range(
    state: BettingState,
) -> None:
    actions = state.legal_actions()
    assert list(map(state.can_act, actions)) == [True] * len(actions)
    assert (FOLDING in actions) == state.can_act(FOLDING)
    assert (CALLING in actions) == (not state.is_over)
    sizes = {action.raise_to for action in actions if action.kind == rules.RAISE}
    assert sizes == set(state.raise_range or ())


@given(betting_states(), st.data())
def test_every_size_in_the_raise_range_is_legal_and_no_other(
    state: BettingState, data: st.DataObject
) -> None:
    if state.game.definition.is_limit:
        assert state.raise_range in (None, (0, 0))
        return
    if state.raise_range is None:
        assert not state.can_act(raising(data.draw(st.integers(0, 25_000))))
        return
    smallest, largest = state.raise_range
    assert state.max_spent < smallest <= largest == state.game.definition.stacks[state.actor]
    assert state.can_act(raising(data.draw(st.integers(smallest, largest))))
    assert [
        state.can_act(raising(size)) for size in (smallest - 1, smallest, largest, largest + 1)
    ] == [
        False,
        True,
        True,
        False,
    ]


@given(playouts())
def test_no_street_takes_more_than_64_actions(playout: Playout) -> None:
    """Else betting texts would outgrow what the other side can hold."""
    assert (
        max(
            len([letter for letter in part if letter in "fcr"])
            for part in playout.end.text.split("/")
        )
        <= 64
    )


# States are values.


@given(playouts())
def test_acting_never_changes_the_state_that_was_acted_on(playout: Playout) -> None:
    before = [(state.text, state.vector) for state in playout.states]
    for state in playout.states:
        for action in state.legal_actions():
            state.apply(action)
    assert [(state.text, state.vector) for state in playout.states] == before


@pytest.mark.parametrize("most", [1, 2, 7])
@pytest.mark.parametrize("name", ALL_GAMES)
def test_forgetting_states_does_not_change_any_answer(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(betting, "_MAX_KEPT", most)
    forgetful = BettingRules(definition_of(name))
    for seed in range(10):
        playout = play(Random(seed), rules_of(name))
        state = forgetful.start
        for expected, action in zip(playout.states[1:], playout.actions, strict=True):
            state = state.apply(action)
            assert (state.text, state.vector) == (expected.text, expected.vector)
            assert forgetful.parse(expected.text).vector == expected.vector


def test_no_more_states_are_kept_than_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(betting, "_MAX_KEPT", 50)
    game = BettingRules(definition_of(NOLIMIT_3P))
    for size in range(200, 1000):
        game.parse(f"r{size}")
    assert len(game._states) <= 51
    assert len(game._steps) <= 50


@given(betting_states())
def test_a_size_belongs_to_no_limit_raises_only(state: BettingState) -> None:
    for action in state.legal_actions():
        has_size = action.kind == rules.RAISE and not state.game.definition.is_limit
        assert (action.raise_to > 0) == has_size
