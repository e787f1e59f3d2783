"""A thread for an agent that thinks, so that the event loop stays responsive.

The thread is a daemon: an agent that never returns cannot keep the process alive. Requests are
answered one after another; a request that comes while the agent is still busy with an older
state waits for it.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from contextlib import suppress

from acpcbot.matches.agent import Agent
from acpcbot.net.event_loop import settle
from acpcbot.poker.actions import Action
from acpcbot.protocol.messages import MatchState

_Request = tuple[MatchState, float, asyncio.Future[Action]]


class AgentThread:
    """A thread that runs one agent for the event loop in which it is made."""

    def __init__(self, agent: Agent, name: str) -> None:
        self.agent = agent
        self._loop = asyncio.get_running_loop()
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def ask(self, state: MatchState, deadline_s: float) -> asyncio.Future[Action]:
        """Return a future of the agent's answer; cancel it when it is no longer wanted."""
        answer: asyncio.Future[Action] = self._loop.create_future()
        self._requests.put((state, deadline_s, answer))
        return answer

    def stop(self) -> None:
        """Let the thread end after its current request."""
        self._requests.put(None)

    def _work(self) -> None:
        while (request := self._requests.get()) is not None:
            state, deadline_s, answer = request
            if answer.cancelled():
                continue
            try:
                action = self.agent.act(state, deadline_s)
            except Exception as error:
                self._settle(answer, None, error)
            else:
                self._settle(answer, action)

    def _settle(
        self, answer: asyncio.Future[Action], action: Action | None, error: Exception | None = None
    ) -> None:
        # A loop that has ended raises RuntimeError: the answer is not needed any more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(settle, answer, action, error)
