"""A bot at a dealer in an event loop: one connection, one agent, every decision in time.

::

    report = await Client(agent, definition).play("127.0.0.1", 18791)

An agent that takes time thinks in a thread of its own; if it is late, the client sends
``fallback_action``, logs the event and counts it.
"""

from __future__ import annotations

import asyncio
import socket
import time
from typing import cast

from acpcbot.errors import AgentLeft
from acpcbot.matches.agent import Agent
from acpcbot.net.agent_thread import AgentThread
from acpcbot.net.client_match import ClientMatch, ClientReport, ClientStats, ConnectAttempts
from acpcbot.net.event_loop import settle
from acpcbot.net.journal import Journal, open_journal
from acpcbot.net.reply_clock import ReplyLimits
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState


class Client:
    """A client that plays one agent's matches, one after another.

    *game* may be shared between clients of the same game, which then share its store of betting
    states.
    """

    def __init__(
        self,
        agent: Agent,
        definition: GameDefinition,
        *,
        limits: ReplyLimits | None = None,
        journal: Journal | None = None,
        game: BettingRules | None = None,
    ) -> None:
        self.agent = agent
        self.game = game or BettingRules(definition)
        self.limits = limits or ReplyLimits()
        self.journal = journal or open_journal()
        self._match: _ClientProtocol | None = None

    @property
    def stats(self) -> ClientStats:
        """The counts of the match that is being played, or of the last one."""
        return self._match.stats if self._match is not None else ClientStats()

    def leave_after_hand(self) -> bool:
        """Leave the match after the hand that is being played; return False if there is none."""
        return self._match is not None and self._match.leave_after_hand()

    async def play(self, host: str, port: int, *, connect_timeout_s: float = 30.0) -> ClientReport:
        """Join the dealer at *host* and *port* and play until the match ends.

        Raises MatchAborted when no dealer answers in time or the connection ends in
        the middle of a hand, ProtocolError when the dealer breaks the protocol.
        """
        self._match = match = _ClientProtocol(self)
        attempts = ConnectAttempts(host, port, connect_timeout_s, self.journal)
        await _connect(match, host, port, attempts)
        try:
            await match.over
        finally:
            match.leave()
        return match.report


async def _connect(
    protocol: _ClientProtocol, host: str, port: int, attempts: ConnectAttempts
) -> None:
    """Connect *protocol*, in as many *attempts* as it takes."""
    loop = asyncio.get_running_loop()
    while True:
        try:
            async with asyncio.timeout(attempts.attempt_s):
                await loop.create_connection(lambda: protocol, host, port)
            return
        except (OSError, TimeoutError) as error:
            pause_s = attempts.pause_s(error)
        await asyncio.sleep(pause_s)


class _ClientProtocol(ClientMatch, asyncio.Protocol):
    """The connection of one match, and the thread of an agent that takes time."""

    def __init__(self, client: Client) -> None:
        super().__init__(client.agent, client.game, client.limits, client.journal)
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._thread: AgentThread | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1
        )
        self.begin(self._transport.write)

    def data_received(self, data: bytes) -> None:
        self.receive(data)

    def eof_received(self) -> None:
        self.receive_eof()

    def connection_lost(self, exc: Exception | None) -> None:
        self.receive_eof()

    def pause_writing(self) -> None:
        assert self._transport is not None
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        assert self._transport is not None
        self._transport.resume_reading()

    def end(self, error: Exception | None) -> None:
        """End the match and close its connection."""
        if not self.is_over:
            super().end(error)
            settle(self.over, None, error)
            self.leave()

    def leave(self) -> None:
        """Close the connection and end the agent's thread."""
        if self._thinking is not None:
            self._thinking.cancel()
        if self._thread is not None:
            self._thread.stop()
        if self._transport is not None:
            self._transport.close()

    def decide(self, state: MatchState) -> None:
        """Ask the agent, in its thread if it takes time.

        A new state cancels the request for an older one.
        """
        if self.agent.is_instant:
            super().decide(state)
            return
        asked_s = time.monotonic()
        if self._thread is None:
            self._thread = AgentThread(self.agent, "agent")
        if self._thinking is not None:
            self._thinking.cancel()
        self._thinking = asyncio.create_task(
            self._await_answer(
                self._thread, state, asked_s, self._clock.deadline_s(state.hand_id, asked_s)
            )
        )

    async def _await_answer(
        self, thread: AgentThread, state: MatchState, asked_s: float, deadline_s: float
    ) -> None:
        answer = thread.ask(state, deadline_s)
        try:
            await asyncio.wait([answer], timeout=deadline_s - time.monotonic())
        finally:
            answer.cancel()
        fault = None if answer.cancelled() else answer.exception()
        if isinstance(fault, AgentLeft):
            self.end(fault)
        elif answer.cancelled():
            self._fall_back(state, asked_s, "late")
        elif fault is not None:
            self._fall_back(state, asked_s, repr(fault))
        else:
            self._answer(state, asked_s, answer.result())
