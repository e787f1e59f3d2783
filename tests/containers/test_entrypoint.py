"""From a word and the environment to a command: what containers do, without one."""

from __future__ import annotations

import json
import re
import socket
import tomllib
from pathlib import Path
from typing import Any

import pytest

from acpcbot.net.serve import BotConfig, load_bots
from tests.containers.entrypoints import ROOT, load_entrypoint, start_entrypoint

BOT = {"STRATEGY": "tight", "DEALER_HOST": "dealer", "DEALER_PORT": "18791"}
SEATS = {"SEATS": "alice=18791 bob=18792"}


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    return load_entrypoint()


def test_a_bot_is_what_its_variables_say(script: Any, tmp_path: Path) -> None:
    (tmp_path / "bots.toml").write_text(
        script.bots_toml(
            {**BOT, "NAME": 'say "hi"', "SEED": "7", "GAME": "leduc.limit.2p", "REJOIN": "false"}
        )
    )
    assert load_bots(tmp_path / "bots.toml") == [
        BotConfig("tight", "leduc.limit.2p", "dealer", 18791, name='say "hi"', seed=7, rejoin=False)
    ]


def test_a_game_of_ones_own_is_found_from_where_the_bots_file_lies(
    script: Any, tmp_path: Path
) -> None:
    """It lies in a folder of its own, not in the one that the game's path is meant from."""
    (tmp_path / "own.game").write_text("")
    [bot] = tomllib.loads(script.bots_toml({**BOT, "GAME": "own.game"}))["bot"]
    assert bot["game"] == str(tmp_path / "own.game")


def test_metrics_stay_at_home_unless_somebody_says_otherwise(script: Any) -> None:
    assert script.bot(BOT)[-2:] == ["--metrics", "127.0.0.1:9464"]
    assert script.bot({**BOT, "METRICS": "0.0.0.0:9000"})[-2:] == ["--metrics", "0.0.0.0:9000"]


def test_a_dealer_begins_a_match_and_then_goes_on_with_it(script: Any) -> None:
    given = {
        **SEATS,
        "MATCH": "day",
        "HANDS": "50",
        "SEED": "3",
        "DUPLICATE": "true",
        "GAME": "kuhn.limit.2p",
    }
    doors = [
        "--port",
        "alice=18791",
        "--port",
        "bob=18792",
        "--host",
        "127.0.0.1",
        "--start-timeout",
        "600",
    ]
    begun = script.dealer(given)
    assert begun[:9] == [
        "match",
        "remote:alice",
        "remote:bob",
        "--game",
        "kuhn.limit.2p",
        "--hands",
        "50",
        "--seed",
        "3",
    ]
    assert begun[9:] == ["--duplicate", "-o", "day", *doors]
    keep(
        Path("day/match.json"),
        strategies=["remote:alice", "remote:bob"],
        num_hands=50,
        seed=3,
        is_duplicate=True,
    )
    assert script.dealer(given) == ["match", "--resume", "day", *doors]


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"HANDS": "60"}, "num_hands 50, not 60"),
        ({"SEED": "4"}, "seed 3, not 4"),
        ({"DUPLICATE": "true"}, "is_duplicate False, not True"),
        ({"SEATS": "alice=1 carol=2"}, "strategies"),
    ],
)
def test_another_match_in_the_same_folder_is_refused(
    changed: dict[str, str], fault: str, script: Any
) -> None:
    """Catches a container that quietly plays what was asked for last week."""
    keep(
        Path("match/match.json"),
        strategies=["remote:alice", "remote:bob"],
        num_hands=50,
        seed=3,
        is_duplicate=False,
    )
    given = {**SEATS, "HANDS": "50", "SEED": "3"}
    assert script.dealer(given)[:2] == ["match", "--resume"]
    with pytest.raises(script.Refused, match=fault):
        script.dealer({**given, **changed})


def test_a_tournament_begins_and_then_goes_on(script: Any) -> None:
    given = {"ENTRANTS": "tight call random", "TOURNAMENT": "cup", "HANDS": "50"}
    begun = script.tournament(given)
    assert begun[:5] == ["tournament", "run", "tight", "call", "random"]
    assert begun[-2:] == ["-o", "cup"]
    keep(Path("cup/tournament.json"), strategies=["tight", "call", "random"], num_hands=50, seed=0)
    assert script.tournament(given) == ["tournament", "run", "--resume", "cup"]


def keep(path: Path, **terms: object) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps(terms))


def test_a_page_has_the_name_of_its_match(script: Any) -> None:
    assert script.report({"MATCH": "matches/day", "PAGES": "/pages"}) == [
        "report",
        "matches/day",
        "-o",
        "/pages/day.html",
    ]


@pytest.mark.parametrize(
    ("word", "variables", "fault"),
    [
        (
            "bot",
            {**BOT, "STRATEGY": ""},
            "STRATEGY is not set",
        ),  # as compose files give what they lack
        ("bot", {**BOT, "DEALER_PORT": "http"}, "DEALER_PORT=http is no number"),
        ("bot", {**BOT, "SEED": "-1"}, "SEED=-1 is no number"),
        ("bot", {**BOT, "REJOIN": "no"}, "REJOIN=no is neither true nor false"),
        ("dealer", {}, "SEATS is not set"),
        ("tournament", {}, "ENTRANTS is not set"),
    ],
)
def test_a_senseless_environment_is_refused_in_one_line(
    word: str,
    variables: dict[str, str],
    fault: str,
    script: Any,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert script.main([word], variables) == 1
    assert capsys.readouterr().err == f"error: {fault}\n"


def test_the_plain_command_of_compose_plays_a_match() -> None:
    """Catches a service of the match that waits for a profile: `docker compose up` would start
    nothing.
    """
    text = (ROOT / "docker" / "compose.yaml").read_text(encoding="utf-8")
    services = re.findall(
        r"^  (\w+):\n((?:    .*\n|\n)+)", text.partition("\nservices:\n")[2], re.MULTILINE
    )
    assert [name for name, body in services if "profiles:" not in body] == [
        "dealer",
        "alice",
        "bob",
    ]
    profiles = {name: re.findall(r'profiles: \["(\w+)"\]', body) for name, body in services}
    assert [profiles[name] for name in ("report", "tournament", "join")] == [
        ["report"],
        ["tournament"],
        ["join"],
    ]


def test_everything_that_the_image_copies_is_sent_to_the_engine() -> None:
    """Catches a folder that wheels hold and .dockerignore keeps back."""
    sent = {
        line[1:]
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"][
        "targets"
    ]["wheel"]
    needed = {*wheel["packages"], *wheel["force-include"], "README.md", "LICENSE", "pyproject.toml"}
    for line in re.findall(
        r"^COPY (?!--from)(.*)$", (ROOT / "docker/Dockerfile").read_text(), re.MULTILINE
    ):
        needed |= {word for word in line.split()[:-1] if word != "."}
    assert {
        name for name in needed if name not in sent and name.partition("/")[0] not in sent
    } == set()


def test_any_other_word_is_the_programs(tmp_path: Path) -> None:
    process = start_entrypoint(tmp_path, "games")
    assert "leduc.limit.2p" in process.communicate()[0]
    assert process.returncode == 0


def test_nobody_there_is_not_healthy(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
    assert script.main(["health"], {"METRICS": f"0.0.0.0:{port}"}) == 1
    assert f"http://127.0.0.1:{port}/ready" in capsys.readouterr().err
