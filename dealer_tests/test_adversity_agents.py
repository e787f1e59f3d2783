"""Bad agents in our client's seat: whatever they do, the dealer gets a legal reply in time and
has no complaint.
"""

from __future__ import annotations

import asyncio
import io
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from acpcbot.errors import AcpcbotError, AgentLeft, MatchAborted
from acpcbot.matches.table import Phase
from acpcbot.net.client import Client
from acpcbot.net.client_match import ClientReport
from acpcbot.net.journal import open_journal
from acpcbot.net.reply_clock import ReplyLimits
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, Action
from acpcbot.protocol.messages import MatchState
from dealer_tests.adversity import HOST, QUIET, LiveDealer, settings_with, tidily
from tests.support.games import KUHN, NOLIMIT_2P, definition_of
from tests.support.journals import journal_events

LONG_S = 100.0


class InTurn:
    """An agent that does what *do* does."""

    def __init__(self, do: Callable[[MatchState], Any], *, is_instant: bool) -> None:
        self.is_instant = is_instant
        self._do = do

    def act(self, state: MatchState, deadline_s: float) -> Action:
        action: Action = self._do(state)
        return action


def fails(state: MatchState) -> Action:
    raise KeyError("my own bug")


def times_out(state: MatchState) -> Action:
    raise TimeoutError("my own wait")


def answers(answer: object) -> Callable[[MatchState], Any]:
    return lambda state: answer


FAULTS: dict[str, Callable[[MatchState], Any]] = {
    "raises": fails,
    "times out": times_out,
    "folds a check": answers(FOLDING),
    "raises too much": answers(Action(rules.RAISE, 20_001)),
    "raises too little": answers(Action(rules.RAISE, 1)),
    "raises by nothing": answers(Action(rules.RAISE)),
    "no action": answers(None),
    "a letter": answers("c"),
    "a number": answers(1),
    "an unknown kind": answers(Action(7)),
    "a negative kind": answers(Action(-2)),
    "a kind that is text": answers(Action("c")),  # type: ignore[arg-type]
    "a size that is text": answers(Action(rules.RAISE, "300")),  # type: ignore[arg-type]
    "a broken size": answers(Action(rules.RAISE, 300.5)),  # type: ignore[arg-type]
    "no size at all": answers(Action(rules.RAISE, float("nan"))),  # type: ignore[arg-type]
    "an infinite size": answers(Action(rules.RAISE, float("inf"))),  # type: ignore[arg-type]
}


def played_with(
    do: Callable[[MatchState], Any],
    folder: Path,
    *,
    is_instant: bool,
    limits: ReplyLimits | None = None,
) -> tuple[ClientReport, list[dict[str, Any]], str]:
    """A match of ours against one who calls: our report, our journal, and the dealer's
    complaints.
    """
    journal = io.StringIO()

    async def main() -> tuple[ClientReport, str]:
        async with LiveDealer(settings_with(NOLIMIT_2P, 3), folder) as dealer:
            other = asyncio.create_task(dealer.honest(1))
            agent = InTurn(do, is_instant=is_instant)
            client = Client(
                agent,
                definition_of(NOLIMIT_2P),
                limits=limits,
                journal=open_journal(journal, as_json=True),
            )
            report = await client.play(HOST, dealer.ports[0])
            assert (await dealer.end()).phase is Phase.FINISHED
            await other
            return report, dealer.talk

    report, talk = tidily(main())
    return report, journal_events(journal), talk


@pytest.mark.parametrize("is_instant", [True, False], ids=["instant", "in a thread"])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_agent_is_answered_for_and_the_dealer_has_no_complaint(
    fault: str, is_instant: bool, tmp_path: Path
) -> None:
    report, events, talk = played_with(FAULTS[fault], tmp_path, is_instant=is_instant)
    assert report.num_hands == 3
    assert 0 < report.num_fallbacks <= report.num_actions
    assert [event["event"] for event in events] == ["fallback"] * report.num_fallbacks
    assert {event["level"] for event in events} == {"warning"}
    assert all(event["reason"] and event["state"].startswith("MATCHSTATE:") for event in events)
    assert "WARNING" not in talk


def test_the_agent_s_own_error_is_in_the_journal(tmp_path: Path) -> None:
    events = played_with(fails, tmp_path, is_instant=True)[1]
    assert events[0]["reason"] == "KeyError('my own bug')"


