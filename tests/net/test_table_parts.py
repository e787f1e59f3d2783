"""Tables as parts of work: the files of a run in one folder, entrants that cannot play elsewhere."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.cluster.local import LocalProcesses
from acpcbot.errors import UsageError
from acpcbot.matches.plan import MatchPlan
from acpcbot.net.match_runner import run_tables
from acpcbot.net.table_parts import TablesWork, run_table_parts, verify_table_part
from acpcbot.net.worker_pool import TableTask, tasks_of
from acpcbot.poker.definition import format_definition
from acpcbot.strategies.finding import find_folder
from tests.support.games import LEDUC, definition_of

TEXT = format_definition(definition_of(LEDUC))
PLAN = MatchPlan(
    ("leduc.limit.2p/dcfr?play=average", "random"),
    LEDUC,
    TEXT,
    30,
    seed=7,
    num_seeds=2,
    is_duplicate=True,
    is_in_process=True,
)


def played_locally(folder: Path) -> list[TableTask]:
    folder.mkdir()
    tasks = tasks_of(PLAN, folder)
    assert [report.fault for report in run_tables(tasks, num_workers=1)] == [""] * 4
    return tasks


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_parts_write_the_files_of_a_local_run_and_go_on_with_it(tmp_path: Path) -> None:
    """Catches another seed, another name or another place in the logs, and hands played twice."""
    folder = tmp_path / "match"
    tasks = played_locally(folder)
    expected = contents(folder)
    shutil.rmtree(folder)
    told: list[int] = []
    reports = run_table_parts(tasks, LocalProcesses(1), told.append)
    assert [(report.table, report.fault) for report in reports] == [(t.name, "") for t in tasks]
    assert contents(folder) == expected
    assert told == [0, 30, 60, 90, 120]
    assert run_table_parts(tasks, LocalProcesses(1)) == []
    # One table is missing, and one was interrupted: random draws anew, and its hands before stay.
    tasks[1].log.unlink()
    lines = expected[tasks[2].log.name].splitlines(keepends=True)
    tasks[2].log.write_bytes(b"".join(lines[:14]))
    told.clear()
    assert len(run_table_parts(tasks, LocalProcesses(1), told.append)) == 2
    assert told == [70, 100, 120]
    assert tasks[1].log.read_bytes() == expected[tasks[1].log.name]
    resumed = tasks[2].log.read_bytes()
    assert resumed.startswith(b"".join(lines[:14]) + lines[0])
    assert resumed.count(b"STATE:") == 30


def test_an_error_of_a_table_is_reported_and_the_others_are_played(tmp_path: Path) -> None:
    tasks = tasks_of(replace(PLAN, num_seeds=1), tmp_path)
    bad = replace(tasks[0], plan=replace(PLAN, strategies=("leduc.limit.2p/none", "call")))
    reports = run_table_parts([bad, tasks[1]], LocalProcesses(1))
    assert "leduc.limit.2p/none" in reports[0].fault
    assert reports[1].fault == ""


def test_strategies_are_sent_under_their_own_names(tmp_path: Path) -> None:
    names = PLAN.strategies
    folder = find_folder("leduc.limit.2p/dcfr")
    work = TablesWork(names, names)
    assert work.folders() == (folder,)
    moved = work.moved(lambda path: tmp_path / path.name)
    assert moved == TablesWork(names, (f"{tmp_path}/dcfr?play=average", "random"))


@pytest.mark.parametrize("strategy", ["remote:ann", "mine.py:Agent", "oos?save=runs/oos"])
def test_entrants_of_this_machine_are_refused(strategy: str) -> None:
    with pytest.raises(UsageError, match="cannot play on a cluster"):
        verify_table_part(replace(PLAN, strategies=(strategy, "call")))


def test_tables_over_sockets_are_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = "--game", LEDUC, "--hands", "5", "-o", "new", "--cluster", "127.0.0.1:1"
    for verb in (["match"], ["tournament", "run"]):
        assert main([*verb, "call", "raise", *words]) == 1
        assert "--in-process" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
