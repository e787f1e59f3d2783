"""Matches that grow while somebody looks: recorded logs are written piece by piece."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acpcbot.cli.dispatch import main
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.tournaments.plan import TournamentPlan
from acpcbot.web import watching
from acpcbot.web.watched_log import WatchedLog
from acpcbot.web.watching import Gallery
from tests.support.games import KUHN, LEDUC, NOLIMIT_2P, definition_of
from tests.support.matches import plan_of, play
from tests.web.served import Message, Socket, run, served

TRANSCRIPTS = Path(__file__).parents[2] / "dealer_tests" / "transcripts"
RECORDED = TRANSCRIPTS / "clean_nolimit_3p_s1" / "dealer.log"


class Clock:
    """Seconds since 1970 that pass when they are told to."""

    def __init__(self) -> None:
        self.now_s = 1e9

    def __call__(self) -> float:
        return self.now_s


def hands_of(path: Path) -> list[HandRecord]:
    return [entry for entry in read_match_log(path) if isinstance(entry, HandRecord)]


def won(hand: HandRecord) -> dict[str, float]:
    return dict(zip(hand.names, hand.values, strict=True))


def read_all(gallery: Gallery) -> list[Message]:
    """Return what is known of all matches once everything is read."""
    gallery.search()
    while gallery.look():
        pass
    gallery.changes()
    found: list[Message] = gallery.message()["matches"]
    return found


async def until(socket: Socket, num_hands: int, match: int = 0) -> Message:
    """The match when it has so many hands and is read."""
    while True:
        for found in (await socket.hear("matches"))["matches"]:
            is_read = found["match"] == match and found["state"] != "reading"
            if is_read and found["hands"] >= num_hands:
                return dict(found)


def test_a_match_is_followed_line_by_line(tmp_path: Path) -> None:
    """Catches a hand that is missed or told before its line is whole, wrong totals, a hand read
    from a wrong place.
    """
    text, log = RECORDED.read_bytes(), tmp_path / "growing.log"
    hands = hands_of(RECORDED)
    cut = text.index(b"STATE:5:") + 20
    log.write_bytes(text[:cut])

    async def visit() -> None:
        async with served(tmp_path, watched=[log]) as place, place.socket() as socket:
            assert (await socket.hear("lobby"))["canWatch"]
            await socket.say(type="watch")
            found = await until(socket, 5)
            assert (found["hands"], found["state"]) == (5, "playing")
            assert (found["name"], found["game"]) == (
                "growing.log",
                "Three-player no-limit hold'em, 200 bb",
            )
            with log.open("ab") as file:
                file.write(text[cut:])
            found = await until(socket, len(hands))
            totals = {one["name"]: one["chips"] for one in found["scores"]}
            assert totals == {name: sum(won(hand)[name] for hand in hands) for name in totals}
            assert (len(totals), found["state"]) == (3, "over")
            for number in (0, 5, len(hands) - 1):
                await socket.say(type="show", match=0, log=0, hand=number)
                scene = (await socket.hear("replay"))["views"][-1]
                shown = {seat["name"]: seat["won"] for seat in scene["seats"]}
                assert shown == won(hands[number])

    run(visit())


@pytest.mark.parametrize(
    ("game", "strategies", "is_duplicate"),
    [
        (KUHN, ("call", "raise"), False),
        (LEDUC, ("random", "tight"), True),
        (NOLIMIT_2P, ("random", "tight"), True),
    ],
)
def test_scores_are_those_of_evaluate(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    game: str,
    strategies: Sequence[str],
    is_duplicate: bool,
) -> None:
    """Catches hands of one deal that count as independent, an interval by another method, chips
    for mbb, also where one of the two seatings has played half of its hands.
    """
    plan = plan_of(*strategies, game=game, num_hands=40, num_seeds=2, is_duplicate=is_duplicate)
    plan.save(tmp_path)
    play(plan, tmp_path)
    last = tmp_path / f"{plan.tables()[-1].name}.log"
    last.write_bytes(last.read_bytes().partition(b"STATE:17:")[0])
    (found,) = read_all(Gallery([tmp_path], None))
    assert main(["evaluate", str(tmp_path), "--json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    assert len(found["scores"]) == len(players) == 2
    for score in found["scores"]:
        (player,) = [one for one in players if one["name"] == score["name"]]
        chips = player["estimates"][0]
        assert chips["name"] == "chips"
        assert score["mbb"] == pytest.approx(chips["mean_mbb"], abs=1e-6)
        assert score["halfWidth"] == pytest.approx(chips["half_width_mbb"], rel=1e-9)
        assert (found["hands"], found["deals"]) == (player["num_hands"], player["num_samples"])
    assert (found["deals"] < found["hands"]) == is_duplicate
    assert found["planned"] == 40 * len(plan.tables())


def plain_pot(hand: HandRecord) -> int:
    """The chips that at least two had put in, chip by chip."""
    spent = hand.betting.spent
    return sum(
        sum(chips >= level for chips in spent)
        for level in range(1, max(spent) + 1)
        if sum(chips >= level for chips in spent) > 1
    )


@pytest.mark.parametrize("name", ["clean_nolimit_3p_s1", "clean_nolimit_2p_s1"])
def test_the_largest_pots_come_first(name: str) -> None:
    """Catches an uncalled bet in a pot, an order of the log, and a hand of another place."""
    log = TRANSCRIPTS / name / "dealer.log"
    gallery = Gallery([log], None)
    read_all(gallery)
    hands = hands_of(log)
    ranked = sorted(hands, key=lambda hand: (-plain_pot(hand), hand.hand_id))
    for count in (1, 7, 500):
        pots = gallery.match(0).pots(count)
        assert [(pot["chips"], pot["number"]) for pot in pots] == [
            (plain_pot(hand), hand.hand_id) for hand in ranked[:count]
        ]
    for pot, hand in zip(pots, ranked, strict=True):
        assert {one["name"]: one["chips"] for one in pot["won"]} == {
            name: chips for name, chips in won(hand).items() if chips > 0
        }
        last_view = gallery.match(0).log(pot["log"]).views(pot["hand"])["views"][-1]
        assert last_view["pot"] == sum(hand.betting.spent)
        assert last_view["board"] == pot["board"]


def test_pace_and_end_are_those_of_the_last_minute(tmp_path: Path) -> None:
    """Catches hands that were there before in the pace, a mean over hours, an end of past speed."""
    clock, log = Clock(), tmp_path / "match.log"
    lines = RECORDED.read_bytes().splitlines(keepends=True)
    first = next(place for place, line in enumerate(lines) if line.startswith(b"STATE:"))
    log.write_bytes(b"".join(lines[: first + 10]))
    os.utime(log, (clock.now_s - 7200, clock.now_s - 7200))
    gallery = Gallery([log], None, now=clock)
    (found,) = read_all(gallery)
    assert (found["hands"], found["planned"]) == (10, 40)
    assert (found["perMinute"], found["secondsLeft"], found["quietS"]) == (None, None, 7200)
    for count in range(10, 20):  # One hand in ten seconds.
        clock.now_s += 10
        log.write_bytes(b"".join(lines[: first + count + 1]))
        (found,) = read_all(gallery)
    assert (found["hands"], found["quietS"]) == (20, 0)
    assert found["perMinute"] == pytest.approx(6, rel=0.01)
    assert found["secondsLeft"] == pytest.approx(200, rel=0.01)
    clock.now_s += 100
    (found,) = read_all(gallery)
    assert (found["perMinute"], found["secondsLeft"], found["quietS"]) == (None, None, 100)
    log.write_bytes(RECORDED.read_bytes())
    (found,) = read_all(gallery)
    assert (found["state"], found["perMinute"], found["quietS"]) == ("over", None, 0)


def test_a_log_that_is_cut_off_or_begun_anew_is_counted_anew(tmp_path: Path) -> None:
    """Catches hands that are in the score and not in the log."""
    text, log = RECORDED.read_bytes(), tmp_path / "match.log"
    log.write_bytes(text)
    gallery = Gallery([log], None)
    assert read_all(gallery)[0]["hands"] == 40
    os.truncate(log, text.index(b"STATE:12:") + 30)
    (found,) = read_all(gallery)
    assert (found["hands"], found["state"], found["problem"]) == (12, "playing", "")
    chips = sum(won(hand)[found["players"][0]] for hand in hands_of(RECORDED)[:12])
    assert found["scores"][0]["chips"] == chips
    log.write_bytes(text)  # The rest of the half line, and all that follows.
    assert read_all(gallery)[0]["hands"] == 40
    log.unlink()
    (found,) = read_all(gallery)
    assert found["problem"] == "match.log: No such file or directory"
    log.write_bytes(text[: text.index(b"STATE:3:")])
    (found,) = read_all(gallery)
    assert (found["hands"], found["problem"]) == (3, "")


def test_new_matches_are_found_where_they_begin(tmp_path: Path) -> None:
    """Catches logs that are not found when they come, matches that change their numbers, and
    matches of a tournament that have not begun.
    """
    plan = plan_of("call", "raise", game=KUHN, num_hands=4, num_seeds=3)
    day = tmp_path / "day"
    folder = day / "b"
    plan.save(folder)
    play(plan, folder, 1)
    gallery = Gallery([day], None)
    assert [match["name"] for match in read_all(gallery)] == ["day/b"]
    assert (gallery.match(0).num_hands, gallery.match(0).num_logs) == (4, 1)
    play(plan, folder)
    (day / "a.log").write_bytes(RECORDED.read_bytes())
    cup = TournamentPlan(
        ("call", "raise", "random"), plan.game_name, plan.game_text, num_hands=4, seed=9
    )
    matches = cup.matches()
    cup.save(day / "cup")
    for match in matches:
        match.plan.save(day / "cup" / match.folder)
    play(matches[1].plan, day / "cup" / matches[1].folder)
    found = read_all(gallery)
    assert [(match["name"], match["hands"]) for match in found] == [
        ("day/b", 12),
        ("day/a.log", 40),
        ("day/cup/001-call-random", 4),
    ]
    assert gallery.message()["note"] == "day/cup: 1 of 3 matches have begun"
    play(matches[0].plan, day / "cup" / matches[0].folder)
    assert read_all(gallery)[-1]["players"] == ("call", "raise")
    assert gallery.message()["note"] == "day/cup: 2 of 3 matches have begun"


def test_a_match_that_begins_later_is_told_to_a_browser_that_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches a page that has to be loaded again."""
    monkeypatch.setattr(watching, "SEARCH_S", 0.0)
    folder = tmp_path / "logs"
    folder.mkdir()

    async def visit() -> None:
        async with served(tmp_path, watched=[folder]) as place, place.socket() as socket:
            await socket.say(type="watch")
            assert (await socket.hear("matches"))["count"] == 0
            (folder / "late.log").write_bytes(RECORDED.read_bytes())
            assert (await until(socket, 40))["name"] == "logs/late.log"

    run(visit())


