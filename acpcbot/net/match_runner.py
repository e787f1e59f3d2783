"""Run the tables of any number of matches in worker processes; an interrupted run can resume.

Each worker plays one table after another, over sockets or in process. The tables' logs are the
only record of progress: a run counts the finished hands there and plays only the missing ones. A
table that fails, even with its worker process, does not affect the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import TextIO

from acpcbot.matches.agent import RecordableAgent, closing_agents, fallback_action
from acpcbot.matches.match_files import LogProgress, MatchFiles
from acpcbot.matches.settings import MatchSettings
from acpcbot.net.journal import Journal, open_journal
from acpcbot.net.players import (
    NO_REMOTE_PORTS,
    OnOpen,
    Player,
    PortOpened,
    Program,
    Remote,
    RemotePorts,
    ignore_port,
    player_for,
)
from acpcbot.net.worker_pool import CompileNotice, TableReport, TableTask, WorkerPool
from acpcbot.protocol.messages import MatchState

CLIENTS_LOG = "clients.log"


def run_tables(
    tasks: Sequence[TableTask],
    *,
    num_workers: int,
    remote_ports: RemotePorts = NO_REMOTE_PORTS,
    on_progress: Callable[[int], None] = lambda _num_hands: None,
    on_open: OnOpen = ignore_port,
    on_compile: Callable[[CompileNotice], None] = lambda _notice: None,
) -> list[TableReport]:
    """Play the missing hands of the tables in *tasks*; return the reports of the played tables.

    *on_progress* is called with the number of finished hands, *on_open* with each port that opens
    for a remote entrant, *on_compile* with each kernel that a worker compiles, and with None as
    the event when a table is over.
    """
    progress = _Progress(tasks)
    on_progress(progress.num_hands)
    waiting = [task for task in tasks if not progress.is_over(task)]
    reports: list[TableReport] = []
    with closing(WorkerPool(_work, num_workers, remote_ports)) as pool:
        while waiting or pool.tasks:
            pool.take(waiting)
            playing = pool.tasks
            for message in pool.messages():
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
    """The number of finished hands of all tables; only tables in play are counted again."""

    def __init__(self, tasks: Sequence[TableTask]) -> None:
        self.num_hands = 0
        self._logs = {task.name: LogProgress(task.log) for task in tasks}
        self._counts = dict.fromkeys(self._logs, 0)
        self.count(tasks)

    def count(self, tasks: Sequence[TableTask]) -> None:
        """Count the hands in the logs of *tasks* again."""
        for task in tasks:
            count = self._logs[task.name].num_hands()
            self.num_hands += count - self._counts[task.name]
            self._counts[task.name] = count

    def is_over(self, task: TableTask) -> bool:
        """Return whether the log of *task* holds the whole match."""
        return self._logs[task.name].is_scored


def _work(task: TableTask, remote_ports: RemotePorts, on_open: OnOpen) -> int:
    """Play one table in a worker; warnings of its clients go to a log beside the table's."""
    with (task.folder / CLIENTS_LOG).open("a", encoding="utf-8") as stream:
        return play_table(task, clients_journal(stream), remote_ports, on_open)


def clients_journal(stream: TextIO) -> Journal:
    """Return a journal of all warnings of our clients, a part of the match's records."""
    return open_journal(stream, level="warning", as_json=True, max_lines=None)


def play_table(
    task: TableTask,
    journal: Journal,
    remote_ports: RemotePorts = NO_REMOTE_PORTS,
    on_open: OnOpen = ignore_port,
) -> int:
    """Play the missing hands of one table; return the number of fallbacks."""
    plan, table = task.plan, task.table
    settings = plan.settings(table, task.folder)
    files = MatchFiles(
        settings.name, keeps_log=True, keeps_transactions=settings.keeps_transactions, appends=True
    )
    with closing(files):
        for line in settings.header:
            files.log(line)
        players = [player_for(plan, table, entrant) for entrant in table.seating]
        with closing_agents(players), recorded(players, settings):
            if plan.is_in_process:
                from acpcbot.matches.in_process import play_in_process

                agents = [p for p in players if not isinstance(p, Program | Remote)]
                return play_in_process(settings, agents, files, _fallback_log(journal))
            # Imported here: the process that starts the workers plays nothing itself.
            from acpcbot.net.event_loop import run
            from acpcbot.net.socket_table import play_over_sockets

            return run(play_over_sockets(settings, players, files, journal, remote_ports, on_open))


def _fallback_log(journal: Journal) -> Callable[[str, MatchState, str], None]:
    """Return what writes fallbacks in this process as a client does at a dealer."""

    def log(player: str, state: MatchState, reason: str) -> None:
        action = fallback_action(state).text
        journal.warning("fallback", player=player, state=state.line, reason=reason, action=action)

    return log


@contextmanager
def recorded(players: Sequence[Player], settings: MatchSettings) -> Iterator[None]:
    """Record the strategies of those *players* that can be recorded, in files beside the log."""
    with ExitStack() as stack:
        for seat, player in enumerate(players):
            if isinstance(player, RecordableAgent):
                from acpcbot.agents.table_agent import TableAgent, recording
                from acpcbot.strategies.strategy_file import strategy_path

                assert isinstance(player, TableAgent)
                stack.enter_context(recording(player, strategy_path(settings.name, seat)))
        yield
