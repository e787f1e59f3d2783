"""A thread of its own for an agent that thinks, so that the event loop keeps answering.

The thread is a daemon: an agent that never returns cannot keep the process
alive. Requests are answered one after another; one that comes while the agent
is still busy with an older state waits for it.
"""

from __future__ import annotations

import asyncio
import queue
import threading

from acpcbot.matches.agent import Agent
from acpcbot.poker.actions import Action
from acpcbot.protocol.messages import MatchState

_Request = tuple[MatchState, float, asyncio.Future[Action]]


class AgentThread:
    """Runs one agent; belongs to the event loop that made it."""

    def __init__(self, agent: Agent, name: str) -> None:
        self.agent = agent
        self._loop = asyncio.get_running_loop()
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def ask(self, state: MatchState, deadline_s: float) -> asyncio.Future[Action]:
        """The agent's answer to come; cancel it when it is no longer wanted."""
        answer: asyncio.Future[Action] = self._loop.create_future()
        self._requests.put((state, deadline_s, answer))
        return answer

    def stop(self) -> None:
        """Let the thread end after what it is doing."""
        self._requests.put(None)

    def _work(self) -> None:
        while (request := self._requests.get()) is not None:
            state, deadline_s, answer = request
            if answer.cancelled():
                continue
            try:
                action = self.agent.act(state, deadline_s)
            except Exception as error:
                self._tell(_fail, answer, error)
            else:
                self._tell(_succeed, answer, action)

    def _tell(self, settle: object, answer: asyncio.Future[Action], result: object) -> None:
        try:
            self._loop.call_soon_threadsafe(settle, answer, result)  # type: ignore[arg-type]
        except RuntimeError:
            pass  # the loop has ended: nobody waits for this answer


def _succeed(answer: asyncio.Future[Action], action: Action) -> None:
    if not answer.done():
        answer.set_result(action)


def _fail(answer: asyncio.Future[Action], error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