def test_an_agent_s_own_timeout_is_not_taken_for_lateness(tmp_path: Path) -> None:
    events = played_with(times_out, tmp_path, is_instant=False)[1]
    assert events[0]["reason"] == "TimeoutError('my own wait')"


@contextmanager
def gate() -> Iterator[threading.Event]:
    """Something to wait for that opens only when the test is over."""
    event = threading.Event()
    try:
        yield event
    finally:
        event.set()


def test_an_agent_that_is_late_is_answered_for_before_the_dealer_s_limit(tmp_path: Path) -> None:
    """The agent never answers within the match, so whatever the dealer received came from the
    fallback.
    """
    limits = ReplyLimits(response_s=0.4, hand_s=0.4, per_hand_s=0.4, margin_s=0.1)
    with gate() as never:

        def waits(state: MatchState) -> Action:
            never.wait(LONG_S)
            return CALLING

        report, events, talk = played_with(waits, tmp_path, is_instant=False, limits=limits)
    assert report.num_fallbacks == report.num_actions > 0
    assert {event["reason"] for event in events} == {"late"}
    assert talk.startswith("SCORE:")


def test_an_agent_that_is_late_once_plays_on_afterwards(tmp_path: Path) -> None:
    limits = ReplyLimits(response_s=0.6, hand_s=100.0, per_hand_s=100.0, margin_s=0.1)
    calls: list[float] = []

    def late_once(state: MatchState) -> Action:
        calls.append(time.monotonic())
        time.sleep(1.0 if len(calls) == 1 else 0.0)
        return CALLING

    report, _, talk = played_with(late_once, tmp_path, is_instant=False, limits=limits)
    assert 1 <= report.num_fallbacks < report.num_actions
    assert talk.startswith("SCORE:")


def test_the_deadline_that_an_agent_is_told_lies_before_the_limit(tmp_path: Path) -> None:
    told: list[float] = []

    class Timed:
        is_instant = False

        def act(self, state: MatchState, deadline_s: float) -> Action:
            told.append(deadline_s - time.monotonic())
            return CALLING

    async def main() -> None:
        async with LiveDealer(settings_with(KUHN, 2), tmp_path) as dealer:
            other = asyncio.create_task(dealer.honest(1))
            limits = ReplyLimits(response_s=50.0, hand_s=50.0, per_hand_s=50.0, margin_s=10.0)
            await Client(Timed(), definition_of(KUHN), limits=limits, journal=QUIET).play(
                HOST, dealer.ports[0]
            )
            await other

    tidily(main())
    assert told
    assert all(0.0 < left_s <= 40.0 for left_s in told)


@pytest.mark.parametrize("is_instant", [True, False], ids=["instant", "in a thread"])
def test_an_agent_may_leave_and_that_ends_its_match_only(is_instant: bool, tmp_path: Path) -> None:
    def leaves(state: MatchState) -> Action:
        raise AgentLeft("had enough")

    async def main() -> AcpcbotError | ClientReport:
        async with LiveDealer(settings_with(KUHN, 2), tmp_path) as dealer:
            other = asyncio.create_task(dealer.honest(1))
            client = Client(
                InTurn(leaves, is_instant=is_instant), definition_of(KUHN), journal=QUIET
            )
            with pytest.raises(AgentLeft, match="had enough"):
                await client.play(HOST, dealer.ports[0])
            assert (await dealer.end()).phase is Phase.ABORTED
            return await other

    assert isinstance(tidily(main()), MatchAborted)


STUCK = """
import threading
from acpcbot.poker.actions import CALLING

class Stuck:
    is_instant = False

    def __init__(self, definition, seed):
        pass

    def act(self, state, deadline_s):
        threading.Event().wait()
"""


def test_an_agent_that_never_returns_does_not_keep_its_process_alive(tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(STUCK)

    async def main() -> tuple[int | None, bytes]:
        async with LiveDealer(settings_with(KUHN, 2), tmp_path) as dealer:
            other = asyncio.create_task(dealer.honest(1))
            words = [
                "play",
                "stuck.py:Stuck",
                HOST,
                str(dealer.ports[0]),
                "--game",
                KUHN,
                "--response-s",
                "0.4",
            ]
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "acpcbot",
                *words,
                cwd=tmp_path,
                stderr=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            try:
                stderr = (await asyncio.wait_for(process.communicate(), 50.0))[1]
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
            assert (await dealer.end()).phase is Phase.FINISHED
            await other
            return process.returncode, stderr

    status, stderr = tidily(main())
    assert status == 0
    assert b'"reason": "late"' in stderr
    assert b"2 hands" in stderr
