"""Results of matches by every estimator: what they agree on, and what each needs to know."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat.estimates import (
    Estimate,
    SeatedHand,
    all_in_estimate,
    chips_estimate,
    seated_hands,
    variance_reduced_estimates,
)
from acpcbot.evaluation.aivat.estimator_kinds import ESTIMATORS
from acpcbot.evaluation.aivat.value_functions import make_value_function, possible_estimators
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.matches.score import score_match
from tests.support.games import LEDUC, definition_of
from tests.support.matches import plan_of, play

EQUILIBRIUM = "strategies/leduc.limit.2p/dcfr"
TRUTH_MBB = 713.8
"""What the equilibrium wins from random in two million hands of the arena, give or take 5."""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[HandRecord]:
    """A duplicate match in which the equilibrium, called dcfr, meets random."""
    folder = tmp_path_factory.mktemp("match")
    play(plan_of(EQUILIBRIUM, "random", game=LEDUC, num_hands=500, is_duplicate=True), folder)
    return records_in(folder)


def records_in(folder: Path) -> list[HandRecord]:
    """The hands of both seatings."""
    logs = [folder / f"table{table:03d}.log" for table in range(2)]
    entries = [entry for log in logs for entry in read_match_log(log, definition_of(LEDUC))]
    return [entry for entry in entries if isinstance(entry, HandRecord)]


@pytest.fixture(scope="module")
def hands(records: list[HandRecord]) -> list[SeatedHand]:
    return seated_hands(records, [record.hand_id for record in records], "dcfr")


def test_chips_are_scored_as_the_match_scores_them(tmp_path: Path) -> None:
    plan = plan_of(EQUILIBRIUM, "random", game=LEDUC, num_hands=50, is_duplicate=True)
    play(plan, tmp_path)
    found = records_in(tmp_path)
    estimate = chips_estimate(seated_hands(found, [record.hand_id for record in found], "dcfr"))
    score = score_match(plan, tmp_path)[0]
    assert estimate.mean_mbb == pytest.approx(score.mean_mbb)
    assert estimate.half_width_mbb == pytest.approx(score.half_width_mbb)
    assert (estimate.num_hands, estimate.num_samples) == (100, 50)


def test_every_estimator_comes_near_the_truth_and_aivat_nearest(hands: list[SeatedHand]) -> None:
    dealer = DealSources(definition_of(LEDUC))
    known = {"dcfr": find_strategy(EQUILIBRIUM, dealer)}
    values = make_value_function(dealer, EQUILIBRIUM, [])
    found: dict[str, Estimate] = {"chips": chips_estimate(hands)}
    found |= {
        own.name: own for own in variance_reduced_estimates(list(ESTIMATORS), hands, known, values)
    }
    for estimate in found.values():
        assert abs(estimate.mean_mbb - TRUTH_MBB) < 2 * estimate.half_width_mbb, estimate
    assert found["AIVAT"].half_width_mbb < 0.45 * found["chips"].half_width_mbb
    assert found["AIVAT"].sd_mbb < 0.4 * found["chips"].sd_mbb


def test_without_all_ins_nothing_is_averaged_over_boards(hands: list[SeatedHand]) -> None:
    assert all_in_estimate(hands).mean_mbb == chips_estimate(hands).mean_mbb


def test_estimators_depend_on_the_known_strategies() -> None:
    values = make_value_function(DealSources(definition_of(LEDUC)), EQUILIBRIUM, [])
    assert possible_estimators("x", {}, None) == []
    assert possible_estimators("x", {"x": 1}, None) == ["imaginary observations"]
    assert possible_estimators("x", {}, values) == ["MIVAT"]
    assert possible_estimators("x", {"y": 1}, values) == ["MIVAT", "AIVAT"]
    assert possible_estimators("x", {"x": 1}, values) == list(ESTIMATORS)


def test_a_player_without_hands_is_refused(records: list[HandRecord]) -> None:
    with pytest.raises(UsageError, match="nobody"):
        seated_hands(records, [0] * len(records), "nobody")
