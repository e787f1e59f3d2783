"""Published matches of an agent against professionals, with its authors' own AIVAT of every
hand.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.evaluation.aivat.estimates import seated_hands
from acpcbot.evaluation.aivat.estimator import estimate
from acpcbot.evaluation.aivat.estimator_kinds import MIVAT
from acpcbot.evaluation.aivat.strength_values import StrengthValues
from acpcbot.logs.match_log import HandRecord, read_match_log
from tests.protocol.log_making import SHARED
from tests.support.games import NOLIMIT_2P, definition_of

FOLDER = SHARED / "data" / "deepstack_aivat"
COLUMNS = ("AIVAT", "Chips", "All Hands Chips", "Chance Correction", "Action Correction")
FIRST_HANDS = 3000
"""Of each player, in what was published."""
MBB_A_CHIP = 10.0
AGENT = "DeepStack"


@pytest.fixture(scope="module")
def tables() -> dict[Path, NDArray[np.float64]]:
    """The numbers of each file, [hand, column], from the agent's side."""
    paths = sorted(FOLDER.glob("*.csv"))
    if not paths:
        pytest.skip(f"no files at {FOLDER}")
    return {path: read_columns(path) for path in paths}


def read_columns(path: Path) -> NDArray[np.float64]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, skipinitialspace=True))
    return -np.array([[float(row[name]) for name in COLUMNS] for row in rows])


def records_of(path: Path) -> list[HandRecord]:
    entries = read_match_log(path.with_suffix(".log"), definition_of(NOLIMIT_2P))
    return [entry for entry in entries if isinstance(entry, HandRecord)]


def test_their_estimates_add_up_to_what_was_published(
    tables: dict[Path, NDArray[np.float64]],
) -> None:
    """Catches columns, signs or big blinds that are taken for others: no program of ours made
    these numbers.
    """
    first = np.concatenate([table[:FIRST_HANDS] for table in tables.values()])
    assert len(first) == 18_119
    for column, mean_mbb, sd_bb in ((0, 456.47, 4.045), (1, 524.28, 22.381)):
        mbb = first[:, column] * MBB_A_CHIP
        assert mbb.mean() == pytest.approx(mean_mbb, abs=0.005)
        assert mbb.std(ddof=1) / 1000 == pytest.approx(sd_bb, abs=0.0006)
    aivat, _, all_hands, chance, action = np.concatenate(list(tables.values())).T
    assert aivat == pytest.approx(all_hands - chance - action, abs=2e-6)


@pytest.mark.slow
def test_the_chips_of_every_hand_follow_from_its_cards_and_betting(
    tables: dict[Path, NDArray[np.float64]],
) -> None:
    for path, table in tables.items():
        # The reader has worked out every hand's chips from its cards and betting before it hands
        # out the log's.
        chips = [record.values[record.names.index(AGENT)] for record in records_of(path)]
        assert chips == table[:, 1].tolist(), path.name


@pytest.mark.slow
def test_much_of_the_luck_of_unknown_players_is_taken(
    tables: dict[Path, NDArray[np.float64]],
) -> None:
    """Nobody's strategy is known here: deals alone, by hand strength. Theirs of deals and
    actions left a fifth.
    """
    path = next(path for path in tables if path.stem == "player11")
    records = records_of(path)
    hands = seated_hands(records, range(len(records)), AGENT)
    values = StrengthValues(definition_of(NOLIMIT_2P))
    found = np.array([estimate(seated.hand, seated.hero, {}, values, MIVAT) for seated in hands])
    chips = np.array([seated.chips for seated in hands])
    assert found.std() < 0.75 * chips.std()
    assert abs(found.mean() - chips.mean()) < 3 * np.std(found - chips) / len(hands) ** 0.5
    assert np.corrcoef(found, tables[path][:, 0])[0, 1] > 0
