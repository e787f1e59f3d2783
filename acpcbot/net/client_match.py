"""One match from a client's side, without its connection: the dealer's bytes in, replies out.

``client.py`` plays it in an event loop, ``blocking_client.py`` in a thread that does nothing else.
If an agent raises or returns an illegal action, the match sends ``fallback_action``, logs the event
and counts it. ``ClientStats`` are the counters of a match; only one thread writes them.
``ConnectAttempts`` says how long a client waits for a dealer that does not answer yet.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from acpcbot.errors import AgentLeft, MatchAborted
from acpcbot.matches.agent import Agent, fallback_action, own_fallbacks
from acpcbot.net.journal import Journal
from acpcbot.net.reply_clock import ReplyClock, ReplyLimits
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules
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


class ClientMatch:
    """One match of an agent that answers at once: greeting, states, replies, and its end.

    *write* sends bytes to the dealer. ``is_over`` says that nothing more is to be received, and
    ``error`` why the match failed, if it did.
    """

    def __init__(
        self, agent: Agent, game: BettingRules, limits: ReplyLimits, journal: Journal
    ) -> None:
        self.agent = agent
        self.journal = journal
        self.is_over = False
        self.error: Exception | None = None
        self._connection = ClientConnection(game)
        self._clock = ReplyClock(limits)
        self._write: Callable[[bytes], object] | None = None
        self._stats = ClientStats()
        self._is_leaving = False
        self._observe = getattr(agent, "observe", None)
        self._logs_lines = journal.is_enabled_for(10)

    @property
    def stats(self) -> ClientStats:
        """The counts of this match, with the fallbacks that the agent itself reports."""
        return replace(
            self._stats, num_fallbacks=self._stats.num_fallbacks + own_fallbacks(self.agent)
        )

    @property
    def report(self) -> ClientReport:
        """The counts of this match in short."""
        stats = self.stats
        return ClientReport(stats.num_hands, stats.num_decisions, stats.num_fallbacks)

    def leave_after_hand(self) -> bool:
        """Leave when the current hand is over; return False if no hand is open."""
        self._is_leaving = self._connection.hand_is_open and not self.is_over
        return self._is_leaving

    def begin(self, write: Callable[[bytes], object]) -> None:
        """Greet the dealer that *write* sends to."""
        self._stats.num_connections += 1
        self._write = write
        write(self._connection.greeting)

    def receive(self, data: bytes) -> None:
        """Take *data* from the dealer, and answer what is asked in it."""
        self._take(self._connection.receive, data)

    def receive_eof(self) -> None:
        """Take the end of what the dealer sends."""
        self._take(self._connection.receive_eof)

    def decide(self, state: MatchState) -> None:
        """Ask the agent about *state*, and send what it answers."""
        asked_s = time.monotonic()
        try:
            action = self.agent.act(state, self._clock.deadline_s(state.hand_id, asked_s))
        except AgentLeft:
            raise
        except Exception as error:
            self._fall_back(state, asked_s, repr(error))
        else:
            self._answer(state, asked_s, action)

    def end(self, error: Exception | None) -> None:
        """End the match, with *error* if it failed; the first end counts."""
        if not self.is_over:
            self.is_over, self.error = True, error

    def _take(self, produce: Callable[..., list[Event]], *data: bytes) -> None:
        """Handle the events that *produce* makes of *data*; an error ends this match only."""
        if self.is_over:
            return
        try:
            for event in produce(*data):
                if self.is_over:
                    break
                if type(event) is MatchState:  # the usual case, without a further call
                    self._handle_state(event)
                else:
                    self._handle(event)
        except Exception as error:
            self.end(error)

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
                self.end(None)
        elif actor == state.seat:
            self.decide(state)

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
            self.end(None)
        else:
            where = (
                "in the middle of a hand"
                if self._stats.num_hands
                else "before the first hand was over"
            )
            self.end(MatchAborted(f"the dealer closed the connection {where}"))

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
        if self._write is not None:
            self._write(reply)
        took_s = time.monotonic() - asked_s
        self._clock.charge(took_s)
        self._stats.count_decision(took_s)


class ConnectAttempts:
    """Attempts to reach the dealer at *host* and *port*, with growing pauses, for *timeout_s*."""

    def __init__(self, host: str, port: int, timeout_s: float, journal: Journal) -> None:
        self._host, self._port, self._timeout_s = host, port, timeout_s
        self._journal = journal
        self._began_s = time.monotonic()
        self._is_reported = False

    @property
    def attempt_s(self) -> float:
        """The longest time of the next attempt."""
        left_s = self._began_s + self._timeout_s - time.monotonic()
        return min(CONNECT_TIMEOUT_S, max(left_s, FIRST_RETRY_S))

    def pause_s(self, error: Exception) -> float:
        """Return the pause after an attempt that ended with *error*.

        Raises MatchAborted when no time is left.
        """
        waited_s = time.monotonic() - self._began_s
        pause_s = retry_pause_s(waited_s)
        where = f"{self._host} port {self._port}"
        if waited_s + pause_s > self._timeout_s:
            raise MatchAborted(f"no dealer at {where} within {self._timeout_s:g} s ({error})")
        if not self._is_reported and waited_s >= REPORT_WAIT_AFTER_S:
            self._is_reported = True
            self._journal.info(
                "waiting for the dealer", host=self._host, port=self._port, reason=str(error)
            )
        return pause_s


def retry_pause_s(waited_s: float) -> float:
    """Return the pause before the next try after *waited_s* without success: a tenth of it.

    The pause is bounded by ``FIRST_RETRY_S`` and ``MAX_RETRY_S``.

    >>> [retry_pause_s(waited_s) for waited_s in (0.0, 2.0, 60.0)]
    [0.02, 0.2, 1.0]
    """
    return min(max(FIRST_RETRY_S, RETRY_SHARE * waited_s), MAX_RETRY_S)
