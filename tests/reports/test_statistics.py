"""Statistics of three hands of three players, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.reports.hands import HandTable
from acpcbot.reports.statistics import statistics
from tests.reports.logs import table_of
from tests.support.games import KUHN, NOLIMIT_3P

# Ann three-bets and gets two folds; raises, is called and bets the flop; calls a bet and wins at
# showdown.
HANDS = (
    "STATE:0:r300r900ff:AsAh|2c7d|KsQs:400|-100|-300:Ann|Bob|Cat",
    "STATE:1:r300fc/cr500f:2c7d|KsQs|AsAh/3c8d9h:-50|-300|350:Bob|Cat|Ann",
    "STATE:2:fcc/cc/r300c/cc:KsQs|AsAh|2c7d/3c8d9h/2s/4s:-300|300|0:Cat|Ann|Bob",
)

EXPECTED = {
    "VPIP": ((2, 3), (0, 3), (3, 3)),
    "PFR": ((2, 3), (0, 3), (1, 3)),
    "3-bet": ((1, 1), (0, 1), (0, 1)),
    "fold to 3-bet": ((0, 0), (0, 0), (1, 1)),
    "c-bet": ((1, 1), (0, 0), (0, 0)),
    "fold to c-bet": ((0, 0), (0, 0), (1, 1)),
    "AF": ((1, 1), (0, 0), (1, 0)),
    "AFq": ((1, 2), (0, 0), (1, 2)),
    "fold to bet, preflop": ((0, 1), (2, 2), (1, 2)),
    "fold to bet, flop": ((0, 0), (0, 0), (1, 1)),
    "fold to bet, turn": ((0, 1), (0, 0), (0, 0)),
    "fold to bet, river": ((0, 0), (0, 0), (0, 0)),
    "WWSF": ((2, 2), (0, 0), (0, 2)),
    "WTSD": ((1, 2), (0, 0), (1, 2)),
    "W$SD": ((1, 1), (0, 0), (0, 1)),
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> HandTable:
    return table_of(tmp_path_factory.mktemp("log"), HANDS, NOLIMIT_3P)


@pytest.mark.parametrize("name", EXPECTED)
def test_statistics_are_those_worked_out_by_hand(table: HandTable, name: str) -> None:
    """Catches a chance that was none, and a count of somebody else."""
    assert table.players == ("Ann", "Bob", "Cat")
    found = [
        {rate.name: (rate.count, rate.chances) for rate in statistics(table, player)}
        for player in range(3)
    ]
    assert tuple(rates[name] for rates in found) == EXPECTED[name]


def test_every_statistic_is_expected_above(table: HandTable) -> None:
    """Catches a statistic that nobody checks."""
    assert [rate.name for rate in statistics(table, 0)] == list(EXPECTED)


def test_in_a_game_of_one_street_aggression_and_showdowns_are_counted_there(tmp_path: Path) -> None:
    """Catches statistics that wait for a flop that never comes."""
    table = table_of(tmp_path, ["STATE:0:crc:Ks|Qs:2|-2:A|B", "STATE:1:rf:Qs|Ks:1|-1:B|A"], KUHN)
    found = {rate.name: (rate.count, rate.chances) for rate in statistics(table, 1)}
    assert (found["AF"], found["WTSD"], found["W$SD"]) == ((2, 0), (1, 2), (0, 1))