def test_one_bad_log_leaves_the_others_alone(tmp_path: Path) -> None:
    """Catches a hand that never happened being shown, and a thread that ends by one log."""
    (tmp_path / "a.log").write_text(RECORDED.read_text().replace("|", "?", 1))
    (tmp_path / "b.log").write_text(RECORDED.read_text())
    (tmp_path / "c.log").write_text("STATE:0:cc:Kh|Qh:1|-1:A|B\n")
    bad, good, unknown = read_all(Gallery([tmp_path], None))
    assert "line " in bad["problem"]
    assert bad["hands"] == 0
    assert (good["hands"], good["problem"]) == (40, "")
    assert "names no shipped game" in unknown["problem"]


def test_players_of_another_match_are_refused(tmp_path: Path) -> None:
    """Catches hands of other players in the score of a plan's match, or of a log's."""
    plan = plan_of("call", "raise", num_hands=3)
    plan.save(tmp_path / "match")
    play(plan, tmp_path / "match")
    log = tmp_path / "match" / "table000.log"
    text = log.read_text()
    log.write_text(text.replace("raise", "rays"))
    (tmp_path / "two.log").write_text(text + text.replace("raise", "rays"))
    of_log, of_plan = read_all(Gallery([tmp_path], definition_of(KUHN)))
    assert of_plan["problem"] == (
        "table000.log: expected the players call, raise, found call, rays"
    )
    assert "other players" in of_log["problem"]
    assert (of_log["hands"], {score["name"] for score in of_log["scores"]}) == (
        3,
        {"call", "raise"},
    )


