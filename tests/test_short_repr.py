"""Objects that hold many hands, seen in a notebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.cards.isomorphism import SuitIsomorphism
from acpcbot.reports.groupings import groupings
from acpcbot.reports.hands import HandTable
from acpcbot.reports.summary import CHIPS, summarise
from tests.protocol.log_making import match_log
from tests.reports.logs import table_of
from tests.support.games import NOLIMIT_6P

NUM_HANDS = 60
MAX_LENGTH = 200


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> HandTable:
    folder: Path = tmp_path_factory.mktemp("logs")
    return table_of(folder, match_log(NOLIMIT_6P, NUM_HANDS), NOLIMIT_6P)


def test_a_repr_is_one_short_line(table: HandTable) -> None:
    """Catches a class that prints its arrays: pages of numbers behind one line of a notebook."""
    summary = summarise(table)
    player = summary.players[0]
    flop = SuitIsomorphism((2, 3))
    found = [
        table,
        table.facts,
        *groupings(table),
        summary,
        player,
        player.curves[CHIPS],
        flop,
        flop._shapes,
    ]
    for thing in found:
        text = repr(thing)
        assert text.startswith(f"{type(thing).__name__}(")
        assert len(text) < MAX_LENGTH, text
        assert "\n" not in text


def test_a_repr_of_hands_says_which_and_how_many(table: HandTable) -> None:
    """Catches a line that is short because it says nothing."""
    assert repr(table).startswith(f"HandTable({NOLIMIT_6P}: {NUM_HANDS} hands, ")
    assert f"{NUM_HANDS} hands" in repr(summarise(table))
    assert repr(SuitIsomorphism((2,))) == "SuitIsomorphism((2,): 169 hands)"
