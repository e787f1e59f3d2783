"""The person's decisions, judged at the table: the numbers of ``explain --json``, spots dealt again."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.web.judging import NO_JUDGE
from acpcbot.web.titles import strategy_title
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT
from tests.web.served import Socket, run, served

STORED = {
    KUHN: "strategies/kuhn.limit.2p/dcfr",
    LEDUC: "strategies/leduc.limit.2p/dcfr",
    LEDUC_NOLIMIT: "strategies/leduc.nolimit.2p/external_sampling",
}
NAMES = {
    "values": "values_bb",
    "takenValue": "taken_value_bb",
    "cost": "cost_bb",
    "halfWidth": "half_width_bb",
    "standardError": "standard_error_bb",
    "probabilities": "probabilities",
}


async def play(socket: Socket, num_hands: int, random: Random) -> list[dict[str, Any]]:
    """Play so many hands at random; the message on the judged decisions of each."""
    found = []
    table = await socket.turn()
    for number in range(num_hands):
        while table["phase"] == "turn":
            choices = table["choices"]
            actions = ["c", *(["f"] if choices["fold"] else [])]
            raises = choices["raise"]
            if raises:
                size = raises["isFixed"] or random.choice([raises["least"], raises["most"]])
                actions += ["r" if raises["isFixed"] else f"r{size}"] * 2
            await socket.act(table, random.choice(actions))
            table = await socket.turn()
        found.append(await socket.hear("judged"))
        if number + 1 < num_hands:
            await socket.say(type="deal", hand=table["hand"])
            table = await socket.turn()
    return found


def explained(log: Path, strategy: str, capfd: pytest.CaptureFixture[str], *more: str) -> Any:
    capfd.readouterr()
    words = ["explain", str(log), "--strategy", strategy, "--player", "Ann", "--json"]
    assert main([*words, *more]) == 0
    return json.loads(capfd.readouterr().out)


@pytest.mark.parametrize("game", [KUHN, LEDUC, LEDUC_NOLIMIT])
def test_numbers_are_those_of_explain(
    game: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches another hand, seat or strategy, chips for big blinds, and sums that lack a hand."""
    told: list[dict[str, Any]] = []
    costs: list[dict[str, Any]] = []

    async def visit() -> None:
        async with served(tmp_path, [STORED[game]], game) as place, place.socket() as socket:
            await socket.sit()
            told.extend(await play(socket, 6, Random(game)))
            costs.append(await socket.hear("costs"))

    run(visit())
    log = next(tmp_path.rglob("table000.log"))
    for message in told:
        assert message["isDone"]
        assert message["by"] == strategy_title(STORED[game]).title
        number = str(message["hand"])
        (hand,) = explained(log, STORED[game], capfd, "--hand", number)
        expected = [decision["judged"] for decision in hand["decisions"]]
        assert len(message["decisions"]) == len(expected)
        for shown, wanted in zip(message["decisions"], expected, strict=True):
            assert shown["place"] == wanted["place"]
            assert shown["action"] == wanted["taken"]
            for ours, theirs in NAMES.items():
                assert shown[ours] == pytest.approx(wanted[theirs], abs=1e-9)
            if wanted["taken"] in wanted["actions"]:
                assert wanted["actions"][shown["taken"]] == wanted["taken"]
            else:
                assert shown["taken"] == -1
            assert wanted["actions"][shown["preferred"]] == wanted["preferred"]
    (player,) = explained(log, STORED[game], capfd)["players"]
    (found,) = costs
    assert found["hands"] == player["hands"] == 6
    assert found["waiting"] == 0
    assert found["total"]["cost"] == pytest.approx(player["total"]["cost_bb"], abs=1e-9)
    for group, name in zip(found["groups"], ("by_street", "by_position", "by_kind"), strict=True):
        assert [row["decisions"] for row in group["rows"]] == [
            row["decisions"] for row in player[name]
        ]
        assert [row["cost"] for row in group["rows"]] == pytest.approx(
            [row["cost_bb"] for row in player[name]], abs=1e-9
        )
    assert [(spot["hand"], spot["place"]) for spot in found["spots"]] == [
        (spot["hand"], spot["place"]) for spot in player["most_expensive"]
    ]


