"""``match`` as a process: scores, both ways to play, and going on after anything that ended it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime, tzinfo
from pathlib import Path
from random import Random
from typing import Self

import pytest

from acpcbot.cli import arguments
from acpcbot.cli.dispatch import main
from acpcbot.matches.plan import load_plan
from acpcbot.net.worker_pool import tasks_of
from tests.cli.running import (
    LONGEST_S,
    REFUSAL,
    acpcbot,
    children_of,
    is_alive,
    is_worker,
    kill_after,
    logs,
    num_hands,
    start,
    uninterrupted,
    wait_until,
)
from tests.support.games import KUHN, LEDUC, LIMIT_3P

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs process groups and SIGKILL")

SCORE = re.compile(
    r"  (\S+) +([+-][0-9.]+) ± ([0-9.]+|inf|nan) mbb/hand  \(([+-][0-9.e+-]+) chips\)"
)
ENDLESS = (
    "match",
    "random",
    "raise",
    "--game",
    KUHN,
    "--hands",
    "1000000",
    "--duplicate",
    "-o",
    "m",
    "--jobs",
    "2",
)


def scores(stdout: str) -> dict[str, tuple[float, float]]:
    """Each entrant's mbb/hand and chips."""
    return {name: (float(mean), float(chips)) for name, mean, _, chips in SCORE.findall(stdout)}


