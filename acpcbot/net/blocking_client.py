"""A bot at a dealer in a thread that does nothing else, for an agent that answers at once.

The thread sleeps in its reads: two system calls a decision, where an event loop needs three and
its own work.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable

from acpcbot.matches.agent import Agent
from acpcbot.net.client_match import ClientMatch, ClientReport, ConnectAttempts
from acpcbot.net.journal import Journal, open_journal
from acpcbot.net.reply_clock import ReplyLimits
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition

CHUNK = 16_384


def play_blocking(
    agent: Agent,
    definition: GameDefinition,
    host: str,
    port: int,
    *,
    limits: ReplyLimits | None = None,
    journal: Journal | None = None,
    connect_timeout_s: float = 30.0,
) -> ClientReport:
    """Join the dealer at *host* and *port* and play until the match ends.

    Raises MatchAborted and ProtocolError as ``Client.play`` does, and ValueError for an agent that
    takes time: nothing would answer in its place when it is late.
    """
    if not agent.is_instant:
        raise ValueError(f"expected an agent with is_instant set, found {agent!r}")
    journal = journal or open_journal()
    match = ClientMatch(agent, BettingRules(definition), limits or ReplyLimits(), journal)
    attempts = ConnectAttempts(host, port, connect_timeout_s, journal)
    with _connected(host, port, attempts) as connection:
        match.begin(_writer(connection))
        while not match.is_over:
            data = _received(connection)
            if data:
                match.receive(data)
            else:
                match.receive_eof()
    if match.error is not None:
        raise match.error
    return match.report


def _connected(host: str, port: int, attempts: ConnectAttempts) -> socket.socket:
    """Return a connection to the dealer, after as many *attempts* as it takes."""
    while True:
        try:
            connection = socket.create_connection((host, port), attempts.attempt_s)
        except OSError as error:
            time.sleep(attempts.pause_s(error))
            continue
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return connection


def _received(connection: socket.socket) -> bytes:
    """Sleep until data comes, and return it; nothing at the end of the stream.

    A broken connection counts as ended, as in the event loop.
    """
    try:
        return connection.recv(CHUNK)
    except OSError:
        return b""


def _writer(connection: socket.socket) -> Callable[[bytes], None]:
    """Return a function that sends replies; once the connection is broken, it does nothing.

    The reads find the break: data that came before it may hold the end of the match.
    """

    def write(data: bytes) -> None:
        try:
            connection.sendall(data)
        except OSError:
            return

    return write