def test_a_drill_deals_the_very_spot(tmp_path: Path) -> None:
    """Catches other cards, another betting, cards that were hidden, and an answer that is not
    judged.
    """

    async def visit() -> None:
        async with served(tmp_path, [STORED[LEDUC]], LEDUC) as place, place.socket() as socket:
            await socket.sit()
            told = await play(socket, 8, Random(4))
            with open(next(place.folder.glob("*.log")), "rb") as log:
                records = [entry for entry in read_match_log(log) if isinstance(entry, HandRecord)]
            for message in told:
                record = records[message["hand"]]
                seat = record.names.index("Ann")
                for shown in message["decisions"]:
                    await check(socket, record, seat, shown)

    async def check(socket: Socket, record: HandRecord, seat: int, shown: dict[str, Any]) -> None:
        await socket.say(type="drill", hand=record.hand_id, place=shown["place"])
        spot = await socket.hear("spot")
        betting, _ = list(record.betting.decisions())[shown["place"]]
        view = spot["view"]
        assert (view["pot"], view["board"]) == (betting.pot, shown["board"])
        own, other = view["seats"]
        assert own["name"] == "Ann"
        assert own["cards"] == shown["cards"]
        assert other["cards"] == ""
        assert spot["choices"]["call"] == betting.to_call
        assert (
            len([words for words in spot["captions"] if "dealt" not in words[0]]) == shown["place"]
        )
        for text in ("c", "r" if spot["choices"]["raise"] else "c"):
            await socket.say(type="answer", hand=record.hand_id, place=shown["place"], action=text)
            verdict = await socket.hear("verdict")
            decision = verdict["decision"]
            assert (verdict["hand"], decision["place"]) == (record.hand_id, shown["place"])
            assert decision["action"] == text
            assert decision["values"] == pytest.approx(shown["values"], abs=1e-9)
            assert decision["takenValue"] == pytest.approx(
                shown["values"][decision["taken"]], abs=1e-9
            )

    run(visit())


@pytest.mark.parametrize(
    ("request_fields", "reason"),
    [
        ({"type": "drill", "hand": 9, "place": 0}, "not over"),
        ({"type": "drill", "hand": 0, "place": 99}, "no decision of yours"),
        ({"type": "answer", "hand": 0, "place": 99, "action": "c"}, "no decision of yours"),
        ({"type": "answer", "hand": 0, "place": 0, "action": "x"}, "no action"),
    ],
)
def test_spots_that_are_not_the_persons_are_refused(
    request_fields: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    """Catches a look at the bot's decisions, and answers that are not legal."""

    async def visit() -> None:
        async with served(tmp_path, [STORED[KUHN]], KUHN) as place, place.socket() as socket:
            await socket.sit()
            (message,) = await play(socket, 1, Random(1))
            fields = dict(request_fields)
            if fields["place"] == 0:
                fields["place"] = message["decisions"][0]["place"]
            await socket.say(**fields)
            assert reason in (await socket.hear("refused"))["reason"]
            own = [decision["place"] for decision in message["decisions"]]
            others = next(number for number in range(4) if number not in own)
            await socket.say(type="drill", hand=0, place=others)
            assert "no decision of yours" in (await socket.hear("refused"))["reason"]

    run(visit())


def test_without_a_stored_strategy_that_is_said(tmp_path: Path) -> None:
    """Catches a message that never comes."""

    async def visit() -> None:
        async with served(tmp_path, ["call"], LEDUC) as place, place.socket() as socket:
            await socket.sit()
            (message,) = await play(socket, 1, Random(1))
            assert (message["by"], message["isDone"]) == (None, True)
            assert (message["note"], message["decisions"]) == (NO_JUDGE, [])
            costs = await socket.hear("costs")
            assert (costs["hands"], costs["spots"], costs["waiting"]) == (0, [], 0)

    run(visit())


def test_the_blueprint_judges_where_a_bot_searches(tmp_path: Path) -> None:
    """Catches a search for every state below every action, and a name that nobody types."""

    async def visit() -> None:
        strategies = ["strategies/leduc.nolimit.2p/search"]
        async with served(tmp_path, strategies, LEDUC_NOLIMIT) as place, place.socket() as socket:
            await socket.sit()
            (message,) = await play(socket, 1, Random(1))
            assert message["by"] == "MCCFR, 100 M iterations"
            assert message["decisions"]

    run(visit())


def test_a_browser_that_comes_back_is_told_what_was_judged(tmp_path: Path) -> None:
    """Catches a reload after which decisions are being judged for ever."""

    async def visit() -> None:
        async with served(tmp_path, [STORED[LEDUC]], LEDUC) as place, place.socket() as socket:
            seated = await socket.sit()
            told = await play(socket, 2, Random(1))
            costs = await socket.hear("costs")
            async with place.socket() as other:
                await other.say(type="resume", table=seated["table"])
                assert await other.hear("judged") == told[-1]
                assert await other.hear("costs") == costs
                await other.say(type="explain", hand=0)
                assert await other.hear("judged") == told[0]

    run(visit())
