"""Tables in process as independent parts of work, for machines that share no folder.

A part carries the files of its table; its result has them again, with the missing hands. Entrants
are stored strategies, searches and shipped agents: others lie on the driver's machine alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path

from acpcbot.agents.strategy_folders import moved_name, strategy_folders
from acpcbot.cluster.work import Move, Workers
from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.matches.match_files import LogProgress
from acpcbot.matches.plan import MatchPlan, Plan, TablePlan
from acpcbot.net.match_runner import CLIENTS_LOG, clients_journal, play_table
from acpcbot.net.players import is_program, is_remote
from acpcbot.net.worker_pool import TableReport, TableTask

HEADER = "# name/game/hands/seed"
Files = tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class TablePart:
    """A table, where the driver keeps it, and its files so far, by name."""

    plan: MatchPlan
    table: TablePlan
    folder: str
    files: Files


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """The files of a table at its end, the lines of its clients' log, and fallbacks or an error."""

    files: Files
    clients: str
    num_fallbacks: int = 0
    fault: str = ""


@dataclass(frozen=True, slots=True)
class TablesWork:
    """Tables among the strategies *names*, which are called *here* on this machine."""

    names: tuple[str, ...]
    here: tuple[str, ...]

    def folders(self) -> tuple[Path, ...]:
        """Return the folders of all strategies."""
        return tuple([folder for name in self.here for folder in strategy_folders(name)])

    def moved(self, move: Move) -> TablesWork:
        """Return the same work where the strategies lie elsewhere."""
        return TablesWork(self.names, tuple([moved_name(name, move) for name in self.here]))

    def prepare(self) -> None:
        """Do nothing: each table loads its players."""

    def part(self, part: TablePart) -> PlayedTable:
        """Play the missing hands of a table in a folder of its own."""
        called = dict(zip(self.names, self.here, strict=True))
        plan = replace(
            part.plan,
            strategies=tuple([called[name] for name in part.plan.strategies]),
            given_names=part.plan.names,
        )
        clients = StringIO()
        with tempfile.TemporaryDirectory(prefix="acpcbot-table-") as place:
            folder = Path(place)
            for name, content in part.files:
                (folder / name).write_bytes(content)
            task, num_fallbacks, fault = TableTask(plan, folder, part.table), 0, ""
            try:
                num_fallbacks = play_table(task, clients_journal(clients))
            except (AcpcbotError, OSError) as error:
                fault = str(error)
            files = _files_of(task)
        # A log begins with its own place: the driver's, as if it had been played there.
        ours, theirs = (f"{HEADER} {where}".encode() for where in (folder, part.folder))
        files = tuple([(name, content.replace(ours, theirs)) for name, content in files])
        return PlayedTable(files, clients.getvalue(), num_fallbacks, fault)


def run_table_parts(
    tasks: Sequence[TableTask],
    workers: Workers,
    on_progress: Callable[[int], None] = lambda _num_hands: None,
) -> list[TableReport]:
    """Play the missing hands of the tables in *tasks* by *workers*; return reports of the played.

    A table's files are written when it is over: an interrupt loses the hands of tables in progress.
    *on_progress* is called with the number of finished hands. Raises UsageError for entrants that
    cannot play elsewhere.
    """
    names = tuple(dict.fromkeys(name for task in tasks for name in task.plan.strategies))
    for task in tasks:
        verify_table_part(task.plan)
    logs = [LogProgress(task.log) for task in tasks]
    counts = [log.num_hands() for log in logs]
    waiting = [index for index, log in enumerate(logs) if not log.is_scored]
    parts = [
        TablePart(task.plan, task.table, str(task.folder), _files_of(task))
        for task in (tasks[index] for index in waiting)
    ]
    reports: list[TableReport] = []

    def keep(number: int, played: PlayedTable) -> None:
        task = tasks[waiting[number]]
        _write(task, played)
        counts[waiting[number]] = LogProgress(task.log).num_hands()
        reports.append(TableReport(task.name, played.num_fallbacks, played.fault))
        on_progress(sum(counts))

    on_progress(sum(counts))
    workers.run(TablesWork(names, names), parts, keep)
    return reports


def verify_table_part(plan: Plan) -> None:
    """Raise UsageError unless the tables of *plan* can be played on other machines."""
    if not plan.is_in_process:
        raise UsageError("a cluster plays tables without sockets", "add --in-process")
    for strategy in plan.strategies:
        place, _, options = strategy.partition("?")
        if is_remote(strategy) or is_program(strategy) or ":" in place or "/" in options:
            raise UsageError(
                f"{strategy} cannot play on a cluster: its files are on this machine alone",
                "stored strategies, searches and shipped agents can",
            )


def _files_of(task: TableTask) -> Files:
    found = sorted(task.folder.glob(f"{task.table.name}.*"))
    return tuple([(path.name, path.read_bytes()) for path in found])


def _write(task: TableTask, played: PlayedTable) -> None:
    """Write the files of a table, each whole."""
    task.folder.mkdir(parents=True, exist_ok=True)
    for name, content in played.files:
        draft = task.folder / f".{name}.new"
        draft.write_bytes(content)
        draft.replace(task.folder / name)
    with (task.folder / CLIENTS_LOG).open("a", encoding="utf-8") as stream:
        stream.write(played.clients)
