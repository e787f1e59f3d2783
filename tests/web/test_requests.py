"""Requests of a browser: exactly these shapes, and refusals of all others."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpcbot.errors import BadRequest
from acpcbot.web.requests import KINDS, Act, Leave, Sit, parse_request

ACT = {"type": "act", "hand": 0, "turn": 0, "action": "c"}
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_each_kind_is_read_with_its_fields() -> None:
    """Catches a field that gets lost or swapped."""
    assert parse_request('{"type": "sit", "game": 1, "bots": [2, 0], "name": "Ann"}') == Sit(
        1, (2, 0), "Ann"
    )
    assert parse_request(json.dumps(ACT)) == Act(0, 0, "c")
    assert parse_request('{"type": "leave"}') == Leave()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[" * 2000,
        "[]",
        "null",
        '{"type": "act"}',
        '{"type": ["act"]}',
        '{"type": "__init__"}',
        json.dumps({**ACT, "more": 1}),
        json.dumps({**ACT, "hand": -1}),
        json.dumps({**ACT, "hand": 1.0}),
        json.dumps({**ACT, "hand": True}),
        json.dumps({**ACT, "hand": 2**32}),
        json.dumps({**ACT, "hand": "0"}),
        json.dumps({**ACT, "action": 3}),
        json.dumps({**ACT, "action": "c" * 65}),
        '{"type": "sit", "game": 0, "bots": 0, "name": ""}',
        '{"type": "sit", "game": 0, "bots": [[0]], "name": ""}',
        json.dumps({"type": "sit", "game": 0, "bots": [0] * 11, "name": ""}),
        '{"type": "resume", "table": "\\ud800"}',
        '{"type": "resume", "table": "\ud800"}',
    ],
)
def test_all_other_requests_are_refused(text: str) -> None:
    """Catches a value that gets through and fails somewhere behind."""
    with pytest.raises(BadRequest):
        parse_request(text)


@settings(max_examples=40)
@given(
    kind=st.sampled_from(sorted(KINDS)) | st.text(),
    rest=st.dictionaries(st.text(), anything, max_size=4),
)
def test_nothing_but_a_refusal_comes_of_garbage(kind: str, rest: dict[str, object]) -> None:
    """Catches any other exception."""
    try:
        parse_request(json.dumps({**rest, "type": kind}))
    except BadRequest:
        pass


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (
            {"hand": "x"},
            'hand: expected a whole number (at least 0, at most 4294967295), found "x"',
        ),
        (
            {"hand": 2**32},
            "hand: expected a whole number (at least 0, at most 4294967295), found 4294967296",
        ),
        (
            {},
            "no hand (a whole number)",
        ),
        ({"hand": 1, "hnd": 2}, "unknown key hnd"),
        (
            {"type": "dael"},
            "type: expected one of sit, resume, act, deal, leave, explain, estimate, replay, drill, "
            'answer, watch, largest, show, find, found "dael"',
        ),
        ({"type": 3}, "type: expected a text, found 3"),
    ],
)
def test_a_refusal_names_the_field_the_expected_and_the_found(
    fields: dict[str, object], reason: str
) -> None:
    with pytest.raises(BadRequest) as refusal:
        parse_request(json.dumps({"type": "deal", **fields}))
    assert str(refusal.value) == reason
