"""A bot at a dealer: one connection, one agent, every decision answered in time.

::

    report = await Client(agent, definition).play("127.0.0.1", 18791)

If an agent is late, raises, or returns an illegal action, the client sends ``fallback_action``,
logs the event and counts it. ``ClientStats`` are the counters of a client; only the thread of the
event loop writes them.
"""

from __future__ import annotations

import asyncio
import socket
import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import cast

from acpcbot.errors import AgentLeft, MatchAborted
from acpcbot.matches.agent import Agent, fallback_action, own_fallbacks
from acpcbot.net.agent_thread import AgentThread
from acpcbot.net.event_loop import settle
from acpcbot.net.journal import Journal, open_journal
from acpcbot.net.reply_clock import ReplyClock, ReplyLimits
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.rules import OVER
from acpcbot.protocol.client_side import ClientConnection, Event
from acpcbot.protocol.messages import Comment, MatchState, StreamEnded

FIRST_RETRY_S = 0.02
MAX_RETRY_S = 1.0
RETRY_SHARE = 0.1
CONNECT_TIMEOUT_S = 10.0
REPORT_WAIT_AFTER_S = 1.0

BOUNDS_S = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
"""Upper bounds of the classes of decision times; longer times have a class of their own."""


@dataclass(frozen=True, slots=True)
class ClientReport:
    """One match from a client's side."""

    num_hands: int
    num_actions: int
    num_fallbacks: int


@dataclass(slots=True)
class ClientStats:
    """Counts of connections, finished hands and fallbacks, and the times of decisions.

    *num_decisions_by_time* is [class], one class for each of ``BOUNDS_S`` and one for longer
    times. *deciding_s* is the sum of all times.
    """

    num_connections: int = 0
    num_hands: int = 0
    num_fallbacks: int = 0
    deciding_s: float = 0.0
    num_decisions_by_time: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_S) + 1))

    @property
    def num_decisions(self) -> int:
        """All decisions, fallbacks included."""
        return sum(self.num_decisions_by_time)

    def count_decision(self, took_s: float) -> None:
        """Count a decision that was sent *took_s* after its state was received."""
        self.num_decisions_by_time[bisect_left(BOUNDS_S, took_s)] += 1
        self.deciding_s += took_s

    def __add__(self, other: ClientStats) -> ClientStats:
        by_time = zip(self.num_decisions_by_time, other.num_decisions_by_time, strict=True)
        return ClientStats(
            self.num_connections + other.num_connections,
            self.num_hands + other.num_hands,
            self.num_fallbacks + other.num_fallbacks,
            self.deciding_s + other.deciding_s,
            [ours + theirs for ours, theirs in by_time],
        )


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
        self._table: _ClientProtocol | None = None

    @property
    def stats(self) -> ClientStats:
        """The counts of the match that is being played, or of the last one."""
        return self._table.stats if self._table is not None else ClientStats()

    def leave_after_hand(self) -> bool:
        """Leave the match after the hand that is being played; return False if there is none."""
        return self._table is not None and self._table.leave_after_hand()

    async def play(self, host: str, port: int, *, connect_timeout_s: float = 30.0) -> ClientReport:
        """Join the dealer at *host* and *port* and play until the match ends.

        Raises MatchAborted when no dealer answers in time or the connection ends in
        the middle of a hand, ProtocolError when the dealer breaks the protocol.
        """
        self._table = table = _ClientProtocol(self)
        await _connect(table, host, port, connect_timeout_s, self.journal)
        try:
            await table.over
        finally:
            table.leave()
        stats = table.stats
        return ClientReport(stats.num_hands, stats.num_decisions, stats.num_fallbacks)


async def _connect(
    protocol: _ClientProtocol, host: str, port: int, timeout_s: float, journal: Journal
) -> None:
    """Connect *protocol*; retry with growing pauses until *timeout_s* has passed."""
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    deadline = began_s + timeout_s
    is_reported = False
    while True:
        try:
            async with asyncio.timeout(
                min(CONNECT_TIMEOUT_S, max(deadline - loop.time(), FIRST_RETRY_S))
            ):
                await loop.create_connection(lambda: protocol, host, port)
            return
        except (OSError, TimeoutError) as error:
            pause_s = retry_pause_s(loop.time() - began_s)
            if loop.time() + pause_s > deadline:
                raise MatchAborted(
                    f"no dealer at {host} port {port} within {timeout_s:g} s ({error})"
                ) from None
            if not is_reported and loop.time() - began_s >= REPORT_WAIT_AFTER_S:
                is_reported = True
                journal.info("waiting for the dealer", host=host, port=port, reason=str(error))
        await asyncio.sleep(pause_s)


def retry_pause_s(waited_s: float) -> float:
    """Return the pause before the next try after *waited_s* without success: a tenth of it.

    The pause is bounded by ``FIRST_RETRY_S`` and ``MAX_RETRY_S``.

    >>> [retry_pause_s(waited_s) for waited_s in (0.0, 2.0, 60.0)]
    [0.02, 0.2, 1.0]
    """
    return min(max(FIRST_RETRY_S, RETRY_SHARE * waited_s), MAX_RETRY_S)


