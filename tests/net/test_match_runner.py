"""Running tables: what is over is not played again, and progress counts what there is."""

from __future__ import annotations

from pathlib import Path

from acpcbot.matches.plan import MatchPlan
from acpcbot.net.journal import open_journal
from acpcbot.net.match_runner import play_table, run_tables
from acpcbot.net.worker_pool import TableReport, tasks_of
from acpcbot.poker.definition import format_definition
from tests.support.games import KUHN, definition_of

TEXT = format_definition(definition_of(KUHN))
PLAN = MatchPlan(("call", "raise"), KUHN, TEXT, 10, seed=7, is_duplicate=True, is_in_process=True)


def test_tables_that_are_over_are_counted_and_left_alone(tmp_path: Path) -> None:
    tasks = tasks_of(PLAN, tmp_path)
    for task in tasks:
        play_table(task, open_journal(level="error"))
    before = [task.log.read_bytes() for task in tasks]
    told: list[int] = []
    assert run_tables(tasks, num_workers=2, on_progress=told.append) == []
    assert told == [20]
    assert [task.log.read_bytes() for task in tasks] == before


def test_progress_grows_to_all_hands_of_all_matches(tmp_path: Path) -> None:
    """The first table is over beforehand, of the second a few hands.

    A folder that is not there fails its tables.
    """
    tasks = tasks_of(PLAN, tmp_path)
    play_table(tasks[0], open_journal(level="error"))
    told: list[int] = []
    lost = tasks_of(PLAN, tmp_path / "missing")[:1]
    reports = run_tables([*tasks, *lost], num_workers=1, on_progress=told.append)
    assert (told[0], told[-1]) == (10, 20)
    assert told == sorted(told)
    assert reports[0] == TableReport(tasks[1].name)
    assert "No such file" in reports[1].fault