@pytest.mark.parametrize(
    ("game", "strategies"), [(LEDUC, ["random", "raise"]), (LIMIT_3P, ["raise", "random", "call"])]
)
def test_sockets_and_in_process_give_the_same_hands_and_the_same_scores(
    game: str, strategies: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["match", *strategies, "--game", game, "--hands", "12", "--duplicate", "--seed", "3"]
    sockets = acpcbot(tmp_path, *words, "-o", "sockets")
    in_process = main([*words, "-o", str(tmp_path / "in_process"), "--in-process"])
    assert (sockets.returncode, in_process) == (0, 0)
    assert logs(tmp_path / "sockets") == logs(tmp_path / "in_process")
    assert all(len(lines) == 12 for lines in logs(tmp_path / "sockets").values())
    assert scores(sockets.stdout) == scores(capfd.readouterr().out)
    assert list(scores(sockets.stdout)) == strategies
    assert sum(chips for _, chips in scores(sockets.stdout).values()) == pytest.approx(
        0.0, abs=0.01
    )
    assert sum(mean for mean, _ in scores(sockets.stdout).values()) == pytest.approx(0.0, abs=0.5)


def test_more_workers_do_not_change_what_is_played(tmp_path: Path) -> None:
    words = [
        "match",
        "random",
        "random",
        "--game",
        KUHN,
        "--hands",
        20,
        "--seeds",
        3,
        "--in-process",
    ]
    for jobs in (1, 2):
        assert acpcbot(tmp_path, *words, "-o", f"m{jobs}", "--jobs", jobs).returncode == 0
    assert logs(tmp_path / "m1") == logs(tmp_path / "m2")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A match that would go on for very long, with both of its tables in their midst."""
    process = start(tmp_path, *ENDLESS)
    try:
        wait_until(
            lambda: min(map(len, logs(tmp_path / "m").values()), default=0) > 50,
            "hands are played at each table",
        )
        yield process
    finally:
        process.kill()
        process.communicate(timeout=LONGEST_S)


@pytest.mark.parametrize(
    "mode",
    [
        pytest.param([], id="sockets"),
        pytest.param(["--in-process"], id="in process", marks=pytest.mark.slow),
    ],
)
def test_a_match_that_is_killed_again_and_again_ends_as_if_nothing_had_happened(
    mode: list[str], tmp_path: Path
) -> None:
    """No hand is lost, and none is played twice."""
    hands, random = 5000 if mode else 2000, Random(len(mode))
    words: list[object] = [
        "match",
        "random",
        "raise",
        "--game",
        KUHN,
        "--hands",
        hands,
        "--duplicate",
        "-o",
        "m",
    ]
    words += mode
    for limit in (random.randrange(20, hands), hands + random.randrange(hands // 2)):
        kill_after(limit, start(tmp_path, *words, "--jobs", 2), tmp_path / "m")
        words = ["match", "--resume", "m"]
    last = acpcbot(tmp_path, *words)
    assert last.returncode == 0, last.stderr
    plan = load_plan(tmp_path / "m")
    assert logs(tmp_path / "m") == uninterrupted(
        tasks_of(plan, tmp_path / "whole"), tmp_path / "whole"
    )
    assert sum(chips for _, chips in scores(last.stdout).values()) == pytest.approx(0.0, abs=0.01)
    for table in plan.tables():
        assert (tmp_path / "m" / f"{table.name}.log").read_text().count("SCORE:") == 1


def test_a_match_that_is_over_is_not_played_again(tmp_path: Path) -> None:
    first = acpcbot(
        tmp_path, "match", "random", "call", "--game", KUHN, "--hands", 5, "--in-process", "-o", "m"
    )
    before = (tmp_path / "m" / "table000.log").read_bytes()
    again = acpcbot(tmp_path, "match", "--resume", "m")
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert (tmp_path / "m" / "table000.log").read_bytes() == before


def test_workers_die_with_the_process_that_started_them(
    running: subprocess.Popen[str], tmp_path: Path
) -> None:
    workers = children_of(running)
    assert len(workers) >= 2
    running.kill()
    running.wait(timeout=LONGEST_S)
    wait_until(lambda: not any(map(is_alive, workers)), "the workers are gone", longest_s=20.0)


def test_an_interrupt_keeps_what_is_played_and_says_how_to_go_on(
    running: subprocess.Popen[str], tmp_path: Path
) -> None:
    """As from a terminal: every process of the group gets the signal."""
    workers = children_of(running)
    os.killpg(running.pid, signal.SIGINT)
    stdout, stderr = running.communicate(timeout=LONGEST_S)
    assert (running.returncode, stdout) == (130, "")
    assert "Traceback" not in stderr
    assert "go on with: acpcbot match --resume m\n" in stderr
    assert stderr.endswith("error: interrupted\n")
    wait_until(lambda: not any(map(is_alive, workers)), "the workers are gone", longest_s=20.0)
    assert num_hands(tmp_path / "m") > 50


def test_an_interrupt_before_the_first_hand_is_no_traceback_either(tmp_path: Path) -> None:
    """Workers that are still importing must not be heard either."""
    process = start(tmp_path, *ENDLESS)
    try:
        wait_until(lambda: any(map(is_worker, children_of(process))), "a worker is started")
        time.sleep(0.15)
        os.killpg(process.pid, signal.SIGINT)
        stderr = process.communicate(timeout=LONGEST_S)[1]
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert "Traceback" not in stderr


@pytest.mark.usefixtures("running")
def test_a_second_process_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    second = acpcbot(tmp_path, "match", "--resume", "m")
    assert (second.returncode, second.stdout) == (1, "")
    assert REFUSAL.fullmatch(second.stderr)
    assert "another process works" in second.stderr
    third = acpcbot(tmp_path, *ENDLESS)
    assert (third.returncode, third.stdout) == (1, "")
    assert "m holds a match already" in third.stderr


SLOW = """
import time
from acpcbot.agents.baseline import CallAgent

class Bot(CallAgent):
    is_instant = False
    def act(self, state, deadline_s):
        time.sleep(60)
        return super().act(state, deadline_s)
"""
LIMITS = {"#--t_response": 300, "#--t_hand": 400, "#--t_per_hand": 50_000}


def limits_in(log: Path) -> dict[str, int]:
    """The dealer's options in the first lines of *log*."""
    lines = [line.split() for line in log.read_text().splitlines() if line.startswith("#--t_")]
    return {option: int(value) for option, value in lines}


def test_the_dealers_limits_hold_for_our_clients_and_are_kept(tmp_path: Path) -> None:
    """Were the client not told of them, an agent that takes a minute would lose the match to
    the dealer's clock.
    """
    (tmp_path / "slow.py").write_text(SLOW)
    words = [
        "slow.py:Bot",
        "call",
        "--game",
        KUHN,
        "--hands",
        3,
        "-o",
        "m",
        "--start_timeout",
        30_000,
    ]
    words += [
        word.removeprefix("#") if isinstance(word, str) else word
        for pair in LIMITS.items()
        for word in pair
    ]
    done = acpcbot(tmp_path, "match", *words)
    assert done.returncode == 0, done.stderr
    assert "decisions were made by the fallback" in done.stderr
    log = tmp_path / "m" / "table000.log"
    assert limits_in(log) == LIMITS
    assert load_plan(tmp_path / "m").start_timeout_ms == 30_000
    log.unlink()
    again = acpcbot(tmp_path, "match", "--resume", "m")
    assert again.returncode == 0, again.stderr
    assert limits_in(log) == LIMITS


def test_a_plan_from_before_there_were_limits_has_the_dealers_own(tmp_path: Path) -> None:
    done = acpcbot(
        tmp_path, "match", "call", "call", "--game", KUHN, "--hands", 2, "--in-process", "-o", "m"
    )
    assert done.returncode == 0, done.stderr
    path = tmp_path / "m" / "match.json"
    old = {
        name: value
        for name, value in json.loads(path.read_text()).items()
        if not name.endswith("_ms")
    }
    path.write_text(json.dumps(old))
    assert load_plan(tmp_path / "m").settings(
        load_plan(tmp_path / "m").tables()[0], tmp_path
    ).header[1:] == (
        "#--t_response 600000",
        "#--t_hand 600000",
        "#--t_per_hand 7000",
    )


CRASHING = """
from acpcbot.agents.baseline import CallAgent

class Bot(CallAgent):
    def act(self, state, deadline_s):
        raise SystemExit(7) if state.hand_id == 20 else KeyError("mine")
"""


@pytest.mark.parametrize("mode", [[], ["--in-process"]], ids=["sockets", "in process"])
def test_decisions_of_the_fallback_are_told_of_and_logged(tmp_path: Path, mode: list[str]) -> None:
    """Caught: a hint at a file of reasons that is empty, as it was in process."""
    (tmp_path / "bad.py").write_text(CRASHING)
    words = ["match", "bad.py:Bot", "call", "--game", KUHN, "--hands", 5, "-o", "m", *mode]
    done = acpcbot(tmp_path, *words)
    assert done.returncode == 0
    assert "decisions were made by the fallback; see m/clients.log" in done.stderr.replace(
        "\n", " "
    )
    told = json.loads((tmp_path / "m" / "clients.log").read_text().splitlines()[0])
    assert (told["event"], told["player"], told["reason"]) == (
        "fallback",
        "Bot",
        "KeyError('mine')",
    )
    assert told["state"].startswith("MATCHSTATE:")
    assert told["action"] in "fc"


@pytest.mark.parametrize("mode", [[], ["--in-process"]], ids=["sockets", "in process"])
def test_an_agent_that_ends_its_process_fails_its_table_only(
    mode: list[str], tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text(CRASHING)
    done = acpcbot(
        tmp_path, "match", "bad.py:Bot", "call", "--game", KUHN, "--hands", 50, "-o", "m", *mode
    )
    assert done.returncode == 1
    assert "error: m/table000: " in done.stderr
    assert "hint: go on with acpcbot match --resume m" in done.stderr
    assert len(logs(tmp_path / "m")["table000.log"]) == 20


def test_names_of_any_script_are_scored(tmp_path: Path) -> None:
    """A log is latin-1; an entrant's name must be found in it again."""
    (tmp_path / "名前.py").write_text("from acpcbot.agents.baseline import CallAgent as 名前\n")
    done = acpcbot(
        tmp_path,
        "match",
        "名前.py:名前",
        "call",
        "--game",
        KUHN,
        "--hands",
        5,
        "--in-process",
        "-o",
        "m",
    )
    assert done.returncode == 0, done.stderr
    assert len(scores(done.stdout)) == 2


def test_matches_that_begin_in_one_second_have_folders_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class StoppedClock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return cls(2026, 11, 20, 17, 32, 48, tzinfo=tz)

    monkeypatch.setattr(arguments, "datetime", StoppedClock)
    monkeypatch.chdir(tmp_path)
    for _ in range(3):
        words = ["match", "call", "fold", "--game", "kuhn.limit.2p", "--hands", "2", "--in-process"]
        assert main(words) == 0, capsys.readouterr().err
    names = ["2026-11-20-173248", "2026-11-20-173248-2", "2026-11-20-173248-3"]
    assert sorted(path.name for path in (tmp_path / "matches").iterdir()) == names
