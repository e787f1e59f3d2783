"""Actions as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import parse_action


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (FOLDING, "f"),
        (CALLING, "c"),
        (LIMIT_RAISING, "r"),
        (raising(300), "r300"),
        (raising(1), "r1"),
    ],
)
def test_an_action_is_spelled_as_on_the_wire(action: Action, text: str) -> None:
    assert (action.text, str(action), f"{action}") == (text, text, text)


@given(
    st.one_of(
        st.sampled_from([FOLDING, CALLING, LIMIT_RAISING]), st.integers(1, 2**31 - 1).map(raising)
    )
)
def test_an_action_is_read_back_from_its_text(action: Action) -> None:
    assert parse_action(action.text) == action


def test_raises_to_different_sizes_are_different_actions() -> None:
    assert (
        len({FOLDING, CALLING, LIMIT_RAISING, raising(300), raising(301), Action(rules.RAISE, 300)})
        == 5
    )
