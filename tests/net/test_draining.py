"""Leaving in good order: the hand that is being played is finished, and nothing of the next one
is answered.
"""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from acpcbot.matches.agent import Agent
from acpcbot.net.serve import BotSupervisor
from acpcbot.poker.actions import CALLING, Action
from acpcbot.protocol.messages import MatchState
from dealer_tests.adversity import LiveDealer, ScriptedDealer, free_ports, settings_with, tidily
from tests.net.test_serve import Events, seat_at
from tests.support.games import KUHN

MY_TURN = b"MATCHSTATE:0:0::Qs|\r\n"
END = b"MATCHSTATE:0:0:cc:Qs|Ks\r\n"
NEXT_HAND = b"MATCHSTATE:1:1:c:|As\r\n"


class Slow:
    """Calls, as soon as it is let."""

    is_instant = False

    def __init__(self) -> None:
        self.is_asked, self.may_answer = threading.Event(), threading.Event()

    def act(self, state: MatchState, deadline_s: float) -> Action:
        self.is_asked.set()
        self.may_answer.wait()
        return CALLING


async def until(event: threading.Event) -> None:
    while not event.is_set():
        await asyncio.sleep(0.01)


def test_the_hand_is_finished_and_the_next_one_is_left_alone() -> None:
    """The end of the hand and the first state of the next one come in one piece, as dealers
    send them.
    """
    events, heard = Events(), []

    async def main() -> None:
        supervisor: BotSupervisor

        async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            writer.write(MY_TURN)
            heard.append(await reader.readline())
            supervisor.drain()
            writer.write(END + NEXT_HAND)
            heard.append(await reader.read())

        async with ScriptedDealer(script) as dealer:
            supervisor = BotSupervisor([seat_at(dealer.port, "ann")], events.journal)
            await supervisor.serve()
            assert supervisor.bots[0].stats.num_decisions == 1

    tidily(main())
    assert heard == [MY_TURN.replace(b"\r\n", b":c\r\n"), b""]
    assert [(event["event"], event.get("hands")) for event in events.all] == [
        ("draining", None),
        ("left", 1),
    ]


def test_a_decision_that_is_being_made_is_still_sent(tmp_path: Path) -> None:
    events, slow = Events(), Slow()

    async def main() -> int:
        async with LiveDealer(settings_with(KUHN, 50), tmp_path) as dealer:
            supervisor = BotSupervisor(
                [seat_at(dealer.ports[0], "ann", make=lambda: slow)], events.journal
            )
            serving = asyncio.create_task(supervisor.serve())
            other = asyncio.create_task(dealer.honest(1))
            await until(slow.is_asked)
            supervisor.drain()
            slow.may_answer.set()
            await serving
            await dealer.end()
            await other
            assert "WARNING" not in dealer.talk
            return len(dealer.hands)

    assert tidily(main()) == 1
    assert events.of("ann") == ["left"]


def test_bots_that_wait_pause_or_still_load_leave_at_once() -> None:
    events, gate = Events(), threading.Event()

    def load() -> Agent:
        gate.wait()
        raise ValueError("too late")

    async def main() -> None:
        async with (
            ScriptedDealer() as hostile
        ):  # which closes at once: its bot pauses between two attempts
            seats = [
                seat_at(free_ports(1)[0], "waiting"),
                seat_at(hostile.port, "pausing"),
                seat_at(1, "x", make=load),
            ]
            supervisor = BotSupervisor(seats, events.journal)
            serving = asyncio.create_task(supervisor.serve())
            while hostile.num_clients < 2:
                await asyncio.sleep(0.01)
            supervisor.drain()
            await serving
            gate.set()

    tidily(main())
    assert [event["hands_to_finish"] for event in events.all if event["event"] == "draining"] == [0]


def test_a_dealer_that_vanishes_in_the_last_hand_does_not_bring_the_bot_back() -> None:
    events = Events()

    async def main() -> int:
        supervisor: BotSupervisor

        async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            writer.write(MY_TURN)
            await reader.readline()
            supervisor.drain()

        async with ScriptedDealer(script) as dealer:
            supervisor = BotSupervisor([seat_at(dealer.port, "ann")], events.journal)
            await supervisor.serve()
            return dealer.num_clients

    assert tidily(main()) == 1
    assert events.of("ann") == ["match failed"]


def test_of_two_bots_at_one_table_the_one_that_is_a_hand_ahead_loses_its_opponent() -> None:
    """One has read the next hand when the drain comes; the other leaves after the hand before."""
    events, is_ahead = Events(), asyncio.Event()

    async def main() -> None:
        supervisor: BotSupervisor

        async def ahead(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            writer.write(MY_TURN)
            await reader.readline()
            writer.write(END + NEXT_HAND)
            await reader.readline()
            is_ahead.set()
            await has_left.wait()  # the dealer ends its match

        async def behind(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            writer.write(MY_TURN)
            await reader.readline()
            await is_ahead.wait()
            supervisor.drain()
            writer.write(END + NEXT_HAND)
            assert await reader.read() == b""
            has_left.set()

        has_left = asyncio.Event()
        async with ScriptedDealer(ahead) as first, ScriptedDealer(behind) as second:
            supervisor = BotSupervisor(
                [seat_at(first.port, "ann"), seat_at(second.port, "bob")], events.journal
            )
            await supervisor.serve()

    tidily(main())
    assert [event["hands_to_finish"] for event in events.all if event["event"] == "draining"] == [2]
    assert (events.of("ann"), events.of("bob")) == (["match failed"], ["left"])


def test_a_bot_told_to_leave_before_it_began_never_joins() -> None:
    async def main() -> None:
        supervisor = BotSupervisor([seat_at(1, "ann")], Events().journal)
        supervisor.drain()
        await supervisor.serve()

    tidily(main())
