"""Sockets, clocks and processes around the pure cores of ``protocol/`` and ``matches/``.

``client.py`` is a bot at a dealer, ``dealer.py`` a dealer, ``serve.py`` many bots in one process,
``match_runner.py`` many tables in worker processes; all of them log to a journal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.net.client import Client as Client
    from acpcbot.net.client_match import ClientReport as ClientReport
    from acpcbot.net.client_match import ClientStats as ClientStats
    from acpcbot.net.dealer import MatchDealer as MatchDealer
    from acpcbot.net.event_loop import run as run
    from acpcbot.net.journal import Journal as Journal
    from acpcbot.net.journal import open_journal as open_journal
    from acpcbot.net.listening import DealerPlace as DealerPlace
    from acpcbot.net.listening import listen as listen
    from acpcbot.net.match_runner import run_tables as run_tables
    from acpcbot.net.players import Program as Program
    from acpcbot.net.players import Remote as Remote
    from acpcbot.net.players import RemotePorts as RemotePorts
    from acpcbot.net.reply_clock import ReplyClock as ReplyClock
    from acpcbot.net.reply_clock import ReplyLimits as ReplyLimits
    from acpcbot.net.serve import BotConfig as BotConfig
    from acpcbot.net.serve import BotSupervisor as BotSupervisor
    from acpcbot.net.serve import load_bots as load_bots
    from acpcbot.net.worker_pool import TableReport as TableReport
    from acpcbot.net.worker_pool import TableTask as TableTask
    from acpcbot.net.worker_pool import WorkerPool as WorkerPool

export(
    __name__,
    {
        "BotConfig": "serve",
        "BotSupervisor": "serve",
        "Client": "client",
        "ClientReport": "client_match",
        "DealerPlace": "listening",
        "Journal": "journal",
        "MatchDealer": "dealer",
        "Program": "players",
        "Remote": "players",
        "RemotePorts": "players",
        "ReplyClock": "reply_clock",
        "ReplyLimits": "reply_clock",
        "TableReport": "worker_pool",
        "TableTask": "worker_pool",
        "ClientStats": "client_match",
        "WorkerPool": "worker_pool",
        "listen": "listening",
        "load_bots": "serve",
        "open_journal": "journal",
        "run": "event_loop",
        "run_tables": "match_runner",
    },
)
