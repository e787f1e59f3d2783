"""An agent in a thread of its own: answers in order, errors to who asked, and no hold on the
process.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from acpcbot.matches.agent import fallback_action
from acpcbot.net.agent_thread import AgentThread
from acpcbot.net.event_loop import run
from acpcbot.poker.actions import CALLING, FOLDING, Action
from acpcbot.protocol.messages import MatchState
from tests.agents.playing import decision
from tests.support.games import KUHN

FIRST = decision(KUHN, "", "Qs", hand_id=1)
SECOND = decision(KUHN, "", "Ks", hand_id=2)
SOON_S = 30.0


class Doing:
    """An agent that does what it is told, and keeps account."""

    is_instant = False

    def __init__(self, do: Callable[[MatchState], Action]) -> None:
        self._do = do
        self.asked: list[int] = []
        self.deadlines: list[float] = []
        self.threads: set[threading.Thread] = set()

    def act(self, state: MatchState, deadline_s: float) -> Action:
        self.asked.append(state.hand_id)
        self.deadlines.append(deadline_s)
        self.threads.add(threading.current_thread())
        return self._do(state)


def test_answers_come_back_in_order_from_one_thread_that_is_not_the_loops() -> None:
    agent = Doing(lambda state: CALLING if state.hand_id == 1 else FOLDING)

    async def main() -> list[Action]:
        thread = AgentThread(agent, "agent")
        answers = await asyncio.gather(thread.ask(FIRST, 5.0), thread.ask(SECOND, 6.0))
        thread.stop()
        return list(answers)

    assert run(main()) == [CALLING, FOLDING]
    assert (agent.asked, agent.deadlines) == ([1, 2], [5.0, 6.0])
    assert len(agent.threads) == 1
    assert threading.main_thread() not in agent.threads


def test_the_loop_goes_on_while_the_agent_thinks() -> None:
    may_go = threading.Event()

    def waits(state: MatchState) -> Action:
        assert may_go.wait(SOON_S)
        return CALLING

    async def main() -> Action:
        thread = AgentThread(Doing(waits), "agent")
        answer = thread.ask(FIRST, 5.0)
        await asyncio.sleep(0.05)
        assert not answer.done()
        may_go.set()
        result = await answer
        thread.stop()
        return result

    assert run(main()) == CALLING


def test_an_error_goes_to_who_asked_and_the_next_question_is_answered() -> None:
    def fails_first(state: MatchState) -> Action:
        if state.hand_id == 1:
            raise KeyError("mine")
        return fallback_action(state)

    async def main() -> Action:
        thread = AgentThread(Doing(fails_first), "agent")
        with pytest.raises(KeyError, match="mine"):
            await thread.ask(FIRST, 5.0)
        result = await thread.ask(SECOND, 5.0)
        thread.stop()
        return result

    assert run(main()) == fallback_action(SECOND)


def test_a_question_that_is_cancelled_while_it_waits_is_not_put_to_the_agent() -> None:
    may_go = threading.Event()

    def waits(state: MatchState) -> Action:
        may_go.wait(SOON_S)
        return CALLING

    agent = Doing(waits)

    async def main() -> Action:
        thread = AgentThread(agent, "agent")
        thread.ask(FIRST, 5.0)
        thread.ask(SECOND, 5.0).cancel()
        last = thread.ask(decision(KUHN, "", "As", hand_id=3), 5.0)
        may_go.set()
        result = await last
        thread.stop()
        return result

    assert run(main()) == CALLING
    assert agent.asked == [1, 3]


def test_an_answer_that_comes_after_the_loop_is_gone_harms_nobody() -> None:
    may_go = threading.Event()

    def waits(state: MatchState) -> Action:
        may_go.wait(SOON_S)
        return CALLING

    agent = Doing(waits)

    async def main() -> None:
        thread = AgentThread(agent, "agent")
        thread.ask(FIRST, 5.0)
        while not agent.threads:
            await asyncio.sleep(0.01)
        thread.stop()

    run(main())
    may_go.set()
    [thread] = agent.threads
    thread.join(SOON_S)
    assert not thread.is_alive()


def test_the_thread_cannot_keep_the_process_alive_and_ends_when_it_is_let_go() -> None:
    agent = Doing(lambda state: CALLING)

    async def main() -> None:
        thread = AgentThread(agent, "agent")
        await thread.ask(FIRST, 5.0)
        assert all(thread.daemon for thread in agent.threads)
        thread.stop()

    run(main())
    [thread] = agent.threads
    thread.join(SOON_S)
    assert not thread.is_alive()
