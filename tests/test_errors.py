"""Typed errors: their sentences, their data, and the tree that their module promises."""

from __future__ import annotations

import pickle
import re

import pytest

from acpcbot import errors
from acpcbot.errors import (
    AcpcbotError,
    AgentLeft,
    BadCards,
    BadDefinition,
    BadLogLine,
    BadRange,
    BadRequest,
    BadSnapshot,
    IllegalAction,
    LineTooLong,
    MatchAborted,
    ProtocolError,
    UnknownGame,
    UnknownStrategy,
    UsageError,
)

SENTENCES = {
    BadCards("AsXx", "not a list of cards"): "not a list of cards: 'AsXx'",
    BadRange("AA,KKs", 3, "a pair is neither suited nor offsuit"): (
        "a pair is neither suited nor offsuit, at column 3: 'AA,KKs'"
    ),
    BadDefinition("invalid number of suits: 5"): "invalid number of suits: 5",
    IllegalAction("r150", "cr300", "raises go from 500 to 20000"): (
        "r150 is illegal after cr300: raises go from 500 to 20000"
    ),
    IllegalAction(
        "f", "", "there is nothing to call"
    ): "f is illegal as the first action: there is nothing to call",
    ProtocolError("MATCHSTATE:9", 11, "a position below 2"): (
        "expected a position below 2 at column 11\n  MATCHSTATE:9\n             ^"
    ),
    LineTooLong("MAT", 3, "a line end"): "expected a line end at column 3\n  MAT\n     ^",
    BadLogLine("match.log", 7, "STATE:0", "no betting"): "match.log, line 7: no betting",
    BadRequest('{"type": 1}', "an unknown type"): "an unknown type",
    UnknownStrategy("tigth", ("tight", "call")): "unknown strategy 'tigth'",
    BadSnapshot(
        "strategies/kuhn", "policy.0.npy is missing"
    ): "strategies/kuhn: policy.0.npy is missing",
    MatchAborted("ERROR: seat 1 ran out of time"): "ERROR: seat 1 ran out of time",
    AgentLeft("the player stood up"): "the player stood up",
    UsageError("no game definition 'x'", "give a path"): "no game definition 'x'",
    UnknownGame("the game is unknown", "name it by --game"): "the game is unknown",
}


def all_errors() -> set[type[Exception]]:
    return {
        thing
        for thing in vars(errors).values()
        if isinstance(thing, type) and issubclass(thing, Exception)
    }


@pytest.mark.parametrize(
    ("error", "sentence"), SENTENCES.items(), ids=lambda value: type(value).__name__
)
def test_an_error_composes_its_sentence_from_its_data(error: AcpcbotError, sentence: str) -> None:
    assert str(error) == sentence


def test_every_error_has_an_example_here() -> None:
    assert {type(error) for error in SENTENCES} == all_errors() - {AcpcbotError}


@pytest.mark.parametrize("error", SENTENCES, ids=lambda error: type(error).__name__)
def test_an_error_survives_the_way_from_another_process(error: AcpcbotError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.hint, vars(copy)) == (
        type(error),
        str(error),
        error.hint,
        vars(error),
    )


@pytest.mark.parametrize("column", [0, 1, 5])
def test_the_caret_stands_below_the_column(column: int) -> None:
    _, line, caret = str(ProtocolError("abcdef", column, "x")).split("\n")
    assert line[caret.index("^")] == "abcdef"[column]


def test_the_tree_in_the_module_text_is_the_tree_of_classes() -> None:
    drawn, parents = {}, ["AcpcbotError"]
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r" {4}((?:[| ]   )*)\+-- (\w+)", line)
        if match:
            depth = len(match[1]) // 4 + 1
            parents[depth:] = [match[2]]
            drawn[match[2]] = parents[depth - 1]
    assert drawn == {
        error.__name__: error.__bases__[0].__name__ for error in all_errors() - {AcpcbotError}
    }


def test_hints_tell_what_to_do() -> None:
    assert UsageError("no such game", "give a path").hint == "give a path"
    assert UsageError("no such game").hint == ""
    assert UnknownStrategy("tigth", ("call", "tight")).hint == "shipped strategies: call, tight"
    assert "game_definitions.md" in BadDefinition("x").hint
