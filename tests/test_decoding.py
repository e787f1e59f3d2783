"""Decoding: what fits becomes a record, and a fault names key, expected and found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta

from acpcbot.decoding import MAX_SHOWN, BadValue, decode, decode_settings
from acpcbot.errors import UsageError


@dataclass(frozen=True, slots=True)
class Inner:
    share: Annotated[float, Meta(gt=0, le=1)] = 0.5
    kind: Literal["a", "b"] = "a"
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.names) == 1:
            raise ValueError("expected no name or several, found one")


@dataclass(frozen=True, slots=True)
class Outer:
    count: int
    text: Annotated[str, Meta(max_length=3)] = ""
    inner: Inner | None = None
    sums: dict[str, int] = field(default_factory=dict)
    menus: Annotated[list[str | list[str]], Meta(min_length=1)] = field(
        default_factory=lambda: [""]
    )
    is_on: bool | None = None


def test_fitting_values_become_the_record_with_tuples_for_lists() -> None:
    inner = {"share": 1, "names": ["x", "y"]}
    found = decode(Outer, {"count": 3, "inner": inner, "is_on": True})
    assert found == Outer(3, inner=Inner(1.0, names=("x", "y")), is_on=True)
    assert found.is_on
    assert found.inner is not None
    assert isinstance(found.inner.share, float)


FAULTS: dict[str, dict[str, Any]] = {
    "no count (a whole number)": {},
    'no count (a whole number); unknown key cuont; unknown key "a b"': {"cuont": 1, "a b": 2},
    "inner: unknown key kin": {"count": 1, "inner": {"kin": "a"}},
    "count: expected a whole number, found true": {"count": True},
    "count: expected a whole number, found 1.0": {"count": 1.0},
    "count: expected a whole number, found null": {"count": None},
    'text: expected a text (of length at most 3), found "abcd"': {"count": 1, "text": "abcd"},
    "inner: expected a table, found 3": {"count": 1, "inner": 3},
    "inner.share: expected a number (above 0, at most 1), found 0": {
        "count": 1,
        "inner": {"share": 0},
    },
    'inner.kind: expected "a" or "b", found "c"': {"count": 1, "inner": {"kind": "c"}},
    "inner.names, entry 2: expected a text, found 5": {"count": 1, "inner": {"names": ["x", 5]}},
    "inner: expected no name or several, found one": {"count": 1, "inner": {"names": ["x"]}},
    'sums."a b": expected a whole number, found "x"': {"count": 1, "sums": {"c": 1, "a b": "x"}},
    "menus: expected a list (of length at least 1), found []": {"count": 1, "menus": []},
    "menus, entry 1, entry 2: expected a text, found 1": {"count": 1, "menus": [["x", 1]]},
    "menus, entry 2: expected a text or a list of texts, found 1": {"count": 1, "menus": ["x", 1]},
    "is_on: expected true or false, found 1": {"count": 1, "is_on": 1},
}


@pytest.mark.parametrize("message", FAULTS)
def test_a_fault_names_key_expected_and_found(message: str) -> None:
    """Catches a message of msgspec that is no longer understood, or its own wording."""
    with pytest.raises(BadValue) as fault:
        decode(Outer, FAULTS[message])
    assert str(fault.value) == message


@pytest.mark.parametrize("table", [None, 3, [], "text"])
def test_a_value_that_is_no_table_is_refused_as_a_whole(table: object) -> None:
    with pytest.raises(BadValue, match=r"^expected a table, found "):
        decode(Outer, table)


def test_settings_name_their_file_and_hint_at_the_nearest_key() -> None:
    with pytest.raises(UsageError) as refusal:
        decode_settings(
            Outer, {"count": 1, "inner": {"nmes": []}}, "x.toml", "see the guide", "top"
        )
    assert str(refusal.value) == "x.toml, top.inner: unknown key nmes"
    assert refusal.value.hint == (
        "did you mean names? known keys: share, kind, names; see the guide"
    )


def test_a_long_value_is_cut() -> None:
    with pytest.raises(BadValue) as fault:
        decode(Outer, {"count": "x" * 10_000})
    assert len(str(fault.value)) < MAX_SHOWN + 100