def test_hands_are_found_by_the_numbers_that_the_log_has(tmp_path: Path) -> None:
    """Catches a number that is told as a place, in a log that does not begin with hand 0."""
    lines = RECORDED.read_text().splitlines(keepends=True)
    kept = [
        line for line in lines if not line.startswith("STATE:") or int(line.split(":")[1]) >= 20
    ]
    log = tmp_path / "part.log"
    log.write_text("".join(kept))

    async def visit() -> None:
        async with served(tmp_path, watched=[log]) as place, place.socket() as socket:
            await socket.say(type="watch")
            assert (await until(socket, 20))["logs"][0]["numbers"] == [20, 39]
            await socket.say(type="find", match=0, log=0, number=25)
            found = await socket.hear("replay")
            assert (found["hand"], found["number"]) == (5, 25)
            assert found["title"].startswith("hand 25 ")
            await socket.say(type="find", match=0, log=0, number=5)
            assert (await socket.hear("refused"))["reason"] == "this hand is not in the log"

    run(visit())


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ({"type": "largest", "match": 1, "count": 5}, "there is no such match"),
        ({"type": "show", "match": 1, "log": 0, "hand": 0}, "there is no such match"),
        ({"type": "show", "match": 0, "log": 7, "hand": 0}, "there is no such log"),
        ({"type": "show", "match": 0, "log": 0, "hand": 10**6}, "this hand is not in the log"),
    ],
)
def test_only_what_was_named_can_be_seen(tmp_path: Path, request_: Message, reason: str) -> None:
    """Catches a way to other files."""

    async def visit() -> None:
        async with served(tmp_path, watched=[RECORDED]) as place, place.socket() as socket:
            await socket.say(type="watch")
            await until(socket, 40)
            await socket.say(**request_)
            assert (await socket.hear("refused"))["reason"] == reason

    run(visit())


def test_hands_can_be_asked_for_while_others_come(tmp_path: Path) -> None:
    """Catches rows that move while they are read."""
    text = RECORDED.read_bytes()
    start, stop = text.index(b"STATE:0:"), text.index(b"SCORE:")
    path = tmp_path / "match.log"
    path.write_bytes(text[:start] + text[start:stop] * 200)
    log, faults = WatchedLog(path, None), []
    expected = [plain_pot(hand) for hand in hands_of(RECORDED)]

    def ask(stopped: threading.Event) -> None:
        while not stopped.is_set():
            pots: np.ndarray[Any, Any] = log.pots
            wanted = np.resize(expected, len(pots))
            if not np.array_equal(pots, wanted) or (
                log.players and len(log.chips(log.players[0])) < len(pots)
            ):
                faults.append(len(pots))

    stopped = threading.Event()
    asking = threading.Thread(target=ask, args=(stopped,))
    asking.start()
    while not log.is_read:
        log.read()
    stopped.set()
    asking.join()
    assert (log.num_hands, faults) == (8000, [])
