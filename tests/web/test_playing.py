"""A match over a socket: played, cut, taken up again, misused.

The log tells what really happened.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from acpcbot.logs.match_log import HandRecord, ScoreRecord, read_match_log
from acpcbot.web.requests import LONGEST_REQUEST
from tests.support.games import KUHN, LEDUC, LIMIT_3P, NOLIMIT_6P
from tests.web.served import Served, Socket, run, served

Message = dict[str, Any]


async def play_hands(socket: Socket, num_hands: int) -> list[Message]:
    """Call through so many hands, the first of which is being dealt; how each of them ended."""
    ends = []
    for _ in range(num_hands):
        table = await socket.turn()
        while table["phase"] == "turn":
            await socket.act(table, "c")
            table = await socket.turn()
        ends.append(table)
        await socket.say(type="deal", hand=table["hand"])
    return ends


def entries(place: Served, number: int = 0) -> tuple[list[HandRecord], list[ScoreRecord]]:
    found = list(read_match_log(place.folder / f"table{number:03d}.log"))
    return [one for one in found if isinstance(one, HandRecord)], [
        one for one in found if isinstance(one, ScoreRecord)
    ]


@pytest.mark.parametrize(
    ("game", "strategies", "bots"),
    [
        (KUHN, ["strategies/kuhn.limit.2p/dcfr"], [0]),
        (LIMIT_3P, ["call", "raise"], [0, 1]),
        (NOLIMIT_6P, ["tight", "call", "random"], [0, 1, 2, 1, 0]),
    ],
)
def test_the_log_holds_the_match_that_was_played(
    tmp_path: Path, game: str, strategies: list[str], bots: list[int]
) -> None:
    """Catches a hand that is missing, seats that do not rotate, a result that was told
    otherwise than it is logged.
    """

    async def visit() -> None:
        async with served(tmp_path, strategies, game) as place, place.socket() as socket:
            assert (await socket.sit(bots))["log"] == str(tmp_path / "table000.log")
            ends = await play_hands(socket, 7)
            await socket.say(type="leave")
            ended = await socket.hear("ended")
            hands, scores = entries(place)
            assert len(hands) == 7
            told = [
                [seat["won"] for seat in end["views"][-1]["seats"] if seat["name"] == "Ann"]
                for end in ends
            ]
            assert told == [[hand.values[hand.names.index("Ann")]] for hand in hands]
            assert {hand.names.index("Ann") for hand in hands} == set(range(len(bots) + 1))
            assert (
                ended["tally"]["chips"]["chips"]
                == scores[0].values[0]
                == sum(row[0] for row in told)
            )

    run(visit())


def test_nobodys_cards_are_sent_before_the_hand_is_over(tmp_path: Path) -> None:
    """Catches a message that holds more than the person may know."""

    async def visit() -> None:
        async with served(tmp_path, ["call", "raise"], LIMIT_3P) as place, place.socket() as socket:
            await socket.sit([0, 1])
            await play_hands(socket, 5)
            await socket.say(type="leave")
            await socket.hear("ended")
            shown = [message for message in socket.heard if message["type"] == "table"]
            for message in shown:
                for scene in message["views"]:
                    others = [seat["cards"] for seat in scene["seats"] if seat["name"] != "Ann"]
                    assert not any(others) or message["phase"] == "over"
            ends = [message["views"][-1] for message in shown if message["phase"] == "over"]
            assert all(seat["cards"] for scene in ends for seat in scene["seats"])

    run(visit())


def test_an_out_of_turn_request_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    """Catches a second click that acts for the next decision, and actions that the rule book
    forbids.
    """

    async def visit() -> None:
        async with served(tmp_path, ["call"], LEDUC) as place, place.socket() as socket:
            for kind in (
                {"type": "leave"},
                {"type": "deal", "hand": 0},
                {"type": "explain", "hand": 0},
            ):
                await socket.say(**kind)
                assert (await socket.hear("refused"))["reason"] == "sit down at a table first"
            await socket.sit()
            table = await socket.turn()
            wrong: list[tuple[Message, str]] = [
                ({"hand": 1}, "that was for another decision"),
                ({"turn": 7}, "that was for another decision"),
                ({"action": "f"}, "there is nothing to call"),
                ({"action": "r300"}, "only a no-limit raise has a size"),
                ({"action": "all of it"}, "it is no action"),
            ]
            for change, reason in wrong:
                await socket.say(
                    **{"type": "act", "hand": 0, "turn": table["turn"], "action": "c", **change}
                )
                assert (await socket.hear("refused"))["reason"] == reason
            await socket.say(type="deal", hand=0)
            assert (await socket.hear("refused"))["reason"] == "no hand is waiting to be dealt"
            await socket.say(type="replay", hand=0)
            assert (await socket.hear("refused"))["reason"] == "this hand is not over"
            await play_on(socket, table)
            assert len(place.refusals()) == 3 + len(wrong) + 3

    async def play_on(socket: Socket, table: Message) -> None:
        while table["phase"] == "turn":
            await socket.act(table, "c")
            table = await socket.turn()
        await socket.act({**table, "turn": 0}, "c")
        assert (await socket.hear("refused"))["reason"] == "it is not your turn"

    run(visit())


@pytest.mark.parametrize("text", ["", "{", '{"type": "act"}', '{"type": "nothing"}', "\x00"])
def test_malformed_requests_are_refused_and_logged(tmp_path: Path, text: str) -> None:
    """Catches garbage that ends the match, or the connection of somebody who plays on."""

    async def visit() -> None:
        async with served(tmp_path) as place, place.socket() as socket:
            await socket.sit()
            table = await socket.turn()
            await socket.socket.send_str(text)
            await socket.hear("refused")
            await socket.act(table, "c")
            await socket.turn()
            assert len(place.refusals()) == 1

    run(visit())


def test_a_client_that_sends_only_garbage_is_dropped(tmp_path: Path) -> None:
    """Catches a flood that fills the log."""

    async def visit() -> None:
        async with served(tmp_path) as place, place.socket() as socket:
            for _ in range(100):
                await socket.socket.send_bytes(b"garbage")
            while (message := await socket.socket.receive()).type.name == "TEXT":
                pass
            assert message.type.name in ("CLOSE", "CLOSED", "CLOSING")
            assert len(place.refusals()) <= 100

    run(visit())


def test_an_oversized_request_ends_the_connection_and_not_the_match(tmp_path: Path) -> None:
    """Catches a buffer without a bound."""

    async def visit() -> None:
        async with served(tmp_path) as place:
            async with place.socket() as socket:
                key = (await socket.sit())["table"]
                await socket.socket.send_str(
                    json.dumps({"type": "leave", "more": "x" * LONGEST_REQUEST})
                )
                while (message := await socket.socket.receive()).type.name == "TEXT":
                    pass
                assert socket.socket.close_code == 1009, message
            async with place.socket() as again:
                await again.say(type="resume", table=key)
                assert (await again.hear("seated", "gone"))["type"] == "seated"
            assert any(str(LONGEST_REQUEST) in reason for reason in place.refusals()), (
                place.refusals()
            )

    run(visit())


def test_a_reload_in_the_middle_of_a_hand_resumes_it(tmp_path: Path) -> None:
    """Catches a hand that is dealt again, or another state than the one that was left."""

    async def visit() -> None:
        async with served(tmp_path, ["call"], LEDUC) as place:
            async with place.socket() as socket:
                key = (await socket.sit())["table"]
                await play_hands(socket, 1)
                table = await socket.turn()
                await socket.act(table, "r")
                left = await socket.turn()
            async with place.socket() as again:
                await again.say(type="resume", table=key)
                found = await again.turn()
                assert found == {**left, "views": left["views"][-1:]}
                await again.act(found, "c")
                await again.turn()
                await again.say(type="resume", table="no such table")
                await again.hear("gone")

    run(visit())


def test_tables_are_played_side_by_side_and_limited(tmp_path: Path) -> None:
    """Catches matches that share a log or cards, and one table more than there may be."""

    async def visit() -> None:
        async with (
            served(tmp_path, ["call"], LEDUC, most_tables=2) as place,
            place.socket() as first,
            place.socket() as second,
            place.socket() as third,
        ):
            keys = [
                (await socket.sit(name=name))["table"]
                for socket, name in ((first, "Ann"), (second, "Bea"))
            ]
            assert len(set(keys)) == 2
            assert (await third.sit())["reason"] == "all tables are taken; try again later"
            assert (await first.sit())["reason"] == "leave this table first"
            await asyncio.gather(play_hands(first, 5), play_hands(second, 8))
            await first.say(type="leave")
            await first.hear("ended")
            assert (await third.sit())["type"] == "seated"
            assert [len(entries(place, number)[0]) for number in (0, 1)] == [5, 8]
            assert entries(place, 0)[0][0].cards_text != entries(place, 1)[0][0].cards_text

    run(visit())


def test_a_table_where_nobody_plays_is_closed(tmp_path: Path) -> None:
    """Catches tables that stay for ever, and hands that are lost with them."""

    async def visit() -> None:
        async with served(tmp_path) as place, place.socket() as socket:
            await socket.sit()
            await play_hands(socket, 2)
            place.tables.settings = replace(place.tables.settings, idle_s=0.3)
            assert (await socket.hear("ended"))["reason"] == "nobody played for a while"
            hands, scores = entries(place)
            assert (len(hands), len(scores)) == (2, 1)

    run(visit())


def test_the_last_hand_ends_the_match(tmp_path: Path) -> None:
    """Catches a match that deals on, and an end that is told twice."""

    async def visit() -> None:
        async with served(tmp_path, num_hands=3) as place, place.socket() as socket:
            await socket.sit()
            await play_hands(socket, 3)
            assert (await socket.hear("ended"))["reason"] == "that was the last hand"
            await socket.say(type="deal", hand=2)
            await socket.hear("refused")
            assert [len(found) for found in entries(place)] == [3, 1]

    run(visit())


def test_no_log_is_written_over(tmp_path: Path) -> None:
    """Catches a server that is started again in the same folder."""
    (tmp_path / "table000.log").write_text("precious")

    async def visit() -> None:
        async with served(tmp_path) as place, place.socket() as socket:
            assert (await socket.sit())["log"] == str(place.folder / "table001.log")

    run(visit())
    assert (tmp_path / "table000.log").read_text() == "precious"


FAULTY = """
import time

class Faulty:
    is_instant = False

    def __init__(self, definition, seed):
        pass

    def act(self, state, deadline_s):
        raise ValueError("no idea")
"""


def test_a_bot_that_fails_is_answered_for_and_that_is_said(tmp_path: Path) -> None:
    """Catches an exception of a bot that ends the match."""
    bot = tmp_path / "faulty.py"
    bot.write_text(FAULTY)

    async def visit() -> None:
        async with served(tmp_path, [f"{bot}:Faulty"], LEDUC) as place, place.socket() as socket:
            await socket.sit()
            ends = await play_hands(socket, 2)
            notices = [message["notice"] for message in socket.heard if message["type"] == "table"]
            assert "Faulty had no answer of its own: ValueError: no idea" in notices
            await socket.say(type="explain", hand=0)
            assert (await socket.hear("thoughts"))["silent"] == ["Faulty"]
            assert len(ends) == len(entries(place)[0]) == 2

    run(visit())
