"""Data frames: polars, else pandas, else an error that says what to install."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import acpcbot
from acpcbot.errors import UsageError
from acpcbot.frames import to_dataframe


def test_polars_gets_columns_by_name() -> None:
    """Catches rows for columns, and numbers that became text."""
    polars = pytest.importorskip("polars", reason="the extra frames is not installed")

    frame = to_dataframe({"hand": ["AsKd", "2c2d"], "weight": np.array([0.5, 0.25])})
    assert isinstance(frame, polars.DataFrame)
    assert frame.columns == ["hand", "weight"]
    assert frame["weight"].to_list() == [0.5, 0.25]
    assert frame["hand"].to_list() == ["AsKd", "2c2d"]


def test_pandas_stands_in_where_there_is_no_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches an extra that only one library fulfils."""
    monkeypatch.setitem(sys.modules, "polars", None)
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=dict))
    found: Any = to_dataframe({"count": [1, 2]})
    assert found["count"].tolist() == [1, 2]


def test_without_either_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches an ImportError that leaves its reader to guess."""
    monkeypatch.setitem(sys.modules, "polars", None)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="polars or pandas") as caught:
        acpcbot.exploitability("kuhn.limit.2p/dcfr").to_dataframe()
    assert "acpcbot[frames]" in caught.value.hint


def test_every_result_has_columns_of_its_own() -> None:
    """Catches columns of unequal length."""
    pytest.importorskip("polars", reason="the extra frames is not installed")
    decision = acpcbot.load_strategy("leduc.limit.2p/dcfr").decision()
    frame = decision.to_dataframe()
    assert frame.columns == ["hand", "class", "weight", "ev_chips", "check", "bet 2"]
    assert frame["class"].to_list() == ["A", "A", "K", "K", "Q", "Q"]
    assert frame["weight"].sum() == pytest.approx(1)
    assert (frame["check"] + frame["bet 2"]).to_list() == pytest.approx([1] * 6)
    found = acpcbot.exploitability("kuhn.limit.2p/dcfr").to_dataframe()
    assert found["seat"].to_list() == [0, 1]
    assert found["gain_mbb"].to_list() == pytest.approx(
        (found["best_value_mbb"] - found["value_mbb"]).to_list()
    )
