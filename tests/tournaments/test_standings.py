"""Standings from logs made by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from acpcbot.poker.definition import format_definition
from acpcbot.tournaments.plan import TournamentPlan
from acpcbot.tournaments.standings import read_standings
from tests.support.games import KUHN, definition_of

# The blind of Kuhn poker is 1: a chip is 1,000 mbb. Tables 0 and 1 of a match have the same cards.
LOGS = {
    "000-a-b/table000.log": "STATE:0:rc:Ks|Qs:2|-2:a|b",
    "000-a-b/table001.log": "STATE:0:rf:Ks|Qs:1|-1:b|a",
    "001-a-c/table000.log": "STATE:0:rc:Ks|Qs:2|-2:a|c",
    "002-b-c/table000.log": "STATE:0:cc:Ks|Qs:1|-1:b|c",
    "002-b-c/table001.log": "STATE:0:crf:Ks|Qs:-1|1:c|b",
}


def test_wins_become_a_cross_table_averages_ranks_and_what_is_missing(tmp_path: Path) -> None:
    """Catches a win of c over a that counts although only one of both seatings was played."""
    text = format_definition(definition_of(KUHN))
    plan = TournamentPlan(("a", "b", "c"), KUHN, text, num_hands=1, seed=0, is_duplicate=True)
    for name, hand in LOGS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{hand}\n")
    standings = read_standings(plan, tmp_path, num_resamples=10, seed=0)
    assert standings.num_deals == (1, 0, 1)
    assert [(match.folder, lacks) for match, lacks in standings.missing] == [("001-a-c", 1)]
    expected = [[np.nan, 500, np.nan], [-500, np.nan, 1000], [np.nan, -1000, np.nan]]
    assert np.array_equal(standings.cross.mean_mbb, expected, equal_nan=True)
    assert standings.average.mean_mbb.tolist() == [500.0, 250.0, -1000.0]
    assert standings.total_bankroll.ranks.tolist() == [1, 2, 3]
    assert standings.run_off.ranks.tolist() == [1, 2, 3]
