"""Logs that grow while somebody looks: recorded ones are written piece by piece."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acpcbot.logs.match_log import HandRecord, LogEntry, read_match_log
from acpcbot.web import watching
from acpcbot.web.watching import FollowedLog, GrowingFile
from tests.cli.running import LONGEST_S
from tests.support.games import KUHN
from tests.support.matches import plan_of, play
from tests.web.served import Message, Socket, run, served

RECORDED = (
    Path(__file__).parents[2]
    / "dealer_tests"
    / "transcripts"
    / "clean_nolimit_3p_s1"
    / "dealer.log"
)


async def until(socket: Socket, num_hands: int) -> Message:
    while (found := await socket.hear("log"))["hands"] < num_hands:
        pass
    return found


def test_a_log_is_followed_line_by_line(tmp_path: Path) -> None:
    """Catches a hand that is missed or told before its line is whole, wrong totals, a hand read
    from a wrong place.
    """
    text, log = RECORDED.read_bytes(), tmp_path / "growing.log"
    hands = [entry for entry in read_match_log(RECORDED) if isinstance(entry, HandRecord)]
    cut = text.index(b"STATE:5:") + 20
    log.write_bytes(text[:cut])

    async def visit() -> None:
        async with served(tmp_path, watched=[log]) as place, place.socket() as socket:
            assert (await socket.hear("lobby"))["logs"] == [str(log)]
            await socket.say(type="watch", log=0)
            found = await until(socket, 5)
            assert (found["hands"], found["isScored"], found["game"]) == (
                5,
                False,
                "Three-player no-limit hold'em, 200 bb",
            )
            with log.open("ab") as file:
                file.write(text[cut:])
            found = await until(socket, len(hands))
            totals = {one["name"]: one["chips"] for one in found["totals"]}
            assert totals == {
                name: sum(dict(zip(hand.names, hand.values, strict=True))[name] for hand in hands)
                for name in totals
            }
            for number in (0, 5, len(hands) - 1):
                await socket.say(type="show", log=0, hand=number)
                scene = (await socket.hear("replay"))["views"][-1]
                won = {seat["name"]: seat["won"] for seat in scene["seats"]}
                assert won == dict(zip(hands[number].names, hands[number].values, strict=True))

    run(visit())


def test_a_log_that_is_still_being_read_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches a browser that takes a hand in the middle of a log for the newest."""
    half_read, may_go_on, is_told = threading.Event(), threading.Event(), threading.Event()

    def read_with_a_break(file: GrowingFile, *args: Any, **settings: Any) -> Iterator[LogEntry]:
        for number, entry in enumerate(read_match_log(file, *args, **settings)):
            if number == 20:
                half_read.set()
                assert may_go_on.wait(LONGEST_S)
            yield entry

    monkeypatch.setattr(watching, "read_match_log", read_with_a_break)
    log = FollowedLog(RECORDED, None, is_told.set)
    try:
        assert half_read.wait(LONGEST_S)
        early = log.plain()
        assert 0 < early["hands"] < 40
        assert not early["isRead"]
        may_go_on.set()
        assert is_told.wait(LONGEST_S)
        assert (log.plain()["hands"], log.plain()["isRead"]) == (40, True)
    finally:
        log.stop()


def test_hands_are_found_by_the_numbers_that_the_log_has(tmp_path: Path) -> None:
    """Catches a number that is told as a place, in a log that does not begin with hand 0."""
    lines = RECORDED.read_text().splitlines(keepends=True)
    log = tmp_path / "part.log"
    log.write_text(
        "".join(
            [
                line
                for line in lines
                if not line.startswith("STATE:") or int(line.split(":")[1]) >= 20
            ]
        )
    )

    async def visit() -> None:
        async with served(tmp_path, watched=[log]) as place, place.socket() as socket:
            await socket.say(type="watch", log=0)
            assert (await until(socket, 20))["numbers"] == [20, 39]
            await socket.say(type="find", log=0, number=25)
            found = await socket.hear("replay")
            assert (found["hand"], found["number"]) == (5, 25)
            assert found["title"].startswith("hand 25 ")
            await socket.say(type="find", log=0, number=5)
            assert (await socket.hear("refused"))["reason"] == "this hand is not in the log"

    run(visit())


def test_a_matchs_folder_is_an_index_that_grows(tmp_path: Path) -> None:
    """Catches logs that are not found when they come, or that change their places."""
    plan, folder = plan_of("call", "raise", game=KUHN, num_hands=4, num_seeds=3), tmp_path / "match"
    folder.mkdir()
    plan.save(folder)
    play(plan, folder, 1)

    async def visit() -> None:
        async with served(tmp_path, watched=[folder]) as place:
            async with place.socket() as socket:
                before = (await socket.hear("lobby"))["logs"]
            await asyncio.to_thread(play, plan, folder)
            async with place.socket() as socket:
                after = (await socket.hear("lobby"))["logs"]
                assert (len(before), len(after), after[:1]) == (1, 3, before)
                await socket.say(type="watch", log=2)
                assert (await until(socket, 4))["isScored"] in (True, False)

    run(visit())


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ({"type": "watch", "log": 1}, "there is no such log"),
        ({"type": "show", "log": 0, "hand": 0}, "watch this log first"),
        ({"type": "show", "log": 7, "hand": 0}, "watch this log first"),
    ],
)
def test_only_what_was_named_can_be_seen(tmp_path: Path, request_: Message, reason: str) -> None:
    """Catches a way to other files, or to logs that nobody follows."""

    async def visit() -> None:
        async with served(tmp_path, watched=[RECORDED]) as place, place.socket() as socket:
            await socket.say(**request_)
            assert (await socket.hear("refused"))["reason"] == reason
            await socket.say(type="watch", log=0)
            await until(socket, 1)
            await socket.say(type="show", log=0, hand=10**6)
            assert (await socket.hear("refused"))["reason"] == "this hand is not in the log"

    run(visit())


def test_a_log_that_cannot_be_right_is_told_with_its_line(tmp_path: Path) -> None:
    """Catches a hand that never happened being shown."""
    log = tmp_path / "bad.log"
    log.write_text(RECORDED.read_text().replace("|", "?", 1))

    async def visit() -> None:
        async with served(tmp_path, watched=[log]) as place, place.socket() as socket:
            await socket.say(type="watch", log=0)
            while not (found := await socket.hear("log"))["problem"]:
                pass
            assert "line " in found["problem"]

    run(visit())
