"""Messages as values."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from acpcbot.poker.betting import BettingRules
from acpcbot.protocol.grammar import Grammar
from acpcbot.protocol.messages import PROTOCOL_VERSION, Comment, MatchState, StreamEnded
from tests.support.games import LIMIT_3P, definition_of, rules_of


def state_of(line: str) -> MatchState:
    return Grammar(rules_of(LIMIT_3P)).read(line)


@pytest.mark.parametrize(
    ("line", "is_my_turn"),
    [
        ("MATCHSTATE:2:0::||AsKs", True),
        ("MATCHSTATE:1:0::|AsKs|", False),
        ("MATCHSTATE:0:0:c:AsKs||", True),
        ("MATCHSTATE:2:0:rff:||AsKs", False),
        ("MATCHSTATE:0:0:ccc/cc:AsKs||/2c3d4c", False),
    ],
)
def test_it_is_the_receivers_turn_only_as_the_actor_of_an_open_hand(
    line: str, is_my_turn: bool
) -> None:
    assert state_of(line).is_my_turn == is_my_turn


def test_own_cards_are_those_of_the_receivers_seat() -> None:
    state = state_of("MATCHSTATE:1:0:fcc/cc/cc/cc:2c2d|AsKs|/3c4d5c/7d/9h")
    assert state.own_cards == (51, 47)
    assert state.definition == definition_of(LIMIT_3P)


def test_two_readings_of_one_line_are_equal() -> None:
    line = "MATCHSTATE:1:0:c:|AsKs|"
    assert state_of(line) == state_of(line)
    assert state_of(line) != state_of("MATCHSTATE:1:1:c:|AsKs|")


def test_messages_are_immutable() -> None:
    for message, name in (
        (state_of("MATCHSTATE:1:0:c:|AsKs|"), "seat"),
        (Comment("# hello"), "text"),
        (StreamEnded(hand_was_over=True), "hand_was_over"),
        (BettingRules(definition_of(LIMIT_3P)).start, "text"),
    ):
        with pytest.raises(FrozenInstanceError):
            setattr(message, name, "x")


def test_the_protocol_is_version_two() -> None:
    assert PROTOCOL_VERSION == (2, 0, 0)