class _ClientProtocol(asyncio.Protocol):
    """The connection of one match, from the dealer's bytes to the agent and back."""

    def __init__(self, client: Client) -> None:
        self.agent = client.agent
        self.journal = client.journal
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._connection = ClientConnection(client.game)
        self._clock = ReplyClock(client.limits)
        self._thread: AgentThread | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._transport: asyncio.Transport | None = None
        self._stats = ClientStats()
        self._is_leaving = False
        self._observe = getattr(client.agent, "observe", None)
        self._logs_lines = client.journal.is_enabled_for(10)

    @property
    def stats(self) -> ClientStats:
        """The counts of this match, with the fallbacks that the agent itself reports."""
        return replace(
            self._stats, num_fallbacks=self._stats.num_fallbacks + own_fallbacks(self.agent)
        )

    def leave_after_hand(self) -> bool:
        """Leave when the current hand is over; return False if no hand is open."""
        self._is_leaving = self._connection.hand_is_open and not self.over.done()
        return self._is_leaving

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._stats.num_connections += 1
        self._transport = cast(asyncio.Transport, transport)
        self._transport.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1
        )
        self._transport.write(self._connection.greeting)

    def data_received(self, data: bytes) -> None:
        self._take(self._connection.receive, data)

    def eof_received(self) -> None:
        self._take(self._connection.receive_eof)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.over.done():
            self._take(self._connection.receive_eof)

    def pause_writing(self) -> None:
        assert self._transport is not None
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        assert self._transport is not None
        self._transport.resume_reading()

    def leave(self) -> None:
        """Close the connection and end the agent's thread."""
        if self._thinking is not None:
            self._thinking.cancel()
        if self._thread is not None:
            self._thread.stop()
        if self._transport is not None:
            self._transport.close()

    def _take(self, produce: Callable[..., list[Event]], *data: bytes) -> None:
        """Handle the events that *produce* makes of *data*; an error ends this match only."""
        if self.over.done():
            return
        try:
            for event in produce(*data):
                if self.over.done():
                    break
                if type(event) is MatchState:  # the usual case, without a further call
                    self._handle_state(event)
                else:
                    self._handle(event)
        except Exception as error:
            self._end(error)

    def _handle(self, event: Event) -> None:
        if isinstance(event, Comment):
            self.journal.info("comment", text=event.text)
        elif isinstance(event, StreamEnded):
            self._hang_up(event)

    def _handle_state(self, state: MatchState) -> None:
        if self._logs_lines:
            self.journal.debug("<", line=state.line)
        actor = state.betting.actor
        if actor == OVER:
            self._stats.num_hands += 1
            self._show_end(state)
            if self._is_leaving:
                self._end(None)
        elif actor == state.seat:
            self._decide(state)

    def _show_end(self, state: MatchState) -> None:
        """Show the end of the hand to an agent with ``observe``; its errors are only logged."""
        if self._observe is None:
            return
        try:
            self._observe(state)
        except AgentLeft:
            raise
        except Exception as error:
            self.journal.warning("observing failed", reason=repr(error))

    def _hang_up(self, event: StreamEnded) -> None:
        if event.hand_was_over and self._stats.num_hands:
            self._end(None)
        else:
            where = (
                "in the middle of a hand"
                if self._stats.num_hands
                else "before the first hand was over"
            )
            self._end(MatchAborted(f"the dealer closed the connection {where}"))

    def _decide(self, state: MatchState) -> None:
        asked_s = time.monotonic()
        deadline_s = self._clock.deadline_s(state.hand_id, asked_s)
        if not self.agent.is_instant:
            self._think(state, asked_s, deadline_s)
            return
        try:
            action = self.agent.act(state, deadline_s)
        except AgentLeft:
            raise
        except Exception as error:
            self._fall_back(state, asked_s, repr(error))
        else:
            self._answer(state, asked_s, action)

    def _think(self, state: MatchState, asked_s: float, deadline_s: float) -> None:
        """Ask the agent in its thread; a new state cancels the request for an older one."""
        if self._thread is None:
            self._thread = AgentThread(self.agent, "agent")
        if self._thinking is not None:
            self._thinking.cancel()
        self._thinking = asyncio.create_task(
            self._await_answer(self._thread, state, asked_s, deadline_s)
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
            self._end(fault)
        elif answer.cancelled():
            self._fall_back(state, asked_s, "late")
        elif fault is not None:
            self._fall_back(state, asked_s, repr(fault))
        else:
            self._answer(state, asked_s, answer.result())

    def _fall_back(self, state: MatchState, asked_s: float, reason: str) -> None:
        action = fallback_action(state)
        self._stats.num_fallbacks += 1
        self.journal.warning("fallback", state=state.line, reason=reason, action=action.text)
        self._send(self._connection.reply(state, action), asked_s)

    def _answer(self, state: MatchState, asked_s: float, action: Action) -> None:
        try:
            reply = self._connection.reply(state, action)
        except Exception as error:
            self._fall_back(state, asked_s, f"not a legal action: {error}")
        else:
            self._send(reply, asked_s)

    def _send(self, reply: bytes, asked_s: float) -> None:
        if self._logs_lines:
            self.journal.debug(">", line=reply.decode("latin-1").rstrip())
        if self._transport is not None:
            self._transport.write(reply)
        took_s = time.monotonic() - asked_s
        self._clock.charge(took_s)
        self._stats.count_decision(took_s)

    def _end(self, error: Exception | None) -> None:
        if not self.over.done():
            settle(self.over, None, error)
            self.leave()
