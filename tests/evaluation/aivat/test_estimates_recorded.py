"""One match evaluated twice: the strategy known from its snapshot, and from what it wrote down
as it played.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.agents.registry import make_agent
from acpcbot.agents.table_agent import TableAgent
from acpcbot.evaluation.aivat.estimates import (
    RecordedPlayer,
    seated_hands,
    variance_reduced_estimates,
)
from acpcbot.evaluation.aivat.estimator_kinds import ESTIMATORS
from acpcbot.evaluation.aivat.value_functions import STRENGTH, make_value_function
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.matches.in_process import play_in_process
from acpcbot.matches.match_files import MatchFiles
from acpcbot.strategies.strategy_file import StrategyRecorder, read_strategies, strategy_path
from tests.support.games import LEDUC, LIMIT_2P, definition_of
from tests.support.matches import plan_of


@pytest.mark.parametrize(
    ("game", "name", "num_hands", "tolerance"),
    [
        (LEDUC, f"strategies/{LEDUC}/dcfr", 150, 1e-12),
        pytest.param(
            LIMIT_2P, f"strategies/{LIMIT_2P}/smooth_uct", 12, 1e-4, marks=pytest.mark.slow
        ),
    ],
)
def test_a_recorded_strategy_is_known_as_well_as_a_snapshot(
    game: str, name: str, num_hands: int, tolerance: float, tmp_path: Path
) -> None:
    """Both tables of a duplicate match; catches decisions of another table, seat or hand."""
    definition = definition_of(game)
    strategy = find_strategy(f"{name}?play=average", DealSources(definition))
    plan = plan_of("known", "random", game=game, num_hands=num_hands, is_duplicate=True)
    records: list[HandRecord] = []
    logs, recorded = [], []
    for table in plan.tables():
        settings = plan.settings(table, tmp_path)
        seat = table.seating.index(0)
        agent, path = TableAgent(definition, 5, strategy), strategy_path(settings.name, seat)
        agent.recorder = StrategyRecorder(path, definition)
        agents = [
            agent if entrant == 0 else make_agent("random", definition, 6)
            for entrant in table.seating
        ]
        files = MatchFiles(settings.name, keeps_log=True, keeps_transactions=False, appends=False)
        assert play_in_process(settings, agents, files) == 0
        files.close()
        agent.recorder.close()
        found = [
            entry
            for entry in read_match_log(f"{settings.name}.log", definition)
            if isinstance(entry, HandRecord)
        ]
        records += found
        logs += [table.number] * len(found)
        recorded.append(read_strategies(path, definition))
    hand_ids = [record.hand_id for record in records]
    hands = seated_hands(records, hand_ids, "known")
    values = make_value_function(
        DealSources(definition), name if definition.num_streets == 2 else STRENGTH, []
    )
    for estimator in ESTIMATORS:
        expected = variance_reduced_estimates([estimator], hands, {"known": strategy}, values)[0]
        known = {"known": RecordedPlayer(recorded, logs, hand_ids)}
        found_estimate = variance_reduced_estimates([estimator], hands, known, values)[0]
        assert found_estimate.mean_mbb == pytest.approx(
            expected.mean_mbb, rel=tolerance, abs=10 * tolerance
        )
        assert found_estimate.half_width_mbb == pytest.approx(
            expected.half_width_mbb, rel=tolerance
        )
