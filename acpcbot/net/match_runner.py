"""Playing the tables of any number of matches in worker processes, so that it may be killed at
any moment.

Each worker plays one table after another, over sockets or in process. What was
played is what the tables' logs hold: progress is counted there, and a match that
is run again plays only what is missing. A table that fails, its worker with it if
need be, leaves the others alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import TextIO

from acpcbot.matches.agent import RecordableAgent
from acpcbot.matches.match_files import LogProgress, MatchFiles
from acpcbot.matches.settings import MatchSettings
from acpcbot.net.journal import Journal, open_journal
from acpcbot.net.players import (
    NO_DOORS,
    OnOpen,
    Player,
    PortOpened,
    Program,
    Remote,
    RemotePorts,
    ignore,
    player_for,
)
from acpcbot.net.worker_pool import CompileNotice, TableReport, TableTask, WorkerPool

CLIENTS_LOG = "clients.log"


def run_tables(
    tasks: Sequence[TableTask],
    *,
    num_workers: int,
    doors: RemotePorts = NO_DOORS,
    on_progress: Callable[[int], None] = lambda _num_hands: None,
    on_open: OnOpen = ignore,
    on_compile: Callable[[CompileNotice], None] = lambda _notice: None,
) -> list[TableReport]:
    """Play what is missing of the tables in *tasks*; how those ended that were played.

    *on_progress* is told the number of finished hands, *on_open* of each door that
    opens for a remote entrant, *on_compile* of each kernel that the workers compile, and when a table is over.
    """
    progress = _Progress(tasks)
    on_progress(progress.num_hands)
    waiting = [task for task in tasks if not progress.is_over(task)]
    reports: list[TableReport] = []
    with closing(WorkerPool(_work, num_workers, doors)) as crew:
        while waiting or crew.tasks:
            crew.take(waiting)
            playing = crew.tasks
            for message in crew.messages():
                if isinstance(message, PortOpened):
                    on_open(message)
                elif isinstance(message, CompileNotice):
                    on_compile(message)
                else:
                    reports.append(message)
                    on_compile(CompileNotice(message.table, None))
            progress.count(playing)
            on_progress(progress.num_hands)
    return reports


class _Progress:
    """The finished hands of all tables; those that nobody plays are not looked at again."""

    def __init__(self, tasks: Sequence[TableTask]) -> None:
        self.num_hands = 0
        self._logs = {task.name: LogProgress(task.log) for task in tasks}
        self._counts = dict.fromkeys(self._logs, 0)
        self.count(tasks)

    def count(self, tasks: Sequence[TableTask]) -> None:
        """Look into the logs of *tasks* again."""
        for task in tasks:
            count = self._logs[task.name].num_hands()
            self.num_hands += count - self._counts[task.name]
            self._counts[task.name] = count

    def is_over(self, task: TableTask) -> bool:
        """Whether the log of *task* holds the whole match."""
        return self._logs[task.name].is_scored


def _work(task: TableTask, doors: RemotePorts, on_open: OnOpen) -> int:
    """Play one table in a worker, its clients' troubles logged beside it."""
    with (task.folder / CLIENTS_LOG).open("a", encoding="utf-8") as stream:
        return play_table(task, _clients_journal(stream), doors, on_open)


def _clients_journal(stream: TextIO) -> Journal:
    """The record of every trouble that clients of ours had: it belongs to the match, so nothing
    is left out.
    """
    return open_journal(stream, level="warning", as_json=True, most_lines=None)


def play_table(
    task: TableTask, journal: Journal, doors: RemotePorts = NO_DOORS, on_open: OnOpen = ignore
) -> int:
    """Play what is missing of one table; the number of fallbacks."""
    plan, table = task.plan, task.table
    settings = plan.settings(table, task.folder)
    files = MatchFiles(
        settings.name, keeps_log=True, keeps_transactions=settings.keeps_transactions, appends=True
    )
    with closing(files):
        for line in settings.header:
            files.log(line)
        players = [player_for(plan, table, entrant) for entrant in table.seating]
        with _recorded(players, settings):
            if plan.is_in_process:
                from acpcbot.matches.in_process import play_in_process

                return play_in_process(
                    settings, [p for p in players if not isinstance(p, Program | Remote)], files
                )
            # The process that hires workers plays nothing, and so loads neither way to play.
            from acpcbot.net.event_loop import run
            from acpcbot.net.socket_table import play_over_sockets

            return run(play_over_sockets(settings, players, files, journal, doors, on_open))


@contextmanager
def _recorded(players: Sequence[Player], settings: MatchSettings) -> Iterator[None]:
    """Keep what those *players* do with every hand who can tell (``agents/table_agent.py``),
    beside the log.
    """
    with ExitStack() as stack:
        for seat, player in enumerate(players):
            if isinstance(player, RecordableAgent):
                from acpcbot.agents.table_agent import TableAgent, recording
                from acpcbot.strategies.strategy_file import strategy_path

                assert isinstance(player, TableAgent)
                stack.enter_context(recording(player, strategy_path(settings.name, seat)))
        yield
